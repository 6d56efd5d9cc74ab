"""XML of sentiment lexicons: Pattern and TextBlob, ML-SentiCon, LMF, SenticNet. Document types are refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lexicon.formats.records import table_of
from problex.lexicon.formats.xml.yoshikoder import parse_xml, read_yoshikoder
from problex.lexicon.lexicon import Entry, Issue

WORDS = ("form", "writtenForm", "text", "word", "term", "lemma", "name")
"""Fields that hold the word, in this order."""
POLARITIES = ("polarity", "pol", "sentiment", "score", "valence", "label")
ENTRIES = frozenset({"word", "lemma", "lexicalentry", "rdf:description", "entry", "item", "term", "concept"})
"""Elements that are an entry."""


@dataclass
class _Records:
    """The entries that the parser has read so far."""

    file: LexiconFile
    parser: expat.XMLParserType = field(default_factory=expat.ParserCreate)
    records: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    depth: int = 0
    text: str = ""

    def refuse(self, *_: object) -> None:
        raise LexiconError(
            f"{self.file.where(self.parser.CurrentLineNumber)} declares a document type, which is refused because it "
            "can pull in other files: remove the <!DOCTYPE ...> part"
        )

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.open.append(tag)
        self.file.check_depth(len(self.open), self.parser.CurrentLineNumber)
        self.text = ""
        if not self.depth and tag.casefold() in ENTRIES:
            self.depth = len(self.open)
            self.records.append((self.file.where(self.parser.CurrentLineNumber), dict(attributes)))
        elif self.depth and self.records:
            for name, value in attributes.items():
                self.records[-1][1].setdefault(name, value)

    def end(self, tag: str) -> None:
        if self.depth and self.text.strip():
            self.records[-1][1].setdefault(tag, " ".join(self.text.split()))
        if len(self.open) == self.depth:
            self.depth = 0
        self.open.pop()
        self.text = ""

    def data(self, text: str) -> None:
        self.text += text


def read_xml(file: LexiconFile) -> Dictionary:
    """Read XML of Yoshikoder, or of a sentiment lexicon; refuse any other."""
    if "<cnode" in file.text or "<pnode" in file.text or "<dictionary" in file.text[:500]:
        return read_yoshikoder(file)
    found = _Records(file)
    parse_xml(file, found)
    rows, skipped = [], 0
    for where, record in found.records:
        word = next((record[name] for name in WORDS if record.get(name, "").strip()), None)
        polarity = next((record[name] for name in POLARITIES if record.get(name, "").strip()), None)
        skipped += word is None or polarity is None
        if word is not None and polarity is not None:
            rows.append((where, {"word": word.strip(), "polarity": polarity.strip()}))
    if len(rows) < max(1, len(found.records) // 2):
        raise LexiconError(
            f"{file.name} is XML of an unknown kind, expected Yoshikoder's, or elements with a word and its polarity "
            "as in Pattern, ML-SentiCon or LMF: save it as CSV with the columns word and list"
        )
    table = table_of(rows, file)
    issues = list(table.issues)
    if skipped:
        issues.append(Issue("no polarity", f"{skipped:,} elements", file.name, "left out"))
    entries = _mean_of_senses(table.entries, issues, file)
    return file.dictionary(entries, issues)


def _mean_of_senses(entries: list[Entry], issues: list[Issue], file: LexiconFile) -> list[Entry]:
    """One entry for the senses of a word: the mean of their weights, 0 included, makes the list, as Pattern does."""
    zeros = {issue.entry: 0 for issue in issues if issue.kind == "weight 0"}
    for issue in issues:
        if issue.kind == "weight 0":
            zeros[issue.entry] += 1
    weights: dict[str, list[float]] = {}
    for entry in entries:
        if entry.weight is None:
            return list({(entry.text, entry.list): entry for entry in entries}.values())
        weights.setdefault(entry.text, []).append(entry.weight)
    several = sum(len(values) + zeros.get(word, 0) > 1 for word, values in weights.items())
    if not several:
        return entries
    action = f"{several:,} words have several senses: the mean of their weights is used"
    issues.append(Issue("senses", "polarity", file.name, action))
    means: dict[str, Entry] = {}
    for entry in entries:
        values = weights[entry.text]
        mean = round(sum(values) / (len(values) + zeros.get(entry.text, 0)), 6)
        if mean and entry.text not in means:
            means[entry.text] = entry._replace(list="positive" if mean > 0 else "negative", weight=mean)
    return list(means.values())
