"""Yoshikoder (.ykd) and Lexicoder 2 (.lcd) dictionaries: XML of categories (`cnode`) and patterns (`pnode`).

Read with expat and nothing else: a document type, and with it every entity, is refused, so no file can reach for
another one or grow without end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.source import Source
from problex.lexicon.formats.table_cells import as_number
from problex.lexicon.formats.written import Tree, Written, cannot_hold, number, tree_of
from problex.lexicon.lexicon import Entry, Problem

TITLE = "lexicon"
"""What the outermost category is called in the files that are written here."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_yoshikoder(source: Source) -> Dictionary:
    """Read a .ykd or .lcd. One outermost category without patterns of its own is the dictionary's title, not a path."""
    nodes = _Nodes(source)
    parser = expat.ParserCreate("utf-8" if source.encoding else None)
    parser.StartElementHandler = nodes.start
    parser.EndElementHandler = nodes.end
    parser.StartDoctypeDeclHandler = nodes.refuse
    nodes.parser = parser
    try:
        parser.Parse(source.text.encode() if source.encoding else source.data, True)
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise LexiconError(f"{source.where(error.lineno)} is not XML ({why}): mend it, or save it again") from None
    titled = len(nodes.outermost) == 1 and all(len(path) > 1 for path in nodes.paths)
    if titled and nodes.outermost != [TITLE]:
        action = "the name of the dictionary, not part of its categories"
        nodes.problems.append(Problem("title", nodes.outermost[0], source.name, action))
    entries = [
        Entry(text, category_of(path[1:] if titled else path), where, weight)
        for path, text, where, weight in zip(nodes.paths, nodes.texts, nodes.wheres, nodes.weights, strict=True)
    ]
    return Dictionary(tuple(entries), tuple(nodes.problems))


class _Nodes:
    """What the parser has met so far."""

    def __init__(self, source: Source) -> None:
        self.source, self.parser = source, expat.ParserCreate()
        self.problems: list[Problem] = []
        self.open: list[str] = []
        self.filled: list[bool] = []
        self.outermost: list[str] = []
        self.paths: list[tuple[str, ...]] = []
        self.texts: list[str] = []
        self.wheres: list[str] = []
        self.weights: list[float | None] = []

    def refuse(self, *_: object) -> None:
        raise LexiconError(
            f"{self.source.where(self.parser.CurrentLineNumber)} declares a document type, which is refused because it "
            "can pull in other files: remove the <!DOCTYPE ...> part"
        )

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        where, name = self.source.where(self.parser.CurrentLineNumber), attributes.get("name", "").strip()
        if tag in ("cnode", "pnode") and not name:
            raise LexiconError(f"{where} has a <{tag}> without a name, expected <{tag} name=...>")
        if tag == "cnode":
            if not self.open:
                self.outermost.append(name)
            if "score" in attributes:
                self.problems.append(Problem("category weight", name, where, f"{attributes['score']} is left out"))
            self.filled = [*(True for _ in self.filled), False]
            self.open.append(name)
        elif tag == "pnode":
            if not self.open:
                raise LexiconError(f"{where} has the pattern {name!r} outside of any <cnode>, expected it inside one")
            self.filled[-1] = True
            self.paths.append(tuple(self.open))
            self.texts.append(name)
            self.wheres.append(where)
            self.weights.append(as_number(attributes.get("score", "")))
        elif tag == "dictionary" and attributes.get("patternengine", "substring").startswith("regex"):
            self.problems.append(Problem("regular expressions", "patternengine", where, "read as plain words"))
        elif tag != "dictionary":
            self.problems.append(Problem("not understood", f"<{tag}>", where, "left out"))

    def end(self, tag: str) -> None:
        if tag == "cnode":
            name = self.open.pop()
            if not self.filled.pop():
                where = self.source.where(self.parser.CurrentLineNumber)
                self.problems.append(Problem("empty category", name, where, "left out: it has no pattern"))


def write_yoshikoder(dictionary: Dictionary) -> Written:
    """Write a .ykd or .lcd: one outermost category, as Yoshikoder wants it, around all others."""
    problems: list[Problem] = []
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<dictionary style="050805" patternengine="substring">']
    lines += [f'<cnode name="{TITLE}">', *_lines(tree_of(dictionary.entries), 1, problems), "</cnode>", "</dictionary>"]
    return Written.of_lines(lines, problems, dictionary, weights=True)


def _lines(tree: Tree, depth: int, problems: list[Problem]) -> Iterator[str]:
    indent = " " * depth
    for entry in tree.entries:
        if _NOT_XML.search(entry.text):
            problems.append(cannot_hold(entry, "XML has no such characters"))
            continue
        score = "" if entry.weight is None else f' score="{number(entry.weight)}"'
        yield f"{indent}<pnode name={quoteattr(entry.text)}{score}/>"
    for name, below in tree.items():
        yield f"{indent}<cnode name={quoteattr(_NOT_XML.sub('?', name))}>"
        yield from _lines(below, depth + 1, problems)
        yield f"{indent}</cnode>"
