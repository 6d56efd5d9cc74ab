# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Loops over the rows of documents, without the GIL: sums over their words, and the label with the highest score."""

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t

import numpy as np


def sum_rows(const int64_t[::1] ends, const int32_t[::1] columns, const int32_t[::1] counts,
             const double[::1] amounts, const int64_t[::1] lists, Py_ssize_t labels, const double[::1] factors):
    """Sums over the words of each row: of amounts, by the list of their column; of leads; and of tokens with an amount.

    Row t has the words from `ends[t]` to `ends[t + 1]`; its sums of amounts and of leads are multiplied by
    `factors[t]`. A lead is how much a word favours one list over the next: of two lists a negative amount favours the
    other, of more lists it favours none.
    """
    cdef Py_ssize_t t, i, y, column, size = ends.shape[0] - 1, wrong = -1
    cdef double amount
    cdef int ascend = size >= 0 and ends[0] == 0 and ends[size] == columns.shape[0]
    for t in range(size):
        ascend &= ends[t] <= ends[t + 1]
    if not ascend:
        raise ValueError(f"the ends of the rows do not ascend from 0 to {len(columns)}, the number of words")
    if columns.shape[0] != amounts.shape[0] or columns.shape[0] != counts.shape[0]:
        raise ValueError(f"{len(columns)} words have {len(counts)} counts and {len(amounts)} amounts, expected as many")
    if factors.shape[0] != size:
        raise ValueError(f"{size} rows have {len(factors)} factors, expected one for each")
    values, leads, matches = np.zeros((size, labels)), np.zeros(size), np.zeros(size, np.int64)
    cdef double[:, ::1] values_ = values
    cdef double[::1] leads_ = leads
    cdef int64_t[::1] matches_ = matches
    with nogil:
        for t in range(size):
            for i in range(ends[t], ends[t + 1]):
                column = columns[i]
                if not 0 <= column < lists.shape[0] or not 0 <= lists[column] < labels:
                    wrong = i
                    break
                amount = amounts[i]
                values_[t, lists[column]] += amount
                leads_[t] += fabs(amount) if labels == 2 else 0.0 if amount <= 0.0 else amount
                matches_[t] += counts[i] if amount != 0.0 else 0
            if wrong >= 0:
                break
            for y in range(labels):
                values_[t, y] *= factors[t]
            leads_[t] *= factors[t]
    if wrong >= 0:
        raise ValueError(f"word {wrong} of the rows has a column without a list, expected one of {len(lists)}")
    return values, leads, matches


def winners(const double[:, ::1] values, const int64_t[::1] matches, double tie):
    """The column with the highest value of each row; -1 where a row has no matches, or two values within `tie`."""
    cdef Py_ssize_t t, y, best, size = values.shape[0]
    cdef double highest, second
    if matches.shape[0] != size or values.shape[1] < 2:
        raise ValueError(f"{len(matches)} matches for scores of shape {np.shape(values)}, expected one for each row")
    places = np.empty(size, np.int64)
    cdef int64_t[::1] places_ = places
    with nogil:
        for t in range(size):
            best = values[t, 1] > values[t, 0]
            highest, second = values[t, best], values[t, 1 - best]
            for y in range(2, values.shape[1]):
                if values[t, y] > second:
                    if values[t, y] > highest:
                        second = highest
                        highest = values[t, y]
                        best = y
                    else:
                        second = values[t, y]
            places_[t] = -1 if matches[t] == 0 or highest - second <= tie else best
    return places


def distinct(const double[:, ::1] values):
    """Values of rows in which many are the same, each once or a few times: the values, their rows, and all places.

    `found[places]` are the values. A value is found again if it is one of the last two different ones of its row.

    >>> found, rows, places = distinct(np.array([[0.5, 0.5, 2.0, 0.5], [0.5, 1.0, 1.0, 1.0]]))
    >>> found.tolist(), rows.tolist(), places.tolist()
    ([0.5, 2.0, 0.5, 1.0], [0, 0, 1, 1], [[0, 0, 1, 0], [2, 3, 3, 3]])
    """
    cdef Py_ssize_t t, y, size = 0, last, before
    found, rows = np.empty(values.shape[0] * values.shape[1]), np.empty(values.shape[0] * values.shape[1], np.int64)
    places = np.empty((values.shape[0], values.shape[1]), np.int64)
    cdef double[::1] found_ = found
    cdef int64_t[::1] rows_ = rows
    cdef int64_t[:, ::1] places_ = places
    with nogil:
        for t in range(values.shape[0]):
            last = before = -1
            for y in range(values.shape[1]):
                if last < 0 or values[t, y] != found_[last]:
                    if before >= 0 and values[t, y] == found_[before]:
                        last, before = before, last
                    else:
                        found_[size] = values[t, y]
                        rows_[size] = t
                        last, before = size, last
                        size += 1
                places_[t, y] = last
    return found[:size], rows[:size], places
