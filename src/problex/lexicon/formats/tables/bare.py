"""Tables without a header: the cells decide."""

from __future__ import annotations

import re

from problex.errors import opt
from problex.lexicon.formats.tables.cells import as_number
from problex.lexicon.formats.tables.columns import Column, columns_of
from problex.lexicon.formats.tables.entries import add_columns, add_long, add_rows, add_signed, add_wide, add_words
from problex.lexicon.formats.tables.headed import agrees, unknown
from problex.lexicon.formats.tables.names import EMOTIONS, POLARITIES
from problex.lexicon.formats.tables.pairs import refuse_pairs
from problex.lexicon.formats.tables.rivals import is_like
from problex.lexicon.formats.tables.table import Table, cell_of
from problex.lexicon.lexicon import Issue

TRUTH = frozenset({"true", "false", "yes", "no"})
"""Labels that say whether a word is in the list of the file."""


def read_without_header(table: Table) -> None:
    """Read a table whose columns have no names."""
    width = max(len(row) for _, row in table.rows)
    if width == 1:
        add_words(table, 0)
        return
    columns = columns_of(table.rows)
    numbers = [column for column in columns if column.is_number and not column.is_index and column.is_filled]
    texts = [column for column in columns if column.is_text and not column.is_index]
    if table.is_one_list and not numbers:
        word = texts[0].at if texts else 0
        _ignore(table, width, [word])
        add_words(table, word)
    elif _is_word_list_flag(table, columns):
        _ignore(table, width, [0, 1, 2])
        add_long(table, 0, [1], 2, missing={""})
    elif is_category_first(table):
        add_rows(table)
    elif _is_list_per_column(table, width) and not numbers and len(texts) == width and not _known(texts):
        _read_columns(table, width)
    elif not texts and width == 2 and columns[1].is_number:
        _doubt_numbers(table, columns[1:], [])
        add_signed(table, 0, 1)  # the words are numbers
    elif texts:
        _read_texts(table, columns, texts, numbers)
    else:
        raise unknown(table.name, table.rows[0][1])


def _read_texts(table: Table, columns: list[Column], texts: list[Column], numbers: list[Column]) -> None:
    width = len(columns)
    label = _label(texts)
    words = [column for column in texts if column is not label]
    word = next((column for column in words if column.is_words), words[0] if words else texts[0])
    if label is not None and label is not word:
        weight = _weight(numbers, label)
        if len(numbers) > 1 and weight is not None:
            action = f"column {weight.at + 1} was read as the weight: name another with {opt('weight')}"
            table.doubt(f"{len(numbers)} columns of numbers without names", action)
        _ignore(table, width, [word.at, label.at, *([weight.at] if weight else [])])
        rivals = [column for column in words if column is not word and column.is_words and not is_like(column, word)]
        if rivals or (width > 2 and not label.is_known_label):
            table.doubt(
                f"{width} columns without names",
                f"the words were read from column {word.at + 1} and their lists from column {label.at + 1}: name "
                f"others with {opt('word')} and {opt('label')}",
            )
        if {cell.casefold() for cell in label.cells} <= TRUTH:
            add_wide(table, word.at, {label.at: table.default_list})
        else:
            add_long(table, word.at, [label.at], weight.at if weight else None)
    elif numbers:
        _drop_header(table, numbers[0].at)
        _ignore(table, width, [word.at, numbers[0].at])
        _doubt_numbers(table, numbers, texts)
        add_signed(table, word.at, numbers[0].at)
    elif any(column.is_index for column in columns) and len(texts) == 1:
        _ignore(table, width, [word.at])
        add_words(table, word.at)
    else:
        refuse_pairs(table, texts)
        if width != 2:
            raise unknown(table.name, table.rows[0][1])
        add_long(table, 0, [1])


def _is_word_list_flag(table: Table, columns: list[Column]) -> bool:
    """Whether the first three columns are a word, a list, and 0 or 1, as in the lexicons of NRC."""
    seconds = [cell for _, row in table.rows if (cell := cell_of(row, 1).strip())]
    if len(columns) < 3 or not columns[2].is_number or any(as_number(cell) is not None for cell in seconds):
        return False
    return set(columns[2].values) <= {0, 1} and not (columns[1].rows > 20 and columns[1].is_words)


def _weight(numbers: list[Column], label: Column) -> Column | None:
    """The column of the weights: numbers with fractions, or else those after the label."""
    fractions = [column for column in numbers if any(value != int(value) for value in column.values)]
    if len(fractions) == 1:
        return fractions[0]
    return next((column for column in numbers if column.at > label.at), numbers[0] if numbers else None)


def _known(texts: list[Column]) -> list[Column]:
    """The columns of known labels, unless they are all there is."""
    return [column for column in texts if column.is_known_label and any(other.is_words for other in texts)]


def _label(texts: list[Column]) -> Column | None:
    """The column of the lists: known labels, or else the only column of texts that repeat beside one that do not."""
    if known := _known(texts):
        return known[0]
    labels = [column for column in texts if column.is_label and column.distinct > 1 and not _has_letters(column)]
    words = [column for column in texts if column.is_words and not column.is_label]
    return labels[0] if len(labels) == 1 and words else None


def _has_letters(column: Column) -> bool:
    """Whether all cells are single letters: codes such as A and M, not names of lists."""
    return all(len(cell) == 1 for cell in column.cells)


def _doubt_numbers(table: Table, numbers: list[Column], texts: list[Column]) -> None:
    """Say that the first of several numbers was taken, except for those that VADER has, and that there is one list."""
    rows = [row for _, row in table.rows[:5]]
    is_vader = any(re.fullmatch(r"\[-?\d(, -?\d)+\]", cell.strip()) for row in rows for cell in row)
    if len(numbers) > 1 and not is_vader:
        places = ", ".join(f"column {column.at + 1}" for column in numbers)
        action = (
            f"{places} hold numbers and have no names: the first was read as the weight, name "
            f"another with {opt('weight')}"
        )
        table.doubt(places, action)
    values = numbers[0].values
    signs = {value > 0 for value in values if value}
    if table.options.midpoint is None and len(signs) == 1 and not agrees(table.default_list, positive=True in signs):
        low, high = min(values), max(values)
        name = "positive" if high > 0 else "negative"
        table.doubt(
            f"column {numbers[0].at + 1}",
            f"all weights are from {low:g} to {high:g}, so all words are in the list {name!r}: "
            f"{opt('midpoint')} makes two",
        )


def is_category_first(table: Table) -> bool:
    """Whether each row is a category: its name and many words, so that rows differ in length."""
    sizes = [sum(bool(cell.strip()) for cell in row) for _, row in table.rows]
    names = [cell_of(row, 0).strip() for _, row in table.rows]
    if len(sizes) < 2 or len(set(names)) < len(names) or not all(names):
        return False
    cells = [cell for _, row in table.rows[:50] for cell in row[1:] if cell.strip()]
    has_numbers = sum(as_number(cell) is not None for cell in cells) > 0.1 * len(cells)
    many = sum(size > 4 for size in sizes) > 0.8 * len(sizes)
    return many and not has_numbers and len(set(sizes)) > max(2, 0.3 * min(len(sizes), 30))


def _read_columns(table: Table, width: int) -> None:
    first = table.rows[0][1]
    if not {name.strip().casefold() for name in first} <= POLARITIES:
        action = "read as the names of lists, each above its entries"
        table.issues.append(Issue("doubtful header", ", ".join(first), table.rows[0][0], action))
    if not {name.strip().casefold() for name in first} <= POLARITIES | EMOTIONS:
        refuse_pairs(table, columns_of(table.rows[1:]))
    del table.rows[0]
    add_columns(table, first)


def _is_list_per_column(table: Table, width: int) -> bool:
    """Whether each column is a list under its name; in rows of a word and its list, names of lists repeat."""
    first = [cell.strip().casefold() for cell in table.rows[0][1]]
    if len(first) < width or not all(first) or len(set(first)) < width or len(table.rows) < 2:
        return False
    cells = [cell.strip() for _, row in table.rows[1:] for cell in row if cell.strip()]
    if any(as_number(cell) is not None for cell in cells):
        return False
    seconds = [_second for _, row in table.rows if (_second := cell_of(row, 1).strip())]
    return set(first) <= POLARITIES or (len(table.rows) > 2 and len(set(seconds)) == len(seconds))


def _drop_header(table: Table, at: int) -> None:
    """Drop a first row without a number where all others have one: a header in an unknown language."""
    if len(table.rows) > 1 and as_number(cell_of(table.rows[0][1], at)) is None:
        where, row = table.rows.pop(0)
        table.issues.append(Issue("header", ", ".join(row), where, "taken as the names of the columns"))


def _ignore(table: Table, width: int, used: list[int]) -> None:
    table.ignore([f"column {at + 1}" for at in range(width) if at not in used])
