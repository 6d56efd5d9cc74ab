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

from problex.dictionary import Dictionary, category_of
from problex.errors import LexiconError
from problex.formats.source import Source
from problex.formats.written import Written
from problex.lexicon import Entry, Problem

_CONDITION = r"(?:<[^>\s]*>|\([^)]*\))\s*\d+(?:/\d+)?|\d+/\d+"
_CODE = re.compile(rf"(?P<condition>{_CONDITION})(?=\s|$)|(?P<number>\d+)(?=\s|$)|(?P<other>\S+)")
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
    """Category numbers and their paths; a deeper indent is a category inside the one above."""
    names: dict[int, str] = {}
    above: list[tuple[int, str]] = []
    for at in range(start, stop):
        line = source.lines[at].rstrip()
        if not line.strip():
            continue
        found = re.match(r"(\s*)(?:(\d+)(?:\s+|$))?(.*)$", line)
        assert found is not None
        depth, code, name = len(found[1].expandtabs(8)), found[2], found[3].strip()
        while above and above[-1][0] >= depth:
            above.pop()
        if not name:
            raise LexiconError(f"{source.where(at + 1)} has a category {line.strip()!r} without a name, expected one")
        above.append((depth, name))
        path = category_of(part for _, part in above)
        if code is None:  # a heading above numbered categories
            continue
        if names.get(int(code), path) != path:
            raise LexiconError(
                f"{source.where(at + 1)} gives number {code} to {path!r}, but it is {names[int(code)]!r} already: "
                "expected one number for each category"
            )
        if path in names.values():
            problems.append(Problem("repeated category", path, source.where(at + 1), "the two are read as one"))
        names[int(code)] = path
    if not names:
        raise LexiconError(
            f"{source.where(start)} has no category between the two %, expected lines such as 1<TAB>name"
        )
    return names


def _entries(line: str, names: dict[int, str], where: str, problems: list[Problem]) -> Iterator[Entry]:
    """The entries of one line: the word stands before the first tab, or, where there is none, before the numbers."""
    term, _, rest = (part.strip() for part in line.strip().partition("\t"))
    found = None if "\t" in line.strip() else _UNTABBED.match(line.strip())
    if found is not None:
        term, rest = found["term"], found["codes"]
    elif re.search(r"\s\d+$", term) and int(term.split()[-1]) in names:
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
