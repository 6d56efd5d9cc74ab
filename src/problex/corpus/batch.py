"""Batches of documents: texts from a reader are checked and divided by size."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypedDict

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrow import numbers_of, pc, text_array
from problex._util.formatting import quote_all
from problex._util.memory import DEFAULT_MEMORY, format_size
from problex.corpus.detection import encoding_advice, encoding_named, parse_delimiter
from problex.corpus.losses import Losses
from problex.errors import DocumentError

MAX_ROWS = 1 << 16  # documents in a batch
MAX_ROW_BYTES = 1 << 30  # Arrow counts the bytes of a block in 32 bits
CHOICES = {"missing": ("error", "empty"), "on_error": ("stop", "skip", "replace")}
TEXT_TYPES = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())
Label = Callable[[int], str]
Position = tuple[int, ...]
"""Where reading can continue: the number of the next document, then numbers that the reader of the format defines."""


class Reading(TypedDict, total=False):
    """The options of reading that `batches`, `count`, `score` and others pass on: see `ReadOptions`."""

    missing: str
    on_error: str
    format: str | None
    sheet: str | int | None
    query: str | None
    encoding: str | None
    delimiter: str | None
    header: bool | None


@dataclass(frozen=True)
class ReadOptions:
    """How texts are read.

    `missing` is what a null becomes: an `error` or an `empty` text. `on_error` is what is done with a text or row that
    cannot be read: `stop`, `skip` it, or `replace` the bytes that are not UTF-8. `format` is the name of a format in
    `FORMATS`; None is the one of the file's suffix. `sheet` is the sheet of a workbook, the table of a database or the
    object of an R file: its name, or its number from 1. `query` is the SQL query whose rows are read, where the file
    is called `texts` unless it is a database. `encoding` is that of text files; `delimiter` (a sign, `comma`,
    `semicolon`, `tab` or `pipe`) and `header` (whether there is one) are those of tables in text. None is what the
    first bytes of each file look like. A batch has about `batch_bytes` bytes; `text` is the column of the texts.
    With `hint_markup`, a warning says if texts of a file have HTML tags.
    A text, line or row of a file may take a quarter of `memory`, because it is copied while it is read.
    """

    missing: str = "error"
    on_error: str = "stop"
    batch_bytes: int = 8 << 20
    memory: int = DEFAULT_MEMORY
    format: str | None = None
    sheet: str | int | None = None
    query: str | None = None
    text: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    hint_markup: bool = False

    def key(self) -> dict[str, object]:
        """The options on which the texts depend, by name; without `sheet` and `query` if they are not given."""
        values = {name: getattr(self, name) for name in Reading.__annotations__}
        return {name: value for name, value in values.items() if value is not None or name not in ("sheet", "query")}

    @property
    def max_row_bytes(self) -> int:
        """The bytes that a text, line or row may have."""
        return min(self.memory // 4, MAX_ROW_BYTES)

    def too_large(self, what: str, hint: str = "") -> DocumentError:
        """The error about a row or text that is larger than `max_row_bytes`."""
        return DocumentError(
            f"{what} of over {format_size(self.max_row_bytes)}; expected at most a quarter of memory="
            f"{format_size(self.memory)}. {hint}Correct the file, or give more with memory=..."
        )

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise DocumentError(f"{name}={value!r} was given; expected one of {quote_all(choices)}.")
        if self.encoding is not None:
            encoding_named(self.encoding)
        if self.delimiter is not None:
            parse_delimiter(self.delimiter)
        if self.batch_bytes < 1:
            raise DocumentError(f"batch_bytes is {self.batch_bytes}; expected a positive number of bytes.")


@dataclass(frozen=True)
class RawBatch:
    """Unchecked documents from a reader: `values` is an Arrow array, or a list or tuple of anything.

    `columns` are the kept ones, `invalid` counts rows that could not be read, `left_out` those of them that are not
    among the values. `labels` name each document in messages, `encoding` is that of a file of text, and `describe`
    says how the file was understood.
    `position` is where the reader can continue, `bytes_read` how many bytes of the source were read so far. Among
    several files, `file` is the one that the documents are in, and `file_row` the number of the first of them there.
    """

    values: Any
    columns: pa.Table | None = None
    invalid: int = 0
    labels: Sequence[str] = ()
    position: Position = ()
    bytes_read: int = 0
    file: str = ""
    file_row: int = 0
    left_out: int = 0
    encoding: str = ""
    describe: Callable[[], str] = str

    @classmethod
    def from_records(cls, records: pa.RecordBatch, text: str, keep: Sequence[str]) -> RawBatch:
        """The text column of a record batch, and the columns to keep."""
        columns = pa.table({name: records.column(name) for name in keep}) if keep else None
        return cls(records.column(text), columns)

    def label(self, name: str, row: int, start: int, at: int) -> str:
        """The name of document `start + at` in messages, if the first has the number `row` of the source `name`.

        >>> RawBatch(["a", "b", "c"]).label("x.csv", row=10, start=1, at=1)
        'document 12 of x.csv'
        """
        name, row = (self.file, self.file_row) if self.file else (name, row)
        own_name = f" ({self.labels[start + at]})" if self.labels else ""
        return f"document {row + start + at}{own_name}{f' of {name}' if name else ''}"


@dataclass(frozen=True)
class Batch:
    """Some consecutive documents: `texts` is a string or large_string array without nulls (they became "").

    `first_row` is the 0-based number of the first; `missing` counts documents that were null, and `invalid` those that
    were skipped (they became "") or repaired; `columns` are the kept ones. A CSV row with too many or too few cells
    is left out and counted in `invalid`; the last batch may have nothing but that count.
    `position` is where reading can continue after the batch, if it can; `bytes_read` is how many bytes of the source
    were read so far, of `bytes_total` where that is known.
    """

    texts: pa.Array
    first_row: int
    missing: int = 0
    invalid: int = 0
    columns: pa.Table | None = None
    position: Position = ()
    bytes_read: int = 0
    bytes_total: int = 0


def make_batches(
    raw_batches: Iterable[RawBatch],
    options: ReadOptions,
    name: str = "",
    row: int = 0,
    bytes_total: int = 0,
    losses: Losses | None = None,
) -> Iterator[Batch]:
    """Check texts and divide them into batches; the first document has the number `row` of the source `name`.

    With `losses`, rows that cannot be read are counted, and raise if they are too many.
    """
    for raw in raw_batches:
        values, invalid, left_out = raw.values, raw.invalid, raw.left_out
        if isinstance(values, pa.Array) and values.type not in TEXT_TYPES:
            values = _to_text(values, partial(raw.label, name, row, 0))
        if losses is not None:
            losses.begin(raw.file or name, raw.describe, is_new_file=bool(raw.file) and not raw.file_row)
        for start, stop in _batch_bounds(values, options.batch_bytes, at_least_one=invalid > 0):
            label = partial(raw.label, name, row, start)
            part = values if stop - start == len(values) else values[start:stop]
            texts, missing, repaired = check_texts(part, label, options, raw.encoding)
            columns = None if raw.columns is None else raw.columns.slice(start, stop - start)
            invalid += repaired
            if losses is not None:
                losses.add(stop - start + left_out, invalid)
            counts = () if losses is None else (losses.invalid, losses.rows)
            position = (row + stop, *counts, *raw.position) if stop == len(values) and raw.position else ()
            yield Batch(texts, row + start, missing, invalid, columns, position, raw.bytes_read, bytes_total)
            invalid = left_out = 0
        row += len(values)
    if losses is not None:
        losses.check_end()


def _batch_bounds(values: Any, limit: int, *, at_least_one: bool) -> Iterator[tuple[int, int]]:
    """Bounds of runs of at most `limit` bytes (for str: characters), each of at least one document.

    With `at_least_one`, no values have the bounds of an empty batch.

    >>> list(_batch_bounds(["abc", "de", "fghijk", "l"], 5, at_least_one=False))
    [(0, 2), (2, 3), (3, 4)]
    """
    if len(values) == 1 or (at_least_one and not len(values)):
        yield 0, len(values)
        return
    for first in range(0, len(values), MAX_ROWS):
        part = values[first : first + MAX_ROWS]
        if isinstance(part, pa.Array):
            sizes = _bytes_of_texts(part)
        else:
            try:
                sizes = np.fromiter(map(len, part), np.int64, len(part))
            except TypeError:  # a value that is no text
                sizes = np.fromiter(map(text_size, part), np.int64, len(part))
        ends, start = sizes.cumsum(), 0
        if ends[-1] <= limit:
            yield first, first + len(sizes)
            continue
        while start < len(sizes):
            stop = max(start + 1, int(ends.searchsorted(ends[start] - sizes[start] + limit, "right")))
            yield first + start, first + stop
            start = stop


def _bytes_of_texts(texts: pa.Array) -> NDArray[np.int64]:
    """The length of each text; 0 if it is null."""
    lengths = pc.binary_length(texts)
    return numbers_of(lengths.fill_null(0) if lengths.null_count else lengths).astype(np.int64)


def text_size(value: object) -> int:
    """Bytes or characters; 0 for a value that is not a text."""
    return len(value) if isinstance(value, str | bytes) else 0


def check_texts(values: Any, label: Label, options: ReadOptions, encoding: str = "") -> tuple[pa.Array, int, int]:
    """Valid texts, how many were missing, and how many invalid; one by one only if the whole is not valid.

    >>> check_texts(["a", None, b"b"], str, ReadOptions(missing="empty"))[0].to_pylist()
    ['a', '', 'b']
    """
    is_array, invalid = isinstance(values, pa.Array), 0
    kind = pa.string() if is_array and values.type in (pa.string(), pa.binary()) else pa.large_string()
    try:
        if is_array:
            values.validate(full=True)
            texts = pc.cast(values, kind)
        else:
            texts = text_array(values)
            texts = pa.array(values, kind, from_pandas=True) if texts is None else texts
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError):
        values = values.cast(pa.large_binary()).to_pylist() if is_array else values
        repaired = [_repair(value, partial(label, at), options.on_error, encoding) for at, value in enumerate(values)]
        texts, invalid = pa.array([text for text, _ in repaired], kind), sum(changed for _, changed in repaired)
    if not texts.null_count:
        return texts, 0, invalid
    if options.missing == "error":
        raise DocumentError(
            f"{label(pc.index(texts.is_null(), True).as_py())} is missing (None, NaN or null); expected a text. "
            'Drop it, or let it count as an empty text with missing="empty".'
        )
    return texts.fill_null("") if texts.null_count else texts, texts.null_count, invalid


def _repair(value: Any, label: Callable[[], str], on_error: str, encoding: str) -> tuple[str | None, bool]:
    """One value as valid text or None, and whether it had to be changed."""
    value = value.as_py() if isinstance(value, pa.Scalar) else value
    if _is_missing(value):
        return None, False
    if not isinstance(value, str | bytes | bytearray | memoryview):
        raise DocumentError(
            f"{label()} is of type {type(value).__name__} ({reprlib.repr(value)}); expected a text (str). "
            "Drop it, or turn it into a text."
        )
    raw = raw_bytes(value)
    try:
        return raw.decode(), False
    except UnicodeDecodeError as error:
        if on_error == "stop":
            raise DocumentError(f"{label()} is not valid {encoding_advice(raw, error.start, encoding)}") from None
        return "" if on_error == "skip" else raw.decode(errors="replace"), True


def raw_bytes(value: Any) -> bytes:
    """The bytes of a text; undecodable bytes that were escaped as surrogates are restored."""
    if not isinstance(value, str):
        return bytes(value)
    try:
        return value.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return value.encode(errors="surrogatepass")


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas.NA and arrays have no truth value
        return type(value).__name__ == "NAType"


def _to_text(array: pa.Array, label: Label) -> pa.Array:
    """An Arrow array of any type that can hold texts as one of `TEXT_TYPES`."""
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if array.type in TEXT_TYPES:
        return array
    if array.type in (pa.string_view(), pa.binary_view()):
        return array.cast(pa.large_binary())
    if array.null_count == len(array):
        return pa.nulls(len(array), pa.string())
    at = pc.index(array.is_valid(), True).as_py()
    try:
        shown = f" ({reprlib.repr(array[at].as_py())})"
    except (ValueError, OverflowError):  # a date beyond Python's
        shown = ""
    raise DocumentError(f"{label(at)} is of type {array.type}{shown}; expected a text. Choose a column of texts.")
