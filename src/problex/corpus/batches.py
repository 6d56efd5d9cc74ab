"""What readers deliver, and how it is checked and cut into batches."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from problex._util.formatting import quote_all
from problex.errors import DocumentError

ROWS = 1 << 16  # documents in a piece, before it is cut by bytes
SAMPLE = 100  # rows looked at to guess the text column
CHOICES = {"missing": ("error", "empty"), "on_error": ("stop", "skip", "replace")}
Label = Callable[[int], str]
Position = tuple[int, ...]
"""Where reading can go on: the number of the next document, and what the reader of the format wants to be told."""


@dataclass(frozen=True)
class Batch:
    """Some documents: `texts` is a string or large_string array without nulls (they became "").

    `first_row` is the 0-based number of the first; `missing` and `invalid` count documents that were null, and that
    were skipped (they became "") or repaired; `columns` are the kept ones. A CSV row with too many or too few cells
    cannot become "": it is left out, and counted in `invalid`, in the end perhaps of a batch without texts.
    `position` is where reading can go on after it, if it can; `bytes_read` is how much of its source has gone by,
    of `bytes_total` where that is known.
    """

    texts: pa.Array
    first_row: int
    missing: int = 0
    invalid: int = 0
    columns: pa.Table | None = None
    position: Position = ()
    bytes_read: int = 0
    bytes_total: int = 0


@dataclass(frozen=True)
class Settings:
    """How to treat what is wrong, and how much text makes a batch."""

    missing: str = "error"
    on_error: str = "stop"
    batch_bytes: int = 8 << 20

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if (given := getattr(self, name)) not in choices:
                raise DocumentError(f"{name} is {given!r}; expected one of {quote_all(choices)}.")
        if self.batch_bytes < 1:
            raise DocumentError(f"batch_bytes is {self.batch_bytes}; expected a positive number of bytes.")


@dataclass(frozen=True)
class Piece:
    """What a reader delivers, unchecked: a list of anything, or an Arrow array; `labels` name each one's file.

    `position` is where the reader can go on after it, `bytes_read` how much of the source has gone by. `where` and
    `row` are the file and the number of the first document in it, where there are several files.
    """

    values: Any
    columns: pa.Table | None = None
    invalid: int = 0
    labels: Sequence[str] = ()
    position: Position = ()
    bytes_read: int = 0
    where: str = ""
    row: int = 0


@dataclass(frozen=True)
class Opened:
    """A source whose columns are known; `pieces(text, keep, start)` reads it, from a position where one is given.

    `size` is its bytes on disk, 0 where nobody can know; `loose` says that its rows need not have all columns.
    """

    pieces: Callable[[str, Sequence[str], Position], Iterator[Piece]]
    names: Sequence[str] = ()
    sample: Callable[[], Mapping[str, Sequence[object]]] = dict
    size: int = 0
    loose: bool = False


def cut_batches(
    pieces: Iterator[Piece], where: str, settings: Settings, row: int = 0, total: int = 0
) -> Iterator[Batch]:
    """Check the pieces and cut them by bytes; the first document has the number `row`."""
    with naming(where):
        for piece in pieces:
            values, invalid = piece.values, piece.invalid
            label = partial(label_of, piece.where or where, piece.row if piece.where else row, piece.labels)
            if not isinstance(values, list):
                values = _as_text(values, partial(label, 0))
            for start, stop in _cuts(values, settings.batch_bytes) or [(0, 0)] * bool(invalid):
                texts, missing, changed = _checked(values[start:stop], partial(label, start), settings)
                columns = None if piece.columns is None else piece.columns.slice(start, stop - start)
                whole = stop == len(values) and piece.position
                position = (row + stop, *piece.position) if whole else ()
                read = piece.bytes_read, total
                yield Batch(texts, row + start, missing, invalid + changed, columns, position, *read)
                invalid = 0
            row += len(values)


def _checked(values: Any, label: Label, settings: Settings) -> tuple[pa.Array, int, int]:
    """Texts without nulls, how many were missing, how many invalid."""
    texts, invalid = valid_texts(values, label, settings.on_error)
    if texts.null_count and settings.missing == "error":
        raise DocumentError(
            f"{label(pc.index(texts.is_null(), True).as_py())} is missing (None, NaN or null); expected a text. "
            'Drop it, or let it count as an empty text with missing="empty".'
        )
    return texts.fill_null("") if texts.null_count else texts, texts.null_count, invalid


def valid_texts(values: Any, label: Label, on_error: str) -> tuple[pa.Array, int]:
    """Valid texts and nulls, and how many were invalid; one by one only where the fast way finds fault."""
    listed = isinstance(values, list)
    kind = pa.string() if not listed and values.type in (pa.string(), pa.binary()) else pa.large_string()
    try:
        if listed:
            return pa.array(values, kind, from_pandas=True), 0
        values.validate(full=True)
        return values.cast(kind), 0
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError):
        values = values if listed else values.cast(pa.large_binary()).to_pylist()
        fixed = [_fixed(value, at, label, on_error) for at, value in enumerate(values)]
        return pa.array([text for text, _ in fixed], kind), sum(changed for _, changed in fixed)


def _fixed(value: Any, at: int, label: Label, on_error: str) -> tuple[str | None, bool]:
    """One value as valid text or None, and whether it had to be changed."""
    value = value.as_py() if isinstance(value, pa.Scalar) else value
    if _is_missing(value):
        return None, False
    if not isinstance(value, str | bytes | bytearray | memoryview):
        raise DocumentError(
            f"{label(at)} is of type {type(value).__name__} ({reprlib.repr(value)}); expected a text (str). "
            "Drop it, or turn it into a text."
        )
    raw = raw_bytes(value)
    try:
        return raw.decode(), False
    except UnicodeDecodeError as error:
        if on_error == "stop":
            raise DocumentError(
                f"{label(at)} is not valid UTF-8 at byte {error.start}. Convert it (iconv -f latin1 -t utf-8), or give "
                'on_error="skip" or on_error="replace".'
            ) from None
        return "" if on_error == "skip" else raw.decode(errors="replace"), True


def raw_bytes(value: Any) -> bytes:
    """The bytes of a text; undecodable bytes that were smuggled in as surrogates come out again."""
    if not isinstance(value, str):
        return bytes(value)
    try:
        return value.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return value.encode(errors="surrogatepass")


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas.NA and arrays have no truth
        return type(value).__name__ == "NAType"


def _as_text(array: pa.Array, label: Label) -> pa.Array:
    """Any Arrow array of texts as (large_)string or (large_)binary."""
    if pa.types.is_dictionary(array.type):
        return _as_text(array.dictionary_decode(), label)
    if array.type in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary()):
        return array
    if array.type in (pa.string_view(), pa.binary_view()):
        return array.cast(pa.large_binary())
    if array.null_count == len(array):
        return pa.nulls(len(array), pa.string())
    at = pc.index(array.is_valid(), True).as_py()
    raise DocumentError(
        f"{label(at)} is of type {array.type} ({reprlib.repr(array[at].as_py())}); expected a text. "
        "Choose a column of texts."
    )


def _cuts(values: Any, limit: int) -> list[tuple[int, int]]:
    """Bounds of runs of at most `limit` bytes (for str, characters), each of at least one document."""
    if isinstance(values, list):
        try:
            sizes = np.fromiter(map(len, values), np.int64, len(values))
        except TypeError:
            sizes = np.fromiter(map(text_size, values), np.int64, len(values))
    else:
        sizes = np.asarray(pc.binary_length(values).fill_null(0), np.int64)
    ends, cuts, start = sizes.cumsum(), [], 0
    while start < len(values):
        stop = max(start + 1, int(ends.searchsorted(ends[start] - sizes[start] + limit, "right")))
        cuts.append((start, stop))
        start = stop
    return cuts


def text_size(value: object) -> int:
    """Bytes or characters; 0 for what is no text."""
    return len(value) if isinstance(value, str | bytes) else 0


def gather(items: Iterable[Any], limit: int, size: Callable[[Any], int] = text_size) -> Iterator[list[Any]]:
    """Items in lists of about `limit` bytes, reading no further than each list needs."""
    pile: list[Any] = []
    total = 0
    for item in items:
        pile.append(item)
        total += size(item)
        if total >= limit or len(pile) == ROWS:
            yield pile
            pile, total = [], 0
    if pile:
        yield pile


def label_of(where: str, row: int, labels: Sequence[str], start: int, at: int) -> str:
    """The name of a document in messages."""
    named = f" ({labels[start + at]})" if labels else ""
    return f"document {row + start + at}{named}" + (f" of {where}" if where else "")


@contextmanager
def naming(where: str) -> Iterator[None]:
    """The complaints of Arrow and of the system, with the name of the file."""
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowTypeError, OSError, UnicodeDecodeError) as error:
        if not where:  # what an iterator of the caller raises is the caller's
            raise
        raise DocumentError(
            f"{where} cannot be read: {str(error).strip().rstrip('.')}. Expected a complete, readable file of the "
            "format that its name says: check it, or give format=..."
        ) from error


def record_piece(records: pa.RecordBatch, text: str, keep: Sequence[str]) -> Piece:
    """The piece of a record batch."""
    columns = pa.table({name: records.column(name) for name in keep}) if keep else None
    return Piece(records.column(text), columns)


def sample_of(table: pa.Table) -> dict[str, list[object]]:
    """The first values of every column; texts as bytes, for they may not be valid."""
    texts = (pa.string(), pa.large_string(), pa.string_view())
    columns = table.slice(0, SAMPLE).columns
    columns = [column.cast(pa.large_binary()) if column.type in texts else column for column in columns]
    return {name: column.to_pylist() for name, column in zip(table.column_names, columns, strict=True)}
