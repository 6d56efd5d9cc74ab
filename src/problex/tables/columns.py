"""Columns: which has the texts, their types, and what readers of tables in files have in common."""

from __future__ import annotations

import datetime as dt
import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa

from problex._util.formatting import parse_place, pluralize, quote_all
from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.tables.dialect import TEXT_NAMES
from problex.tables.reader import (
    SAMPLE_ROWS,
    Position,
    RawBatch,
    Reader,
    ReadOptions,
    file_errors,
    quote_columns,
    sample_table,
    text_size,
)
from problex.tables.source import Source

MAX_COLUMNS_SAMPLED = 10_000
MIN_MEAN_LENGTH = 20  # of a column that is taken for the texts though its name is none of the usual ones


def choose_text_column(reader: Reader, text: str | None) -> str:
    """The column of a reader with the texts, with a warning if it is a guess."""
    column, guessed = find_text_column(reader, text)
    if guessed and column != "text":
        warn_caller(f"reading texts from column {column!r} (guessed; name it with {opt('text')})", DocumentWarning)
    return column


def find_text_column(reader: Reader, text: str | None) -> tuple[str, bool]:
    """The column of a reader with the texts, and whether it was guessed among several."""
    if text is not None:
        return choose_column(reader.columns, {}, text)
    sample: Mapping[str, Sequence[object]] = {}
    if not _usual_names(reader.columns):
        if len(reader.columns) > MAX_COLUMNS_SAMPLED:
            raise DocumentError(
                f"there are {len(reader.columns):,} columns, too many to find the texts: "
                f"{quote_columns(reader.columns)}. Name the column with {opt('text')}"
            )
        with file_errors(reader.name) if reader.name else nullcontext():
            sample = reader.sample()
    return choose_column(reader.columns, sample)


def choose_column(
    names: Sequence[str], sample: Mapping[str, Sequence[object]], text: str | None = None
) -> tuple[str, bool]:
    """The column with the texts, and whether it was guessed among several.

    >>> choose_column(["id", "Review"], sample={})
    ('Review', True)
    """
    if text is not None and text not in names:
        raise DocumentError(f"there is no column {text!r}; the columns are {quote_columns(names)}. Name one of these.")
    if text is not None or len(names) == 1:
        return text or names[0], False
    usual = _usual_names(names)
    lengths = {name: _mean_length(sample.get(name, ())) for name in names}
    best = usual[0] if usual else max(names, key=lengths.__getitem__)
    if not usual and lengths[best] <= MIN_MEAN_LENGTH:
        raise DocumentError(
            f"the column with the texts could not be guessed; the columns are {quote_columns(names)}; expected a usual "
            f"name such as 'text', or long texts. Name the column with {opt('text')}"
        )
    return best, True


def _usual_names(names: Sequence[str]) -> list[str]:
    """The names of columns that usually have the texts, the likeliest first.

    >>> _usual_names(["Review", "id", "TEXT"])
    ['TEXT', 'Review']
    """
    lower = {str(name).lower(): name for name in reversed(names)}
    return [lower[name] for name in TEXT_NAMES if name in lower]


def _mean_length(values: Sequence[object]) -> float:
    present = [value for value in values if value is not None]
    return sum(map(text_size, present)) / len(present) if present else 0.0


MAX_EXACT = 1 << 53  # a float cannot hold every larger integer
MIDNIGHT = dt.time()


class ColumnType:
    """The Arrow type of a column, from its values; string if they are of several kinds.

    >>> kind = ColumnType()
    >>> kind.add([1.0, None, 2]); kind.type
    DataType(int64)
    >>> kind.add([2.5]); kind.type
    DataType(double)
    """

    def __init__(self) -> None:
        self._kinds: set[str] = set()

    def add(self, values: Iterable[object]) -> None:
        """Take more values into account."""
        self._kinds |= {_kind(value) for value in values if value is not None}

    @property
    def type(self) -> pa.DataType:
        """The type so far."""
        kinds = self._kinds
        for names, kind in (
            (set(), pa.null()),
            ({"bool"}, pa.bool_()),
            ({"int"}, pa.int64()),
            ({"int", "float"}, pa.float64()),
            ({"date"}, pa.date32()),
            ({"date", "datetime"}, pa.timestamp("us")),
            ({"bytes"}, pa.binary()),
        ):
            if kinds <= names:
                return kind if kinds else pa.string()
        return pa.string()


def _kind(value: object) -> str:
    """The kind of a value; a float without a fraction is an integer, and a time at midnight a date.

    >>> [_kind(value) for value in (True, 2.0, 1 << 63, dt.datetime(2024, 1, 2), dt.datetime(2024, 1, 2, 3))]
    ['bool', 'int', 'text', 'date', 'datetime']
    """
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if -(1 << 63) <= value < 1 << 63 else "text"
    if isinstance(value, float):
        return "int" if value.is_integer() and abs(value) < MAX_EXACT else "float"
    if isinstance(value, dt.datetime):
        if value.tzinfo is not None:
            return "text"
        return "date" if value.time() == MIDNIGHT else "datetime"
    if isinstance(value, dt.date):
        return "date"
    return "bytes" if isinstance(value, bytes) else "text"


def as_text(value: object) -> str | bytes | None:
    """A value as a person would type it.

    >>> as_text(3.0), as_text(True), as_text(dt.datetime(2004, 12, 24)), as_text(None)
    ('3', 'true', '2004-12-24', None)
    """
    if value is None or isinstance(value, str | bytes):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and math.isfinite(value) and value.is_integer() and abs(value) < MAX_EXACT:
        return str(int(value))
    if isinstance(value, dt.datetime) and value.time() == MIDNIGHT and value.tzinfo is None:
        return value.date().isoformat()
    return str(value)


def to_array(values: Sequence[object], kind: pa.DataType) -> pa.Array:
    r"""Values as an Arrow array of a type that `ColumnType` found.

    >>> to_array([1.0, None, 2], pa.int64()).to_pylist(), to_array([True, b"\xff"], pa.string()).to_pylist()
    ([1, None, 2], ['true', '\ufffd'])
    """
    if kind == pa.string():
        return pa.array([_clean(as_text(value)) for value in values], kind)
    if kind == pa.int64():
        values = [None if value is None else int(value) for value in values]  # type: ignore[call-overload]
    elif kind == pa.date32():
        values = [value.date() if isinstance(value, dt.datetime) else value for value in values]
    elif kind == pa.timestamp("us"):
        values = [_at_midnight(value) for value in values]
    return pa.array(values, kind)


def _clean(text: str | bytes | None) -> str | None:
    """Valid text of a kept column: bytes that are not UTF-8 are replaced."""
    if text is None:
        return None
    data = text.encode(errors="surrogateescape") if isinstance(text, str) else text
    return data.decode(errors="replace")


def _at_midnight(value: object) -> object:
    is_day = isinstance(value, dt.date) and not isinstance(value, dt.datetime)
    return dt.datetime.combine(value, MIDNIGHT) if is_day else value  # type: ignore[arg-type]


MAX_LISTED = 20  # sheets in a message
Chunk = Mapping[str, list[object]]
"""Some consecutive rows: the values of each column."""


class TableFileReader(Reader):
    """A table in a file; a position is the number of rows read.

    `rows` is the number of rows if it is known without reading them, for the progress.
    """

    rows: int = 0

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.name, self.size = source.name, source.size
        self._source, self._options = source, options
        self._path = source.path or Path()

    def _bytes_read(self, rows: int) -> int:
        return self.size * min(rows, self.rows) // self.rows if self.rows else 0


class RecordReader(TableFileReader):
    """A table that is read as Arrow records."""

    @abstractmethod
    def records(self, names: Sequence[str], skip: int) -> Iterator[pa.RecordBatch]:
        """Columns, from row `skip`; in the same parts wherever reading starts."""

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column."""
        first = list(islice(self.records(list(dict.fromkeys(self.columns)), 0), 1))
        return sample_table(pa.Table.from_batches(first)) if first else {}

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The chosen columns."""
        rows = start[0] if start else 0
        for records in self.records(list(dict.fromkeys([text, *keep])), rows):
            rows += records.num_rows
            raw = RawBatch.from_records(records, text, keep)
            yield replace(raw, position=(rows,), bytes_read=self._bytes_read(rows))
        self._source.check_unchanged(may_grow=False)


class ValueReader(TableFileReader):
    """A table of Python values without fixed types: the types of kept columns come from all of their values.

    Numbers and dates among the texts are read as a person would type them, but a column without any text is refused.
    """

    types_of: Mapping[str, pa.DataType] = MappingProxyType({})

    @abstractmethod
    def chunks(self, names: Sequence[str], skip: int) -> Iterator[Chunk]:
        """Columns, from row `skip`; in the same parts wherever reading starts."""

    def types(self, names: Sequence[str]) -> dict[str, pa.DataType]:
        """The types of columns, by reading all their values once."""
        unknown = [name for name in names if name not in self.types_of]
        kinds = {name: ColumnType() for name in unknown}
        for chunk in self.chunks(unknown, 0) if unknown else ():
            for name, kind in kinds.items():
                kind.add(chunk[name])
        self.types_of = MappingProxyType({**self.types_of, **{name: kind.type for name, kind in kinds.items()}})
        return {name: self.types_of[name] for name in names}

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column."""
        chunk = next(self.chunks(list(dict.fromkeys(self.columns)), 0), {})
        return {name: values[:SAMPLE_ROWS] for name, values in chunk.items()}

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The chosen columns."""
        rows, types, converted = start[0] if start else 0, self.types(keep), 0
        for chunk in self.chunks(list(dict.fromkeys([text, *keep])), rows):
            values = chunk[text]
            if not rows and not any(isinstance(value, str | bytes) for value in values):
                types |= self.types([text])  # if it has no text at all, its values are refused
            rows += len(values)
            texts = values if types.get(text, pa.string()) != pa.string() else list(map(as_text, values))
            converted += sum(a is not b for a, b in zip(values, texts, strict=True))
            columns = pa.table({name: to_array(chunk[name], types[name]) for name in keep}) if keep else None
            yield RawBatch(texts, columns, position=(rows,), bytes_read=self._bytes_read(rows))
        if converted:
            message = f"{pluralize(converted, 'cell')} of column {text!r} of {self.name} with a number or date"
            warn_caller(f"{message}: read as text", DocumentWarning)
        self._source.check_unchanged(may_grow=False)


def choose_table(
    tables: Mapping[str, Callable[[], Reader]], options: ReadOptions, name: str, noun: str, hidden: Sequence[str] = ()
) -> Reader:
    """The sheet or table of a file that `sheet` names, or the only one that has texts.

    `noun` is what the file calls its tables; those that are `hidden` are read only if they are named.
    """
    if options.sheet is not None:
        return tables[_named_table(list(tables), options.sheet, name, noun)]()
    readers = {title: open_table() for title, open_table in tables.items() if title not in hidden}
    readers = {title: reader for title, reader in readers.items() if reader.columns}
    if not readers:
        among = f"; hidden: {quote_all(hidden)}" if hidden else ""
        raise DocumentError(f"{name} has no {noun} with rows{among}. Check the file.")
    fitting = [title for title, reader in readers.items() if len(readers) == 1 or _has_texts(reader, options.text)]
    if len(fitting) == 1:
        if len(tables) > 1:
            warn_caller(
                f"reading the {noun} {fitting[0]!r} of {name}, the only one of {len(tables)} with texts (choose one "
                f"with {opt('sheet')})",
                DocumentWarning,
            )
        return readers[fitting[0]]
    listed = [f"{title!r} ({quote_columns(reader.columns)})" for title, reader in readers.items()]
    more = f" and {len(listed) - MAX_LISTED} more" if len(listed) > MAX_LISTED else ""
    found = "several of them have texts" if fitting else "none of them has a column that looks like texts"
    raise DocumentError(
        f"{name} has {pluralize(len(readers), noun)}, and {found}: {'; '.join(listed[:MAX_LISTED])}{more}. "
        f"Choose one with {opt('sheet')}"
    )


def _named_table(titles: Sequence[str], sheet: str | int, name: str, noun: str) -> str:
    """The title that a name or a number from 1 means; names come first.

    >>> _named_table(["May", "1", "June"], 1, "x.xlsx", "sheet"), _named_table(["May", "June"], "2", "x.xlsx", "sheet")
    ('1', 'June')
    """
    if str(sheet) in titles:
        return str(sheet)
    if 1 <= (place := parse_place(str(sheet))) <= len(titles):
        return titles[place - 1]
    raise DocumentError(
        f"there is no {noun} {sheet!r} in {name}; it has {quote_columns(titles)}. Name one of these, or give its "
        "number from 1."
    )


def _has_texts(reader: Reader, text: str | None) -> bool:
    try:
        return bool(find_text_column(reader, text)[0])
    except DocumentError:
        return False
