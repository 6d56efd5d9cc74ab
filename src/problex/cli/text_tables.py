"""Records as a table of text that fits a terminal: words stay whole, minor columns and late rows are left out."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from problex._util.formatting import format_value, pluralize
from problex._util.records import Record
from problex.cli.terminal import printable

_QUANTITY = re.compile(r"±[0-9.,]+|[<>]?[0-9.,]+(%| points?)")
MAX_LINES = 40
"""Lines of a table, its title and its last line; about a screen."""
PROSE_WIDTH = 22
"""Columns that a cell of several words gets at least, or its own width."""
FRAME = 3
"""Characters between two columns."""
INTERVAL = {"low", "high"}
"""Columns that say something only together."""


@dataclass(frozen=True)
class Layout:
    """The `width` of a table, whether it is ASCII, and what is left out.

    If the columns do not fit, the `minor` ones are left out in their order, then those with a word of half the width,
    then the last ones; the first column stays. Unless `whole`, rows are left out that do not fit on a screen. `unseen`
    is the number of rows that were left out before; `hint` says how to see the others.
    """

    width: int
    ascii: bool = False
    minor: Sequence[str] = ()
    whole: bool = False
    unseen: int = 0
    hint: str = ""


def text_table(records: Sequence[Record], title: str, layout: Layout) -> str:
    """A table, and a line below it with the number of columns and rows that are not shown.

    >>> records = [{"word": "good", "weight": 1.5, "note": "x"}]
    >>> print(text_table(records, "", Layout(40, ascii=True)))
    +----------------------+
    | word | weight | note |
    |------+--------+------|
    | good |  1.500 | x    |
    +----------------------+
    >>> print(text_table(records, "", Layout(18, ascii=True, hint="--all")))
    +---------------+
    | word | weight |
    |------+--------|
    | good |  1.500 |
    +---------------+
    1 column is not
    shown: --all
    """
    if not records:
        return f"{title}: none" if title else "there is nothing to show"
    shown = list(records) if layout.whole else list(records[:MAX_LINES])
    while True:
        columns = _fitting_columns(shown, layout)
        hidden = len(records[0]) - len(columns)
        left_out = _left_out(hidden, len(records) - len(shown) + layout.unseen, layout.hint)
        lines = _draw(shown, columns, title, left_out, layout)
        if layout.whole or len(lines) <= MAX_LINES or len(shown) == 1:
            return "\n".join(lines)
        shown = shown[: max(1, len(shown) - max(1, (len(lines) - MAX_LINES) // 3))]


def _is_numeric(records: Sequence[Record], column: str) -> bool:
    return all(isinstance(cell, int | float | None) or _is_quantity(cell) for cell in (row[column] for row in records))


def _is_quantity(cell: object) -> bool:
    """Whether a text is a number with a unit or ±, which is aligned like a number; a name such as 2004 is not.

    >>> [_is_quantity(cell) for cell in ("5.0%", "<0.1%", "±3.2", "8.8 points", "2004", "50% off")]
    [True, True, True, True, False, False]
    """
    return isinstance(cell, str) and _QUANTITY.fullmatch(cell) is not None


def _cell(value: object) -> str:
    return printable(format_value(value))


def _header(column: str, *, numeric: bool) -> str:
    r"""The name of a column; numbers must not wrap, so the names of their columns do.

    >>> _header("expected_count", numeric=True), _header("expected_count", numeric=False)
    ('expected\ncount', 'expected count')
    """
    return printable(column).replace("_", "\n" if numeric else " ")


def _least_width(records: Sequence[Record], column: str) -> int:
    """The width at which no word, and no number, is cut.

    >>> _least_width([{"expected_count": 1.5}], "expected_count"), _least_width([{"why": "too rare"}], "why")
    (8, 8)
    >>> _least_width([{"why": "it occurs together with words of the other list"}], "why")
    22
    """
    numeric = _is_numeric(records, column)
    name, cells = _header(column, numeric=numeric), [_cell(record[column]) for record in records]
    if numeric:
        return max(map(cell_len, (*name.splitlines(), *cells)))
    words = [word for cell in (name, *cells) for word in cell.split()]
    longest = max(map(cell_len, words), default=1)
    return max(longest, min(PROSE_WIDTH, max(map(cell_len, (name, *cells)))))


def _fitting_columns(records: Sequence[Record], layout: Layout) -> list[str]:
    """The columns that fit, in their order.

    >>> rows = [{"word": "good", "low": 0.1, "high": 0.2, "count": 3}]  # 7 + 8 + 8 + 8 characters, and a border
    >>> _fitting_columns(rows, Layout(32)), _fitting_columns(rows, Layout(30))
    (['word', 'low', 'high', 'count'], ['word', 'low', 'high'])
    >>> _fitting_columns(rows, Layout(30, minor=["high"]))  # of an interval both ends or none
    ['word', 'count']
    """
    columns = list(records[0])
    least = {column: _least_width(records, column) + FRAME for column in columns}
    to_drop = [column for column in layout.minor if column in columns[1:]]
    to_drop += [column for column in columns[1:] if least[column] > layout.width // 2 and column not in to_drop]
    to_drop += [column for column in reversed(columns[1:]) if column not in to_drop]
    dropped: set[str] = set()
    while to_drop and sum(least[column] for column in columns if column not in dropped) + 1 > layout.width:
        dropped.add(to_drop.pop(0))
        if dropped & INTERVAL:
            dropped |= INTERVAL
    return [column for column in columns if column not in dropped]


def _left_out(columns: int, rows: int, hint: str) -> str:
    """The line about what is not shown, or nothing.

    >>> _left_out(1, 0, "--all"), _left_out(2, 1200, "--all"), _left_out(0, 0, "--all")
    ('1 column is not shown: --all', '2 columns and 1,200 rows are not shown: --all', '')
    """
    parts = [pluralize(number, noun) for number, noun in ((columns, "column"), (rows, "row")) if number]
    verb = "is" if columns + rows == 1 else "are"
    return f"{' and '.join(parts)} {verb} not shown: {hint}" if parts else ""


def _draw(records: Sequence[Record], columns: Sequence[str], title: str, left_out: str, layout: Layout) -> list[str]:
    """The lines of the table."""
    table = Table(box=box.ASCII if layout.ascii else box.HEAVY_HEAD)
    for column in columns:
        numeric = _is_numeric(records, column)
        least = min(_least_width(records, column), layout.width - FRAME - 1)
        name = _header(column, numeric=numeric)
        table.add_column(name, justify="right" if numeric else "left", no_wrap=numeric, min_width=least)
    for record in records:
        table.add_row(*(Text(_cell(record[column])) for column in columns))
    text = io.StringIO()
    console = Console(file=text, width=layout.width)
    if title:
        console.print(Text(printable(title)))
    console.print(table)
    if left_out:
        console.print(Text(left_out))
    return [line.rstrip() for line in text.getvalue().rstrip("\n").split("\n")]
