"""CSV and TSV: rows as `csv` modules write them are split by compiled code, a chunk with any other row in Python."""

from __future__ import annotations

import codecs
import json
import re
import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np
import pyarrow as pa

from problex._util.formatting import quote_all
from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.tables._cells import split_cells
from problex.tables.dialect import (
    QUOTES,
    Dialect,
    Row,
    check_dialect,
    delimiter_name,
    detect_dialect,
    parse_delimiter,
    read_row,
    read_rows,
)
from problex.tables.encoding import SAVE_AS_CSV
from problex.tables.reader import SAMPLE_ROWS, Position, RawBatch, Reader, ReadOptions, check_texts
from problex.tables.source import READ_BYTES, Source, open_text

MAX_CELL = 40  # characters of a cell in a message
MIN_ID = 6  # digits of an id that need not be the next number
MARK = codecs.BOM_UTF8.decode("latin-1")
_HTML = re.compile(rb"\s*<(!doctype html|html|head|body|table|meta|\?xml|!--)\b", re.I)


@dataclass(frozen=True)
class ChunkCells:
    """Some columns of the whole rows of a chunk, the end of these, and how many others there are.

    `invalid` rows cannot be read, `headers` are the row of names again: neither is among the columns.
    """

    end: int
    columns: tuple[pa.Array, ...]
    invalid: int = 0
    headers: int = 0

    @property
    def rows(self) -> int:
        """The number of rows that begin before the end, without blank ones."""
        return len(self.columns[0]) + self.invalid + self.headers


class InvalidRowError(Exception):
    """A row that cannot be read, how many rows of the chunk are before it, and the cell whose quote is left open."""

    def __init__(self, row: Row, number: int, quoted: str | None = None, *, is_last: bool = False) -> None:
        super().__init__(row, number, quoted)
        self.row, self.number, self.quoted, self.is_last = row, number, quoted, is_last


class CsvReader(Reader):
    """A CSV file, whose encoding, delimiter, quotes and header are those of its first bytes unless given.

    A position is the offset of the next row, how many bytes beyond it were read, the number of documents and that of
    rows of any type. Columns are known by their index, since names may occur twice or not be UTF-8.
    """

    delimiter = ","
    _repeats_header = False

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._text, self._options = open_text(source, options), options
        self.name, self.size, self._source = source.name, source.size, self._text.source
        check_is_table(self._text.head.removeprefix(codecs.BOM_UTF8), self.name)
        self._dialect = self._detect(options.delimiter)
        guess = self._detect(None) if options.delimiter else self._dialect
        check_dialect(self._dialect, guess, self.name)
        self.columns, self.note = list(self._dialect.names), self._write_note()

    def _detect(self, delimiter: str | None) -> Dialect:
        return detect_dialect(
            self._text.head,
            self.delimiter,
            given=parse_delimiter(delimiter) if delimiter else None,
            header=self._options.header,
            is_whole=self._text.is_whole,
        )

    def _write_note(self) -> str:
        """What was detected, if it is not what the name of the file lets expect."""
        dialect, options = self._dialect, self._options
        unusual = [
            not options.delimiter and dialect.delimiter != self.delimiter,
            not options.encoding and not self._text.encoding.is_utf8,
            options.header is None and dialect.line != 1 and dialect.names,
            dialect.quoting in QUOTES,
            dialect.subheaders,
        ]
        if any(unusual):
            return f"read as {dialect.description(self._text.encoding.label)} ({_if_wrong('give')})"
        if dialect.is_doubtful:
            names = quote_all(name[:MAX_CELL] for name in dialect.names[:3])
            return f"line {dialect.line} is read as the header: {names} (give {opt('header', False)} if it is not)"
        return ""

    def _describe(self) -> str:
        """How the file was understood, and what to do if that is wrong."""
        rows = "; ".join(quote_all(cell[:MAX_CELL] for cell in row[:5]) for row in self._dialect.first_rows)
        guess = self._detect(None)
        other = ""
        if guess.delimiter != self._dialect.delimiter:
            name = delimiter_name(guess.delimiter)
            other = f" It looks {name}-separated: give {opt('delimiter', name)}."
        understood = self._dialect.description(self._text.encoding.label)
        return (
            f"It was read as {understood}; its first rows are {rows}.{other} "
            f"{_if_wrong('Give')}; otherwise correct the file."
        )

    def sample(self) -> Mapping[str, Sequence[object]]:
        """The first values of every column."""
        head = self._text.head[self._dialect.start :].decode("latin-1")
        rows = read_rows(head, self._dialect.delimiter, self._dialect.quoting, is_whole=self._text.is_whole)
        whole = (row.cells for row in rows if len(row.cells) == len(self.columns) and any(row.cells))
        cells = list(islice(whole, SAMPLE_ROWS))
        return {
            name: [cell.encode("latin-1") for cell in values]
            for name, values in zip(self.columns, zip(*cells, strict=True), strict=False)
        }

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The texts and the cells to keep, chunk by chunk."""
        if not self.columns:
            return
        header = 1 + self._dialect.subheaders if self._dialect.line else 0
        offset, ahead, row, rows_before = start or (self._dialect.start, 0, 0, header)
        indexes = {name: self.columns.index(name) for name in [text, *keep]}
        columns = list(dict.fromkeys(indexes.values()))
        keep_options = ReadOptions(on_error="stop" if self._options.on_error == "stop" else "replace")
        encoding = self._text.encoding.label
        for cells, (*place, bytes_read) in self._read_chunks(offset, ahead, columns, rows_before):
            values = dict(zip(columns, cells.columns, strict=True))
            rows_before += cells.rows
            kept = {}
            for name in keep:
                label = partial(RawBatch(values).label, f"{self.name}, column {name!r},", row, 0)
                kept[name] = check_texts(values[indexes[name]], label, keep_options, encoding)[0]
            row += len(cells.columns[0])
            yield RawBatch(
                values[indexes[text]],
                pa.table(kept) if keep else None,
                cells.invalid,
                position=(*place, row, rows_before),
                bytes_read=bytes_read,
                left_out=cells.invalid,
                encoding=encoding,
                describe=self._describe,
            )

    def _read_chunks(
        self, offset: int, ahead: int, columns: list[int], rows_before: int
    ) -> Iterator[tuple[ChunkCells, tuple[int, int, int]]]:
        """Whole rows, some at a time, with their end in the file, the bytes read beyond it, and those on the disk.

        They are divided in the same way whether reading starts at the beginning or continues.
        """
        size, stream, limit = READ_BYTES, self._source.open(offset), self._options.max_row_bytes
        rest = stream.data.read(ahead)
        end, start = offset + len(rest), stream.bytes_read()
        is_last = False
        while not is_last:
            data = stream.data.read(size)
            rest, end, is_last = rest + data, end + len(data), not data
            if is_last:
                self._source.check_unchanged()
            cells = self._split(rest, columns, rows_before, is_last=is_last)
            rest, rows_before = rest[cells.end :], rows_before + cells.rows
            if cells.rows:
                yield cells, (end - len(rest), len(rest), stream.bytes_read())
            if len(rest) > limit:
                raise self._options.too_large(f"{self.name} has a row", "Is a quote left open? ")
            start = stream.bytes_read() if cells.end else start
            stream.check_size(len(rest), start, "row")
            size = READ_BYTES if cells.end else min(2 * size, limit + 1 - len(rest))

    def _split(self, rows: bytes, columns: list[int], rows_before: int, *, is_last: bool) -> ChunkCells:
        """The whole rows of a chunk; raise at the first that cannot be read, unless these are skipped."""
        if not is_last and (cells := split_usual_rows(rows, self._dialect, columns)):
            return cells
        skips = self._options.on_error != "stop"
        try:
            cells = split_rows(rows, self._dialect, columns, is_last=is_last, skips=skips, warn=self._warn_open)
        except InvalidRowError as error:
            raise self._invalid_row(error, rows, rows_before) from None
        if cells.headers and not self._repeats_header:
            self._repeats_header = True
            warn_caller(
                f"{self.name} has its header more than once: it is left out where it is repeated", DocumentWarning
            )
        return cells

    def _invalid_row(self, error: InvalidRowError, rows: bytes, rows_before: int) -> DocumentError:
        """The error about a row with a quote that is left open, or with too many or too few cells."""
        row, number = error.row, rows_before + error.number + 1
        text = rows[row.start : row.end].rstrip(b"\r\n")
        if error.quoted is not None:
            quoted = error.quoted.encode("latin-1")
            return DocumentError(
                self._open_quote(quoted)
                if error.is_last
                else f"{self.name} has a quote that is not closed in its row, so that the lines after it became part "
                f"of it: {reprlib.repr(quoted)}. Close the quote, or double it, or give {opt('on_error', 'skip')}."
            )
        header = "the header is row 1; " if self._dialect.line else ""
        return DocumentError(
            f"row {number} of {self.name} ({header}blank lines do not count) has "
            f"{len(row.cells)} cells, {reprlib.repr(text.decode(errors='replace'))}; expected "
            f"{len(self.columns)}. Correct it (is a quote or a delimiter missing?), or give "
            f"{opt('on_error', 'skip')}. {self._describe()}"
        )

    def _open_quote(self, row: bytes) -> str:
        return (
            f"the last row of {self.name} has a quote that is never closed, so that all lines after it "
            f"became part of it: {reprlib.repr(row)}. Close the quote, or double it."
        )

    def _warn_open(self, row: bytes) -> None:
        warn_caller(self._open_quote(row), DocumentWarning)


class TsvReader(CsvReader):
    """A file of tab-separated values."""

    delimiter = "\t"


def split_usual_rows(rows: bytes, dialect: Dialect, columns: Sequence[int]) -> ChunkCells | None:
    r"""The cells of some columns, by index, or None if a row is not written as `csv` modules write it.

    >>> cells = split_usual_rows(b'1,a\n2,"b, ""c"" d"\n3,', Dialect(names=("id", "text")), [1])
    >>> cells.end, cells.columns[0].to_pylist()
    (19, [b'a', b'b, "c" d'])
    >>> split_usual_rows(b'1,"a" b\n', Dialect(names=("id", "text")), [1])
    """
    width, quoting, delimiter = len(dialect.names), dialect.quoting, dialect.delimiter.encode()
    if quoting.escaped:
        return None
    header = dialect.header if width > 1 else b""
    found = split_cells(rows, width, columns, delimiter, quoting.quote.encode(), header, pa.allocate_buffer)
    if found is None:
        return None
    end, number, buffers, doubtful = found
    for row, start, stop in doubtful:
        before, cell = rows[row:start].decode("latin-1"), rows[start:stop].decode("latin-1")
        if row < end and has_rows(before, cell, dialect):
            return None
    return ChunkCells(end, tuple(pa.Array.from_buffers(pa.binary(), number, [None, *pair]) for pair in buffers))


def split_rows(
    rows: bytes,
    dialect: Dialect,
    columns: Sequence[int],
    *,
    is_last: bool,
    skips: bool,
    warn: Callable[[bytes], None] = print,
) -> ChunkCells:
    r"""The same of rows that are written in any way: blank and ragged ones, headers again, quotes left open.

    Rows that cannot be read are counted if `skips`, otherwise the first of them is raised.

    >>> two = Dialect(names=("id", "text"), header=b"id,text")
    >>> cells = split_rows(b'1,a\n,\nid,text\n2,b,c\n3,"d" e\n4', two, [1], is_last=False, skips=True)
    >>> cells.columns[0].to_pylist(), cells.invalid, cells.headers, cells.end
    ([b'a', b'd e'], 1, 1, 28)
    """
    text, width, header = rows.decode("latin-1"), len(dialect.names), dialect.header.decode("latin-1")
    blank = dialect.delimiter * (width - 1)
    values: list[list[bytes]] = [[] for _ in columns]
    at = invalid = headers = 0
    while at < len(text) and (row := read_row(text, at, dialect.delimiter, dialect.quoting, is_whole=is_last)):
        number = len(values[0]) + invalid + headers
        if row.is_open and "\n" in text[row.start :]:
            if not skips:
                raise InvalidRowError(row, number, text[row.start :], is_last=True)
            warn(rows[row.start :])
        quoted, at = _find_runaway(text, row, dialect)
        line = text[row.start : row.end].rstrip("\r\n")
        if quoted is None and line in ("", blank):
            continue
        if width > 1 and header and line.removeprefix(MARK) == header:
            headers += 1
        elif quoted is not None or len(row.cells) != width:
            if not skips:
                raise InvalidRowError(row, number, quoted)
            invalid += 1
        else:
            for found, column in zip(values, columns, strict=True):
                found.append(row.cells[column].encode("latin-1"))
    return ChunkCells(at, tuple(map(_binary_array, values)), invalid, headers)


def _binary_array(cells: list[bytes]) -> pa.Array:
    """Cells as an array, without `pyarrow.array`, whose first call imports pandas."""
    ends = np.zeros(len(cells) + 1, np.int32)
    np.cumsum(list(map(len, cells)), out=ends[1:])
    return pa.Array.from_buffers(pa.binary(), len(cells), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(cells))])


LINE_END = re.compile(r"\r\n|\n|\r")


def _find_runaway(text: str, row: Row, dialect: Dialect) -> tuple[str | None, int]:
    r"""A quoted cell of a row that runs over a line end by mistake, if there is one, and where its last line ends.

    If a cell has a line end, and goes on after its closing quote, a quote was left open. So was it if the lines within
    the cell are rows that continue the numbers of the first column.

    >>> text = '1,"a\n2,b "c" d\n3,e\n'
    >>> _find_runaway(text, read_row(text, 0, ",", Dialect().quoting), Dialect())
    ('"a\n2,b "', 15)
    """
    for start, stop in row.many_lines:
        goes_on = text[stop : stop + 1] not in ("", dialect.delimiter, "\r", "\n", " ", "\t")
        if goes_on or has_rows(text[row.start : start], text[start:stop], dialect):
            line_end = LINE_END.search(text, stop)
            return text[start:stop], line_end.end() if line_end else len(text)
    return None, row.end


def has_rows(before: str, cell: str, dialect: Dialect) -> bool:
    r"""Whether the lines of a quoted cell are rows, for what is before it in its row.

    >>> dialect = Dialect(names=("id", "text"))
    >>> has_rows("2,", '"bad\n3,fine\n4,so"', dialect), has_rows("2,", '"a\n9,b"', dialect)
    (True, False)
    """
    delimiter, most = dialect.delimiter, len(dialect.names) - 1
    first = before.partition(delimiter)[0].strip('"')
    if not first.isdecimal():
        return False
    *lines, last = re.split(r"\r\n|\r|\n", cell)[1:] or [""]
    if not 1 <= last.count(delimiter) <= most or any(line.count(delimiter) != most for line in lines):
        return False
    ids = [line.partition(delimiter)[0].strip('"') for line in (*lines, last)]
    if len(first) < MIN_ID:
        return ids == [str(number) for number in range(int(first) + 1, int(first) + 1 + len(ids))]
    return all(one.isdecimal() and len(one) == len(first) for one in ids)


def check_is_table(data: bytes, name: str) -> None:
    r"""Raise if a file that should be a table of delimited cells is HTML, XML or JSON.

    >>> check_is_table(b'{"text": "a"}\n', "x.csv")
    Traceback (most recent call last):
    problex.errors.DocumentError: x.csv has JSON objects, not delimited cells: rename it to .jsonl.
    """
    if _HTML.match(data):
        raise DocumentError(f"{name} is HTML or XML, not a table of delimited cells: {SAVE_AS_CSV}.")
    line = data.lstrip().partition(b"\n")[0].strip()
    if line[:1] == b"{" and _is_json(line):
        raise DocumentError(f"{name} has JSON objects, not delimited cells: rename it to .jsonl.")
    if line == b"[" or (line[:1] == b"[" and (_is_json(line) or re.match(rb"\[\s*[{\[]\s*\"", line))):
        raise DocumentError(
            f"{name} is a JSON array, not a table of delimited cells: write one JSON object per line (.jsonl)."
        )


def _is_json(line: bytes) -> bool:
    """Whether a line is an object or an array of JSON.

    >>> _is_json(b'{"text": "good"}'), _is_json(b"12")
    (True, False)
    """
    try:
        return isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


def _if_wrong(give: str) -> str:
    """What to do if a file was read wrongly; `give` begins the sentence."""
    return f"{give} {opt('delimiter')}, {opt('encoding')} or {opt('header', False)} if that is wrong"
