"""The entries of a table of words, once it is known which columns hold the words, their lists and their weights."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from problex._util.formatting import pluralize
from problex.errors import LexiconError, opt
from problex.lexicon.dictionary import category_of
from problex.lexicon.formats.layouts.columns import MISSING, Row, as_number, membership
from problex.lexicon.formats.lexicon_file import FileOptions
from problex.lexicon.lexicon import Entry, Issue

MAX_BAD = 0.5
"""Share of rows that may be skipped; beyond it, the file is not understood."""
LEAST_SENSES = 10
"""Entries with the number of a sense, from which on it is not part of a word."""
SENSE = re.compile(r"(?<=\S)#\d+$")
"""The number of a sense, as the General Inquirer and SentiWordNet write it: `ABOUT#1`."""


@dataclass
class WordTable:
    """Rows with their positions, what the user said about them, and the entries and issues that are read from them.

    >>> table = WordTable("a.csv", [("a.csv:2", ["good", "X", ""]), ("a.csv:3", ["bad", "", "1.5"])], "a")
    >>> table.add_wide(0, {1: "up", 2: "down"})
    >>> [(entry.text, entry.list, entry.weight) for entry in table.entries]
    [('good', 'up', None), ('bad', 'down', 1.5)]
    """

    name: str
    rows: list[Row]
    default_list: str
    is_one_list: bool = False
    options: FileOptions = field(default_factory=FileOptions)
    entries: list[Entry] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    bad: int = 0

    def add(self, word: str, list_name: str, where: str, weight: float | None = None) -> None:
        """Add an entry; a row without a word is an issue."""
        if word.strip():
            self.entries.append(Entry(word, category_of([list_name]), where, weight))
        elif list_name or weight is not None:
            self.report("blank", word, where, "left out: the row has no word")

    def report(self, kind: str, entry: str, where: str, action: str) -> None:
        """Add an issue."""
        self.issues.append(Issue(kind, entry, where, action))

    def ignore(self, columns: Sequence[str]) -> None:
        """Report the columns that are not read."""
        if columns:
            self.report("other columns", ", ".join(columns), self.name, "left out")

    def skip(self, row: Row, expected: str) -> None:
        """Report a row that cannot be read."""
        where, cells = row
        self.bad += 1
        action = f"left out: it has {pluralize(len(cells), 'cell')}, expected {expected}"
        self.report("bad line", ",".join(cells)[:60], where, action)

    def doubt(self, what: str, action: str) -> None:
        """Report that the table may have been misread."""
        self.issues.append(Issue("doubtful table", what, self.name, action, loud=True))

    def check_bad(self, rows: int) -> None:
        """Raise if most rows were skipped."""
        if self.bad > MAX_BAD * rows:
            first = next(issue for issue in self.issues if issue.kind == "bad line")
            raise LexiconError(
                f"{first.where} and {pluralize(self.bad - 1, 'other row')} of {rows:,} cannot be read "
                f"({first.entry!r}: {first.action.removeprefix('left out: ')}): name the columns with "
                f"{opt('word')} and {opt('label')}, or the format with --from"
            )

    def drop_senses(self) -> None:
        """Leave out numbers of senses: `ABOUT#1` and `ABOUT#2` are `ABOUT`.

        >>> table = WordTable("a.csv", [], "a", entries=[Entry(f"about#{sense}", "up", "a:1") for sense in range(10)])
        >>> table.drop_senses()
        >>> [entry.text for entry in table.entries]
        ['about']
        """
        numbered = [entry for entry in self.entries if SENSE.search(entry.text)]
        if 20 * len(numbered) < len(self.entries) or len(numbered) < LEAST_SENSES:
            return
        others = pluralize(len(numbered) - 1, "other entry", "other entries")
        action = f"left out, as of {others}: words are matched without"
        self.report("number of a sense", numbered[0].text, numbered[0].where, action)
        seen: dict[tuple[str, str], Entry] = {}
        for entry in self.entries:
            plain = entry._replace(text=SENSE.sub("", entry.text))
            seen.setdefault((plain.text, plain.list), plain)
        self.entries = list(seen.values())

    def add_words(self, word_at: int) -> None:
        """One list of all words."""
        for where, row in self.rows:
            self.add(cell_of(row, word_at), self.default_list, where)

    def add_long(
        self,
        word_at: int,
        lists: Sequence[int],
        weight_at: int | None = None,
        *,
        flags: bool = True,
        missing: Collection[str] = MISSING,
    ) -> None:
        """One entry per row and column of lists. Numbers that are all 0 or 1 are membership; others are weights."""
        numbers = {as_number(cell_of(row, weight_at)) for _, row in self.rows} if weight_at is not None else set()
        flags = flags and weight_at is not None and numbers <= {0, 1, None}
        absent: dict[str, bool] = {}
        mark = label_separator([cell_of(row, at) for _, row in self.rows for at in lists])
        if mark:
            self.report("several lists in a cell", mark, self.name, f"a cell with {mark!r} names several lists")
        for where, row in self.rows:
            word = cell_of(row, word_at)
            cells = [name for at in lists for name in (cell_of(row, at).split(mark) if mark else [cell_of(row, at)])]
            names = [name for name in cells if name.strip().casefold() not in missing]
            if len(row) <= max(word_at, *lists, weight_at or 0) and not names:
                self.skip((where, row), "a word and its list")
                continue
            if not names:
                self.report("no category", word, where, "left out: it has no list")
            weight = self._weight(word, cell_of(row, weight_at), where)
            for name in names:
                if flags:
                    absent[word] = absent.get(word, True) and weight == 0
                if not (flags and weight == 0):
                    self.add(word, name, where, None if flags else weight)
        self._report_absent([word for word, is_absent in absent.items() if is_absent])

    def add_signed(self, word_at: int, weight_at: int, one_list: str | None = None) -> None:
        """Words with weights: the side of the midpoint, 0 unless set, makes the list; with `one_list`, there is one.

        >>> rows = [("a.csv:1", ["good", "7"]), ("a.csv:2", ["so", "5"])]
        >>> table = WordTable("a.csv", rows, "a", options=FileOptions(midpoint=5))
        >>> table.add_signed(0, 1)
        >>> table.entries, table.issues[0].action
        ([Entry(text='good', list='positive', where='a.csv:1', weight=2.0)], 'left out: neither positive nor negative')
        """
        middle = self.options.midpoint or 0.0
        zero = "neutral" if self.options.neutral else "weight 0" if not middle else f"weight {middle:g}"
        for where, row in self.rows:
            word = cell_of(row, word_at)
            if len(row) <= max(word_at, weight_at):
                self.skip((where, row), "a word and its weight")
            elif (weight := self._weight(word, cell_of(row, weight_at), where)) is None:
                self.report("no category", word, where, "left out: a weight was expected")
            elif (name := one_list or self.options.list_of(weight)) is None:
                self.report(zero, word, where, "left out: neither positive nor negative")
            else:
                self.add(word, name, where, weight - middle)

    def _weight(self, word: str, cell: str, where: str) -> float | None:
        weight = as_number(cell)
        if weight is None and cell.strip().casefold() not in MISSING:
            self.report("not a number", word, where, f"the weight {cell.strip()[:40]!r} is left out")
        return weight

    def add_wide(self, word_at: int, categories: Mapping[int, str]) -> None:
        """One row per word, one column per category, with a mark or a weight in the categories of the word.

        >>> table = WordTable("a.csv", [("a.csv:1", ["glad", "X", ""]), ("a.csv:2", ["film", "", "0"])], "a")
        >>> table.add_wide(0, {1: "joy", 2: "fear"})
        >>> table.entries, str(table.issues[0])
        ([Entry(text='glad', list='joy', where='a.csv:1', weight=None)], "'film' (a.csv): in no category, ...")
        """
        absent = []
        for where, row in self.rows:
            size, word = len(self.entries), cell_of(row, word_at)
            for at, name in categories.items():
                meaning = membership(cell_of(row, at), name)
                if meaning is None:
                    wrong = f"{cell_of(row, at)[:40]!r} under {name!r}"
                    self.report(
                        "not a mark", word, where, f"{wrong} is left out: X, 1, a weight or nothing was expected"
                    )
                elif meaning[0]:
                    self.add(word, name, where, meaning[1])
            if len(self.entries) == size and word.strip():
                absent.append(word)
        self._report_absent(absent)

    def add_years(self, word_at: int, categories: Mapping[int, str]) -> None:
        """As Loughran and McDonald: a year puts the word into the category; it was removed in a negative year."""
        absent = []
        for where, row in self.rows:
            word, years = cell_of(row, word_at), {name: as_number(cell_of(row, at)) for at, name in categories.items()}
            for name, year in years.items():
                if year and year > 0:
                    self.add(word, name, where)
                elif year:
                    self.report("removed", word, where, f"left out: removed from {name!r} in {-year:.0f}")
            if not any(years.values()):
                absent.append(word)
        self._report_absent(absent)

    def add_columns(self, names: Sequence[str]) -> None:
        """A list per column, under its name."""
        for at, name in enumerate(names):
            for where, row in self.rows:
                if cell_of(row, at).strip():
                    self.add(row[at], name, where)

    def add_rows(self) -> None:
        """A list per row: its name, then its words.

        >>> table = WordTable("a.csv", [("a.csv:1", ["joy", "glad", "happy"]), ("a.csv:2", ["fear"])], "a")
        >>> table.add_rows()
        >>> [entry.text for entry in table.entries], table.issues[0].action
        (['glad', 'happy'], 'left out: it has 1 cell, expected the name of a category and its words')
        """
        for where, row in self.rows:
            words = [word for word in row[1:] if word.strip()]
            if not words:
                self.skip((where, row), "the name of a category and its words")
            for word in words:
                self.add(word, row[0], where)

    def _report_absent(self, words: list[str]) -> None:
        """Report the words without a category, which dictionaries may have in thousands, as one issue."""
        if words:
            more = f" and {len(words) - 1:,} more" if len(words) > 1 else ""
            self.report("in no category", f"{words[0]}{more}", self.name, "left out, as the file says")


def cell_of(row: Sequence[str], at: int | None) -> str:
    """A cell; empty if the row is shorter.

    >>> cell_of(["good", "up"], 1), cell_of(["good"], 1), cell_of(["good"], None)
    ('up', '', '')
    """
    return row[at] if at is not None and at < len(row) else ""


def label_separator(cells: Sequence[str]) -> str | None:
    """What separates the names of lists in cells with several, as in `anger; fear`: their parts are few and repeat.

    A cell of nothing but marks does not make them separators: a list may be called `;`.

    >>> label_separator(["anger; fear", "fear;", "anger", "joy; anger"]), label_separator(["food, drink", "other"])
    (';', None)
    """
    distinct = {cell.strip() for cell in cells if cell.strip()}
    for mark in ";|,":
        several = [cell for cell in distinct if mark in cell and cell.strip(f"{mark} ")]
        names = {name.strip() for cell in distinct for name in cell.split(mark) if name.strip()}
        are_known = bool(several) and names <= {cell for cell in distinct if mark not in cell}
        if are_known or (len(several) > 1 and len(names) < len(distinct)):
            return mark
    return None
