"""Arrow arrays and functions, without those parts of pyarrow that take long to import.

The first call of `pyarrow.array` imports pandas, and `pyarrow.compute` makes 300 functions and their documentation.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util._arrow import Function, cast, numbers_of, string_array, take, text_array

if TYPE_CHECKING:
    import pyarrow.compute as pc

__all__ = ["MOST_BYTES", "boolean_array", "number_array", "numbers_of", "pc", "string_array", "text_array"]

MOST_BYTES = 2**31 - 1
"""Of all strings of an array of the type string."""
REGISTERED = {
    "and_": "and",
    "or_": "or",
    **{
        name: name
        for name in (
            "all",
            "and_not",
            "any",
            "binary_join_element_wise",
            "binary_length",
            "drop_null",
            "index_in",
            "indices_nonzero",
            "invert",
            "is_in",
            "is_valid",
            "match_substring",
            "match_substring_regex",
            "split_pattern",
            "starts_with",
            "sum",
        )
    },
}
"""Functions that counting and scoring use, and their names in the registry of Arrow."""


class ArrowFunctions:
    """Stands for `pyarrow.compute`, which is imported for other functions than `REGISTERED`, `cast` and `take`.

    >>> pc.is_in(string_array(["a", "b"]), string_array(["b"])).to_pylist()
    [False, True]
    """

    cast = staticmethod(cast)
    take = staticmethod(take)

    def __getattr__(self, name: str) -> Any:
        found = Function(REGISTERED[name]) if name in REGISTERED else getattr(import_module("pyarrow.compute"), name)
        setattr(self, name, found)  # found at once from now on
        return found


if not TYPE_CHECKING:
    pc = ArrowFunctions()


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
