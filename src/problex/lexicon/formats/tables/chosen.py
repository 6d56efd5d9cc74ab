"""Tables whose columns the user named."""

from __future__ import annotations

from problex.errors import LexiconError, was_given
from problex.lexicon.formats.tables.cells import as_number
from problex.lexicon.formats.tables.columns import columns_of
from problex.lexicon.formats.tables.entries import add_long, add_signed, add_wide, add_words
from problex.lexicon.formats.tables.names import WORD_COLUMNS, first_named
from problex.lexicon.formats.tables.table import Table


def read_chosen(table: Table) -> None:
    """Read the columns that were named, by name or number; that of the words is found if only others were named."""
    options, first = table.options, [cell.strip() for cell in table.rows[0][1]]
    wanted = [name for name in (options.word, options.label, options.weight) if name is not None]
    named = any(_at(name, first) is not None for name in wanted)
    if named or not all(name.isdigit() for name in wanted):
        del table.rows[0]
    columns = columns_of(table.rows, first if named else ())
    label = None if options.label is None else _column(table, "label", options.label, first, len(columns))
    weight = None if options.weight is None else _column(table, "weight", options.weight, first, len(columns))
    if options.word is not None:
        word = _column(table, "word", options.word, first, len(columns))
    else:
        guess = first_named(first, WORD_COLUMNS) if named else None
        texts = [column.at for column in columns if column.is_words and column.at not in (label, weight)]
        word = guess if guess is not None else texts[0] if texts else 0
    used = {word, label, weight}
    table.ignore([first[at] or f"column {at + 1}" for at in range(len(first)) if at not in used] if named else [])
    if label is not None:
        add_long(table, word, [label], weight)
    elif weight is not None:
        values = columns[weight].values
        signs = {value > 0 for value in values if value}
        one_list = first[weight] if named and len(signs) == 1 and options.midpoint is None else None
        add_signed(table, word, weight, one_list)
    else:
        marked = {
            column.at: column.name
            for column in columns
            if named and column.at != word and column.is_membership and not column.is_index and not column.is_other
        }
        if marked and not table.is_one_list:
            add_wide(table, word, marked)
        else:
            add_words(table, word)


def _at(wanted: str, header: list[str]) -> int | None:
    names = [name.casefold() for name in header]
    return names.index(wanted.strip().casefold()) if wanted.strip().casefold() in names else None


def _column(table: Table, option: str, wanted: str, header: list[str], width: int) -> int:
    """The place of a column by its name, or by its number from 1."""
    at = _at(wanted, header)
    if at is not None:
        return at
    number = as_number(wanted)
    if number is not None and 1 <= number <= width and number == int(number):
        return int(number) - 1
    names = ", ".join(repr(name) for name in header[:20])
    raise LexiconError(
        f"{was_given(option, wanted)}, but {table.name} has no such column, expected one of {names}, or a number "
        f"from 1 to {width}"
    )
