"""Dictionaries of Lexicoder 3 (.lc3) and WordStat (.cat), which have an entry in each line below its category.

Lexicoder 3 has `+category`, then its entries. WordStat has a tree by indents, where a line that ends in a weight,
`WORD* (1)`, is an entry. (Lexicoder 2 has XML, as Yoshikoder's.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from problex.errors import LexiconError, OutputError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.layouts.columns import as_number
from problex.lexicon.formats.lexicon_file import (
    CategoryTree,
    LexiconFile,
    LexiconReading,
    Output,
    drop_unit_weights,
    format_weight,
    unsupported_entry,
)
from problex.lexicon.formats.table import most_lines_match
from problex.lexicon.lexicon import Issue

_COLOUR = re.compile(r"\s*#[0-9A-Fa-f]{6}$")
_ENTRY = re.compile(r"(?P<text>.*\S)\s+\((?P<weight>[-+]?\d+(?:[.,]\d+)?)\)$")
_RULE = re.compile(r"@|.*\b(?:NEAR|AFTER|BEFORE)\s+#")
"""Rules have a name with `@`, or refer to a category: `SATISFIED NEAR #PROFESSOR`."""


def is_lexicoder(file: LexiconFile) -> bool:
    """`+name#AA0000`."""
    return bool(re.match(r"\s*\+[^\n]+#[0-9A-Fa-f]{6}\s*$", file.text, re.M))


def read_lexicoder(file: LexiconFile) -> Dictionary:
    """Read a .lc3; the colour after a category, `+negative#AA0000`, is not part of its name."""
    reading = LexiconReading(file)
    categories: list[str] = []
    for at, line in enumerate(file.lines, start=1):
        text = line.strip()
        if text.startswith("+"):
            categories.append(category_of([_COLOUR.sub("", text[1:])]))
            if not categories[-1]:
                raise LexiconError(f"{file.where(at)} is {text!r}, expected the name of a category after +")
        elif text and categories:
            reading.add(text, categories[-1], at)
        elif text:
            reading.report("bad line", text[:60], "left out: expected +CATEGORY before the first entry", at)
    used = {entry.list for entry in reading.entries}
    for name in dict.fromkeys(categories):
        if name not in used:
            reading.report("empty category", name, "left out: it has no entry")
    return reading.dictionary()


def write_lexicoder(dictionary: Dictionary) -> Output:
    """Write a .lc3; nested categories keep their path as name."""
    lines: dict[str, list[str]] = {name: [f"+{name}"] for name in dictionary.categories}
    issues = []
    for entry in dictionary.entries:
        if entry.text.startswith("+"):
            issues.append(unsupported_entry(entry, "a line that begins with + is a category"))
        else:
            lines[entry.list].append(entry.text)
    return Output.from_lines(chain.from_iterable(lines.values()), issues, dictionary, weights=False)


def is_wordstat(file: LexiconFile) -> bool:
    """`WORD* (1)`, with indented lines."""
    most = most_lines_match(file, r"[ \t]*\S.* \([-+]?\d+([.,]\d+)?\)\s*$")
    return most and bool(re.search(r"^\t", file.text, re.M))


def read_wordstat(file: LexiconFile) -> Dictionary:
    """Read a .cat: entries under the path of their category; rules are not supported and reported."""
    rows = [(at, line.strip(), _depth(line)) for at, line in enumerate(file.lines, start=1) if line.strip()]
    weighted = any(_ENTRY.match(text) for _, text, _ in rows)
    reading = LexiconReading(file)
    parents: list[tuple[int, str]] = []
    for (at, text, depth), (_, _, next_depth) in zip(rows, [*rows[1:], (0, "", -1)], strict=True):
        while parents and parents[-1][0] >= depth:
            parents.pop()
        match = _ENTRY.match(text)
        has_children = next_depth > depth
        if _RULE.match(text):
            reading.report("rule", text, "not supported, left out", at)
        elif match or (not weighted and not has_children and parents):
            category = category_of(name for _, name in parents) or file.default_list
            weight = as_number(match["weight"]) if match else None
            if match and weight is None:
                reading.report("not a number", match["text"], "its weight is left out", at)
            reading.add(match["text"] if match else text, category, at, weight)
        else:
            file.check_depth(len(parents), at)
            parents.append((depth, text))
            if not has_children:
                reading.report("empty category", text, "left out: it has no entry", at)
    reading.entries = drop_unit_weights(reading.entries)
    return reading.dictionary()


def _depth(line: str) -> int:
    return len(line.rstrip().expandtabs(8)) - len(line.strip())


def write_wordstat(dictionary: Dictionary) -> Output:
    """Write a .cat with tabs; an entry without a weight gets (1), as WordStat gives it."""
    for category in dictionary.categories:
        if any(_ENTRY.match(name) or _RULE.match(name) for name in category.split("/")):
            raise OutputError(f"the category {category!r} would be read as an entry of a .cat: rename it with --list")
    supported = [entry for entry in dictionary.entries if not _RULE.match(entry.text)]
    weighted = any(entry.weight is not None for entry in supported)
    missing = [entry for entry in supported if entry.weight is None and weighted]
    action = "written as 1 among entries that have one"
    issues = [Issue("no weight", entry.text, entry.where, action) for entry in missing]
    lines = list(_lines(CategoryTree.of(dictionary.entries), 0, issues))
    return Output.from_lines(lines, issues, dictionary, weights=True)


def _lines(tree: CategoryTree, depth: int, issues: list[Issue]) -> Iterator[str]:
    r"""The lines of a category and of those below it; an entry that would be a rule is left out.

    >>> from problex.lexicon.lexicon import Entry
    >>> entries = Entry("GLAD", "MOOD/JOY", "a:1"), Entry("JOY NEAR #FILM", "MOOD", "a:2")
    >>> list(_lines(CategoryTree.of(entries), 0, []))
    ['MOOD', '\tJOY', '\t\tGLAD (1)']
    """
    for entry in tree.entries:
        if _RULE.match(entry.text):
            issues.append(unsupported_entry(entry, "it would be read as a rule"))
        else:
            yield f"{chr(9) * depth}{entry.text} ({format_weight(1 if entry.weight is None else entry.weight)})"
    for name, below in tree.items():
        yield chr(9) * depth + name
        yield from _lines(below, depth + 1, issues)
