"""Rows of cells to entries: the layout is recognised by the header and by the cells, or named by the user."""

from __future__ import annotations

from problex.errors import LexiconError
from problex.lexicon.formats.lexicon_file import drop_unit_weights
from problex.lexicon.formats.tables.bare import read_without_header
from problex.lexicon.formats.tables.cells import as_number
from problex.lexicon.formats.tables.chosen import read_chosen
from problex.lexicon.formats.tables.columns import Row, columns_of, has_header
from problex.lexicon.formats.tables.entries import add_wide
from problex.lexicon.formats.tables.headed import read_with_header
from problex.lexicon.formats.tables.names import parts_of
from problex.lexicon.formats.tables.table import Table
from problex.lexicon.lexicon import Issue

LEAST_ROWS = 10
"""Rows from which on a header with one name less than cells is not a few bad rows."""
MAX_TITLE_ROWS = 100
"""Rows above a header that are looked at: titles, authors, licences."""


def read_rows(table: Table) -> Table:
    """Recognise the layout and read the entries into the table."""
    if not table.rows:
        raise LexiconError(f"{table.name} has no rows, expected a word and the name of its list in each")
    drop_preamble(table)
    width = max(1, *(_filled(row) for row in table.rows))
    table.rows[:] = [(where, row[:width]) for where, row in table.rows]
    rows = len(table.rows)
    header = [cell.strip() for cell in table.rows[0][1]]
    if header[0].casefold() == "dicterm":
        del table.rows[0]
        add_wide(table, 0, {at: name for at, name in enumerate(header) if at and name})
    elif table.options.names_columns:
        read_chosen(table)
    elif has_header(table.rows):
        del table.rows[0]
        header = fit_header(table, header)
        drop_longer_rows(table, len(header))
        read_with_header(table, [name or f"column {at}" for at, name in enumerate(header, start=1)])
    else:
        read_without_header(table)
    table.check_bad(rows)
    table.drop_senses()
    table.entries = drop_unit_weights(table.entries)
    return table


def drop_preamble(table: Table) -> None:
    """Drop rows above the table that have fewer cells than its rows: a title, authors, a licence."""
    sizes = [_filled(row) for row in table.rows]
    usual = sorted(sizes)[len(sizes) // 2]
    if usual < 2 or len(sizes) < 4 or sizes[0] >= usual:
        return
    start = next(
        (at for at in range(min(MAX_TITLE_ROWS, len(sizes) - 2)) if min(sizes[at : at + 3]) >= max(2, usual - 1)), 0
    )
    if (
        start
        and max(sizes[:start]) < usual
        and sum(size >= usual - 1 for size in sizes[start:]) > 0.8 * len(sizes[start:])
    ):
        where, first = table.rows[0]
        text = " ".join(cell for cell in first if cell.strip())[:60]
        number = "1 row" if start == 1 else f"{start} rows"
        table.issues.append(Issue("preamble", text, where, f"{number} above the table left out"))
        del table.rows[:start]


def _filled(row: Row) -> int:
    """The number of cells up to the last one that is not empty."""
    return max((at for at, cell in enumerate(row[1], start=1) if cell.strip()), default=0)


def fit_header(table: Table, header: list[str]) -> list[str]:
    """The header with a name for each cell: R leaves out that of the first column, others that of a rank."""
    if len(table.rows) < LEAST_ROWS:
        return header
    longer = sum(_filled(row) == len(header) + 1 for row in table.rows)
    if 10 * longer < 9 * len(table.rows) or not all(header):
        return header
    index = [column.at for column in columns_of(table.rows) if column.is_index and column.is_number]
    at = index[0] if index else 0
    where = table.rows[0][0]
    action = f"one name less than cells: column {at + 1} has none"
    table.issues.append(Issue("short header", ", ".join(header)[:60], where, action))
    return [*header[:at], "" if index else "word", *header[at:]]


def drop_longer_rows(table: Table, width: int) -> None:
    """Leave out rows with more cells than the header: mostly an entry with a comma that lacks quotes."""
    kept = []
    for where, row in table.rows:
        if any(cell.strip() for cell in row[width:]):
            table.skip((where, row), f"{width} as in the header: put an entry with a comma in quotes")
        else:
            kept.append((where, row))
    table.check_bad(len(table.rows))
    table.rows[:] = kept


__all__ = ["Table", "as_number", "drop_preamble", "parts_of", "read_rows"]
