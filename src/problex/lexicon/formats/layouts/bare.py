"""Tables without a header: the cells decide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from problex.errors import opt
from problex.lexicon.formats.layouts.columns import EMOTIONS, POLARITIES, TableColumn, as_number, columns_of
from problex.lexicon.formats.layouts.entries import WordTable, cell_of
from problex.lexicon.formats.layouts.headed import agrees, is_like, refuse_pairs, unknown

TRUTH = frozenset({"true", "false", "yes", "no"})
"""Labels that say whether a word is in the list of the file."""
VADER = re.compile(r"\[-?\d(, -?\d)+\]")
"""The ratings of ten persons, in the last column of VADER."""


@dataclass(frozen=True)
class BareTable:
    """A table whose columns have no names, and what they are by their cells."""

    table: WordTable
    columns: list[TableColumn]

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.columns)

    @cached_property
    def numbers(self) -> list[TableColumn]:
        """The columns of numbers, in nearly all rows."""
        return [column for column in self.columns if column.is_number and not column.is_index and column.is_filled]

    @cached_property
    def texts(self) -> list[TableColumn]:
        """The columns of texts."""
        return [column for column in self.columns if column.is_text and not column.is_index]

    @cached_property
    def known(self) -> list[TableColumn]:
        """The columns of known labels, unless they are all there is."""
        return [one for one in self.texts if one.is_known_label and any(other.is_words for other in self.texts)]

    @cached_property
    def label(self) -> TableColumn | None:
        """The column of the lists: known labels, or else the only column of texts that repeat beside one that do not.

        Single letters are codes, not names of lists.
        """
        if self.known:
            return self.known[0]
        repeated = [one for one in self.texts if one.is_label and one.distinct > 1]
        labels = [one for one in repeated if any(len(cell) > 1 for cell in one.cells)]
        has_words = any(one.is_words and not one.is_label for one in self.texts)
        return labels[0] if len(labels) == 1 and has_words else None

    @cached_property
    def words(self) -> list[TableColumn]:
        """The columns of texts that are not the lists."""
        return [column for column in self.texts if column is not self.label]

    @cached_property
    def word(self) -> TableColumn:
        """The column of the words: the first whose cells hardly repeat."""
        return next((column for column in self.words if column.is_words), [*self.words, *self.texts][0])

    def ignore_all_but(self, *used: TableColumn | None) -> None:
        """Report the columns that are not used."""
        self.table.ignore([f"column {column.at + 1}" for column in self.columns if column not in used])

    def read_words(self, word: TableColumn) -> None:
        """Read a column as one list."""
        self.ignore_all_but(word)
        self.table.add_words(word.at)


def read_without_header(table: WordTable) -> None:
    """Read a table whose columns have no names."""
    sheet = BareTable(table, columns_of(table.rows))
    if sheet.width == 1:
        table.add_words(0)
    elif table.is_one_list and not sheet.numbers:
        sheet.read_words((sheet.texts or sheet.columns)[0])
    elif _is_word_list_flag(sheet):
        sheet.ignore_all_but(*sheet.columns[:3])
        table.add_long(0, [1], 2, missing={""})
    elif _is_category_in_row(table):
        table.add_rows()
    elif _is_list_in_column(sheet):
        _read_columns(table)
    elif not sheet.texts and sheet.width == 2 and sheet.columns[1].is_number:
        _doubt_numbers(table, sheet.columns[1:])
        table.add_signed(0, 1)  # the words are numbers
    elif sheet.label is not None and sheet.label is not sheet.word:
        _read_labelled(sheet, sheet.label)
    elif sheet.texts and sheet.numbers:
        _read_rated(sheet)
    elif len(sheet.texts) == 1 and any(column.is_index for column in sheet.columns):
        sheet.read_words(sheet.word)
    else:
        refuse_pairs(table, sheet.texts)
        if not sheet.texts or sheet.width != 2:
            raise unknown(table.name, table.rows[0][1])
        table.add_long(0, [1])


def _is_word_list_flag(sheet: BareTable) -> bool:
    """Whether the first three columns are a word, a list, and 0 or 1, as in the lexicons of NRC."""
    columns = sheet.columns
    if len(columns) < 3 or not columns[2].is_number or not set(columns[2].values) <= {0, 1}:
        return False
    has_numbers = any(as_number(cell_of(row, 1)) is not None for _, row in sheet.table.rows)
    return not has_numbers and not (columns[1].rows > 20 and columns[1].is_words)


def _is_category_in_row(table: WordTable) -> bool:
    """Whether each row is a category: its name and many words, so that rows differ in length.

    >>> rows = [("a:1", ["joy", *"abcde"]), ("a:2", ["fear", *"abcdef"]), ("a:3", ["rage", *"abcdefg"])]
    >>> _is_category_in_row(WordTable("a.csv", rows, "a")), _is_category_in_row(WordTable("a.csv", rows[:2], "a"))
    (True, False)
    """
    rows = [row for _, row in table.rows]
    sizes = [sum(bool(cell.strip()) for cell in row) for row in rows]
    names = [cell_of(row, 0).strip() for row in rows]
    if len(sizes) < 2 or len(set(names)) < len(names) or not all(names):
        return False
    cells = [cell for row in rows[:50] for cell in row[1:] if cell.strip()]
    has_numbers = sum(as_number(cell) is not None for cell in cells) > 0.1 * len(cells)
    many = sum(size > 4 for size in sizes) > 0.8 * len(sizes)
    return many and not has_numbers and len(set(sizes)) > max(2, 0.3 * min(len(sizes), 30))


def _is_list_in_column(sheet: BareTable) -> bool:
    """Whether each column is a list under its name; in rows of a word and its list, names of lists repeat."""
    rows = sheet.table.rows
    names = [cell.strip().casefold() for cell in rows[0][1]]
    if sheet.numbers or len(sheet.texts) < sheet.width or sheet.known or len(rows) < 2:
        return False
    if len(names) < sheet.width or not all(names) or len(set(names)) < sheet.width:
        return False
    if any(as_number(cell) is not None for _, row in rows[1:] for cell in row):
        return False
    seconds = [cell for _, row in rows if (cell := cell_of(row, 1).strip())]
    return set(names) <= POLARITIES or (len(rows) > 2 and len(set(seconds)) == len(seconds))


def _read_columns(table: WordTable) -> None:
    where, first = table.rows[0]
    names = {cell.strip().casefold() for cell in first}
    if not names <= POLARITIES:
        table.report("doubtful header", ", ".join(first), where, "read as the names of lists, each above its entries")
    if not names <= POLARITIES | EMOTIONS:
        refuse_pairs(table, columns_of(table.rows[1:]))
    del table.rows[0]
    table.add_columns(first)


def _read_labelled(sheet: BareTable, label: TableColumn) -> None:
    """Read a word and its list, maybe with a weight: the number with fractions, or else that after the list."""
    table, numbers = sheet.table, sheet.numbers
    fractions = [column for column in numbers if any(value != int(value) for value in column.values)]
    after = [column for column in numbers if column.at > label.at]
    weight = fractions[0] if len(fractions) == 1 else next(iter([*after, *numbers]), None)
    if len(numbers) > 1 and weight is not None:
        action = f"column {weight.at + 1} was read as the weight: name another with {opt('weight')}"
        table.doubt(f"{len(numbers)} columns of numbers without names", action)
    sheet.ignore_all_but(sheet.word, label, weight)
    rivals = [one for one in sheet.words if one is not sheet.word and one.is_words and not is_like(one, sheet.word)]
    if rivals or (sheet.width > 2 and not label.is_known_label):
        table.doubt(
            f"{sheet.width} columns without names",
            f"the words were read from column {sheet.word.at + 1} and their lists from column {label.at + 1}: name "
            f"others with {opt('word')} and {opt('label')}",
        )
    if {cell.casefold() for cell in label.cells} <= TRUTH:
        table.add_wide(sheet.word.at, {label.at: table.default_list})
    else:
        table.add_long(sheet.word.at, [label.at], weight.at if weight else None)


def _read_rated(sheet: BareTable) -> None:
    """Read a word and its weight, below a header in an unknown language if only the first row has no number."""
    table, weight = sheet.table, sheet.numbers[0]
    if len(table.rows) > 1 and as_number(cell_of(table.rows[0][1], weight.at)) is None:
        where, row = table.rows.pop(0)
        table.report("header", ", ".join(row), where, "taken as the names of the columns")
    sheet.ignore_all_but(sheet.word, weight)
    _doubt_numbers(table, sheet.numbers)
    table.add_signed(sheet.word.at, weight.at)


def _doubt_numbers(table: WordTable, numbers: Sequence[TableColumn]) -> None:
    """Say that the first of several numbers was taken, except for those that VADER has, and that there is one list."""
    is_vader = any(VADER.fullmatch(cell.strip()) for _, row in table.rows[:5] for cell in row)
    if len(numbers) > 1 and not is_vader:
        columns = ", ".join(f"column {column.at + 1}" for column in numbers)
        action = f"hold numbers and have no names: the first was read as the weight, name another with {opt('weight')}"
        table.doubt(columns, f"{columns} {action}")
    weight = numbers[0]
    is_one_list = table.options.midpoint is None and len(weight.signs) == 1
    if is_one_list and not agrees(table.default_list, positive=True in weight.signs):
        low, high = min(weight.values), max(weight.values)
        name = "positive" if high > 0 else "negative"
        table.doubt(
            f"column {weight.at + 1}",
            f"all weights are from {low:g} to {high:g}, so all words are in the list {name!r}: "
            f"{opt('midpoint')} makes two",
        )
