"""LIWC dictionaries (.dic): numbered categories between two lines of `%`, then a word and its numbers in each line.

    %
    1<TAB>posemo
    2<TAB>negemo
    %
    happ*<TAB>1

Published ones stray from this: spaces for tabs, `01` for `1`, words on several lines, categories indented as a tree,
numbers that nothing declares, and conditions such as `kind <of>131/125` (a word that counts as 131 before "of").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.source import Source
from problex.lexicon.formats.written import Written
from problex.lexicon.lexicon import Entry, Problem

_CONDITION = r"(?:<[^>\s]*>|\([^)]*\))\s*\d+(?:/\d+)?|\d+/\d+"
_CODE = re.compile(rf"(?P<condition>{_CONDITION})(?=\s|$)|(?P<number>\d{{1,9}})(?=\s|$)|(?P<other>\S+)")
_UNTABBED = re.compile(rf"^(?P<term>\S.*?)(?P<codes>(?:\s+(?:{_CONDITION}|\d+))+)\s*$")


def read_liwc(source: Source) -> Dictionary:
    """Read a .dic: every word under the path of each of its categories."""
    marks = [at for at, line in enumerate(source.lines) if line.strip() == "%"]
    if len(marks) < 2:
        raise LexiconError(
            f"{source.name} has {len(marks)} lines that are just %, expected two: one before and one after the list "
            "of numbered categories"
        )
    problems: list[Problem] = []
    names = _header(source, marks[0] + 1, marks[1], problems)
    problems += [_stray(source, at) for at in range(marks[0]) if source.lines[at].strip()]
    entries: list[Entry] = []
    for number, line in enumerate(source.lines[marks[1] + 1 :], start=marks[1] + 2):
        if line.strip():
            entries += _entries(line, names, source.where(number), problems)
    used = {entry.list for entry in entries}
    for name in dict.fromkeys(names.values()):
        if name not in used and not any(other.startswith(f"{name}/") for other in used):
            problems.append(Problem("empty category", name, source.name, "left out: no word has it"))
    return source.result(entries, problems)


def _stray(source: Source, at: int) -> Problem:
    return Problem("not understood", source.lines[at].strip(), source.where(at + 1), "left out: it stands before %")


def _header(source: Source, start: int, stop: int, problems: list[Problem]) -> dict[int, str]:
    """Category numbers and their paths."""
    names: dict[int, str] = {}
    headings: dict[str, str] = {}
    for where, code, path in _paths(source, start, stop):
        if code is None:
            headings[path] = where
        elif names.get(code, path) != path:
            raise LexiconError(
                f"{where} gives number {code} to {path!r}, but it is {names[code]!r} already: expected one number for "
                "each category"
            )
        else:
            if path in names.values():
                problems.append(Problem("repeated category", path, where, "the two are read as one"))
            names[code] = path
    for heading, where in headings.items():
        if not any(name.startswith(f"{heading}/") for name in names.values()):
            problems.append(
                Problem("no number", heading, where, "left out: a category needs one, a heading others below")
            )
    if not names:
        raise LexiconError(f"{source.where(start)}: no category between the two %, expected lines such as 1<TAB>name")
    return names


def _paths(source: Source, start: int, stop: int) -> Iterator[tuple[str, int | None, str]]:
    """Where a category stands, its number if it has one, and its path: a deeper indent is inside the one above."""
    above: list[tuple[int, str]] = []
    for at in range(start, stop):
        line, where = source.lines[at].rstrip(), source.where(at + 1)
        found = re.match(r"(\s*)(?:(\d{1,9})(?:\s+|$))?(.*)$", line)
        if not line.strip() or found is None:
            continue
        depth, name = len(found[1].expandtabs(8)), found[3].strip()
        if not name:
            raise LexiconError(f"{where} has a category {line.strip()!r} without a name, expected one")
        while above and above[-1][0] >= depth:
            above.pop()
        above.append((depth, name))
        yield where, int(found[2]) if found[2] else None, category_of(part for _, part in above)


def _entries(line: str, names: dict[int, str], where: str, problems: list[Problem]) -> Iterator[Entry]:
    """The entries of one line: the word stands before the first tab, or, where there is none, before the numbers."""
    term, _, rest = (part.strip() for part in line.strip().partition("\t"))
    found = None if "\t" in line.strip() else _UNTABBED.match(line.strip())
    if found is not None:
        term, rest = found["term"], found["codes"]
    elif re.search(r"\s\d{1,9}$", term) and int(term.split()[-1]) in names:
        problems.append(
            Problem("doubtful entry", term, where, "read as one: a tab is missing if its number is a category")
        )
    categories: dict[str, None] = {}
    for code in _CODE.finditer(rest):
        if code["condition"]:
            shown = f"{term} {code['condition']}"
            problems.append(Problem("conditional", shown, where, "not supported, left out"))
        elif code["number"] and int(code["number"]) in names:
            categories[names[int(code["number"])]] = None
        else:
            action = f"left out of {code[0]!r}: the list between % does not have it"
            problems.append(Problem("unknown category", term, where, action))
    if not rest.strip():
        problems.append(Problem("no category", term, where, "left out: a word and its numbers were expected"))
    yield from (Entry(term, name, where) for name in categories)


def write_liwc(dictionary: Dictionary) -> Written:
    """Write a .dic with tabs; nested categories keep their path as name."""
    codes = {name: at for at, name in enumerate(dictionary.categories, start=1)}
    words: dict[str, list[int]] = {}
    for entry in dictionary.entries:
        words.setdefault(entry.text, []).append(codes[entry.list])
    lines = ["%", *(f"{code}\t{name}" for name, code in codes.items()), "%"]
    lines += [_line(word, numbers) for word, numbers in words.items()]
    return Written.of_lines(lines, (), dictionary, weights=False)


def _line(word: str, numbers: Sequence[int]) -> str:
    return "\t".join([word, *map(str, sorted(numbers))])
