"""XML: dictionaries of Yoshikoder (.ykd) and Lexicoder 2 (.lcd), and sentiment lexicons.

Yoshikoder has categories (`cnode`) and patterns (`pnode`); Pattern, TextBlob, ML-SentiCon, LMF and SenticNet have an
element for each word. Read with expat. A document type, and with it every entity, is refused, so that no file can
include another one or expand without limit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple
from xml.parsers import expat

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.layouts.columns import as_number
from problex.lexicon.formats.lexicon_file import CategoryTree, LexiconFile, Output, format_weight, unsupported_entry
from problex.lexicon.formats.records import table_of
from problex.lexicon.lexicon import Entry, Issue

TITLE = "lexicon"
"""The name of the outermost category in files that problex writes."""
WORDS = ("form", "writtenForm", "text", "word", "term", "lemma", "name")
"""Fields that hold the word, in this order."""
POLARITIES = ("polarity", "pol", "sentiment", "score", "valence", "label")
ENTRIES = frozenset({"word", "lemma", "lexicalentry", "rdf:description", "entry", "item", "term", "concept"})
"""Elements that are an entry."""
_ENCODING = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']""")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def is_xml(file: LexiconFile) -> bool:
    """XML, with or without its first line."""
    return bool(re.match(r"\s*(<\?xml|<!DOCTYPE|<!--|<[A-Za-z][\w:]*[\s>/])", file.text[:500])) and ">" in file.text


def is_yoshikoder(file: LexiconFile) -> bool:
    """XML with elements of Yoshikoder."""
    return is_xml(file) and bool(re.search(r"<(cnode|pnode|dictionary)\b", file.text[:5000]))


class Event(NamedTuple):
    """The start of an element with its attributes, or its end, and the text since the event before."""

    tag: str
    attributes: dict[str, str] | None
    line: int
    text: str


def parse_xml(file: LexiconFile) -> list[Event]:
    """The starts and ends of the elements of a file, in order.

    >>> [event[:3] for event in parse_xml(LexiconFile("a.xml", b'<w form="good"/>'))]
    [('w', {'form': 'good'}, 1), ('w', None, 1)]
    >>> parse_xml(LexiconFile("a.xml", b"<!DOCTYPE w><w/>"))
    Traceback (most recent call last):
    problex.errors.LexiconError: a.xml:1 declares a document type, which is refused because ...
    """
    events: list[Event] = []
    text: list[str] = []
    parser = expat.ParserCreate("utf-8" if file.encoding else None)

    def add(tag: str, attributes: dict[str, str] | None = None) -> None:
        events.append(Event(tag, attributes, parser.CurrentLineNumber, "".join(text)))
        text.clear()

    def refuse(*_: object) -> None:
        raise LexiconError(
            f"{file.where(parser.CurrentLineNumber)} declares a document type, which is refused because it can pull "
            "in other files: remove the <!DOCTYPE ...> part"
        )

    parser.StartElementHandler, parser.EndElementHandler = add, add
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = text.append, refuse
    try:
        parser.Parse(file.text.encode("utf-8", "replace") if file.encoding else file.data, True)
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise LexiconError(f"{file.where(error.lineno)} is not XML ({why}): correct it, or save it again") from None
    except LexiconError:
        raise
    except (LookupError, ValueError) as error:  # expat knows only encodings of one byte for each character
        declared = _ENCODING.match(file.data)
        if declared is None or file.encoding:
            raise LexiconError(f"{file.name} cannot be read as XML: {error}") from None
        return parse_xml(replace(file, encoding=declared[1].decode()))
    return events


def read_yoshikoder(file: LexiconFile) -> Dictionary:
    """Read a .ykd or .lcd. One outermost category without patterns of its own is the dictionary's title, not a path."""
    patterns: list[tuple[tuple[str, ...], Entry]] = []
    issues: list[Issue] = []
    opened: list[tuple[str, int]] = []  # the categories that are open, each with the number of elements up to it
    outermost, size = [], 0
    for tag, attributes, line, _ in parse_xml(file):
        where, name = file.where(line), (attributes or {}).get("name", "").strip()
        size += attributes is not None and tag in ("cnode", "pnode")
        if attributes is None:
            category = opened.pop() if tag == "cnode" else ("", 0)
            if category[1] == size:
                issues.append(Issue("empty category", category[0], where, "left out: it has no pattern"))
        elif tag in ("cnode", "pnode") and not name:
            raise LexiconError(f"{where} has a <{tag}> without a name, expected <{tag} name=...>")
        elif tag == "cnode":
            outermost += [] if opened else [name]
            if "score" in attributes:
                issues.append(Issue("category weight", name, where, f"{attributes['score']} is left out"))
            file.check_depth(len(opened), line)
            opened.append((name, size))
        elif tag == "pnode" and not opened:
            raise LexiconError(f"{where} has the pattern {name!r} outside of any <cnode>, expected it inside one")
        elif tag == "pnode":
            score = attributes.get("score", "")
            patterns.append((tuple(path for path, _ in opened), Entry(name, "", where, as_number(score))))
            if score.strip() and as_number(score) is None:
                issues.append(Issue("not a number", name, where, f"the weight {score[:40]!r} is left out"))
        elif tag == "dictionary" and attributes.get("patternengine", "substring").startswith("regex"):
            issues.append(Issue("regular expressions", "patternengine", where, "read as plain words"))
        elif tag != "dictionary":
            issues.append(Issue("not understood", f"<{tag}>", where, "left out"))
    titled = len(outermost) == 1 and all(len(path) > 1 for path, _ in patterns)
    if titled and outermost != [TITLE]:
        issues.append(Issue("title", outermost[0], file.name, "the name of the dictionary, not part of its categories"))
    entries = [entry._replace(list=category_of(path[titled:])) for path, entry in patterns]
    return Dictionary(tuple(entries), tuple(issues))


def read_xml(file: LexiconFile) -> Dictionary:
    """Read XML of Yoshikoder, or of a sentiment lexicon; refuse any other."""
    if "<cnode" in file.text or "<pnode" in file.text or "<dictionary" in file.text[:500]:
        return read_yoshikoder(file)
    records = _records(file)
    rows = []
    for where, record in records:
        word, polarity = (_first(record, names) for names in (WORDS, POLARITIES))
        if word and polarity:
            rows.append((where, {"word": word, "polarity": polarity}))
    if len(rows) < max(1, len(records) // 2):
        raise LexiconError(
            f"{file.name} is XML of an unknown kind, expected Yoshikoder's, or elements with a word and its polarity "
            "as in Pattern, ML-SentiCon or LMF: save it as CSV with the columns word and list"
        )
    table = table_of(rows, file)
    issues = list(table.issues)
    if skipped := len(records) - len(rows):
        issues.append(Issue("no polarity", f"{skipped:,} elements", file.name, "left out"))
    entries = _mean_of_senses(table.entries, issues, file)
    return file.dictionary(entries, issues)


def _records(file: LexiconFile) -> list[tuple[str, dict[str, str]]]:
    """The fields of each entry: its attributes, and the attributes and texts of the elements in it, the first of each.

    Elements within an entry are part of it, even if their names are those of entries.

    >>> _records(LexiconFile("a.xml", b'<list><lemma pos="a" pol="0.5"> agradecido </lemma></list>'))
    [('a.xml:1', {'pos': 'a', 'pol': '0.5', 'lemma': 'agradecido'})]
    """
    records: list[tuple[str, dict[str, str]]] = []
    depth = entry_depth = 0
    for tag, attributes, line, text in parse_xml(file):
        if attributes is None:
            if entry_depth and text.strip():
                records[-1][1].setdefault(tag, " ".join(text.split()))
            entry_depth = 0 if depth == entry_depth else entry_depth
            depth -= 1
            continue
        depth += 1
        file.check_depth(depth, line)
        if not entry_depth and tag.casefold() in ENTRIES:
            entry_depth = depth
            records.append((file.where(line), {}))
        if entry_depth:
            for name, value in attributes.items():
                records[-1][1].setdefault(name, value)
    return records


def _first(record: dict[str, str], names: tuple[str, ...]) -> str:
    return next((text for name in names if (text := record.get(name, "").strip())), "")


def _mean_of_senses(entries: list[Entry], issues: list[Issue], file: LexiconFile) -> list[Entry]:
    """One entry for the senses of a word: the mean of their weights, 0 included, makes the list, as Pattern does.

    >>> senses = [Entry("fine", "positive", "a:1", 1.0), Entry("fine", "negative", "a:2", -0.5)]
    >>> [(entry.list, entry.weight) for entry in _mean_of_senses(senses, [], LexiconFile("a.xml", b""))]
    [('positive', 0.25)]
    """
    if any(entry.weight is None for entry in entries):
        return list({(entry.text, entry.list): entry for entry in entries}.values())
    zeros = Counter(issue.entry for issue in issues if issue.kind == "weight 0")
    weights: dict[str, list[float]] = {}
    for entry in entries:
        weights.setdefault(entry.text, []).append(entry.weight or 0.0)
    several = sum(len(values) + zeros[word] > 1 for word, values in weights.items())
    if not several:
        return entries
    action = f"{several:,} words have several senses: the mean of their weights is used"
    issues.append(Issue("senses", "polarity", file.name, action))
    means: dict[str, Entry] = {}
    for entry in entries:
        mean = round(sum(weights[entry.text]) / (len(weights[entry.text]) + zeros[entry.text]), 6)
        if mean and entry.text not in means:
            means[entry.text] = entry._replace(list="positive" if mean > 0 else "negative", weight=mean)
    return list(means.values())


def write_yoshikoder(dictionary: Dictionary) -> Output:
    """Write a .ykd or .lcd: one outermost category around all others, as Yoshikoder requires."""
    issues: list[Issue] = []
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<dictionary style="050805" patternengine="substring">']
    lines += [
        f'<cnode name="{TITLE}">',
        *_lines(CategoryTree.of(dictionary.entries), 1, issues),
        "</cnode>",
        "</dictionary>",
    ]
    return Output.from_lines(lines, issues, dictionary, weights=True)


def _lines(tree: CategoryTree, depth: int, issues: list[Issue]) -> Iterator[str]:
    from xml.sax.saxutils import quoteattr  # which imports a client for the web, and only writing needs it

    indent = " " * depth
    for entry in tree.entries:
        if _NOT_XML.search(entry.text):
            issues.append(unsupported_entry(entry, "XML does not allow these characters"))
            continue
        score = "" if entry.weight is None else f' score="{format_weight(entry.weight)}"'
        yield f"{indent}<pnode name={quoteattr(entry.text)}{score}/>"
    for name, below in tree.items():
        yield f"{indent}<cnode name={quoteattr(_NOT_XML.sub('?', name))}>"
        yield from _lines(below, depth + 1, issues)
        yield f"{indent}</cnode>"
