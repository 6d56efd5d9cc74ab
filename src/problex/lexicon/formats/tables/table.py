"""A table: its rows, and the entries and issues that are read from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from problex._util.formatting import pluralize
from problex.errors import LexiconError, opt
from problex.lexicon.dictionary import category_of
from problex.lexicon.formats.options import FileOptions
from problex.lexicon.formats.tables.columns import Row
from problex.lexicon.lexicon import Entry, Issue

MAX_BAD = 0.5
"""Share of rows that may be skipped; beyond it, the file is not understood."""
LEAST_SENSES = 10
"""Entries with the number of a sense, from which on it is not part of a word."""
SENSE = re.compile(r"(?<=\S)#\d+$")
"""The number of a sense, as the General Inquirer and SentiWordNet write it: `ABOUT#1`."""


@dataclass
class Table:
    """Rows with their positions, what the user said about them, and the entries and issues that are read from them."""

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
            self.issues.append(Issue("blank", word, where, "left out: the row has no word"))

    def ignore(self, columns: Sequence[str]) -> None:
        """Report the columns that are not read."""
        if columns:
            self.issues.append(Issue("other columns", ", ".join(columns), self.name, "left out"))

    def skip(self, row: Row, expected: str) -> None:
        """Report a row that cannot be read."""
        where, cells = row
        self.bad += 1
        text = ",".join(cells)[:60]
        self.issues.append(
            Issue("bad line", text, where, f"left out: it has {pluralize(len(cells), 'cell')}, expected {expected}")
        )

    def doubt(self, what: str, action: str) -> None:
        """Report that the table may have been misread."""
        self.issues.append(Issue("doubtful table", what, self.name, action, loud=True))

    def drop_senses(self) -> None:
        """Leave out numbers of senses: `ABOUT#1` and `ABOUT#2` are `ABOUT`."""
        numbered = sum(bool(SENSE.search(entry.text)) for entry in self.entries)
        if 20 * numbered < len(self.entries) or numbered < LEAST_SENSES:
            return
        first = next(entry for entry in self.entries if SENSE.search(entry.text))
        action = f"left out, as of {pluralize(numbered - 1, 'other entry', 'other entries')}: words are matched without"
        self.issues.append(Issue("number of a sense", first.text, first.where, action))
        seen: dict[tuple[str, str], Entry] = {}
        for entry in self.entries:
            plain = entry._replace(text=SENSE.sub("", entry.text))
            seen.setdefault((plain.text, plain.list), plain)
        self.entries = list(seen.values())

    def check_bad(self, rows: int) -> None:
        """Raise if most rows were skipped."""
        if self.bad > MAX_BAD * rows:
            first = next(issue for issue in self.issues if issue.kind == "bad line")
            raise LexiconError(
                f"{first.where} and {pluralize(self.bad - 1, 'other row')} of {rows:,} cannot be read "
                f"({first.entry!r}: {first.action.removeprefix('left out: ')}): name the columns with "
                f"{opt('word')} and {opt('label')}, or the format with --from"
            )


def cell_of(row: Sequence[str], at: int | None) -> str:
    """A cell; empty if the row is shorter."""
    return row[at] if at is not None and at < len(row) else ""
