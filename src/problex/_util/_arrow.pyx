# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Python strings as an array of Arrow, and its numbers as one of NumPy, without calls that import pandas."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t

import numpy as np
import pyarrow as pa

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_GetLength(object) except -1


def string_array(values, int64_t most=INT32_MAX):
    """An array of strings; a large one, with offsets of 64 bits, if it has more than `most` bytes.

    >>> string_array(["añb", "", "c"]).to_pylist()
    ['añb', '', 'c']
    """
    cdef list parts = list(values)
    text = "".join(parts)
    cdef Py_ssize_t at, size = len(parts)
    cdef bint plain = text.isascii()
    if not plain:
        parts = [value.encode() for value in parts]
    cdef int64_t end = 0
    data = text.encode()
    wide = len(data) > most
    offsets = np.zeros(size + 1, np.int64 if wide else np.int32)
    cdef int64_t[::1] wide_ends = offsets if wide else None
    cdef int32_t[::1] ends = None if wide else offsets
    for at in range(size):
        end += PyUnicode_GetLength(parts[at]) if plain else len(<bytes>parts[at])
        if wide:
            wide_ends[at + 1] = end
        else:
            ends[at + 1] = <int32_t>end
    kind = pa.large_string() if wide else pa.string()
    return pa.Array.from_buffers(kind, size, [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def numbers_of(array):
    """Integers or floats of an array without nulls, as they are in its memory: `to_numpy` imports pandas, too.

    >>> numbers_of(pa.array(range(5)).slice(3)).tolist()
    [3, 4]
    """
    kind = array.type.to_pandas_dtype()
    return np.frombuffer(array.buffers()[1], kind, len(array), array.offset * np.dtype(kind).itemsize)
