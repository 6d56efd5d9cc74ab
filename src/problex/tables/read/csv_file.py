"""CSV and TSV: rows are divided into chunks here, and parsed by Arrow."""

from __future__ import annotations

import codecs
import re
import reprlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

from problex._util.arrow import pc
from problex._util.formatting import quote_all
from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.tables.decoding import open_text
from problex.tables.dialect import QUOTES, Dialect, check_dialect, delimiter_name, detect_dialect, parse_delimiter
from problex.tables.reader import Position, RawBatch, Reader, ReadOptions, check_texts, sample_table
from problex.tables.rows import (
    Runaway,
    cut_rows,
    drop_blank_rows,
    drop_headers,
    drop_runaways,
    quoted_cells,
    split_usual_rows,
)
from problex.tables.signatures import check_is_table
from problex.tables.source import READ_BYTES, Source

MAX_CELL = 40  # characters of a cell in a message
BLANK = re.compile(rb"[\r\n]*+")


@dataclass(frozen=True)
class RowChunk:
    """Some whole rows, their end in the file, how many bytes beyond it were read with them, and bad quotes.

    `cells` are those of the columns that are read, if they are known already.
    """

    data: bytes
    after: int
    ahead: int
    bytes_read: int
    runaways: int = 0
    cells: tuple[pa.Array, ...] = ()


class InvalidRowError(Exception):
    """A row has too many or too few cells."""

    def __init__(self, row: pacsv.InvalidRow) -> None:
        super().__init__(row)
        self.row = row


class CsvReader(Reader):
    """A CSV file, whose encoding, delimiter, quotes and header are those of its first bytes unless given.

    A position is the offset of the next row, how many bytes beyond it were read, the number of documents and that of
    rows of any kind. Arrow refers to columns by number, since names may occur twice or not be UTF-8.
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

    def _detect(self, given: str | None) -> Dialect:
        return detect_dialect(
            self._text.head,
            self.delimiter,
            given=parse_delimiter(given) if given else None,
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

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column."""
        rows = self._text.head[self._dialect.start :]
        rows = rows if self._text.is_whole else rows[: cut_rows(rows, self._dialect).end] or rows + b"\n"
        if BLANK.fullmatch(rows):
            return {}
        rows = rows.decode(errors="replace").encode()  # Arrow can pass on only rows that are valid UTF-8
        read = _one_block(rows, column_names=list(map(str, range(len(self.columns)))))
        convert = pacsv.ConvertOptions(check_utf8=False, column_types=dict.fromkeys(read.column_names, pa.binary()))
        table = pacsv.read_csv(pa.BufferReader(rows), read, self._parse_options(partial(_skip_row, [])), convert)
        return sample_table(table.rename_columns(self.columns))

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The texts and the cells to keep, chunk by chunk."""
        if not self.columns:
            return
        header = 1 + self._dialect.subheaders if self._dialect.line else 0
        offset, ahead, row, rows_before = start or (self._dialect.start, 0, 0, header)
        numbers = {name: self.columns.index(name) for name in [text, *keep]}
        columns = list(dict.fromkeys(numbers.values()))
        keep_options = ReadOptions(on_error="stop" if self._options.on_error == "stop" else "replace")
        encoding = self._text.encoding.label
        for chunk in self._read_chunks(offset, ahead, columns):
            cells, left_out, headers = self._cells(chunk, columns, rows_before)
            values = cells[numbers[text]]
            rows_before += len(values) + left_out + headers
            kept = {}
            for name in keep:
                label = partial(RawBatch(values).label, f"{self.name}, column {name!r},", row, 0)
                kept[name] = check_texts(cells[numbers[name]], label, keep_options, encoding)[0]
            row += len(values)
            yield RawBatch(
                values,
                pa.table(kept) if keep else None,
                left_out,
                position=(chunk.after, chunk.ahead, row, rows_before),
                bytes_read=chunk.bytes_read,
                left_out=left_out,
                encoding=encoding,
                describe=self._describe,
            )

    def _cells(self, chunk: RowChunk, columns: list[int], rows_before: int) -> tuple[dict[int, pa.Array], int, int]:
        """Columns of bytes, how many rows were left out, and how many because they are the header again."""
        if chunk.cells:
            return dict(zip(columns, chunk.cells, strict=True)), 0, 0
        data, headers = self._drop_headers(chunk.data)
        try:
            cells, left_out = self._parse(data, list(map(str, columns)))
        except InvalidRowError as error:
            raise self._invalid_row(error.row, rows_before, chunk.data) from None
        return {int(number): values for number, values in cells.items()}, left_out + chunk.runaways, headers

    def _read_chunks(self, offset: int, ahead: int, columns: list[int]) -> Iterator[RowChunk]:
        """Whole rows, some at a time; divided in the same way whether reading starts at the beginning or continues.

        Arrow's own streaming reads ahead in a thread, and a program that ends before it would crash.
        """
        size, stream, limit = READ_BYTES, self._source.open(offset), self._options.max_row_bytes
        rest = stream.data.read(ahead)
        end, start = offset + len(rest), stream.bytes_read()
        while data := stream.data.read(size):
            rest, end = rest + data, end + len(data)
            if found := split_usual_rows(rest, self._dialect, columns):
                length, rest = found.end, rest[found.end :]
                yield RowChunk(b"", end - len(rest), len(rest), stream.bytes_read(), cells=found.columns)
            else:
                length, runaways = cut_rows(rest, self._dialect)
                self._check_quotes(runaways)
                chunk, rest = rest[:length], rest[length:]
                if not BLANK.fullmatch(chunk):
                    chunk = drop_runaways(chunk, runaways)
                    yield RowChunk(chunk, end - len(rest), len(rest), stream.bytes_read(), len(runaways))
            if len(rest) > limit:
                raise self._options.too_large(f"{self.name} has a row", "Is a quote left open? ")
            start = stream.bytes_read() if length else start
            stream.check_size(len(rest), start, "row")
            size = READ_BYTES if length else min(2 * size, limit + 1 - len(rest))
        self._source.check_unchanged()
        is_open = self._check_last_row(rest)
        if not BLANK.fullmatch(rest):
            # The line end that is added must not become part of an open quote.
            last = rest + (self._dialect.quoting.quote.encode() if is_open else b"") + b"\n"
            runaways = cut_rows(last, self._dialect).runaways
            self._check_quotes(runaways)
            yield RowChunk(drop_runaways(last, runaways), end, 0, stream.bytes_read(), len(runaways))

    def _drop_headers(self, rows: bytes) -> tuple[bytes, int]:
        """Rows without repetitions of the header, and how many these are; the first ones are reported."""
        left, repeated = drop_headers(rows, self._dialect)
        if repeated and not self._repeats_header:
            self._repeats_header = True
            warn_caller(
                f"{self.name} has its header more than once: it is left out where it is repeated", DocumentWarning
            )
        return left, repeated

    def _check_quotes(self, runaways: list[Runaway]) -> None:
        """Raise if a quote was left open, and the next one closed it rows later; such rows are skipped as one."""
        if runaways and self._options.on_error == "stop":
            raise DocumentError(
                f"{self.name} has a quote that is not closed in its row, so that the lines after it became part of it: "
                f"{reprlib.repr(runaways[0].cell)}. Close the quote, or double it, or give {opt('on_error', 'skip')}."
            )

    def _check_last_row(self, row: bytes) -> bool:
        """Whether a quote is left open; raise, or warn if errors are skipped, if it is open over several lines."""
        is_open = any(not cell[1] for cell in quoted_cells(row, self._dialect))
        if is_open and b"\n" in row:
            message = (
                f"the last row of {self.name} has a quote that is never closed, so that all lines after it "
                f"became part of it: {reprlib.repr(row)}. Close the quote, or double it."
            )
            if self._options.on_error == "stop":
                raise DocumentError(message)
            warn_caller(message, DocumentWarning)
        return is_open

    def _parse(self, chunk: bytes, numbers: list[str]) -> tuple[dict[str, pa.Array], int]:
        """Columns of bytes, and how many rows were left out because they have too many or too few cells."""
        if BLANK.fullmatch(chunk):
            return {number: pa.array([], pa.binary()) for number in numbers}, 0
        try:
            table = self._parse_with_arrow(chunk, numbers, "utf8", pa.binary())
            cells = {number: table.column(number).chunk(0) for number in numbers}
            has_empty = pc.min(pc.binary_length(cells[numbers[0]])).as_py() == 0
            rows_left = drop_blank_rows(chunk, self._dialect) if has_empty else chunk
            return (cells, 0) if len(rows_left) == len(chunk) else self._parse(rows_left, numbers)
        except pa.ArrowInvalid:
            chunk = drop_blank_rows(chunk, self._dialect)
            # Arrow can pass on only rows that are valid UTF-8. Read as latin-1, any bytes are, and can be restored.
            rows: list[pacsv.InvalidRow] = []
            table = self._parse_with_arrow(chunk, numbers, "latin-1", pa.string(), partial(_skip_row, rows))
            if not rows:
                raise
        if self._options.on_error == "stop":
            raise InvalidRowError(rows[0])
        texts = {number: table.column(number).to_pylist() for number in numbers}
        return {n: pa.array([text.encode("latin-1") for text in texts[n]], pa.binary()) for n in numbers}, len(rows)

    def _invalid_row(self, row: pacsv.InvalidRow, rows_before: int, chunk: bytes) -> DocumentError:
        """The error about a row with too many or too few cells; headers that are repeated before it count as rows."""
        text = row.text.encode("latin-1")
        headers = drop_headers(chunk[: max(chunk.find(text), 0)], self._dialect)[1]
        header = "the header is row 1; " if self._dialect.line else ""
        return DocumentError(
            f"row {rows_before + headers + row.number} of {self.name} ({header}blank lines do not count) has "
            f"{row.actual_columns} cells, {reprlib.repr(text.decode(errors='replace'))}; expected "
            f"{row.expected_columns}. Correct it (is a quote or a delimiter missing?), or give "
            f"{opt('on_error', 'skip')}. {self._describe()}"
        )

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
        quoting = self._dialect.quoting
        return pacsv.ParseOptions(
            delimiter=self._dialect.delimiter,
            quote_char=quoting.quote or False,
            escape_char="\\" if quoting.escaped else False,
            newlines_in_values=True,
            invalid_row_handler=on_invalid_row,
        )


class TsvReader(CsvReader):
    """A file of tab-separated values."""

    delimiter = "\t"


def _skip_row(rows: list[pacsv.InvalidRow], row: pacsv.InvalidRow) -> str:
    """An `invalid_row_handler` that leaves out a row with too many or too few cells, and notes it in `rows`."""
    rows.append(row)
    return "skip"


def _one_block(rows: bytes, **options: Any) -> pacsv.ReadOptions:
    # Without threads Arrow knows the numbers of bad rows; transcoded rows take up to twice their bytes.
    return pacsv.ReadOptions(use_threads=False, block_size=min(2 * len(rows) + 2, (1 << 31) - 1), **options)


def _if_wrong(give: str) -> str:
    """What to do if a file was read wrongly; `give` begins the sentence."""
    return f"{give} {opt('delimiter')}, {opt('encoding')} or {opt('header', False)} if that is wrong"
