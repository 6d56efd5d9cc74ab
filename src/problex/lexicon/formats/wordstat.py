"""WordStat dictionaries (.cat): a tree by indents, where a line that ends in a weight, `WORD* (1)`, is an entry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from problex.errors import OutputError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.source import Source
from problex.lexicon.formats.written import Tree, Written, cannot_hold, number, tree_of
from problex.lexicon.lexicon import Entry, Problem

_ENTRY = re.compile(r"(?P<text>.*\S)\s+\((?P<weight>[-+]?\d+(?:[.,]\d+)?)\)$")
_RULE = re.compile(r"@|.*\b(?:NEAR|AFTER|BEFORE)\s+#")
"""Rules have a name with `@`, or speak of a whole category: `SATISFIED NEAR #PROFESSOR`."""


def read_wordstat(source: Source) -> Dictionary:
    """Read a .cat: entries under the path of their category; rules are reported, they are not words."""
    rows = [(at, line.rstrip()) for at, line in enumerate(source.lines, start=1) if line.strip()]
    weighted = any(_ENTRY.match(line.strip()) for _, line in rows)
    entries: list[Entry] = []
    problems: list[Problem] = []
    above: list[tuple[int, str]] = []
    for position, (at, line) in enumerate(rows):
        text, depth = line.strip(), _depth(line)
        while above and above[-1][0] >= depth:
            above.pop()
        found = _ENTRY.match(text)
        below = position + 1 < len(rows) and _depth(rows[position + 1][1]) > depth
        if _RULE.match(text):
            problems.append(Problem("rule", text, source.where(at), "not supported, left out"))
        elif found or (not weighted and not below and above):
            listed = category_of(name for _, name in above) or source.only_list
            weight = float(found["weight"].replace(",", ".")) if found else None
            entries.append(Entry(found["text"] if found else text, listed, source.where(at), weight))
        else:
            above.append((depth, text))
            if not below:
                problems.append(Problem("empty category", text, source.where(at), "left out: nothing stands below it"))
    return source.result(unit_weights_mean_nothing(entries), problems)


def _depth(line: str) -> int:
    return len(line.expandtabs(8)) - len(line.strip())


def unit_weights_mean_nothing(entries: list[Entry]) -> list[Entry]:
    """A file in which every weight is 1 says nothing by it."""
    if all(entry.weight in (None, 1) for entry in entries):
        return [Entry(entry.text, entry.list, entry.where) for entry in entries]
    return entries


def write_wordstat(dictionary: Dictionary) -> Written:
    """Write a .cat with tabs; an entry without a weight gets (1), as WordStat gives it."""
    for category in dictionary.categories:
        if any(_ENTRY.match(name) or _RULE.match(name) for name in category.split("/")):
            raise OutputError(f"the category {category!r} would be read as an entry of a .cat: rename it with --list")
    fitting = [entry for entry in dictionary.entries if not _RULE.match(entry.text)]
    weighted = any(entry.weight is not None for entry in fitting)
    problems = [_made_up(entry) for entry in fitting if entry.weight is None and weighted]
    lines = list(_lines(tree_of(dictionary.entries), 0, problems))
    return Written.of_lines(lines, problems, dictionary, weights=True)


def _made_up(entry: Entry) -> Problem:
    return Problem("no weight", entry.text, entry.where, "written as 1 among entries that have one")


def _lines(tree: Tree, depth: int, problems: list[Problem]) -> Iterator[str]:
    for entry in tree.entries:
        if _RULE.match(entry.text):
            problems.append(cannot_hold(entry, "it would be read as a rule"))
        else:
            yield f"{chr(9) * depth}{entry.text} ({number(1 if entry.weight is None else entry.weight)})"
    for name, below in tree.items():
        yield chr(9) * depth + name
        yield from _lines(below, depth + 1, problems)
