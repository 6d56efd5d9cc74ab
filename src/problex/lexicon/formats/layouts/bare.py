"""Tables without a header: the cells decide.

Each layout is a function that reads the table if it fits, and says whether it did; the first that fits is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
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
class Cells:
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


def read_without_header(table: WordTable) -> None:
    """Read a table whose columns have no names."""
    sheet = Cells(table, columns_of(table.rows))
    if not any(read(sheet) for read in LAYOUTS):
        raise unknown(table.name, table.rows[0][1])


def _one_column(sheet: Cells) -> bool:
    if sheet.width == 1:
        sheet.table.add_words(0)
    return sheet.width == 1


def _one_list(sheet: Cells) -> bool:
    """Words of a list that the user named, and no numbers."""
    if not sheet.table.is_one_list or sheet.numbers:
        return False
    word = sheet.texts[0] if sheet.texts else sheet.columns[0]
    sheet.ignore_all_but(word)
    sheet.table.add_words(word.at)
    return True


def _word_list_flag(sheet: Cells) -> bool:
    """A word, a list, and 0 or 1, as in the lexicons of NRC."""
    columns = sheet.columns
    if len(columns) < 3 or not columns[2].is_number or not set(columns[2].values) <= {0, 1}:
        return False
    seconds = [cell_of(row, 1) for _, row in sheet.table.rows]
    if any(as_number(cell) is not None for cell in seconds) or (columns[1].rows > 20 and columns[1].is_words):
        return False
    sheet.ignore_all_but(*columns[:3])
    sheet.table.add_long(0, [1], 2, missing={""})
    return True


def _category_in_row(sheet: Cells) -> bool:
    """Rows of a category each: its name and many words, so that rows differ in length."""
    rows = [row for _, row in sheet.table.rows]
    sizes = [sum(bool(cell.strip()) for cell in row) for row in rows]
    names = [cell_of(row, 0).strip() for row in rows]
    if len(sizes) < 2 or len(set(names)) < len(names) or not all(names):
        return False
    cells = [cell for row in rows[:50] for cell in row[1:] if cell.strip()]
    has_numbers = sum(as_number(cell) is not None for cell in cells) > 0.1 * len(cells)
    many = sum(size > 4 for size in sizes) > 0.8 * len(sizes)
    if not many or has_numbers or len(set(sizes)) <= max(2, 0.3 * min(len(sizes), 30)):
        return False
    sheet.table.add_rows()
    return True


def _list_in_column(sheet: Cells) -> bool:
    """Columns that are a list each, under its name; in rows of a word and its list, names of lists repeat."""
    table, (where, first) = sheet.table, sheet.table.rows[0]
    names = [cell.strip().casefold() for cell in first]
    if sheet.numbers or len(sheet.texts) < sheet.width or sheet.known or len(table.rows) < 2:
        return False
    if len(names) < sheet.width or not all(names) or len(set(names)) < sheet.width:
        return False
    if any(as_number(cell) is not None for _, row in table.rows[1:] for cell in row):
        return False
    seconds = [cell for _, row in table.rows if (cell := cell_of(row, 1).strip())]
    if not set(names) <= POLARITIES and (len(table.rows) < 3 or len(set(seconds)) < len(seconds)):
        return False
    if not set(names) <= POLARITIES:
        table.report("doubtful header", ", ".join(first), where, "read as the names of lists, each above its entries")
    if not set(names) <= POLARITIES | EMOTIONS:
        refuse_pairs(table, columns_of(table.rows[1:]))
    del table.rows[0]
    table.add_columns(first)
    return True


def _numbers_rated(sheet: Cells) -> bool:
    """Words that are numbers, and their weights."""
    if sheet.texts or sheet.width != 2 or not sheet.columns[1].is_number:
        return False
    _doubt_numbers(sheet.table, sheet.columns[1:])
    sheet.table.add_signed(0, 1)
    return True


def _labelled(sheet: Cells) -> bool:
    """A word and its list, maybe with a weight: the number with fractions, or else that after the list."""
    label, table, numbers = sheet.label, sheet.table, sheet.numbers
    if label is None or label is sheet.word:
        return False
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
    return True


def _rated(sheet: Cells) -> bool:
    """A word and its weight, below a header in an unknown language if only the first row has no number."""
    table = sheet.table
    if not sheet.texts or not sheet.numbers:
        return False
    weight = sheet.numbers[0]
    if len(table.rows) > 1 and as_number(cell_of(table.rows[0][1], weight.at)) is None:
        where, row = table.rows.pop(0)
        table.report("header", ", ".join(row), where, "taken as the names of the columns")
    sheet.ignore_all_but(sheet.word, weight)
    _doubt_numbers(table, sheet.numbers)
    table.add_signed(sheet.word.at, weight.at)
    return True


def _numbered_words(sheet: Cells) -> bool:
    """Words and the numbers of their rows."""
    if len(sheet.texts) != 1 or not any(column.is_index for column in sheet.columns):
        return False
    sheet.ignore_all_but(sheet.word)
    sheet.table.add_words(sheet.word.at)
    return True


def _word_and_list(sheet: Cells) -> bool:
    """Two columns of texts, the words and their lists, unless they are pairs of words."""
    if sheet.texts:
        refuse_pairs(sheet.table, sheet.texts)
    if not sheet.texts or sheet.width != 2:
        return False
    sheet.table.add_long(0, [1])
    return True


LAYOUTS: tuple[Callable[[Cells], bool], ...] = (
    _one_column,
    _one_list,
    _word_list_flag,
    _category_in_row,
    _list_in_column,
    _numbers_rated,
    _labelled,
    _rated,
    _numbered_words,
    _word_and_list,
)
"""The layouts of tables without a header, in the order in which they are tried."""


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
