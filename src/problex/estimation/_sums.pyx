# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums over the rows of sparse matrices, without the GIL and without copies of them.

Row t has the columns `columns[ends[t]:ends[t + 1]]`, and values in the same places.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np


cdef check(const int64_t[::1] ends, const int32_t[::1] columns, Py_ssize_t values, Py_ssize_t width):
    """Raise if a row has columns beyond the last one."""
    cdef Py_ssize_t i, last = ends.shape[0] - 1
    cdef int wrong = last < 0 or ends[0] != 0 or ends[last] != columns.shape[0] or columns.shape[0] != values
    cdef int32_t lowest = 0, highest = -1
    with nogil:
        for i in range(last):
            wrong |= ends[i] > ends[i + 1]
        for i in range(columns.shape[0]):
            lowest = min(lowest, columns[i])
            highest = max(highest, columns[i])
    if wrong:
        raise ValueError(f"the ends of the rows do not ascend from 0 to {len(columns)}, the number of values")
    if lowest < 0 or highest >= width:
        raise ValueError(f"the rows have columns beyond 0 to {width - 1}")


def row_hashes(const int64_t[::1] ends, const int32_t[::1] columns, const float[::1] counts,
               const uint64_t[::1] numbers):
    """The sum of the number of each column times (2 count + 1), modulo 2^64, of each row."""
    check(ends, columns, counts.shape[0], numbers.shape[0])
    hashes = np.zeros(ends.shape[0] - 1, np.uint64)
    cdef uint64_t[::1] hashes_ = hashes
    cdef Py_ssize_t t, i
    cdef uint64_t total
    with nogil:
        for t in range(ends.shape[0] - 1):
            total = 0
            for i in range(ends[t], ends[t + 1]):
                total += numbers[columns[i]] * (2 * <uint64_t>counts[i] + 1)
            hashes_[t] = total
    return hashes


def column_sums(const int32_t[::1] columns, const float[::1] counts, Py_ssize_t width):
    """The sum of the whole counts of each column, and how many there are."""
    check(np.array([0, columns.shape[0]], np.int64), columns, counts.shape[0], width)
    sums, numbers = np.zeros(width, np.int64), np.zeros(width, np.int64)
    cdef int64_t[::1] sums_ = sums, numbers_ = numbers
    cdef Py_ssize_t i
    with nogil:
        for i in range(columns.shape[0]):
            sums_[columns[i]] += <int64_t>counts[i]
            numbers_[columns[i]] += 1
    return sums, numbers


def sums_of_rows(const int64_t[::1] ends, const int32_t[::1] rows, const int64_t[::1] row_ends,
                 const int32_t[::1] columns, const float[::1] values, Py_ssize_t width):
    """For each group, the sum of its rows as an array: group g has the rows `rows[ends[g]:ends[g + 1]]`."""
    check(ends, rows, rows.shape[0], row_ends.shape[0] - 1)
    check(row_ends, columns, values.shape[0], width)
    sums = np.zeros((ends.shape[0] - 1, width), np.float32)
    cdef float[:, ::1] sums_ = sums
    cdef Py_ssize_t group, i, k
    with nogil:
        for group in range(ends.shape[0] - 1):
            for i in range(ends[group], ends[group + 1]):
                for k in range(row_ends[rows[i]], row_ends[rows[i] + 1]):
                    sums_[group, columns[k]] += values[k]
    return sums


def weigh_pairs(pairs, const double[::1] weights):
    """How often each entry occurs together with others, each times its weight: P w + P^T w.

    P is a sparse matrix of whole numbers. For a large lexicon it takes hundreds of megabytes, of which scipy would make
    a copy as floats. Sums do not depend on the order of the columns in a row.
    """
    if not pairs.has_sorted_indices:
        pairs = pairs.sorted_indices()
    return symmetric_product(
        pairs.indptr.astype(np.int64),
        pairs.indices.astype(np.int32, copy=False),
        pairs.data.astype(np.int64, copy=False),
        weights,
    )


def symmetric_product(const int64_t[::1] ends, const int32_t[::1] columns, const int64_t[::1] values,
                      const double[::1] weights):
    """The product of a square matrix of whole numbers, plus its transpose, with weights; without a copy as floats."""
    check(ends, columns, values.shape[0], weights.shape[0])
    if ends.shape[0] - 1 != weights.shape[0]:
        raise ValueError(f"{len(weights)} weights were given for {len(ends) - 1} rows")
    own, partners = np.zeros(weights.shape[0]), np.zeros(weights.shape[0])
    cdef double[::1] own_ = own, partners_ = partners
    cdef Py_ssize_t t, i
    cdef double total, value
    with nogil:
        for t in range(weights.shape[0]):
            total = 0
            for i in range(ends[t], ends[t + 1]):
                value = <double>values[i]
                total += value * weights[columns[i]]
                partners_[columns[i]] += value * weights[t]
            own_[t] = total
    return own + partners
