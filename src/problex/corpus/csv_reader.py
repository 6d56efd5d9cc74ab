"""CSV and TSV: rows are divided into chunks here, and parsed by Arrow."""

from __future__ import annotations

import codecs
import csv
import io
import re
import reprlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

from problex.corpus.batch import Position, RawBatch, ReadOptions, check_texts
from problex.corpus.reader import Reader, sample_table
from problex.corpus.sources import READ_BYTES, Source
from problex.errors import DocumentError, DocumentWarning, warn_caller

MAX_ARROW_COLUMNS = 1000  # of which Arrow reads the names
HEAD_BYTES = 1 << 20  # from which the columns are known
BLANK = re.compile(rb"[\r\n]*+")


@dataclass(frozen=True)
class RowChunk:
    """Some whole rows, their end in the file, and how many bytes beyond it were read with them."""

    data: bytes
    after: int
    ahead: int
    bytes_read: int


class CsvReader(Reader):
    """A CSV file.

    A position is the offset of the next row, how many bytes beyond it were read, the number of documents and that of
    rows of any kind. Arrow refers to columns by number, since names may occur twice or not be UTF-8.
    """

    delimiter = ","

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.name, self.size = source.name, source.size
        self._source, self._options = source, options
        self._chunks = self._read_chunks()
        self._first = next(self._chunks, None)
        head = b"" if self._first is None else self._first.data[:HEAD_BYTES].decode(errors="replace").encode()
        self._head = head
        self.columns = self._read_header()

    def _read_header(self) -> list[str]:
        """The names of the columns; by Python if there are many, since Arrow would take seconds."""
        if self._head.partition(b"\n")[0].count(self.delimiter.encode()) < MAX_ARROW_COLUMNS:
            return list(self._read_head().column_names)
        lines = io.StringIO(self._head.decode(), newline="")
        return next((row for row in csv.reader(lines, delimiter=self.delimiter) if row), [])

    def _read_head(self) -> pa.Table:
        if not self._head:
            return pa.table({})
        options = self._parse_options(partial(_skip_row, []))
        return pacsv.read_csv(pa.BufferReader(self._head), _one_block(self._head), options)

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column."""
        return sample_table(self._read_head())

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The texts and the cells to keep, chunk by chunk."""
        if self._first is None:
            return
        offset, ahead, row, rows_before = start or (0, 0, 0, 0)
        numbers = {name: str(self.columns.index(name)) for name in [text, *keep]}
        keep_options = ReadOptions(on_error="stop" if self._options.on_error == "stop" else "replace")
        for chunk in self._read_chunks(offset, ahead) if start else chain([self._first], self._chunks):
            cells, invalid = self._parse(chunk.data, list(dict.fromkeys(numbers.values())), rows_before)
            header = 1 if rows_before == 0 else 0  # Arrow reads the header as a row
            rows_before += len(cells[numbers[text]]) + invalid
            values = cells[numbers[text]][header:]
            columns = {}
            for name in keep:
                label = partial(RawBatch(values).label, f"{self.name}, column {name!r},", row, 0)
                columns[name] = check_texts(cells[numbers[name]][header:], label, keep_options)[0]
            row += len(values)
            position = (chunk.after, chunk.ahead, row, rows_before)
            yield RawBatch(values, pa.table(columns) if keep else None, invalid, (), position, chunk.bytes_read)

    def _read_chunks(self, offset: int = 0, ahead: int = 3) -> Iterator[RowChunk]:
        """Whole rows, some at a time; divided in the same way whether reading starts at the beginning or continues.

        Arrow's own streaming reads ahead in a thread, and a program that ends before it would crash.
        """
        delimiter = self.delimiter.encode()
        size, stream, limit = READ_BYTES, self._source.open(offset), self._options.max_row_bytes
        rest = stream.data.read(ahead)
        end = offset + len(rest)
        rest = rest if offset else rest.removeprefix(codecs.BOM_UTF8)
        while data := stream.data.read(size):
            rest, end = rest + data, end + len(data)
            length = end_of_last_row(rest, delimiter)
            chunk, rest = rest[:length], rest[length:]
            if not BLANK.fullmatch(chunk):
                yield RowChunk(chunk, end - len(rest), len(rest), stream.bytes_read())
            if len(rest) > limit:
                raise self._options.too_large(f"{self.name} has a row", "Is a quote left open? ")
            size = READ_BYTES if length else min(2 * size, limit + 1 - len(rest))
        self._source.check_unchanged()
        is_open = self._check_last_row(rest)
        if not BLANK.fullmatch(rest):
            # The line end that is added must not become part of an open quote.
            yield RowChunk(rest + (b'"\n' if is_open else b"\n"), end, 0, stream.bytes_read())

    def _check_last_row(self, row: bytes) -> bool:
        """Whether a quote is left open; raise, or warn if errors are skipped, if it is open over several lines."""
        is_open = any(not cell[1] for cell in _quoted_cells(row, self.delimiter.encode()))
        if is_open and b"\n" in row:
            message = (
                f"the last row of {self.name} has a quote that is never closed, so that all lines after it "
                f"became part of it: {reprlib.repr(row)}. Close the quote, or double it."
            )
            if self._options.on_error == "stop":
                raise DocumentError(message)
            warn_caller(message, DocumentWarning)
        return is_open

    def _parse(self, chunk: bytes, numbers: list[str], rows_before: int) -> tuple[dict[str, pa.Array], int]:
        """Columns of bytes, and how many rows were left out because they have too many or too few cells."""
        try:
            table = self._parse_with_arrow(chunk, numbers, "utf8", pa.binary())
            return {number: table.column(number).chunk(0) for number in numbers}, 0
        except pa.ArrowInvalid:
            # Arrow can pass on only rows that are valid UTF-8. Read as latin-1, any bytes are, and can be restored.
            rows: list[pacsv.InvalidRow] = []
            table = self._parse_with_arrow(chunk, numbers, "latin-1", pa.string(), partial(_skip_row, rows))
            if not rows:
                raise
        if self._options.on_error == "stop":
            row = rows[0]
            cells = row.text.encode("latin-1").decode(errors="replace")
            raise DocumentError(
                f"row {rows_before + row.number} of {self.name} (the header is row 1; blank lines do not count) has "
                f"{row.actual_columns} cells, {reprlib.repr(cells)}; expected {row.expected_columns}. Correct it "
                '(is a quote or a delimiter missing?), or give on_error="skip".'
            )
        texts = {number: table.column(number).to_pylist() for number in numbers}
        return {n: pa.array([text.encode("latin-1") for text in texts[n]], pa.binary()) for n in numbers}, len(rows)

    def _parse_with_arrow(
        self, chunk: bytes, numbers: list[str], encoding: str, kind: pa.DataType, on_invalid_row: Any = None
    ) -> pa.Table:
        names = [str(number) for number in range(len(self.columns))]
        convert = pacsv.ConvertOptions(
            check_utf8=False, column_types=dict.fromkeys(numbers, kind), include_columns=numbers
        )
        read = _one_block(chunk, column_names=names, encoding=encoding)
        return pacsv.read_csv(pa.BufferReader(chunk), read, self._parse_options(on_invalid_row), convert)

    def _parse_options(self, on_invalid_row: Any) -> pacsv.ParseOptions:
        return pacsv.ParseOptions(delimiter=self.delimiter, newlines_in_values=True, invalid_row_handler=on_invalid_row)


class TsvReader(CsvReader):
    """A file of tab-separated values."""

    delimiter = "\t"


def _skip_row(rows: list[pacsv.InvalidRow], row: pacsv.InvalidRow) -> str:
    """An `invalid_row_handler` that leaves out a row with too many or too few cells, and notes it in `rows`."""
    rows.append(row)
    return "skip"


def _quoted_cells(rows: bytes, delimiter: bytes) -> Iterator[re.Match[bytes]]:
    """The quoted cells; group 1 is the closing quote, empty if the cell is not closed.

    A quote within a cell opens nothing: one that does follows a delimiter, a line end or nothing. The pattern begins
    with a quote, so that the search for it is fast.
    """
    return re.finditer(rb'"(?<![^' + delimiter + rb'\r\n]")(?:[^"]++|"")*+("?)', rows)


def end_of_last_row(rows: bytes, delimiter: bytes) -> int:
    r"""The end of the last whole row; the first row begins at 0.

    >>> end_of_last_row(b'1,a\n2,"b\nc"\n3,"d\n', b","), end_of_last_row(b"1,a\r2,b\r3", b",")
    (12, 8)
    """
    newline = b"\n" if b"\n" in rows else b"\r"
    end = after_quotes = 0
    for cell in _quoted_cells(rows, delimiter):
        end = rows.rfind(newline, after_quotes, cell.start()) + 1 or end
        after_quotes = cell.end()
    return rows.rfind(newline, after_quotes) + 1 or end


def _one_block(rows: bytes, **options: Any) -> pacsv.ReadOptions:
    # Without threads Arrow knows the numbers of bad rows; transcoded rows take up to twice their bytes.
    return pacsv.ReadOptions(use_threads=False, block_size=min(2 * len(rows) + 2, (1 << 31) - 1), **options)
