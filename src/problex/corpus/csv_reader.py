"""CSV and TSV: rows are cut here, and parsed by Arrow."""

from __future__ import annotations

import codecs
import re
import reprlib
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

from problex.corpus.batches import Opened, Piece, Position, Settings, label_of, sample_of, valid_texts
from problex.corpus.sources import READ_BYTES, Source
from problex.errors import DocumentError, DocumentWarning

LARGEST_ROW = 1 << 30  # of a CSV: Arrow counts the bytes of a block in 32 bits
BLANK = re.compile(rb"[\r\n]*+")
QUOTED = re.compile(rb'"(?:[^"]++|"")*+("?)')


def open_csv(source: Source, settings: Settings, delimiter: str = ",") -> Opened:
    """Open a CSV: its header and first rows tell the columns."""
    chunks = _chunks(source, settings, delimiter.encode())
    first = next(chunks, None)
    if first is None:
        return Opened(lambda text, keep, start: iter(()))
    head = first.data[: 1 << 20].decode(errors="replace").encode()
    table = pacsv.read_csv(pa.BufferReader(head), _one_block(head), _grammar(delimiter, []))
    csv = _Csv(source.name, settings, delimiter, table.column_names)

    def pieces(text: str, keep: Sequence[str], start: Position) -> Iterator[Piece]:
        offset, ahead, row, before = start or (0, 0, 0, 0)
        rest = _chunks(source, settings, delimiter.encode(), offset, ahead) if start else chain([first], chunks)
        return csv.pieces(rest, text, keep, row, before)

    return Opened(pieces, table.column_names, lambda: sample_of(table))


@dataclass(frozen=True)
class _Rows:
    """Some whole rows, where they end in the file, and how much beyond was read with them."""

    data: bytes
    after: int
    ahead: int
    bytes_read: int


def _chunks(source: Source, settings: Settings, delimiter: bytes, offset: int = 0, ahead: int = 3) -> Iterator[_Rows]:
    """Whole rows, some at a time; cut alike whether one begins at the beginning or goes on in the midst.

    Arrow's own streaming reads ahead in a thread: a program that ends early would abort in the midst of it.
    """
    size, stream = READ_BYTES, source.open(offset)
    rest = stream.data.read(ahead)
    done = offset + len(rest)
    rest = rest if offset else rest.removeprefix(codecs.BOM_UTF8)
    while data := stream.data.read(size):
        rest, done = rest + data, done + len(data)
        end = _end_of_rows(rest, delimiter)
        chunk, rest = rest[:end], rest[end:]
        if not BLANK.fullmatch(chunk):
            yield _Rows(chunk, done - len(rest), len(rest), stream.bytes_read())
        size = READ_BYTES if end else 2 * size
        if len(rest) > LARGEST_ROW:
            raise DocumentError(
                f"{source.name} has a row of over {LARGEST_ROW >> 30} GiB, more than can be read. Is a quote left open?"
            )
    cells = _quoted(rest, delimiter)
    if cells and not cells[-1][2] and b"\n" in rest:
        message = f"the last row of {source.name} has a quote that is never closed, so that all lines after it "
        message += f"became part of it: {reprlib.repr(rest)}. Close the quote, or double it."
        if settings.on_error == "stop":
            raise DocumentError(message)
        warnings.warn(message, DocumentWarning, stacklevel=2)
    if not BLANK.fullmatch(rest):
        yield _Rows(rest + b"\n", done, 0, stream.bytes_read())


def _quoted(rows: bytes, delimiter: bytes) -> list[tuple[int, int, bool]]:
    """Where quoted cells begin and end, and whether they are closed; a quote within a cell opens nothing."""
    cells, at = [], 0
    while (start := rows.find(b'"', at)) >= 0:
        at = start + 1
        if start == 0 or rows[start - 1] in delimiter + b"\r\n":
            found = QUOTED.match(rows, start)
            assert found is not None
            at = found.end()
            cells.append((start, at, bool(found[1])))
    return cells


def _end_of_rows(rows: bytes, delimiter: bytes) -> int:
    """The end of the last row that is whole, the first of which begins at 0."""
    newline, end = b"\n" if b"\n" in rows else b"\r", len(rows)
    for start, stop, _ in reversed(_quoted(rows, delimiter)):
        if (at := rows.rfind(newline, stop, end)) >= 0:
            return at + 1
        end = start
    return rows.rfind(newline, 0, end) + 1


def _grammar(delimiter: str, rejected: list[object] | None) -> Any:
    def skip(row: object) -> str:
        assert rejected is not None
        rejected.append(row)
        return "skip"

    handler = None if rejected is None else skip
    return pacsv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=handler)


def _one_block(rows: bytes, **options: Any) -> Any:
    # Without threads Arrow knows the numbers of bad rows; transcoded rows take up to twice their bytes.
    return pacsv.ReadOptions(use_threads=False, block_size=min(2 * len(rows) + 2, (1 << 31) - 1), **options)


@dataclass(frozen=True)
class _Csv:
    """A CSV whose columns are known; Arrow is told their places, since names may be doubled or not UTF-8."""

    name: str
    settings: Settings
    delimiter: str
    names: Sequence[str]

    def pieces(self, chunks: Iterable[_Rows], text: str, keep: Sequence[str], row: int, before: int) -> Iterator[Piece]:
        """The texts and kept cells of chunks, before which there were so many documents and rows of any kind."""
        places = {name: str(self.names.index(name)) for name in [text, *keep]}
        how = "stop" if self.settings.on_error == "stop" else "replace"
        for chunk in chunks:
            columns, rejected = self.parse(chunk.data, list(dict.fromkeys(places.values())), before)
            header = 1 if before == 0 else 0  # to Arrow the header is a row
            before += len(columns[places[text]]) + rejected
            values, kept = columns[places[text]][header:], {}
            for name in keep:
                label = partial(label_of, f"{self.name}, column {name!r},", row, (), 0)
                kept[name] = valid_texts(columns[places[name]][header:], label, how)[0]
            row += len(values)
            position = (chunk.after, chunk.ahead, row, before)
            yield Piece(values, pa.table(kept) if keep else None, rejected, (), position, chunk.bytes_read)

    def parse(self, chunk: bytes, wanted: list[str], before: int) -> tuple[dict[str, pa.Array], int]:
        """Columns of bytes, and how many rows had too many or too few cells."""
        try:
            return self.read(chunk, wanted, None), 0
        except pa.ArrowInvalid as error:
            ragged = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+): (.*)", str(error), re.DOTALL)
            if ragged is None:
                raise
        if self.settings.on_error == "stop":
            number, expected, got, cells = ragged.groups()
            raise DocumentError(
                f"row {before + int(number)} of {self.name} (the header is row 1; blank lines do not count) has {got} "
                f"cells, {reprlib.repr(cells)}; expected {expected}. Correct it (is a quote or a delimiter missing?), "
                'or give on_error="skip".'
            )
        rejected: list[object] = []
        return self.read(chunk, wanted, rejected), len(rejected)

    def read(self, chunk: bytes, wanted: list[str], rejected: list[object] | None) -> dict[str, pa.Array]:
        """Arrow can only skip bad rows that are UTF-8, so these are read as latin-1, which gives all bytes back."""
        places = [str(place) for place in range(len(self.names))]
        encoding, kind = ("utf8", pa.binary()) if rejected is None else ("latin-1", pa.string())
        table = pacsv.read_csv(
            pa.BufferReader(chunk),
            _one_block(chunk, column_names=places, encoding=encoding),
            _grammar(self.delimiter, rejected),
            pacsv.ConvertOptions(check_utf8=False, column_types=dict.fromkeys(places, kind), include_columns=wanted),
        )
        columns = {place: table.column(place) for place in wanted}
        if encoding == "utf8":
            return {place: column.chunk(0) for place, column in columns.items()}
        texts = {place: column.to_pylist() for place, column in columns.items()}
        return {place: pa.array([t.encode("latin-1") for t in texts[place]], pa.binary()) for place in wanted}
