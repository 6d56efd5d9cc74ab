"""What every reader of documents has, and helpers of readers."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import pyarrow as pa

from problex._util.formatting import quote_all
from problex.corpus.batch import MAX_ROWS, TEXT_TYPES, Position, RawBatch, text_size
from problex.errors import DocumentError

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
    """The first values of every column that can have texts; texts as bytes, because they may not be valid.

    Other values are not needed, and not all have a type in Python: a timestamp may be beyond its last year.
    """
    texts = (pa.string(), pa.large_string(), pa.string_view())
    columns = {}
    for name, column in zip(table.column_names, table.slice(0, SAMPLE_ROWS).columns, strict=True):
        if is_text_type(column.type):
            columns[name] = (column.cast(pa.large_binary()) if column.type in texts else column).to_pylist()
    return columns


def is_text_type(kind: pa.DataType) -> bool:
    """Whether the values of an Arrow type can be texts."""
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
            "format of its suffix: check it, or give format=..."
        ) from error
