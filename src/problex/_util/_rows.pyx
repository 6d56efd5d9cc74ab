# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Loops over the rows of documents: sums over their words, scores from these, and the label with the highest score."""

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t

import numpy as np

INT64 = np.dtype(np.int64)
cdef const double[::1] NONE = np.zeros(0)


def sum_rows(const int64_t[::1] ends, const int32_t[::1] columns, const int32_t[::1] counts,
             const double[::1] single, repeated, const int64_t[::1] lists, Py_ssize_t labels,
             const double[::1] factors, double scale=1.0):
    """Sums over the words of each row: of amounts, by the list of their column; of leads; and of tokens with an amount.

    Row t has the words from `ends[t]` to `ends[t + 1]`; its sums of amounts and of leads are multiplied by
    `scale * factors[t]`. `single` has the amount of each column for a count of one, and `repeated(columns, counts)`
    returns the amounts for other counts. A lead is how much a word favours one list over the next: of two lists a
    negative amount favours the other, of more lists it favours none.
    """
    cdef Py_ssize_t t, i, y, column, size = ends.shape[0] - 1, wrong = -1, other = 0
    cdef double amount, factor
    cdef int ascend = size >= 0 and ends[0] == 0 and ends[size] == columns.shape[0]
    for t in range(size):
        ascend &= ends[t] <= ends[t + 1]
    if not ascend:
        raise ValueError(f"the ends of the rows do not ascend from 0 to {len(columns)}, the number of words")
    if columns.shape[0] != counts.shape[0] or single.shape[0] != lists.shape[0]:
        sizes = f"{len(columns)} words have {len(counts)} counts, and {len(lists)} columns {len(single)} amounts"
        raise ValueError(f"{sizes}, expected as many")
    if factors.shape[0] != size:
        raise ValueError(f"{size} rows have {len(factors)} factors, expected one for each")
    cdef const double[::1] amounts = repeated_amounts(columns, counts, repeated)
    values, leads, matches = np.zeros((size, labels)), np.zeros(size), np.zeros(size, INT64)
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
                if counts[i] == 1:
                    amount = single[column]
                else:
                    amount = amounts[other]
                    other += 1
                values_[t, lists[column]] += amount
                leads_[t] += fabs(amount) if labels == 2 else 0.0 if amount <= 0.0 else amount
                matches_[t] += counts[i] if amount != 0.0 else 0
            if wrong >= 0:
                break
            factor = scale * factors[t]
            for y in range(labels):
                values_[t, y] *= factor
            leads_[t] *= factor
    if wrong >= 0:
        raise ValueError(f"word {wrong} of the rows has a column without a list, expected one of {len(lists)}")
    return values, leads, matches


cdef const double[::1] repeated_amounts(const int32_t[::1] columns, const int32_t[::1] counts, repeated):
    """The amounts of the words whose count is not one, in their order."""
    cdef Py_ssize_t i, number = 0
    for i in range(counts.shape[0]):
        number += counts[i] != 1
    if not number:
        return NONE
    places = np.empty(number, INT64)
    cdef int64_t[::1] places_ = places
    number = 0
    for i in range(counts.shape[0]):
        if counts[i] != 1:
            places_[number] = i
            number += 1
    amounts = repeated(np.asarray(columns)[places], np.asarray(counts)[places])
    if np.shape(amounts) != (number,):
        raise ValueError(f"{number} repeated words have amounts of shape {np.shape(amounts)}, expected one for each")
    return amounts


cdef inline double limit(double evidence, double span) noexcept nogil:
    """What offsets that differ by up to `span` are multiplied by, so that they differ by half of the evidence at most.
    """
    cdef double share = evidence / (2.0 * span)
    return 1.0 if span == 0.0 or share >= 1.0 else share


cdef double span_of(const double[::1] offsets) noexcept nogil:
    """The highest offset minus the lowest."""
    cdef Py_ssize_t y
    cdef double low = offsets[0], high = offsets[0]
    for y in range(1, offsets.shape[0]):
        low, high = min(low, offsets[y]), max(high, offsets[y])
    return high - low


def capped(const double[::1] offsets, const double[::1] evidence):
    """Offsets for each document and label: they differ by no more than half of the evidence.

    The evidence of a document is the sum, over its words, of how much each favours one label over the next. Without
    evidence the offsets are zero, so that nothing is favoured; and the label that all words favour stays ahead.

    >>> capped(np.array([0.5, -0.5]), np.array([0.0, 1.0, 3.0])).tolist()
    [[0.0, -0.0], [0.25, -0.25], [0.5, -0.5]]
    """
    cdef Py_ssize_t t, y, size = evidence.shape[0], labels = offsets.shape[0]
    cdef double span = span_of(offsets), share
    result = np.empty((size, labels))
    cdef double[:, ::1] result_ = result
    for t in range(size):
        share = limit(evidence[t], span)
        for y in range(labels):
            result_[t, y] = share * offsets[y]
    return result


def finish_rows(const double[:, ::1] values, const double[::1] evidence, const double[::1] offsets,
                const double[::1] log_prior, const double[::1] certainty=None):
    """Scores from sums: with the offsets as `capped` has them, all times the certainty if given, and the prior."""
    cdef Py_ssize_t t, y, size = values.shape[0], labels = values.shape[1]
    cdef bint times = certainty is not None
    if not (evidence.shape[0] == size and offsets.shape[0] == log_prior.shape[0] == labels):
        raise ValueError(f"sums of shape {np.shape(values)} have {len(evidence)} figures of evidence and "
                         f"{len(offsets)} offsets, expected one for each row and column")
    if times and certainty.shape[0] != size:
        raise ValueError(f"{size} rows have {len(certainty)} certainties, expected one for each")
    cdef double span = span_of(offsets), share, factor, value
    result = np.empty((size, labels))
    cdef double[:, ::1] result_ = result
    with nogil:
        for t in range(size):
            share = limit(evidence[t], span)
            factor = certainty[t] if times else 1.0
            for y in range(labels):
                value = values[t, y] + share * offsets[y]
                result_[t, y] = (value * factor if times else value) + log_prior[y]
    return result


def add_features(const double[:, ::1] values, const double[::1] evidence, const int64_t[::1] matches,
                 const double[:, ::1] features, const int64_t[::1] numbers, double scale, const int64_t[::1] lengths):
    """The sums, evidence and matches of rows with those of their features, the matches up to the length of the row.

    `features` has for each row its evidence and then its sums, which are multiplied by `scale`, and `numbers` how many
    features it has.
    """
    cdef Py_ssize_t t, y, size = values.shape[0], labels = values.shape[1]
    if not (size == evidence.shape[0] == matches.shape[0] == features.shape[0] == numbers.shape[0] == lengths.shape[0]
            and features.shape[1] == labels + 1):
        raise ValueError(f"features of shape {np.shape(features)} for sums of shape {np.shape(values)}, expected as "
                         "many rows, and one more column")
    more, more_evidence, more_matches = np.empty((size, labels)), np.empty(size), np.empty(size, INT64)
    cdef double[:, ::1] more_ = more
    cdef double[::1] more_evidence_ = more_evidence
    cdef int64_t[::1] more_matches_ = more_matches
    with nogil:
        for t in range(size):
            more_evidence_[t] = evidence[t] + scale * features[t, 0]
            more_matches_[t] = min(matches[t] + numbers[t], lengths[t])
            for y in range(labels):
                more_[t, y] = values[t, y] + scale * features[t, y + 1]
    return more, more_evidence, more_matches


def winners(const double[:, ::1] values, const int64_t[::1] matches, double tie):
    """The column with the highest value of each row; -1 where a row has no matches, or two values within `tie`."""
    cdef Py_ssize_t t, y, best, size = values.shape[0]
    cdef double highest, second
    if matches.shape[0] != size or values.shape[1] < 2:
        raise ValueError(f"{len(matches)} matches for scores of shape {np.shape(values)}, expected one for each row")
    places = np.empty(size, INT64)
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
