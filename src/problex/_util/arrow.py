"""Arrow arrays of Python strings and of numbers, without `pyarrow.array`, whose first call imports pandas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

MOST_BYTES = 2**31 - 1
"""Of all strings of an array of the type string."""


def string_array(values: Sequence[str]) -> pa.Array:
    """An array of strings.

    >>> string_array(["añb", "", "c"]).to_pylist()
    ['añb', '', 'c']
    """
    text = "".join(values)
    lengths = map(len, values if text.isascii() else map(str.encode, values))
    ends = np.zeros(len(values) + 1, np.int64)
    np.cumsum(np.fromiter(lengths, np.int64, len(values)), out=ends[1:])
    kind, offsets = (pa.string(), ends.astype(np.int32)) if ends[-1] <= MOST_BYTES else (pa.large_string(), ends)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(offsets), pa.py_buffer(text.encode())])


def number_array(values: NDArray[Any]) -> pa.Array:
    """An array of integers or floats, which uses the memory of a NumPy array where it can.

    >>> number_array(np.array([1.5, 2.5])).type, number_array(np.arange(6)[::2]).to_pylist()
    (DataType(double), [0, 2, 4])
    """
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def numbers_of(array: pa.Array) -> NDArray[Any]:
    """Integers or floats of an array without nulls, as they are in its memory: `to_numpy` imports pandas, too.

    >>> numbers_of(number_array(np.arange(5)).slice(3)).tolist()
    [3, 4]
    """
    kind = array.type.to_pandas_dtype()
    return np.frombuffer(array.buffers()[1], kind, len(array), array.offset * np.dtype(kind).itemsize)


def boolean_array(values: NDArray[np.bool_]) -> pa.Array:
    """An array of booleans.

    >>> boolean_array(np.array([True, False, True])).to_pylist()
    [True, False, True]
    """
    bits = np.packbits(values, bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(bits)])
