"""Yoshikoder (.ykd) and Lexicoder 2 (.lcd) dictionaries: XML of categories (`cnode`) and patterns (`pnode`).

Read with expat. A document type, and with it every entity, is refused, so that no file can include another one or
expand without limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol
from xml.parsers import expat

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lexicon.formats.output import CategoryTree, Output, format_weight, unsupported_entry
from problex.lexicon.formats.tables.cells import as_number
from problex.lexicon.lexicon import Entry, Issue

_ENCODING = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']""")
TITLE = "lexicon"
"""The name of the outermost category in files that problex writes."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_yoshikoder(file: LexiconFile) -> Dictionary:
    """Read a .ykd or .lcd. One outermost category without patterns of its own is the dictionary's title, not a path."""
    nodes = _Nodes(file)
    parse_xml(file, nodes)
    titled = len(nodes.outermost) == 1 and all(len(path) > 1 for path in nodes.paths)
    if titled and nodes.outermost != [TITLE]:
        action = "the name of the dictionary, not part of its categories"
        nodes.issues.append(Issue("title", nodes.outermost[0], file.name, action))
    entries = [
        Entry(text, category_of(path[1:] if titled else path), where, weight)
        for path, text, where, weight in zip(nodes.paths, nodes.texts, nodes.wheres, nodes.weights, strict=True)
    ]
    return Dictionary(tuple(entries), tuple(nodes.issues))


class Handler(Protocol):
    """What is called for the parts of a file; `parser` knows the line."""

    parser: expat.XMLParserType

    def start(self, tag: str, attributes: dict[str, str], /) -> None:
        """The start of an element."""

    def end(self, tag: str, /) -> None:
        """The end of an element."""

    def refuse(self, *_: object) -> None:
        """A document type."""

    def data(self, text: str, /) -> None:
        """Text."""


def parse_xml(file: LexiconFile, handler: Handler) -> None:
    """Parse a file with expat; a document type is refused."""
    parser = expat.ParserCreate("utf-8" if file.encoding else None)
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.StartDoctypeDeclHandler = handler.refuse
    parser.CharacterDataHandler = handler.data
    handler.parser = parser
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
        parse_xml(replace(file, encoding=declared[1].decode()), handler)


class _Nodes:
    """The categories, entries and issues that the parser has read so far."""

    def __init__(self, file: LexiconFile) -> None:
        self.file, self.parser = file, expat.ParserCreate()
        self.issues: list[Issue] = []
        self.open: list[str] = []
        self.has_entries: list[bool] = []
        self.outermost: list[str] = []
        self.paths: list[tuple[str, ...]] = []
        self.texts: list[str] = []
        self.wheres: list[str] = []
        self.weights: list[float | None] = []

    def data(self, _: str) -> None:
        """The text between elements has no meaning."""

    def refuse(self, *_: object) -> None:
        raise LexiconError(
            f"{self.file.where(self.parser.CurrentLineNumber)} declares a document type, which is refused because it "
            "can pull in other files: remove the <!DOCTYPE ...> part"
        )

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        where, name = self.file.where(self.parser.CurrentLineNumber), attributes.get("name", "").strip()
        if tag in ("cnode", "pnode") and not name:
            raise LexiconError(f"{where} has a <{tag}> without a name, expected <{tag} name=...>")
        if tag == "cnode":
            if not self.open:
                self.outermost.append(name)
            if "score" in attributes:
                self.issues.append(Issue("category weight", name, where, f"{attributes['score']} is left out"))
            self.file.check_depth(len(self.open), self.parser.CurrentLineNumber)
            self.has_entries = [*(True for _ in self.has_entries), False]
            self.open.append(name)
        elif tag == "pnode":
            if not self.open:
                raise LexiconError(f"{where} has the pattern {name!r} outside of any <cnode>, expected it inside one")
            self.has_entries[-1] = True
            self.paths.append(tuple(self.open))
            self.texts.append(name)
            self.wheres.append(where)
            score = attributes.get("score", "")
            self.weights.append(as_number(score))
            if score.strip() and self.weights[-1] is None:
                self.issues.append(Issue("not a number", name, where, f"the weight {score[:40]!r} is left out"))
        elif tag == "dictionary" and attributes.get("patternengine", "substring").startswith("regex"):
            self.issues.append(Issue("regular expressions", "patternengine", where, "read as plain words"))
        elif tag != "dictionary":
            self.issues.append(Issue("not understood", f"<{tag}>", where, "left out"))

    def end(self, tag: str) -> None:
        if tag == "cnode":
            name = self.open.pop()
            if not self.has_entries.pop():
                where = self.file.where(self.parser.CurrentLineNumber)
                self.issues.append(Issue("empty category", name, where, "left out: it has no pattern"))


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
