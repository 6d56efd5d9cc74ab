# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Tables in JSON, a list of rows, as columns: without an object for each row and number.

In a large lexicon most entries do not occur in the texts, and so their rows differ in the first value only. The rest of
such a row is neither read nor written again. At the end are checks of columns of texts.
"""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_CheckExact, PyUnicode_Compare, PyUnicode_DecodeUTF8
from libc.math cimport isfinite
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdio cimport snprintf
from libc.string cimport memchr, memcmp, memcpy

import json

import numpy as np

cdef extern from "Python.h":
    double PyOS_string_to_double(const char *, char **, void *) except? -1.0
    char *PyOS_double_to_string(double, char, int, int, int *) except NULL
    int Py_DTSF_ADD_DOT_0
    const char *PyUnicode_AsUTF8AndSize(object, Py_ssize_t *) except NULL
    Py_ssize_t PyUnicode_GetLength(object) except -1
    PyObject *PyList_GetItem(object, Py_ssize_t) except NULL
    PyObject *PyTuple_GetItem(object, Py_ssize_t) except NULL

include "_table_rows.pxi"


cdef double[23] POWERS
cdef int exponent_
for exponent_ in range(23):
    POWERS[exponent_] = float(f"1e{exponent_}")  # exact, so that one division of two exact numbers rounds correctly

cdef const char *end_of_number(const char *p, int *is_integer) noexcept nogil:
    """Where a number of JSON ends, or NULL if there is none."""
    cdef const char *digits
    is_integer[0] = 1
    p += p[0] == b"-"
    digits = p
    while b"0" <= p[0] <= b"9":
        p += 1
    if p == digits or (digits[0] == b"0" and p > digits + 1):
        return NULL
    if p[0] == b".":
        is_integer[0] = 0
        p += 1
        digits = p
        while b"0" <= p[0] <= b"9":
            p += 1
        if p == digits:
            return NULL
    if p[0] == b"e" or p[0] == b"E":
        is_integer[0] = 0
        p += 1
        p += p[0] == b"-" or p[0] == b"+"
        digits = p
        while b"0" <= p[0] <= b"9":
            p += 1
        if p == digits:
            return NULL
    return p


cdef double float_of(const char *p, const char *end) except? -1.0:
    """The number that some characters are, rounded as Python rounds it."""
    cdef uint64_t digits = 0
    cdef int decimals = 0, behind = 0, negative = p[0] == b"-"
    cdef const char *at = p + negative
    cdef double value
    if end - at <= 16:  # fifteen digits are exact
        while at < end and (b"0" <= at[0] <= b"9" or at[0] == b"."):
            if at[0] == b".":
                behind = 1
            else:
                digits = 10 * digits + <uint64_t>(at[0] - c"0")
                decimals += behind
            at += 1
        if at == end and digits < 10**15:
            value = <double>digits / POWERS[decimals]
            return -value if negative else value
    return PyOS_string_to_double(p, <char **>&at, NULL)


cdef const char *end_of_text(const char *p, const char *end, int *is_plain) noexcept nogil:
    """The quotation mark behind a text that begins at `p`, or NULL; plain texts are written as they are."""
    is_plain[0] = 1
    while p < end:
        if p[0] == b'"':
            return p
        if p[0] == b"\\":
            is_plain[0] = 0
            p += 1
        elif <unsigned char>p[0] < 32:
            return NULL
        p += 1
    return NULL


cdef class Column:
    """A column of texts, integers or numbers, by its first value. Texts that come as in `known` are those objects."""

    cdef object kind  # that of the first value: str, int or float
    cdef list texts, known
    cdef Py_ssize_t known_before  # so many of the known texts were met
    cdef object numbers
    cdef int64_t[::1] integers
    cdef double[::1] floats
    cdef const char *last  # the text before, which is often the same
    cdef Py_ssize_t last_size

    def __cinit__(self, kind, Py_ssize_t size, list known):
        self.kind, self.known, self.known_before = kind, known, 0
        self.last_size = -1
        if kind is str:
            self.texts = []
        elif kind is int:
            self.numbers = np.empty(size, np.int64)
            self.integers = self.numbers
        else:
            self.numbers = np.empty(size, np.float64)
            self.floats = self.numbers

    cdef const char *read(self, const char *p, const char *end, Py_ssize_t row) except? NULL:
        """Read a value; where it ends, or NULL if it is of another kind."""
        cdef int is_plain, is_integer
        cdef const char *stop
        if self.kind is str:
            if p[0] != b'"':
                return NULL
            stop = end_of_text(p + 1, end, &is_plain)
            if stop == NULL:
                return NULL
            if stop - p == self.last_size and memcmp(p, self.last, stop - p) == 0:
                self.texts.append(self.texts[row - 1])
            elif is_plain:
                self.texts.append(self.text_of(p + 1, stop - p - 1))
            else:
                text = json.loads(p[:stop + 1 - p])
                text.encode()  # raises for half a character
                self.texts.append(text)
            self.last = p
            self.last_size = stop - p
            return stop + 1
        stop = end_of_number(p, &is_integer)
        if stop == NULL:
            return NULL
        if self.kind is float:
            self.floats[row] = float_of(p, stop)
        elif is_integer and stop - p <= 18:
            self.integers[row] = integer_of(p, stop)
        else:
            return NULL
        return stop

    cdef object text_of(self, const char *p, Py_ssize_t size):
        """A text: the next one that is known, if that is the same in ASCII, or a new one."""
        if self.known_before < len(self.known):
            text = self.known[self.known_before]
            if PyUnicode_CheckExact(text) and PyUnicode_GetLength(text) == size and is_ascii_text(text, p, size):
                self.known_before += 1
                return text
        return PyUnicode_DecodeUTF8(p, size, NULL)

    cdef int repeat(self, Py_ssize_t row, Py_ssize_t stop) except -1:
        """Give the rows from one to another the value of the one before."""
        if self.kind is str:
            self.texts += self.texts[row - 1 : row] * (stop - row)
        elif self.kind is int:
            self.integers[row:stop] = self.integers[row - 1]
        else:
            self.floats[row:stop] = self.floats[row - 1]
        return 0


cdef bint is_ascii_text(text, const char *p, Py_ssize_t size) except -1:
    """Whether a text is so many characters, all in ASCII."""
    cdef Py_ssize_t bytes_
    cdef const char *letters
    if not text.isascii():  # which would have to be encoded
        return False
    letters = PyUnicode_AsUTF8AndSize(text, &bytes_)
    return bytes_ == size and memcmp(letters, p, <size_t>size) == 0


cdef int64_t integer_of(const char *p, const char *end) noexcept nogil:
    cdef int64_t value = 0
    cdef int negative = p[0] == b"-"
    p += negative
    while p < end:
        value = 10 * value + (p[0] - c"0")
        p += 1
    return -value if negative else value


cdef struct Rest:
    const char *start  # what is behind the first value of a row, up to and with its bracket
    Py_ssize_t size
    Py_ssize_t row  # the next rows have the same, up to the one at hand; 0: there is no row


cdef int repeat_rest(list columns, Py_ssize_t row, Rest *rest) except -1:
    """Give the rows before one the values behind the first of the last row that was read whole."""
    if 0 < rest.row < row:
        for column in columns[1:]:
            (<Column>column).repeat(rest.row, row)
        rest.row = row
    return 0


cdef const char *read_row(list columns, Py_ssize_t row, const char *p, const char *end, Rest *rest) except? NULL:
    """Read a row, unless its rest is that of the row before; where it ends, or NULL if it is not as expected."""
    cdef Py_ssize_t at, width = len(columns)
    cdef const char *start
    if p >= end or p[0] != b"[":
        return NULL
    p = start = (<Column>columns[0]).read(p + 1, end, row)
    if p == NULL:
        return NULL
    if rest.row and end - p >= rest.size and memcmp(p, rest.start, rest.size) == 0:
        return p + rest.size
    repeat_rest(columns, row, rest)
    for at in range(1, width):
        if end - p < 2 or p[0] != b"," or p[1] != b" ":
            return NULL
        p = (<Column>columns[at]).read(p + 2, end, row)
        if p == NULL:
            return NULL
    if p >= end or p[0] != b"]":
        return NULL
    rest[0] = Rest(start, p + 1 - start, row + 1)
    return p + 1


def end_of_table(bytes data, Py_ssize_t start, bytes between):
    """How many rows a table has that begins at `start`, and where it ends: rows have `between` between them.

    Between two rows is a line break, and there is none inside a row.

    >>> end_of_table(b"[1],\\n[2],\\n[3]\\n]", 0, b",\\n")
    (3, 13)
    """
    cdef const char *first = data
    cdef const char *end = first + len(data)
    cdef const char *gap = between
    cdef const char *p = first + start
    cdef Py_ssize_t rows = 1, size = len(between), before = between.index(b"\n")
    if not 0 <= start <= len(data):
        raise ValueError(f"the table begins at {start}, expected a place in {len(data)} bytes")
    while True:
        p = <const char *>memchr(p, b"\n", <size_t>(end - p))
        if p == NULL or p - before < first + start or end - p < size - before or memcmp(p - before, gap, size) != 0:
            return rows, (end if p == NULL else p) - first
        rows += 1
        p += size - before


def read_columns(bytes data, Py_ssize_t start, Py_ssize_t stop, bytes between, Py_ssize_t size=-1, list known=[]):
    """The columns of a table, or None if it is not written as expected.

    The table is in `data[start:stop]`: rows such as `["good", 3, 0.5]`, all of the same kinds of values, with `between`
    between two of them; there are `size` rows (-1: they are counted). Columns are lists of texts, and arrays of
    integers or floats: the values that `json.loads` gives. A number is an integer if that of the first row is. Texts of
    the first column are those of `known` where they come in the same order, so that they are not there twice.

    >>> columns = read_columns(b'["good", 3, 0.5], ["bad", 4, 1.25]', 0, 34, b", ")
    >>> [list(map(str, column)) for column in columns]
    [['good', 'bad'], ['3', '4'], ['0.5', '1.25']]
    """
    cdef const char *p
    cdef const char *end
    cdef const char *gap = between
    cdef Py_ssize_t row, at, gap_size = len(between)
    cdef Rest rest
    if not 0 <= start < stop <= len(data):
        return None
    at = data.find(between, start, stop)
    try:
        first = json.loads(data[start : at if at >= 0 else stop])
    except ValueError:
        return None
    if not isinstance(first, list) or not first or not {type(value) for value in first} <= {str, int, float}:
        return None
    size = data.count(between, start, stop) + 1 if size < 0 else size
    columns = [Column(type(value), size, [] if at else known) for at, value in enumerate(first)]
    p = <const char *>data + start
    end = <const char *>data + stop
    rest.row = 0
    for row in range(size):
        if row:
            if end - p < gap_size or memcmp(p, gap, gap_size) != 0:
                return None
            p += gap_size
        try:
            p = read_row(columns, row, p, end, &rest)
        except ValueError:  # a text that is not Unicode
            return None
        if p == NULL:
            return None
    if p != end:
        return None
    repeat_rest(columns, size, &rest)
    return [(<Column>one).texts if (<Column>one).kind is str else (<Column>one).numbers for one in columns]


include "_text_checks.pxi"
