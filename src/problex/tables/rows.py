"""Rows of a table in a chunk of bytes: where the last whole row ends, quotes left open, blank rows, and cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex.tables._cells import split_cells
from problex.tables.dialect import Dialect, Quoting

MIN_LINES = len(b'"\n1,"')  # bytes of a quoted cell with rows in it
MIN_ID = 6  # digits of an id that need not be the next number
MAX_AT_ONCE = 4 << 20  # bytes of rows whose quotes and line ends are found at once
MAX_SHARE = 1 / 4  # of quotes and line ends among them: each takes about 50 bytes of memory
SCANNED = 1 << 18  # bytes that fit into the cache of a processor


class Runaway(NamedTuple):
    """A quoted cell that runs over a line end by mistake, and where the row that has it begins."""

    cell: bytes
    row: int


class Cut(NamedTuple):
    """The end of the last whole row, and the quoted cells before it that run over a line end by mistake."""

    end: int
    runaways: list[Runaway]


def quoted_cells(rows: bytes, dialect: Dialect) -> Iterator[re.Match[bytes]]:
    """The quoted cells; group 1 is the closing quote, empty if the cell is not closed."""
    pattern = _quoted_cell(dialect.delimiter, dialect.quoting)
    return iter(()) if pattern is None else pattern.finditer(rows)


@cache
def _quoted_cell(delimiter: str, quoting: Quoting) -> re.Pattern[bytes] | None:
    """A quote within a cell opens nothing: one that does follows a delimiter, a line end or nothing.

    The pattern begins with a quote, so that the search for it is fast.
    """
    quote, before = quoting.quote, re.escape(delimiter) + r"\r\n"
    if not quote:
        return None
    inner = rf"[^{quote}\\]++|\\.|{quote}{quote}" if quoting.escaped else rf"[^{quote}]++|{quote}{quote}"
    return re.compile(rf"{quote}(?<![^{before}]{quote})(?:{inner})*+({quote}?)".encode(), re.S)


def cut_rows(rows: bytes, dialect: Dialect) -> Cut:
    r"""The end of the last whole row; the first row begins at 0.

    A quoted cell that has a line end, and goes on after its closing quote, was not meant to have several lines: a quote
    was left open. So was it if the lines within the cell are rows that continue the numbers of the first column.

    >>> cut_rows(b'1,a\n2,"b\nc"\n3,"d\n', Dialect()).end, cut_rows(b"1,a\r2,b\r3", Dialect()).end
    (12, 8)
    >>> cut_rows(b'1,"a\n2,b "c" d\n', Dialect()).runaways
    [Runaway(cell=b'"a\n2,b "', row=0)]
    """
    newline, quoting = b"\n" if b"\n" in rows else b"\r", dialect.quoting
    if not quoting.quote:
        return Cut(rows.rfind(newline) + 1, [])
    is_plain = not quoting.escaped and len(rows) <= MAX_AT_ONCE
    cut = _cut_at_once(rows, newline, dialect) if is_plain else None
    return _cut_cell_by_cell(rows, newline, dialect) if cut is None else cut


def _cut_at_once(rows: bytes, newline: bytes, dialect: Dialect) -> Cut | None:
    """`cut_rows` without a step for each cell; None if a quote is neither around a whole cell nor doubled within one.

    Also None if quotes or line ends are many, for the memory that their places would take.
    The first quote opens a cell, the second closes it, and so on; two that are doubled close a cell and open it again.
    """
    data, size, delimiter = np.frombuffer(rows, np.uint8), len(rows), dialect.delimiter.encode()
    found = _find_bytes(data, dialect.quoting.quote.encode(), newline)
    if found is None:
        return None
    quotes, lines = found
    if not len(quotes):
        return Cut(rows.rfind(newline) + 1, [])
    opening, closing = quotes[::2], quotes[1::2]
    closing = closing if len(closing) == len(opening) else np.append(closing, size - 1)  # the last cell is open
    doubled = np.append(False, opening[1:] == closing[:-1] + 1)
    starts, stops = opening[~doubled], closing[np.append(~doubled[1:], True)] + 1
    follows = np.isin(data[starts - 1], list(delimiter + b"\r\n")) | (starts == 0)
    precedes = np.isin(data[stops[stops < size]], list(delimiter + b"\r\n \t"))
    if not (follows.all() and precedes.all()):
        return None
    cell = starts.searchsorted(lines, "right") - 1
    inside = (cell >= 0) & (lines < stops[cell])
    ends, inner = np.append(0, lines[~inside] + 1), cell[inside]
    last = np.append(inner[1:] != inner[:-1], True)[: len(inner)]  # of the line ends in each cell
    runaways = []
    for number, line in zip(inner[last].tolist(), lines[inside][last].tolist(), strict=True):
        start, stop = int(starts[number]), int(stops[number])
        row = int(ends[ends.searchsorted(start, "right") - 1])
        is_long = stop - start >= MIN_LINES and rows.find(delimiter, line, stop) >= 0
        if is_long and row < ends[-1] and has_rows(rows[row:start], rows[start:stop], dialect):
            runaways.append(Runaway(rows[start:stop], row))
    return Cut(int(ends[-1]), runaways)


def _find_bytes(data: NDArray[np.uint8], one: bytes, other: bytes) -> tuple[IntArray, IntArray] | None:
    """Where each of two bytes is; None if they are too many."""
    found, room = [np.zeros(0, np.int64)], MAX_SHARE * len(data)
    for at in range(0, len(data), SCANNED):
        part = data[at : at + SCANNED]
        is_found = (part == ord(one)) | (part == ord(other))
        room -= np.count_nonzero(is_found)
        if room < 0:
            return None
        found.append(np.flatnonzero(is_found) + at)
    places = np.concatenate(found)
    is_one = data[places] == ord(one)
    return places[is_one], places[~is_one]


def _cut_cell_by_cell(rows: bytes, newline: bytes, dialect: Dialect) -> Cut:
    """`cut_rows` for quotes in any place."""
    delimiter = dialect.delimiter.encode()
    end, after_quotes, size, ends = 0, 0, len(rows), frozenset(delimiter + b"\r\n \t")
    runaways = []
    for cell in quoted_cells(rows, dialect):
        start, stop = cell.span()
        end = rows.rfind(newline, after_quotes, start) + 1 or end
        after_quotes = stop
        if stop < size and rows[stop] not in ends:
            is_open = b"\n" in cell[0] or b"\r" in cell[0]
        elif stop - start < MIN_LINES:
            continue
        else:
            line = rows.rfind(newline, start, stop)
            is_open = line > 0 and delimiter in rows[line:stop] and has_rows(rows[end:start], cell[0], dialect)
        if is_open:
            runaways.append(Runaway(cell[0], end))
    end = rows.rfind(newline, after_quotes) + 1 or end
    return Cut(end, [runaway for runaway in runaways if runaway.row < end])


def drop_runaways(rows: bytes, runaways: list[Runaway]) -> bytes:
    r"""The rows without those of cells that run over a line end by mistake, up to the end of the last line of each.

    >>> rows = b'1,"a\n2,b "c" d\n3,e\n'
    >>> drop_runaways(rows, cut_rows(rows, Dialect()).runaways)
    b'3,e\n'
    """
    newline = b"\n" if b"\n" in rows else b"\r"
    parts, at = [], 0
    for cell, row in runaways:
        if row >= at:
            parts.append(rows[at:row])
        stop = rows.index(cell, row) + len(cell)
        at = max(at, rows.find(newline, stop) + 1 or len(rows))
    return b"".join([*parts, rows[at:]])


def has_rows(before: bytes, cell: bytes, dialect: Dialect) -> bool:
    r"""Whether the lines of a quoted cell are rows, for what is before it in its row.

    >>> dialect = Dialect(names=("id", "text"))
    >>> has_rows(b"2,", b'"bad\n3,fine\n4,so"', dialect), has_rows(b"2,", b'"a\n9,b"', dialect)
    (True, False)
    """
    delimiter, most = dialect.delimiter.encode(), len(dialect.names) - 1
    first = before.partition(delimiter)[0].strip(b'"')
    if not first.isdigit():
        return False
    *lines, last = cell.splitlines()[1:] or [b""]
    if not 1 <= last.count(delimiter) <= most or any(line.count(delimiter) != most for line in lines):
        return False
    ids = [line.partition(delimiter)[0].strip(b'"') for line in (*lines, last)]
    if len(first) < MIN_ID:
        return ids == [b"%d" % number for number in range(int(first) + 1, int(first) + 1 + len(ids))]
    return all(one.isdigit() and len(one) == len(first) for one in ids)


def drop_headers(rows: bytes, dialect: Dialect) -> tuple[bytes, int]:
    r"""The rows without repetitions of the header, as in files that were put together from several, and their number.

    >>> drop_headers(b'1,a\nid,text\n2,"b\nid,text\n"\n', Dialect(names=("id", "text"), header=b"id,text"))
    (b'1,a\n2,"b\nid,text\n"\n', 1)
    """
    if len(dialect.names) < 2 or not dialect.header or dialect.header not in rows:
        return rows, 0
    return _drop_lines(rb"(?:\xef\xbb\xbf)?" + re.escape(dialect.header), rows, dialect)


def drop_blank_rows(rows: bytes, dialect: Dialect) -> bytes:
    r"""The rows without those that have nothing but delimiters, which spreadsheets write below a table.

    >>> drop_blank_rows(b'1,a\n,\n2,"b\n,\n"\n', Dialect(names=("id", "text")))
    b'1,a\n2,"b\n,\n"\n'
    """
    blank = dialect.delimiter.encode() * (len(dialect.names) - 1)
    if not blank or not (rows.startswith(blank) or b"\n" + blank in rows or b"\r" + blank in rows):
        return rows
    return _drop_lines(re.escape(blank), rows, dialect)[0]


def _drop_lines(line: bytes, rows: bytes, dialect: Dialect) -> tuple[bytes, int]:
    """The rows without lines that match a pattern, and the number of these; lines within a quoted cell stay."""
    pattern = re.compile(rb"(?<![^\r\n])%b(?:\r\n|\n|\r|\Z)" % line)
    if not pattern.search(rows):
        return rows, 0
    spans = [cell.span() for cell in quoted_cells(rows, dialect)]
    parts, at, number, dropped = [], 0, 0, 0
    for match in pattern.finditer(rows):
        while number < len(spans) and spans[number][1] <= match.start():
            number += 1
        if number == len(spans) or spans[number][0] >= match.start():  # not within a quoted cell
            parts.append(rows[at : match.start()])
            at, dropped = match.end(), dropped + 1
    return b"".join([*parts, rows[at:]]), dropped


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
