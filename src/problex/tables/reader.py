"""What readers of tables have in common: options, raw batches, checked texts, and helpers."""

from __future__ import annotations

import lzma
import reprlib
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypedDict

import pyarrow as pa

from problex._util.arrow import pc, text_array
from problex._util.formatting import quote_all
from problex._util.memory import DEFAULT_MEMORY, format_size
from problex.errors import DocumentError, opt, was_given
from problex.tables.dialect import parse_delimiter
from problex.tables.encoding import encoding_advice, encoding_named

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
        """The options on which the texts depend, by name; without `sheet` and `query` if they are not given.

        >>> sorted(ReadOptions(sheet="May").key())
        ['delimiter', 'encoding', 'format', 'header', 'missing', 'on_error', 'sheet']
        """
        values = {name: getattr(self, name) for name in Reading.__annotations__}
        return {name: value for name, value in values.items() if value is not None or name not in ("sheet", "query")}

    @property
    def max_row_bytes(self) -> int:
        """The bytes that a text, line or row may have.

        >>> [ReadOptions(memory=size << 30).max_row_bytes >> 20 for size in (1, 100)]
        [256, 1024]
        """
        return min(self.memory // 4, MAX_ROW_BYTES)

    def too_large(self, what: str, hint: str = "") -> DocumentError:
        """The error about a row or text that is larger than `max_row_bytes`."""
        return DocumentError(
            f"{what} of over {format_size(self.max_row_bytes)}; expected at most a quarter of "
            f"{opt('memory', format_size(self.memory))}. {hint}Correct the file, or give more with {opt('memory')}"
        )

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise DocumentError(f"{was_given(name, value)}; expected one of {quote_all(choices)}.")
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
    r"""One value as valid text or None, and whether it had to be changed.

    >>> _repair(b"caf\xe9", lambda: "row 1", "replace", ""), _repair(float("nan"), lambda: "row 1", "stop", "")
    (('caf�', True), (None, False))
    >>> _repair(5, lambda: "row 1", "replace", "")
    Traceback (most recent call last):
    problex.errors.DocumentError: row 1 is of type int (5); expected a text (str). ...
    """
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
    r"""The bytes of a text; undecodable bytes that were escaped as surrogates are restored.

    >>> raw_bytes("é"), raw_bytes("\udcff"), raw_bytes(memoryview(b"a"))
    (b'\xc3\xa9', b'\xff', b'a')
    """
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


SAMPLE_ROWS = 100  # rows from which the text column is guessed
MAX_COLUMNS_SHOWN = 20
FILE_ERRORS = (
    pa.ArrowException,
    OSError,
    UnicodeDecodeError,
    EOFError,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
)


class Reader(Protocol):
    """Documents of one source, in raw batches.

    `columns` are the names of its columns, none for plain text; `name` is its name in messages, empty for what the
    caller holds in memory; `size` is its bytes on disk, 0 if unknown. With `optional_columns`, a row need not have
    all columns. `note` says what is unusual about the file, and how it was understood. Creating a reader reads only
    what these need.
    """

    columns: Sequence[str] = ()
    name: str = ""
    size: int = 0
    optional_columns: bool = False
    note: str = ""

    def types(self, names: Sequence[str]) -> dict[str, pa.DataType]:
        """The Arrow types that columns have when they are kept."""
        return dict.fromkeys(names, pa.string())

    def sample(self) -> Mapping[str, Sequence[object]]:
        """The first values of every column."""
        return {}

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The texts of column `text` and the columns to keep; from `start`, the `position` of a raw batch, if given.

        A stream can be read once.
        """


def quote_columns(names: Sequence[str]) -> str:
    """Names of columns in a message, the first ones if there are many.

    >>> quote_columns(["id", "text"]), quote_columns(["id"] * 1000)[-23:]
    ("'id', 'text'", "'id', 'id' and 980 more")
    """
    more = f" and {len(names) - MAX_COLUMNS_SHOWN:,} more" if len(names) > MAX_COLUMNS_SHOWN else ""
    return quote_all(str(name)[:100] for name in names[:MAX_COLUMNS_SHOWN]) + more


def sample_table(table: pa.Table) -> dict[str, list[object]]:
    r"""The first values of every column that can have texts; texts as bytes, because they may not be valid.

    Other values are not needed, and not all have a type in Python: a timestamp may be beyond its last year.

    >>> sample_table(pa.table({"text": ["é"], "stars": [1]}))
    {'text': [b'\xc3\xa9']}
    """
    texts = (pa.string(), pa.large_string(), pa.string_view())
    columns = {}
    for name, column in zip(table.column_names, table.slice(0, SAMPLE_ROWS).columns, strict=True):
        if is_text_type(column.type):
            columns[name] = (column.cast(pa.large_binary()) if column.type in texts else column).to_pylist()
    return columns


def is_text_type(kind: pa.DataType) -> bool:
    """Whether the values of an Arrow type can be texts.

    >>> is_text_type(pa.dictionary(pa.int32(), pa.string())), is_text_type(pa.int64())
    (True, False)
    """
    while pa.types.is_dictionary(kind):
        kind = kind.value_type
    return kind in (*TEXT_TYPES, pa.string_view(), pa.binary_view())


def group_by_size(items: Iterable[Any], limit: int, size: Callable[[Any], int] = text_size) -> Iterator[list[Any]]:
    """Lists of consecutive items, each ended by the item that brings it to `limit` bytes.

    >>> list(group_by_size(["abc", "de", "f"], 5))
    [['abc', 'de'], ['f']]
    """
    group: list[Any] = []
    total = 0
    for item in items:
        group.append(item)
        total += size(item)
        if total >= limit or len(group) == MAX_ROWS:
            yield group
            group, total = [], 0
    if group:
        yield group


@contextmanager
def file_errors(name: str) -> Iterator[None]:
    """Errors of Arrow and of the operating system become a `DocumentError` that names the file."""
    try:
        yield
    except FILE_ERRORS as error:
        if isinstance(error, MemoryError):
            raise
        raise DocumentError(
            f"{name} cannot be read: {str(error).strip().rstrip('.')}. Expected a complete, readable file of the "
            f"format of its suffix: check it, or give {opt('format')}"
        ) from error
