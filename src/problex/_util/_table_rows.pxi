# Columns as the rows of a table in JSON. Part of _tables.pyx.


cdef class Output:
    """Bytes that are written one after the other; they are handed out in parts."""

    cdef char *data
    cdef Py_ssize_t size, capacity
    cdef list parts

    def __cinit__(self):
        self.parts = []

    def __dealloc__(self):
        PyMem_Free(self.data)

    cdef int put(self, const char *data, Py_ssize_t size) except -1:
        """Write some bytes, which may be among those that are there."""
        cdef Py_ssize_t place = data - self.data, capacity = self.capacity
        cdef bint own = self.data != NULL and self.data <= data < self.data + self.size
        cdef char *larger
        if self.size + size > capacity:
            capacity = 2 * (self.size + size)
            larger = <char *>PyMem_Realloc(self.data, capacity)
            if larger == NULL:
                raise MemoryError("the table does not fit into memory")
            self.data, self.capacity = larger, capacity
        memcpy(self.data + self.size, self.data + place if own else data, size)
        self.size += size
        return 0

    cdef int put_text(self, str text) except -1:
        """Write a text as JSON does, with all characters as they are but those that it must escape."""
        cdef Py_ssize_t size = 0, at
        cdef const char *letters
        if not text.isascii():  # else Python would keep the bytes of each
            data = json.dumps(text, ensure_ascii=False).encode()
            return self.put(data, len(data))
        letters = PyUnicode_AsUTF8AndSize(text, &size)
        for at in range(size):
            if <unsigned char>letters[at] < 32 or letters[at] == b'"' or letters[at] == b"\\":
                data = json.dumps(text).encode()
                return self.put(data, len(data))
        self.put('"', 1)
        self.put(letters, size)
        return self.put('"', 1)

    cdef int put_integer(self, int64_t value) except -1:
        cdef char[24] digits
        return self.put(digits, snprintf(digits, sizeof(digits), "%lld", <long long>value))

    cdef int put_float(self, double value) except -1:
        """Write a number as Python does."""
        cdef char *digits
        if not isfinite(value):
            data = json.dumps(value).encode()
            return self.put(data, len(data))
        digits = PyOS_double_to_string(value, c"r", 0, Py_DTSF_ADD_DOT_0, NULL)
        try:
            return self.put(digits, len(digits))
        finally:
            PyMem_Free(digits)

    cdef int cut(self) except -1:
        """End a part."""
        self.parts.append(self.data[:self.size])
        self.size = 0
        return 0


cdef class Values:
    """A column to be written: texts, integers or floats."""

    cdef object kind  # str, int or float
    cdef list texts
    cdef const int64_t[::1] integers
    cdef const double[::1] floats
    cdef Py_ssize_t size

    def __cinit__(self, values):
        self.size = len(values)
        if not isinstance(values, np.ndarray):
            self.kind, self.texts = str, list(values)
        elif np.can_cast(values.dtype, np.int64) and values.dtype.kind in "iu":
            self.kind, self.integers = int, np.ascontiguousarray(values, np.int64)
        elif values.dtype.kind == "f":
            self.kind, self.floats = float, np.ascontiguousarray(values, np.float64)
        else:
            raise TypeError(f"a column of {values.dtype} was given, expected texts, int64 or float64")

    cdef bint repeats(self, Py_ssize_t row):
        """Whether a value is the same as that of the row before, to the bit."""
        if self.kind is str:
            return self.texts[row] is self.texts[row - 1]
        if self.kind is int:
            return self.integers[row] == self.integers[row - 1]
        return memcmp(&self.floats[row], &self.floats[row - 1], sizeof(double)) == 0

    cdef int write(self, Py_ssize_t row, Output to) except -1:
        if self.kind is str:
            return to.put_text(self.texts[row])
        if self.kind is int:
            return to.put_integer(self.integers[row])
        return to.put_float(self.floats[row])


def write_rows(columns, bytes between, Py_ssize_t part=1 << 20):
    """The rows of a table in JSON, with `between` between two of them, as parts of at least `part` bytes each.

    Columns are sequences of texts, and arrays of integers or floats, all of the same length.

    >>> write_rows([["good", "bad"], np.array([3, 4]), np.array([0.5, 1.25])], b", ")
    [b'["good", 3, 0.5], ["bad", 4, 1.25]']
    """
    cdef list values = [Values(column) for column in columns]
    if not values:
        return []
    cdef Py_ssize_t row, at, rest = 0, stop = 0, width = len(values), size = (<Values>values[0]).size
    cdef Output to = Output()
    cdef bint same
    if any((<Values>one).size != size for one in values):
        raise ValueError(f"the columns have lengths {[(<Values>one).size for one in values]}, expected the same")
    for row in range(size):
        same = stop > 0
        for at in range(1, width):
            same = same and (<Values>values[at]).repeats(row)
        to.put("[", 1)
        (<Values>values[0]).write(row, to)
        if same:
            to.put(to.data + rest, stop - rest)
            rest, stop = to.size - (stop - rest), to.size
        else:
            rest = to.size
            for at in range(1, width):
                to.put(", ", 2)
                (<Values>values[at]).write(row, to)
            to.put("]", 1)
            stop = to.size
        if row + 1 < size:
            to.put(between, len(between))
        if to.size >= part:
            to.cut()
            stop = 0
    if to.size:
        to.cut()
    return to.parts
