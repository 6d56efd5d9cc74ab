"""Columns of Python values, as workbooks, databases and statistics programs have them, as Arrow columns."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Sequence

import pyarrow as pa

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
