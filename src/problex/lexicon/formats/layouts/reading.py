"""Rows of cells to entries: the layout is recognised by the header and by the cells, or named by the user."""

from __future__ import annotations

from problex._util.formatting import pluralize
from problex.errors import LexiconError, was_given
from problex.lexicon.formats.layouts.bare import read_without_header
from problex.lexicon.formats.layouts.columns import WORD_COLUMNS, Row, as_number, columns_of, first_named, has_header
from problex.lexicon.formats.layouts.entries import WordTable
from problex.lexicon.formats.layouts.headed import read_with_header
from problex.lexicon.formats.lexicon_file import LexiconFile, drop_unit_weights

LEAST_ROWS = 10
"""Rows from which on a header with one name less than cells is not a few bad rows."""
MAX_TITLE_ROWS = 100
"""Rows above a header that are looked at: titles, authors, licences."""


def read_rows(file: LexiconFile, rows: list[Row], name: str = "", list_name: str = "") -> WordTable:
    """The entries of rows of cells, and what was found out about them.

    >>> file = LexiconFile("moods.csv", b"")
    >>> table = read_rows(file, [("moods.csv:1", ["term", "score"]), ("moods.csv:2", ["glad", "2"])])
    >>> table.entries
    [Entry(text='glad', list='moods', where='moods.csv:2', weight=2.0)]
    """
    table = WordTable(name or file.name, rows, list_name or file.default_list, file.is_one_list, file.options)
    if not table.rows:
        raise LexiconError(f"{table.name} has no rows, expected a word and the name of its list in each")
    _drop_preamble(table)
    width = max(1, *map(_filled, table.rows))
    table.rows[:] = [(where, row[:width]) for where, row in table.rows]
    size = len(table.rows)
    header = [cell.strip() for cell in table.rows[0][1]]
    if header[0].casefold() == "dicterm":
        del table.rows[0]
        table.add_wide(0, {at: name for at, name in enumerate(header) if at and name})
    elif table.options.names_columns:
        read_chosen(table, header)
    elif has_header(table.rows):
        del table.rows[0]
        header = _fit_header(table, header)
        _drop_longer_rows(table, len(header))
        read_with_header(table, [name or f"column {at}" for at, name in enumerate(header, start=1)])
    else:
        read_without_header(table)
    table.check_bad(size)
    table.drop_senses()
    table.entries = drop_unit_weights(table.entries)
    return table


def _drop_preamble(table: WordTable) -> None:
    """Drop rows above the table that have fewer cells than its rows: a title, authors, a licence.

    >>> rows = [["A lexicon"], ["word", "list"], ["good", "up"], ["bad", "down"]]
    >>> table = WordTable("a.csv", [("a.csv", row) for row in rows], "a")
    >>> _drop_preamble(table)
    >>> table.rows[0][1], table.issues[0].action
    (['word', 'list'], '1 row above the table left out')
    """
    sizes = [*map(_filled, table.rows)]
    usual = sorted(sizes)[len(sizes) // 2]
    if usual < 2 or len(sizes) < 4 or sizes[0] >= usual:
        return
    tops = range(min(MAX_TITLE_ROWS, len(sizes) - 2))
    start = next((at for at in tops if min(sizes[at : at + 3]) >= max(2, usual - 1)), 0)
    below = sizes[start:]
    if start and max(sizes[:start]) < usual and sum(size >= usual - 1 for size in below) > 0.8 * len(below):
        where, first = table.rows[0]
        text = " ".join(cell for cell in first if cell.strip())[:60]
        table.report("preamble", text, where, f"{pluralize(start, 'row')} above the table left out")
        del table.rows[:start]


def _filled(row: Row) -> int:
    """The number of cells up to the last one that is not empty."""
    return max((at for at, cell in enumerate(row[1], start=1) if cell.strip()), default=0)


def _fit_header(table: WordTable, header: list[str]) -> list[str]:
    """The header with a name for each cell: R leaves out that of the first column, others that of a rank."""
    longer = sum(_filled(row) == len(header) + 1 for row in table.rows)
    if len(table.rows) < LEAST_ROWS or 10 * longer < 9 * len(table.rows) or not all(header):
        return header
    index = [column.at for column in columns_of(table.rows) if column.is_index and column.is_number]
    at = index[0] if index else 0
    action = f"one name less than cells: column {at + 1} has none"
    table.report("short header", ", ".join(header)[:60], table.rows[0][0], action)
    return [*header[:at], "" if index else "word", *header[at:]]


def _drop_longer_rows(table: WordTable, width: int) -> None:
    """Leave out rows with more cells than the header: mostly an entry with a comma that lacks quotes."""
    kept = []
    for where, row in table.rows:
        if any(cell.strip() for cell in row[width:]):
            table.skip((where, row), f"{width} as in the header: put an entry with a comma in quotes")
        else:
            kept.append((where, row))
    table.check_bad(len(table.rows))
    table.rows[:] = kept


def read_chosen(table: WordTable, first: list[str]) -> None:
    """Read the columns that were named, by name or number; that of the words is found if only others were named."""
    options, names = table.options, [name.casefold() for name in first]
    wanted = {
        name: getattr(options, name) for name in ("label", "weight", "word") if getattr(options, name) is not None
    }
    named = any(name.strip().casefold() in names for name in wanted.values())
    if named or not all(name.isdigit() for name in wanted.values()):
        del table.rows[0]
    columns = columns_of(table.rows, first if named else ())
    chosen = {option: _position(table, option, name, first, len(columns)) for option, name in wanted.items()}
    label, weight = chosen.get("label"), chosen.get("weight")
    word = chosen.get("word", first_named(first, WORD_COLUMNS) if named else None)
    if word is None:
        word = next((column.at for column in columns if column.is_words and column.at not in (label, weight)), 0)
    rest = [at for at in range(len(first)) if named and at not in (word, label, weight)]
    table.ignore([first[at] or f"column {at + 1}" for at in rest])
    if label is not None:
        table.add_long(word, [label], weight)
    elif weight is not None:
        one_sign = named and len(columns[weight].signs) == 1 and options.midpoint is None
        table.add_signed(word, weight, first[weight] if one_sign else None)
    else:
        others = [column for column in columns if named and column.at != word and not column.is_other]
        marked = {column.at: column.name for column in others if column.is_membership and not column.is_index}
        if marked and not table.is_one_list:
            table.add_wide(word, marked)
        else:
            table.add_words(word)


def _position(table: WordTable, option: str, wanted: str, header: list[str], width: int) -> int:
    """The position of a column by its name, or by its number from 1.

    >>> table, header = WordTable("a.csv", [], "a"), ["term", "score"]
    >>> [_position(table, "word", wanted, header, width=2) for wanted in ("Term", "2")]
    [0, 1]
    >>> _position(table, "word", "3", header, width=2)
    Traceback (most recent call last):
    problex.errors.LexiconError: word='3' was given, but a.csv has no such column, expected one of 'term', 'score', ...
    """
    names = [name.casefold() for name in header]
    if wanted.strip().casefold() in names:
        return names.index(wanted.strip().casefold())
    number = as_number(wanted)
    if number is not None and 1 <= number <= width and number == int(number):
        return int(number) - 1
    shown = ", ".join(repr(name) for name in header[:20])
    raise LexiconError(
        f"{was_given(option, wanted)}, but {table.name} has no such column, expected one of {shown}, or a number "
        f"from 1 to {width}"
    )
