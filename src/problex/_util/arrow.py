"""Arrow arrays of strings and of numbers, without `pyarrow.array`, whose first call imports pandas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util._arrow import numbers_of, string_array

__all__ = ["MOST_BYTES", "boolean_array", "number_array", "numbers_of", "string_array"]

MOST_BYTES = 2**31 - 1
"""Of all strings of an array of the type string."""


def number_array(values: NDArray[Any]) -> pa.Array:
    """An array of integers or floats, which uses the memory of a NumPy array where it can.

    >>> number_array(np.array([1.5, 2.5])).type, number_array(np.arange(6)[::2]).to_pylist()
    (DataType(double), [0, 2, 4])
    """
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def boolean_array(values: NDArray[np.bool_]) -> pa.Array:
    """An array of booleans.

    >>> boolean_array(np.array([True, False, True])).to_pylist()
    [True, False, True]
    """
    bits = np.packbits(values, bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(bits)])
