"""Rows of a table that are written as usual, whose cells are found in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from problex.corpus.detection._cells import split_cells
from problex.corpus.detection.chunks import has_rows
from problex.corpus.detection.dialects import Dialect


class Cells(NamedTuple):
    """The end of the last whole row, and the cells of some columns, as bytes."""

    end: int
    columns: tuple[pa.Array, ...]


def split_usual_rows(rows: bytes, dialect: Dialect, columns: Sequence[int]) -> Cells | None:
    r"""The cells of some columns, by number, or None if a row is not written as `csv` modules write it.

    Then `cut_rows` finds the rows, and Arrow their cells: those of the usual ones are the same.

    >>> cells = split_usual_rows(b'1,a\n2,"b, ""c"" d"\n3,', Dialect(names=("id", "text")), [1])
    >>> cells.end, cells.columns[0].to_pylist()
    (19, [b'a', b'b, "c" d'])
    >>> split_usual_rows(b'1,"a" b\n', Dialect(names=("id", "text")), [1])
    """
    width, quoting, delimiter = len(dialect.names), dialect.quoting, dialect.delimiter.encode()
    if quoting.escaped or len(delimiter) != 1:
        return None
    header = dialect.header if width > 1 else b""
    found = split_cells(rows, width, columns, delimiter, quoting.quote.encode(), header, pa.allocate_buffer)
    if found is None:
        return None
    end, number, parts, doubtful = found
    for row, start, stop in doubtful:
        if row < end and has_rows(rows[row:start], rows[start:stop], dialect):
            return None
    return Cells(end, tuple(pa.Array.from_buffers(pa.binary(), number, [None, *part]) for part in parts))
