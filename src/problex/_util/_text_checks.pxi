# Checks of columns of texts: those of a million entries take a second in Python. Part of _tables.pyx.


cdef inline PyObject *item(object texts, bint is_list, Py_ssize_t at) except NULL:
    """A value of a list or tuple, by functions of the stable ABI."""
    return PyList_GetItem(texts, at) if is_list else PyTuple_GetItem(texts, at)


cdef Py_ssize_t texts_before(object texts) except -1:
    """The number of values up to the first that is not a text."""
    cdef Py_ssize_t at, size = len(texts)
    cdef bint is_list = type(texts) is list
    for at in range(size):
        if not PyUnicode_CheckExact(<object>item(texts, is_list, at)):
            return at
    return size


cdef object checked(object texts, bint kinds=True):
    """A list or tuple, with `kinds` of texts; raise if it is something else."""
    if type(texts) is not list and type(texts) is not tuple or kinds and texts_before(texts) < len(texts):
        raise TypeError("expected a list or tuple of texts")
    return texts


def are_texts(values):
    """Whether all values of a list or tuple are texts.

    >>> are_texts(["a", "b"]), are_texts(("a", 1)), are_texts([])
    (True, False, True)
    """
    values = values if type(values) is list or type(values) is tuple else list(values)
    return texts_before(values) == len(values)


def ascents(texts):
    """Whether each text is before the next, in the order of characters.

    >>> ascents(["a", "b", "b", "aé", "b"]).tolist()
    [True, False, False, True]
    """
    cdef Py_ssize_t at
    cdef bint is_list = type(checked(texts)) is list
    result = np.zeros(max(len(texts) - 1, 0), bool)
    cdef uint8_t[::1] result_ = result.view(np.uint8)
    for at in range(result_.shape[0]):
        result_[at] = PyUnicode_Compare(<object>item(texts, is_list, at), <object>item(texts, is_list, at + 1)) < 0
    return result


def are_small_letters(texts):
    """Whether all texts are of letters from a to z, and none is empty; false if there is no text.

    >>> [are_small_letters(texts) for texts in (["good", "a"], ["good", ""], ["Good"], ["schön"], ["a b"], [])]
    [True, False, False, False, False, False]
    """
    cdef Py_ssize_t at, i, size
    cdef bint is_list = type(checked(texts, kinds=False)) is list
    cdef const char *letters
    cdef PyObject *text
    for at in range(len(texts)):
        text = item(texts, is_list, at)
        if not PyUnicode_CheckExact(<object>text):
            return False
        try:
            letters = PyUnicode_AsUTF8AndSize(<object>text, &size)
        except UnicodeEncodeError:  # half of a character
            return False
        if size == 0:
            return False
        for i in range(size):
            if not b"a" <= letters[i] <= b"z":
                return False
    return len(texts) > 0


def places_of(texts, dict places):
    """The integer that a dictionary has for each text; raise `KeyError` if it has none.

    >>> places_of(["one", "one", "two"], {"one": 0, "two": 1}).tolist()
    [0, 0, 1]
    """
    cdef Py_ssize_t at
    cdef int64_t place = 0
    cdef PyObject *last = NULL
    cdef PyObject *text
    cdef bint is_list = type(checked(texts)) is list
    result = np.empty(len(texts), np.int64)
    cdef int64_t[::1] result_ = result
    for at in range(result_.shape[0]):
        text = item(texts, is_list, at)
        if text != last:  # most are the same object as the one before
            last = text
            place = places[<object>last]
        result_[at] = place
    return result
