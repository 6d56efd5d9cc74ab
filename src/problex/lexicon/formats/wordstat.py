"""WordStat dictionaries (.cat): a tree by indents, where a line that ends in a weight, `WORD* (1)`, is an entry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from problex.errors import OutputError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.lexicon_file import LexiconFile, drop_unit_weights
from problex.lexicon.formats.output import CategoryTree, Output, format_weight, unsupported_entry
from problex.lexicon.formats.tables.cells import as_number
from problex.lexicon.lexicon import Entry, Issue

_ENTRY = re.compile(r"(?P<text>.*\S)\s+\((?P<weight>[-+]?\d+(?:[.,]\d+)?)\)$")
_RULE = re.compile(r"@|.*\b(?:NEAR|AFTER|BEFORE)\s+#")
"""Rules have a name with `@`, or refer to a category: `SATISFIED NEAR #PROFESSOR`."""


def read_wordstat(file: LexiconFile) -> Dictionary:
    """Read a .cat: entries under the path of their category; rules are not supported and reported."""
    rows = [(at, line.rstrip()) for at, line in enumerate(file.lines, start=1) if line.strip()]
    weighted = any(_ENTRY.match(line.strip()) for _, line in rows)
    entries: list[Entry] = []
    issues: list[Issue] = []
    parents: list[tuple[int, str]] = []
    for position, (at, line) in enumerate(rows):
        text, depth = line.strip(), _depth(line)
        while parents and parents[-1][0] >= depth:
            parents.pop()
        match = _ENTRY.match(text)
        has_children = position + 1 < len(rows) and _depth(rows[position + 1][1]) > depth
        if _RULE.match(text):
            issues.append(Issue("rule", text, file.where(at), "not supported, left out"))
        elif match or (not weighted and not has_children and parents):
            category = category_of(name for _, name in parents) or file.default_list
            weight = as_number(match["weight"]) if match else None
            if match and weight is None:
                issues.append(Issue("not a number", match["text"], file.where(at), "its weight is left out"))
            entries.append(Entry(match["text"] if match else text, category, file.where(at), weight))
        else:
            file.check_depth(len(parents), at)
            parents.append((depth, text))
            if not has_children:
                issues.append(Issue("empty category", text, file.where(at), "left out: it has no entry"))
    return file.dictionary(drop_unit_weights(entries), issues)


def _depth(line: str) -> int:
    return len(line.expandtabs(8)) - len(line.strip())


def write_wordstat(dictionary: Dictionary) -> Output:
    """Write a .cat with tabs; an entry without a weight gets (1), as WordStat gives it."""
    for category in dictionary.categories:
        if any(_ENTRY.match(name) or _RULE.match(name) for name in category.split("/")):
            raise OutputError(f"the category {category!r} would be read as an entry of a .cat: rename it with --list")
    supported = [entry for entry in dictionary.entries if not _RULE.match(entry.text)]
    weighted = any(entry.weight is not None for entry in supported)
    issues = [_default_weight(entry) for entry in supported if entry.weight is None and weighted]
    lines = list(_lines(CategoryTree.of(dictionary.entries), 0, issues))
    return Output.from_lines(lines, issues, dictionary, weights=True)


def _default_weight(entry: Entry) -> Issue:
    return Issue("no weight", entry.text, entry.where, "written as 1 among entries that have one")


def _lines(tree: CategoryTree, depth: int, issues: list[Issue]) -> Iterator[str]:
    for entry in tree.entries:
        if _RULE.match(entry.text):
            issues.append(unsupported_entry(entry, "it would be read as a rule"))
        else:
            yield f"{chr(9) * depth}{entry.text} ({format_weight(1 if entry.weight is None else entry.weight)})"
    for name, below in tree.items():
        yield chr(9) * depth + name
        yield from _lines(below, depth + 1, issues)
