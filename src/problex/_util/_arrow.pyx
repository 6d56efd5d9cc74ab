# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Python strings as an array of Arrow, its numbers as one of NumPy, and its functions, without slow imports."""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from libc.stdint cimport INT32_MAX, int32_t, int64_t
from libc.string cimport memcpy

from importlib import import_module

import numpy as np
import pyarrow as pa

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_GetLength(object) except -1
    const char *PyUnicode_AsUTF8AndSize(object, Py_ssize_t *) except NULL

LARGE_STRING = pa.large_string()


def string_array(values, int64_t most=INT32_MAX):
    """An array of strings; a large one, with offsets of 64 bits, if it has more than `most` bytes.

    >>> string_array(["añb", "", "c"]).to_pylist()
    ['añb', '', 'c']
    """
    parts = values if isinstance(values, (list, tuple)) else list(values)
    text = "".join(parts)
    cdef Py_ssize_t at = 0, size = len(parts)
    cdef bint plain = text.isascii()
    if not plain:
        parts = [value.encode() for value in parts]
    cdef int64_t end = 0
    data = text.encode()
    wide = len(data) > most
    offsets = np.zeros(size + 1, np.int64 if wide else np.int32)
    cdef int64_t[::1] wide_ends = offsets if wide else None
    cdef int32_t[::1] ends = None if wide else offsets
    for part in parts:
        end += PyUnicode_GetLength(part) if plain else len(<bytes>part)
        at += 1
        if wide:
            wide_ends[at] = end
        else:
            ends[at] = <int32_t>end
    kind = pa.large_string() if wide else pa.string()
    return pa.Array.from_buffers(kind, size, [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def text_array(values):
    """Texts as a large array of strings; None if one of them is not a str, or is not valid.

    >>> text_array(["añb", "", "c"]).to_pylist(), text_array(["a", None]), text_array([chr(0xD800)])
    (['añb', '', 'c'], None, None)
    """
    cdef Py_ssize_t at, length, size = len(values)
    cdef const char *text
    cdef bytes offsets = PyBytes_FromStringAndSize(NULL, 8 * (size + 1))
    cdef int64_t *ends = <int64_t *>PyBytes_AsString(offsets)
    ends[0] = 0
    for at in range(size):
        value = values[at]
        if not isinstance(value, str):
            return None
        try:
            PyUnicode_AsUTF8AndSize(value, &length)
        except UnicodeEncodeError:
            return None
        ends[at + 1] = ends[at] + length
    cdef bytes data = PyBytes_FromStringAndSize(NULL, ends[size])
    cdef char *to = PyBytes_AsString(data)
    for at in range(size):
        text = PyUnicode_AsUTF8AndSize(values[at], &length)
        if length != ends[at + 1] - ends[at]:
            raise RuntimeError("the texts were changed while they were read")
        memcpy(to + ends[at], text, <size_t>length)
    return pa.Array.from_buffers(LARGE_STRING, size, [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def numbers_of(array):
    """Integers or floats of an array without nulls, as they are in its memory: `to_numpy` imports pandas, too.

    >>> numbers_of(pa.array(range(5)).slice(3)).tolist()
    [3, 4]
    """
    kind = array.type.to_pandas_dtype()
    return np.frombuffer(array.buffers()[1], kind, len(array), array.offset * np.dtype(kind).itemsize)


def compute():
    """The compiled part of `pyarrow.compute`, or all of it if it is elsewhere in another version."""
    try:
        return import_module("pyarrow._compute")
    except ImportError:
        return import_module("pyarrow.compute")


def cast(values, kind):
    """Values as another type; raise if one cannot be."""
    module = compute()
    return module.call_function("cast", [values], module.CastOptions.safe(kind))


def take(values, places):
    """The values at some places; raise if there is no such place."""
    return compute().call_function("take", [values, places])


cdef class Function:
    """A function of the registry of Arrow, as `pyarrow.compute` makes it: its arrays, then its options."""

    cdef object function, options_of
    cdef Py_ssize_t arity  # -1: any number of arrays

    def __init__(self, str name):
        module = compute()
        self.function = module.get_function(name)
        self.options_of = getattr(module, self.function._doc.options_class or "", None)
        self.arity = -1 if self.function.arity is Ellipsis else self.function.arity

    def __call__(self, *values, **options):
        cdef Py_ssize_t arity = len(values) if self.arity < 0 else self.arity
        if len(values) > arity or options:
            return self.function.call(values[:arity], self.options_of(*values[arity:], **options))
        return self.function.call(values, None)
