"""Columns of Arrow as values of Python, also those that Python lacks: the time 24:00, dates without end, far years."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from problex._util.arrow import number_array, pc

SECONDS_PER_DAY = 86_400
UNITS = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
"""Of a second, in the units of times."""


def python_values(column: pa.ChunkedArray) -> list[Any]:
    """The values of a column; times beyond the hours, years or digits of Python are texts, also in lists."""
    if pa.types.is_nested(column.type) and _has_times(column.type):
        return [value for part in column.chunks for value in _nested_values(part)]
    odd = odd_times(column)
    if odd:
        column = without_rows(column, odd)
    try:
        if column.type == pa.time64("ns"):
            column = pc.cast(column, pa.time64("us"))  # raises if digits would be lost
        values = column.to_pylist()
    except (ValueError, OverflowError):
        values = pc.cast(column, pa.string()).to_pylist()
    return [odd.get(row, value) for row, value in enumerate(values)] if odd else list(values)


def _has_times(kind: pa.DataType) -> bool:
    return bool(pa.types.is_temporal(kind)) or any(map(_has_times, _parts(kind)))


def _parts(kind: pa.DataType) -> Sequence[pa.DataType]:
    """The types of the values in a structure, a map or a list."""
    if pa.types.is_struct(kind):
        return [field.type for field in kind]
    if pa.types.is_map(kind):
        return [kind.key_type, kind.item_type]
    return [kind.value_type] if pa.types.is_nested(kind) and hasattr(kind, "value_type") else []


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
    """Rows with a time that databases have and Python lacks, and its text: 24:00, and dates and times without end."""
    kind = column.type
    if pa.types.is_time(kind):
        return _late_times(column)
    if not (pa.types.is_date32(kind) or (pa.types.is_timestamp(kind) and kind.unit != "ns")):
        return {}  # in nanoseconds the last number is a time of the year 2262, the last one of pandas
    size = np.int32 if pa.types.is_date32(kind) else np.int64
    numbers = pc.cast(column, pa.from_numpy_dtype(size))
    last = np.iinfo(size).max  # as DuckDB has them in Arrow and Parquet
    if not pc.any(pc.is_in(numbers, number_array(np.array([last, -last], size)))).as_py():
        return {}
    texts = {last: "infinity", -last: "-infinity"}
    return {row: texts[number] for row, number in enumerate(numbers.to_pylist()) if number in texts}


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
