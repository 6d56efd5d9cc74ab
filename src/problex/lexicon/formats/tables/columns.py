"""What the columns of a table hold, by their cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from problex.lexicon.formats.tables.cells import MISSING, as_number, membership
from problex.lexicon.formats.tables.names import LABELS, OTHER, role_of

MOST = 0.9
"""Share of the cells that must be alike for a column to be of a kind."""
MAX_LABELS = 60
"""Different values that a column of labels may have in a large table."""
PARTS_OF_SPEECH = frozenset({
    "n", "v", "a", "r", "s", "adj", "adv", "noun", "verb", "adjective", "adverb", "nn", "vv", "ad", "anypos", "nnp",
    "vb",
    "jj", "rb", "prep", "pron", "conj", "vvinf", "adja", "adjd", "ne", "sb.", "adj.", "vb.", "adv.", "名詞", "動詞",
    "形容詞",
    "副詞", "助動詞",
})  # fmt: skip
LEAST_INDEX = 20
"""Rows from which on different whole numbers in any order number the rows."""
LEAST_CODE = 10_000
"""Different whole numbers from this on are codes."""
Row = tuple[str, list[str]]
"""A position and its cells."""


@dataclass(frozen=True, eq=False)
class Column:
    """The place, the name and the cells of a column that hold something."""

    at: int
    name: str
    cells: list[str]
    rows: int

    @cached_property
    def values(self) -> list[float]:
        """The numbers in its cells."""
        return [number for cell in self.cells if (number := as_number(cell)) is not None]

    @property
    def is_number(self) -> bool:
        """Whether it holds numbers."""
        return 2 * len(self.values) > len(self.cells)

    @cached_property
    def is_index(self) -> bool:
        """Whether it numbers the rows, in any order: 1, 2, 3, or codes such as EN12."""
        if len(self.cells) < max(3, MOST * self.rows):
            return False
        if self.is_number:
            if self.values in ([*range(len(self.values))], [*range(1, len(self.values) + 1)]):
                return True
            whole = {value for value in self.values if value == int(value)}
            if len(self.cells) < LEAST_INDEX or len(whole) < MOST * len(self.cells):
                return False
            if min(whole) >= LEAST_CODE:
                return True
            return min(whole) >= 0 and max(whole) - min(whole) < 1.2 * len(self.cells)
        codes = sum(bool(re.fullmatch(r"[A-Z]{1,4}-?\d+|0x[0-9a-f]+", cell)) for cell in self.cells)
        return codes >= MOST * len(self.cells)

    @cached_property
    def is_membership(self) -> bool:
        """Whether every cell is a mark, a number, or the name of the column."""
        unknown = sum(membership(cell, self.name) is None for cell in self.cells)
        return bool(self.cells) and (not unknown or (unknown < 0.02 * len(self.cells) and len(self.cells) > 100))

    @cached_property
    def is_flag(self) -> bool:
        """Whether it only says that words are in a category or not: 0 and 1, X, or the name of the column."""
        meanings = {membership(cell, self.name) for cell in self.cells}
        return bool(meanings) and meanings <= {(True, None), (False, None), (True, 1.0)}

    @property
    def repeats_its_name(self) -> bool:
        """Whether some cells are the name of the column, as in the General Inquirer."""
        return bool(self.name) and any(cell.casefold() == self.name.casefold() for cell in self.cells)

    @cached_property
    def distinct(self) -> int:
        """How many different cells it has."""
        return len({cell.casefold() for cell in self.cells})

    @cached_property
    def is_known_label(self) -> bool:
        """Whether its cells are names of polarities or emotions."""
        known = sum(cell.casefold() in LABELS for cell in self.cells)
        return self.is_text and self.is_filled and known >= 0.8 * len(self.cells)

    @cached_property
    def is_part_of_speech(self) -> bool:
        """Whether its cells are parts of speech."""
        known = sum(cell.casefold() in PARTS_OF_SPEECH for cell in self.cells)
        return bool(self.cells) and known >= 0.8 * len(self.cells) and not self.is_known_label

    @property
    def is_filled(self) -> bool:
        """Whether nearly every row has a cell here: remarks are in some rows only."""
        return len(self.cells) >= MOST * self.rows

    @property
    def is_text(self) -> bool:
        """Whether it holds text, not numbers."""
        return bool(self.cells) and len(self.values) < 0.5 * len(self.cells)

    @cached_property
    def is_label(self) -> bool:
        """Whether its cells are a few texts that repeat."""
        if not self.is_filled:
            return False
        few = self.distinct <= min(MAX_LABELS, max(2, len(self.cells) // 3))
        return self.is_text and few and not self.is_part_of_speech and not self.has_sentences

    @cached_property
    def has_sentences(self) -> bool:
        """Whether its cells are longer than entries: examples, definitions."""
        spaces = sum(cell.count(" ") for cell in self.cells)
        return spaces > 4 * len(self.cells)

    @cached_property
    def is_words(self) -> bool:
        """Whether its cells are texts that hardly repeat."""
        return self.is_text and self.distinct > 0.3 * len(self.cells) and not self.has_sentences and not self.is_index

    @property
    def is_other(self) -> bool:
        """Whether its name says that it is neither a category nor a weight."""
        return role_of(self.name) == OTHER if self.name else False


def columns_of(rows: Sequence[Row], header: Sequence[str] = ()) -> list[Column]:
    """The columns of some rows, named by a header."""
    width = max([len(header), *(len(row) for _, row in rows)], default=0)
    columns = []
    for at in range(width):
        cells = [cell for _, row in rows if at < len(row) and (cell := row[at].strip()).casefold() not in MISSING]
        columns.append(Column(at, header[at].strip() if at < len(header) else "", cells, len(rows)))
    return columns


def _is_sparse(column: Column) -> bool:
    """Whether a column has one value in some rows."""
    return column.distinct == 1 and not column.is_filled


def has_header(rows: Sequence[Row]) -> bool:
    """Whether the first row names the columns."""
    first = [cell.strip() for cell in rows[0][1]]
    rest = columns_of(rows[1:])
    if len(first) > 1 and not first[0] and all(as_number(cell) == at for at, cell in enumerate(first[1:])):
        return True  # as pandas writes columns without names
    if any(as_number(cell) is not None for cell in first):
        return False
    if any(role_of(cell) == "word" for cell in first):
        return True
    if not rest or len(rows) < 3:
        return False
    if first[0] == "" and all(first[1:]) and len(first) > 1:
        return True  # an index, or the words, without a name
    named = [(first[column.at], column) for column in rest if column.at < len(first) and first[column.at]]
    if any(column.is_number and len(column.cells) > 1 for _, column in named):
        return True
    if sum(name.casefold() in map(str.casefold, column.cells) for name, column in named if _is_sparse(column)) > 1:
        return True  # the General Inquirer
    labels = [(name, column) for name, column in named if column.is_label and len(column.cells) > 9]
    return bool(labels) and all(name.casefold() not in map(str.casefold, column.cells) for name, column in labels)
