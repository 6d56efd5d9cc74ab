"""Columns: which has the texts, and the types of Python values as Arrow columns."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext

import pyarrow as pa

from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.tables.dialect import TEXT_NAMES
from problex.tables.reader import Reader, file_errors, quote_columns, text_size

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
    """The names of columns that usually have the texts, the likeliest first."""
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
    """Values as an Arrow array of a type that `ColumnType` found."""
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
