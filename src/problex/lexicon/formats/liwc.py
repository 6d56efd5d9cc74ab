"""LIWC dictionaries (.dic): numbered categories between two lines of `%`, then a word and its numbers in each line.

    %
    1<TAB>posemo
    2<TAB>negemo
    %
    happ*<TAB>1

Published files differ: spaces for tabs, `01` for `1`, words on several lines, categories indented as a tree,
undeclared numbers, and conditions such as `kind <of>131/125` (a word that counts as 131 before "of").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.lexicon_file import LexiconFile, LexiconReading, Output, unsupported_entry

_CONDITION = r"(?:<[^>\s]*>|\([^)]*\))\s*\d+(?:/\d+)?|\d+/\d+"
_CONDITIONAL = re.compile(r"^\(\w[^)]*\)\s+\w|\w\s+\(\w[^)]*\)$")
"""A word that counts only after or before others: `(did) like`."""
_CODE = re.compile(rf"(?P<condition>{_CONDITION})(?=\s|$)|(?P<number>\d{{1,9}})(?=\s|$)|(?P<other>\S+)")
NO_NUMBERS = "left out: a word and its numbers were expected"
_NUMBER = re.compile(r"\d{1,18}")
MAX_LINES = 200
"""Lines at the beginning of a file that are looked at, to know its format."""
MAX_UNTABBED = 1000
"""Characters of a line whose word may end without a tab: to find its end takes time that grows with their square."""
_UNTABBED = re.compile(rf"^(?P<term>\S.*?)(?P<codes>(?:\s+(?:{_CONDITION}|\d+))+)\s*$")


def is_liwc(file: LexiconFile) -> bool:
    """`%` in the first line and in a later one, or, in a .dic, words with numbers of categories."""
    lines = [line.strip() for line in file.filled]
    if lines[:1] == ["%"] and "%" in lines[1:]:
        return True
    first, is_dic = lines[:MAX_LINES], file.suffix == ".dic"
    numbered = sum(re.fullmatch(r"[^\t]+(\t+\d{1,4})+", line) is not None for line in first)
    widths = {line.count("\t") for line in first}
    is_ragged = len(widths) > 2 or (is_dic and len(lines) > 2)
    return (is_dic or max(widths, default=0) > 1) and is_ragged and numbered > 0.8 * len(first)


def read_liwc(file: LexiconFile) -> Dictionary:
    """Read a .dic: every word under the path of each of its categories."""
    marks = [at for at, line in enumerate(file.lines) if line.strip() == "%"]
    if not marks:
        return _read_without_header(file)
    if len(marks) < 2:
        raise LexiconError(
            f"{file.name} has {len(marks)} lines that are just %, expected two: one before and one after the list "
            "of numbered categories"
        )
    reading = LexiconReading(file)
    names = _header(reading, marks[0] + 1, marks[1])
    for at in range(marks[0]):
        if file.lines[at].strip():
            reading.report("not understood", file.lines[at].strip(), "left out: it is before the first %", at + 1)
    for at, line in enumerate(file.lines[marks[1] + 1 :], start=marks[1] + 2):
        if line.strip():
            _read_line(reading, line, names, at)
    used = {entry.list for entry in reading.entries}
    for name in dict.fromkeys(names.values()):
        if name not in used and not any(other.startswith(f"{name}/") for other in used):
            reading.report("empty category", name, "left out: no word has it")
    return reading.dictionary()


def _read_without_header(file: LexiconFile) -> Dictionary:
    """Read words and their numbers; lines of a number and a name at the top name categories, others keep the number."""
    names: dict[int, str] = {}
    reading = LexiconReading(file)
    for at, line in enumerate(file.lines, start=1):
        header = re.fullmatch(r"\s*(\d{1,9})\s+(\D\S*(?: .*)?)", line.rstrip())
        if header is not None and not reading.entries and not line.split()[-1].isdigit():
            names[int(header[1])] = header[2]
        elif line.strip():
            term, *cells = (cell.strip() for cell in line.strip().split("\t"))
            codes = [int(cell) for cell in cells if _NUMBER.fullmatch(cell)]
            if not codes:
                reading.report("no category", term, NO_NUMBERS, at)
            for code in codes:
                reading.add(term, names.get(code, str(code)), at)
    if not reading.entries:
        raise LexiconError(
            f"{file.name} has 0 lines that are just % and no words with numbers, expected the numbered categories "
            "between two lines of %, then words with their numbers"
        )
    unnamed = sorted({int(entry.list) for entry in reading.entries if _NUMBER.fullmatch(entry.list)})
    if unnamed:
        what = f"{len(unnamed)} categories have no name ({', '.join(map(str, unnamed[:5]))}, ...)"
        action = "read with their numbers as names: put the header, between two lines of %, above the words"
        reading.report("no header", what, action, loud=True)
    return reading.dictionary()


def _header(reading: LexiconReading, start: int, stop: int) -> dict[int, str]:
    """Category numbers and their paths."""
    names: dict[int, str] = {}
    headings: dict[str, int] = {}
    for at, code, path in _paths(reading.file, start, stop):
        if code is None:
            headings[path] = at
        elif names.get(code, path) != path:
            raise LexiconError(
                f"{reading.file.where(at)} gives number {code} to {path!r}, but it is {names[code]!r} already: "
                "expected one number for each category"
            )
        else:
            if path in names.values():
                reading.report("repeated category", path, "the two are read as one", at)
            names[code] = path
    for heading, at in headings.items():
        if not any(name.startswith(f"{heading}/") for name in names.values()):
            reading.report("no number", heading, "left out: expected a number, or categories below it", at)
    if not names:
        where = reading.file.where(start)
        raise LexiconError(f"{where}: no category between the two %, expected lines such as 1<TAB>name")
    return names


def _paths(file: LexiconFile, start: int, stop: int) -> Iterator[tuple[int, int | None, str]]:
    r"""The line of each category, its number if it has one, and its path by indentation.

    >>> list(_paths(LexiconFile("a.dic", b"1\temotion\n  2\tposemo\n"), 0, 2))
    [(1, 1, 'emotion'), (2, 2, 'emotion/posemo')]
    """
    parents: list[tuple[int, str]] = []
    for at in range(start, stop):
        line = file.lines[at].rstrip()
        match = re.match(r"(\s*)(?:(\d{1,9})(?:\s+|$))?(.*)$", line)
        if not line.strip() or match is None:
            continue
        depth, name = len(match[1].expandtabs(8)), match[3].strip()
        if not name:
            where = file.where(at + 1)
            raise LexiconError(f"{where} has a category {line.strip()!r} without a name, expected one")
        while parents and parents[-1][0] >= depth:
            parents.pop()
        file.check_depth(len(parents), at + 1)
        parents.append((depth, name))
        yield at + 1, int(match[2]) if match[2] else None, category_of(parent for _, parent in parents)


def _read_line(reading: LexiconReading, line: str, names: dict[int, str], at: int) -> None:
    r"""Read the entries of one line: the word is before the first tab, or, without a tab, before the numbers.

    >>> reading = LexiconReading(LexiconFile("a.dic", b""))
    >>> _read_line(reading, "happ*\t1 9", {1: "posemo"}, 5)
    >>> [entry.list for entry in reading.entries], reading.issues[0].action
    (['posemo'], "left out of '9': it is not declared between the two %")
    """
    term, _, rest = (half.strip() for half in line.strip().partition("\t"))
    is_tabbed = "\t" in line.strip() or len(line) > MAX_UNTABBED
    match = None if is_tabbed else _UNTABBED.match(line.strip())
    if match is not None:
        term, rest = match["term"], match["codes"]
    elif re.search(r"\s\d{1,9}$", term) and int(term.split()[-1]) in names:
        action = "read as one: a tab is missing if its number is a category"
        reading.report("doubtful entry", term, action, at)
    if _CONDITIONAL.search(term):
        reading.report("conditional", term, "not supported, left out", at)
        return
    categories: dict[str, None] = {}
    for code in _CODE.finditer(rest):
        if code["condition"]:
            reading.report("conditional", f"{term} {code['condition']}", "not supported, left out", at)
        elif code["number"] and int(code["number"]) in names:
            categories[names[int(code["number"])]] = None
        else:
            action = f"left out of {code[0]!r}: it is not declared between the two %"
            reading.report("unknown category", term, action, at)
    if not rest.strip():
        reading.report("no category", term, NO_NUMBERS, at)
    for name in categories:
        reading.add(term, name, at)


def write_liwc(dictionary: Dictionary) -> Output:
    """Write a .dic with tabs; nested categories keep their path as name."""
    codes = {name: at for at, name in enumerate(dictionary.categories, start=1)}
    words: dict[str, list[int]] = {}
    issues = []
    for entry in dictionary.entries:
        if _CONDITIONAL.search(entry.text):
            issues.append(unsupported_entry(entry, "it would be read as a condition"))
            continue
        words.setdefault(entry.text, []).append(codes[entry.list])
    lines = ["%", *(f"{code}\t{name}" for name, code in codes.items()), "%"]
    lines += ["\t".join([word, *map(str, sorted(numbers))]) for word, numbers in words.items()]
    return Output.from_lines(lines, issues, dictionary, weights=False)
