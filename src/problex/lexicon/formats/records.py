"""Files whose lines or elements are records with named fields: `key=value` lines, and XML of sentiment lexicons.

    type=weaksubj len=1 word1=abandon pos1=verb stemmed1=y priorpolarity=negative        (MPQA, .tff)
    fehlschlagen NEG=0.7 verben                                                          (Zurich)
    abafado.PoS=Adj;TG=HUM:N0;POL:N0=-1;ANOT=JALC                                        (SentiLex-PT)
    verabscheuen -                                                                       (lists of signs)
    <word form="good" pos="JJ" polarity="0.7" subjectivity="0.6"/>                       (Pattern, TextBlob)
    <lemma pos="a" pol="0.5" std="0.125"> agradecido </lemma>                            (ML-SentiCon)
    <LexicalEntry><Lemma writtenForm="..."/><Sense><Sentiment polarity="positive"/>      (LMF)

Records become rows of a table, whose columns are understood by their names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.layouts.columns import as_number
from problex.lexicon.formats.layouts.entries import WordTable
from problex.lexicon.formats.layouts.reading import read_rows
from problex.lexicon.formats.lexicon_file import LexiconFile, LexiconReading
from problex.lexicon.formats.plain import comment

TAGGED = re.compile(r"(?P<word>[^\s=]+)\s(?P<label>[A-Za-z]+)=(?P<weight>-?[\d.]+)(?:\s\S+)?$")
"""A word, its label with a weight, and a part of speech."""
SENTILEX = re.compile(r"(?P<word>[^,;=]+?)(?:,[^,;=]+)?\.PoS=[^;]*;.*?\bPOL:N\d=(?P<weight>-?\d)")
"""A word, its lemma, and fields of which the first polarity counts."""
SIGNED = re.compile(r"(?P<word>\S(?:.*[^ \t])?)[ \t]+(?P<sign>[-+])$")
"""A word and its sign. The word ends before the blanks, which are tried once: many of them cost no more than few."""
SYNSET = re.compile(r"[nvars]#\d{6,9}\s+(?P<words>\S.*)")
"""The number of a synset of WordNet and its words, as WordNet-Affect has them."""
MAX_LINES = 200
"""Lines at the beginning of a file that are looked at, to know its format."""
MAX_LINE = 1000
"""Characters of a line that are compared with patterns, to know the format of a file."""
LONG_NAMES = {
    "+": "positive",
    "-": "negative",
    "NEG": "negative",
    "POS": "positive",
    "NEU": "neutral",
    "INT": "intensifier",
    "SHI": "shifter",
}
Record = Mapping[str, str]


def read_fields(file: LexiconFile) -> Dictionary:
    """Read lines of `key=value` fields, or of a word and `LABEL=weight`."""
    reading = LexiconReading(file)
    records: list[tuple[str, Record]] = []
    for at, line in enumerate(file.lines, start=1):
        text = line.strip()
        if not text or comment(text) or text.startswith("%%"):
            continue
        if record := _record(text):
            records.append((file.where(at), record))
        else:
            reading.report("bad line", text[:60], "left out: expected fields such as word=good", at)
    table = table_of(records, file)
    return file.dictionary(table.entries, reading.issues + table.issues)


def _record(text: str) -> Record:
    """The fields of a line; none if it has none.

    >>> _record("abandon NEG=0.7 verben"), _record("verabscheuen -")
    ({'word': 'abandon', 'label': 'negative', 'weight': '0.7'}, {'word': 'verabscheuen', 'label': 'negative'})
    """
    if tagged := TAGGED.match(text):
        return tagged.groupdict() | {"label": LONG_NAMES.get(tagged["label"], tagged["label"])}
    if sentilex := SENTILEX.match(text):
        return sentilex.groupdict()
    if signed := SIGNED.match(text):
        return {"word": signed["word"], "label": LONG_NAMES[signed["sign"]]}
    return fields_of(text)


def fields_of(line: str) -> dict[str, str]:
    """The fields of a line; a value may have spaces.

    >>> fields_of("len=2 word1=give up m priorpolarity=negative")
    {'len': '2', 'word1': 'give up m', 'priorpolarity': 'negative'}
    """
    fields = [field for field in re.split(r"\s(?=\w{1,40}=)", line) if re.match(r"\w{1,40}=", field)]
    return {name: value.strip() for name, _, value in (field.partition("=") for field in fields)}


def table_of(records: Sequence[tuple[str, Record]], file: LexiconFile) -> WordTable:
    """Read records as a table whose header has all their names."""
    header = list(dict.fromkeys(name for _, record in records for name in record))
    if not header:
        raise LexiconError(f"{file.name} has no records with a word, expected fields such as word=good")
    rows = [(file.name, header)]
    rows += [(where, [record.get(name, "") for name in header]) for where, record in records]
    return read_rows(file, rows)


def is_fields(file: LexiconFile) -> bool:
    """Whether most lines have two or more `key=value` fields, or a word and `LABEL=weight`.

    >>> [is_fields(LexiconFile("a.txt", line)) for line in (b"type=weaksubj word1=abandon", b"word1=abandon")]
    [True, False]
    """
    lines = [line.strip()[:MAX_LINE] for line in file.lines[:MAX_LINES] if line.strip() and line[0] not in "%#"]
    if any(line.startswith("<") for line in lines):
        return False
    matching = sum(len(fields_of(line)) > 1 or any(one.match(line) for one in (TAGGED, SENTILEX)) for line in lines)
    signed = sum(bool(SIGNED.match(line)) for line in lines)
    return max(matching, signed if len(lines) > 2 else 0) > 0.8 * len(lines)


def read_synsets(file: LexiconFile) -> Dictionary:
    """Read the words of synsets, `n#05588321 wrath_of_god anger`, as one list."""
    reading = LexiconReading(file)
    words: dict[str, int] = {}
    for at, line in enumerate(file.lines, start=1):
        match = SYNSET.match(line.strip())
        if match is None and line.strip():
            reading.report("bad line", line.strip()[:60], "left out: expected n#NUMBER words", at)
        for word in match["words"].split() if match else ():
            words.setdefault(word.replace("_", " "), at)
    for word, at in words.items():
        reading.add(word, file.default_list, at)
    return reading.dictionary()


def is_synsets(file: LexiconFile) -> bool:
    """Whether most lines are a number of a synset and words."""
    lines = [line.strip() for line in file.lines[:MAX_LINES] if line.strip()]
    return sum(SYNSET.match(line) is not None for line in lines) > 0.8 * len(lines)


def read_sentiwordnet(file: LexiconFile) -> Dictionary:
    """Read SentiWordNet: scores of senses. A word has the mean of positive minus negative score over its senses.

    The n-th sense counts 1/n, as in the authors' example; parts of speech are not told apart.
    """
    reading = LexiconReading(file)
    sums: dict[str, list[float]] = {}
    lines: dict[str, int] = {}
    for at, line in enumerate(file.lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        synset = _synset(line)
        if synset is None:
            reading.report("bad line", line.strip()[:60], "left out: expected scores and terms", at)
            continue
        score, terms = synset
        for term, sense in terms:
            total = sums.setdefault(term, [0.0, 0.0])
            total[0] += score / sense
            total[1] += 1 / sense
            lines.setdefault(term, at)
    means = {term: round(score / weight, 6) for term, (score, weight) in sums.items()}
    for term, mean in means.items():
        if mean:
            reading.add(term.replace("_", " "), "positive" if mean > 0 else "negative", lines[term], mean)
    action = "the n-th sense of a word counts 1/n; parts of speech are not told apart"
    reading.report("senses", "positive minus negative score", action)
    if neither := sum(not mean for mean in means.values()):
        reading.report("weight 0", f"{neither:,} words", "left out: neither positive nor negative")
    return reading.dictionary()


_TERM = re.compile(r"(\S+?)(?:#[a-z])?#(\d{1,9})$")


def _synset(line: str) -> tuple[float, list[tuple[str, int]]] | None:
    """The difference of the scores, and the terms with the numbers of their senses."""
    cells = [cell.strip() for cell in line.split("\t")]
    at = next((n for n, cell in enumerate(cells) if cell and all(_TERM.match(term) for term in cell.split())), None)
    if at is None or at < 2:
        return None
    positive, negative = as_number(cells[at - 2]), as_number(cells[at - 1])
    if positive is None or negative is None:
        return None
    terms = [match for term in cells[at].split() if (match := _TERM.match(term))]
    return positive - negative, [(match[1], max(1, int(match[2]))) for match in terms]


def is_sentiwordnet(file: LexiconFile) -> bool:
    """Whether most lines have two scores and terms with senses, `able#1`."""
    lines = [line for line in file.lines[:300] if line.strip() and not line.startswith("#")]
    return sum(_synset(line) is not None for line in lines) > 0.8 * len(lines)
