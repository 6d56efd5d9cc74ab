"""Columns of Arrow as values of Python, also those that Python lacks: the time 24:00, dates without end, far years."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from problex._util.arrow import pc

SECONDS_PER_DAY = 86_400
UNITS = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
"""Of a second, in the units of times."""
FAR_DAYS = 11_000_000
"""Days from 1970 to the years 32,087 and -28,147. Arrow cannot write years beyond 32,767."""
CYCLE_DAYS = 146_097
"""In 400 years."""


def python_values(column: pa.ChunkedArray) -> list[Any]:
    """The values of a column; times beyond the hours, years or digits of Python are texts, also in lists."""
    if pa.types.is_nested(column.type) and _has_times(column.type):
        return [value for part in column.chunks for value in _nested_values(part)]
    column, odd = without_odd_times(column)
    try:
        if column.type == pa.time64("ns"):
            column = pc.cast(column, pa.time64("us"))  # raises if digits would be lost
        values = column.to_pylist()
    except (ValueError, OverflowError):
        values = pc.cast(column, pa.string()).to_pylist()
    return [odd.get(row, value) for row, value in enumerate(values)] if odd else list(values)


def text_values(column: pa.ChunkedArray) -> list[str | None]:
    """The values of a column as Arrow writes them, with texts for times that it cannot write; raise if it has none."""
    column, odd = without_odd_times(column)
    texts = pc.cast(column, pa.string()).to_pylist()
    return [odd.get(row, text) for row, text in enumerate(texts)] if odd else list(texts)


def without_odd_times(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, dict[int, str]]:
    """A column with null for times that Python or Arrow cannot write, and the rows and texts of these."""
    if pa.types.is_dictionary(column.type) and pa.types.is_temporal(column.type.value_type):
        column = pc.cast(column, column.type.value_type)
    odd = odd_times(column)
    return (without_rows(column, odd), odd) if odd else (column, odd)


def _has_times(kind: pa.DataType) -> bool:
    return bool(pa.types.is_temporal(kind)) or any(map(_has_times, _parts(kind)))


def _parts(kind: pa.DataType) -> Sequence[pa.DataType]:
    """The types of the values in a structure, a map or a list."""
    if pa.types.is_struct(kind):
        return [field.type for field in kind]
    if pa.types.is_map(kind):
        return [kind.key_type, kind.item_type]
    is_part = pa.types.is_nested(kind) or pa.types.is_dictionary(kind)
    return [kind.value_type] if is_part and hasattr(kind, "value_type") else []


def _nested_values(array: pa.Array) -> list[Any]:
    """The values of an array of structures, maps or lists."""
    kind = array.type
    if not len(array) or not _parts(kind):
        return list(array.to_pylist())
    is_there = array.is_valid().to_pylist()
    if pa.types.is_struct(kind):
        names = [field.name for field in kind]
        if len(set(names)) < len(names):
            return list(array.to_pylist())  # which raises: a dictionary would have one of them only
        rows = zip(*map(_array_values, array.flatten()), strict=True)
        return [
            dict(zip(names, row, strict=True)) if valid else None for row, valid in zip(rows, is_there, strict=True)
        ]
    if pa.types.is_map(kind):
        ends = array.offsets.to_pylist()
        parts = (part.slice(ends[0], ends[-1] - ends[0]) for part in (array.keys, array.items))
        pairs = list(zip(*map(_array_values, parts), strict=True))
        places = [slice(start - ends[0], end - ends[0]) for start, end in pairwise(ends)]
        return [pairs[place] if valid else None for place, valid in zip(places, is_there, strict=True)]
    lengths = pc.list_value_length(array).to_pylist()
    values = iter(_array_values(array.flatten()))  # without those of rows that are null
    return [list(islice(values, length)) if valid else None for length, valid in zip(lengths, is_there, strict=True)]


def _array_values(array: pa.Array) -> list[Any]:
    return python_values(pa.chunked_array([array]))


def odd_times(column: pa.ChunkedArray) -> dict[int, str]:
    """Rows with a time that Python and Arrow cannot write, and its text: 24:00, no end, years of over five digits."""
    kind = column.type
    if pa.types.is_time(kind):
        return _late_times(column)
    if not (pa.types.is_date(kind) or (pa.types.is_timestamp(kind) and kind.unit != "ns")):
        return {}  # in nanoseconds the last number is a time of the year 2262, the last one of pandas
    size = np.int32 if pa.types.is_date32(kind) else np.int64
    numbers = pc.cast(column, pa.from_numpy_dtype(size))
    per_day = (
        1 if pa.types.is_date32(kind) else SECONDS_PER_DAY * UNITS["ms" if pa.types.is_date64(kind) else kind.unit]
    )
    ends = pc.min_max(numbers).as_py()
    if ends["min"] is None or (ends["min"] >= -FAR_DAYS * per_day and ends["max"] <= FAR_DAYS * per_day):
        return {}
    rows = ((row, number) for row, number in enumerate(numbers.to_pylist()) if number is not None)
    return {row: _far_text(number, kind, per_day) for row, number in rows if abs(number) > FAR_DAYS * per_day}


def _far_text(number: int, kind: pa.DataType, per_day: int) -> str:
    """A date or time of a far year as Arrow writes others, those with a zone in UTC; the last numbers are without end.

    >>> _far_text(20_000_000, pa.date32(), 1), _far_text(-(10**18), pa.timestamp("us", "UTC"), 86_400_000_000)
    ('56728-02-22', '-29719-04-05 22:13:20.000000Z')
    """
    last = np.iinfo(np.int32 if pa.types.is_date32(kind) else np.int64).max  # as DuckDB has them in Arrow and Parquet
    if abs(number) == last and not pa.types.is_date64(kind):
        return "infinity" if number > 0 else "-infinity"
    days, rest = divmod(number, per_day)
    cycles, day = divmod(days, CYCLE_DAYS)
    near = datetime.date(2000, 1, 1) + datetime.timedelta(day - 10_957)  # the calendar is the same after 400 years
    text = f"{near.year + 400 * cycles}-{near:%m-%d}"
    if not pa.types.is_timestamp(kind):
        return text
    unit = UNITS[kind.unit]
    parts = f".{rest % unit:0{len(str(unit)) - 1}d}" if unit > 1 else ""
    return f"{text} {_clock(rest // unit, 1)}{parts}{'Z' if kind.tz else ''}"


def _late_times(column: pa.ChunkedArray) -> dict[int, str]:
    """Rows with the time 24:00, which databases have, and its text: Python would make it 0:00, and Arrow an error."""
    unit = UNITS[column.type.unit]
    numbers = column.cast(pa.int64() if pa.types.is_time64(column.type) else pa.int32())
    last = pc.max(numbers).as_py()
    if last is None or last < SECONDS_PER_DAY * unit:
        return {}
    rows = enumerate(numbers.to_pylist())
    return {row: _clock(number, unit) for row, number in rows if number and number >= SECONDS_PER_DAY * unit}


def without_rows(column: pa.ChunkedArray, rows: dict[int, str]) -> pa.ChunkedArray:
    """A column with null in some rows."""
    is_left_out = np.zeros(len(column), bool)
    is_left_out[list(rows)] = True
    return pc.if_else(pa.array(is_left_out), pa.scalar(None, column.type), column)


def _clock(number: int, unit: int) -> str:
    """A time of day, counted in parts of a second.

    >>> _clock(86_400_000, 1_000), _clock(86_401_050, 1_000)
    ('24:00:00', '24:00:01.050')
    """
    seconds, parts = divmod(number, unit)
    digits = f".{parts:0{len(str(unit)) - 1}d}" if parts else ""
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{digits}"
