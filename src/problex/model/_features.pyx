# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The loops over every word of texts that find words and pairs of neighbours, without the GIL.

Text t has the words `ids[ends[t]:ends[t + 1]]`, -1 for a word without a number. The code of a pair is the first word
times the number of words, plus the second.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

import numpy as np

cdef extern from "_kernel/platform.h":
    int PX_CTZ(uint64_t x) nogil
    void PX_PREFETCH(const void *address) nogil

cdef uint64_t MULTIPLIER = 0x9E3779B97F4A7C15  # odd, with bits spread evenly: neighbouring codes get far slots
cdef enum: AHEAD = 8  # words between fetching the slot of a pair from memory and its use
PART = 1 << 22
"""Pairs of a corpus are counted in parts of about so many neighbours, to keep the tables small."""


cdef check(const int32_t[::1] ids, const int64_t[::1] ends, int64_t words):
    """Raise if a text has words beyond the known ones."""
    cdef Py_ssize_t i, last = ends.shape[0] - 1
    cdef int wrong = last < 0 or ends[0] != 0 or ends[last] != ids.shape[0]
    cdef int32_t lowest = 0, highest = -1
    with nogil:
        for i in range(last):
            wrong |= ends[i] > ends[i + 1]
        for i in range(ids.shape[0]):
            lowest = min(lowest, ids[i])
            highest = max(highest, ids[i])
    if wrong:
        raise ValueError(f"the ends of the texts do not ascend from 0 to {len(ids)}, the number of words")
    if lowest < -1 or highest >= words:
        raise ValueError(f"the texts have words beyond -1 to {words - 1}")


# ---- the features of a vocabulary in texts ----


def hash_pairs(const int64_t[::1] codes, const int32_t[::1] columns, int shift):
    """A hash table of pairs, at least half of which is empty (-1): code << shift | column."""
    cdef Py_ssize_t i, size = 16
    cdef uint64_t at
    while size < 2 * codes.shape[0]:
        size *= 2
    slots = np.full(size, -1, np.int64)
    cdef int64_t[::1] slots_ = slots
    for i in range(codes.shape[0]):
        if codes[i] < 0 or codes[i] >> (63 - shift) or columns[i] < 0 or columns[i] >> shift:
            raise ValueError(f"the pair {codes[i]} and its column {columns[i]} are beyond what a table can hold")
        at = (<uint64_t>codes[i] * MULTIPLIER >> 32) & <uint64_t>(size - 1)
        while slots_[<Py_ssize_t>at] >= 0:
            at = (at + 1) & <uint64_t>(size - 1)
        slots_[<Py_ssize_t>at] = codes[i] << shift | columns[i]
    return slots


ctypedef struct Marks:
    uint32_t *counts  # of the columns in the present text
    uint64_t *seen    # a bit for each column that has a count
    uint64_t *some    # a bit for each number of `seen` that is not zero


cdef inline void mark(Marks marks, int64_t column) noexcept nogil:
    """Add one to a column; without a branch, because whether it is its first cannot be predicted."""
    marks.counts[column] += 1
    marks.seen[column >> 6] |= <uint64_t>1 << (column & 63)
    marks.some[column >> 12] |= <uint64_t>1 << (column >> 6 & 63)


cdef class FeatureCounter:
    """Counts words and pairs of neighbours in texts; for one thread at a time.

    `single` is the column of each word, -1 for none; `slots` is the table of `hash_pairs`.
    """

    cdef const int32_t[::1] single
    cdef const int64_t[::1] slots
    cdef readonly Py_ssize_t width
    cdef Py_ssize_t blocks
    cdef int shift
    cdef uint32_t *counts
    cdef uint64_t *seen
    cdef uint64_t *some

    def __cinit__(self, const int32_t[::1] single, const int64_t[::1] slots, width):
        self.single, self.slots, self.width = single, slots, width
        self.shift = int(width).bit_length()
        taken = np.asarray(slots)[np.asarray(slots) >= 0] & (1 << self.shift) - 1
        highest = max(np.max(single, initial=-1), np.max(taken, initial=-1))
        if highest >= width or np.min(single, initial=0) < -1 or not len(slots) or len(slots) & len(slots) - 1:
            raise ValueError(f"the columns are not those of {width} features")
        self.blocks = self.width // 4096 + 1
        self.counts = <uint32_t *>calloc(self.width + 1, sizeof(uint32_t))
        self.seen = <uint64_t *>calloc(64 * self.blocks, sizeof(uint64_t))
        self.some = <uint64_t *>calloc(self.blocks, sizeof(uint64_t))
        if self.counts == NULL or self.seen == NULL or self.some == NULL:
            raise MemoryError("the features do not fit into memory")

    def __dealloc__(self):
        free(self.counts)
        free(self.seen)
        free(self.some)

    cdef void read(self, const int32_t *ids, int64_t number) noexcept nogil:
        """Count the features of a text."""
        cdef int64_t i, code, words = self.single.shape[0]
        cdef int32_t left = -1, right
        cdef const int32_t *single = &self.single[0]
        cdef const int64_t *slots = &self.slots[0]
        cdef int64_t low = (<int64_t>1 << self.shift) - 1
        cdef Marks marks = Marks(self.counts, self.seen, self.some)
        cdef uint64_t mask = <uint64_t>self.slots.shape[0] - 1, at
        for i in range(number):
            right = ids[i]
            if i + AHEAD < number:
                code = ids[i + AHEAD - 1] * words + ids[i + AHEAD]
                PX_PREFETCH(slots + ((<uint64_t>code * MULTIPLIER >> 32) & mask))
            if right >= 0:
                if single[right] >= 0:
                    mark(marks, single[right])
                if left >= 0:
                    code = left * words + right
                    at = (<uint64_t>code * MULTIPLIER >> 32) & mask
                    while slots[at] >= 0:
                        if slots[at] >> self.shift == code:
                            mark(marks, slots[at] & low)
                            break
                        at = (at + 1) & mask
            left = right

    cdef Py_ssize_t take(self, int32_t *columns, uint32_t *counts) noexcept nogil:
        """The columns of the text in ascending order, and their counts, which become zero again; how many they are."""
        cdef Py_ssize_t block, place, at = 0
        cdef uint64_t bits
        for block in range(self.blocks):
            while self.some[block]:
                place = 64 * block + PX_CTZ(self.some[block])
                bits = self.seen[place]
                while bits:
                    columns[at] = <int32_t>(64 * place + PX_CTZ(bits))
                    counts[at] = self.counts[columns[at]]
                    self.counts[columns[at]] = 0
                    at += 1
                    bits &= bits - 1
                self.seen[place] = 0
                self.some[block] &= self.some[block] - 1
        return at

    def count(self, const int32_t[::1] ids, const int64_t[::1] ends):
        """The features of each text in ascending order: their ends, columns and counts."""
        check(ids, ends, self.single.shape[0])
        cdef Py_ssize_t t, texts = ends.shape[0] - 1, used = 0
        cdef int64_t most
        cdef int64_t size = max(16, ids.shape[0])  # in most texts many words repeat, and few pairs have a column
        text_ends, columns, counts = np.zeros(texts + 1, np.int64), np.empty(size, np.int32), np.empty(size, np.uint32)
        cdef int64_t[::1] text_ends_ = text_ends
        cdef int32_t[::1] columns_ = columns
        cdef uint32_t[::1] counts_ = counts
        for t in range(texts):
            most = 2 * (ends[t + 1] - ends[t])
            if used + most > columns_.shape[0]:
                columns, counts = (_longer(part, used, used + most + ids.shape[0] // 2) for part in (columns, counts))
                columns_, counts_ = columns, counts
            if most:
                with nogil:
                    self.read(&ids[ends[t]], ends[t + 1] - ends[t])
                    used += self.take(&columns_[used], &counts_[used])
            text_ends_[t + 1] = used
        return text_ends, columns[:used].copy(), counts[:used].astype(np.float32)

    def sums(self, const int32_t[::1] ids, const int64_t[::1] ends, const float[::1] logs,
             const double[:, ::1] features):
        """For each text: sums of value times each weight, and the number of different features.

        `features` has a row for each: its scale and its weights. The value of a feature is `logs[count]` times its
        scale, divided by the length of all values of the text.
        """
        check(ids, ends, self.single.shape[0])
        cdef Py_ssize_t t, i, k, texts = ends.shape[0] - 1, used, weights = features.shape[1] - 1
        cdef int64_t longest = 0
        for t in range(texts):
            longest = max(longest, ends[t + 1] - ends[t])
        if len(features) != self.width or longest >= len(logs):
            raise ValueError(f"the tables are not those of {self.width} features and texts of {longest} words")
        sums, numbers = np.zeros((texts, weights)), np.zeros(texts, np.int64)
        columns, counts = np.empty(2 * longest + 1, np.int32), np.empty(2 * longest + 1, np.uint32)
        cdef float[::1] values = np.empty(2 * longest + 1, np.float32)
        cdef double[:, ::1] sums_ = sums
        cdef int64_t[::1] numbers_ = numbers
        cdef int32_t[::1] columns_ = columns
        cdef uint32_t[::1] counts_ = counts
        cdef double norm
        cdef float value
        with nogil:
            for t in range(texts):
                if ends[t] == ends[t + 1]:
                    continue
                self.read(&ids[ends[t]], ends[t + 1] - ends[t])
                used = numbers_[t] = self.take(&columns_[0], &counts_[0])
                norm = 0
                for i in range(used):
                    if i + AHEAD < used:
                        PX_PREFETCH(&features[columns_[i + AHEAD], 0])
                    values[i] = logs[counts_[i]] * <float>features[columns_[i], 0]
                    value = values[i] * values[i]
                    norm += value
                norm = sqrt(norm)
                for i in range(used):
                    value = <float>(values[i] / norm)
                    for k in range(weights):
                        sums_[t, k] += value * features[columns_[i], k + 1]
        return sums, numbers


def _longer(values, used, size):
    longer = np.empty(size, values.dtype)
    longer[:used] = values[:used]
    return longer


def scale_rows(const int64_t[::1] ends, float[::1] values):
    """Divide the values of each row by their length, in place; the lengths before that."""
    if ends[0] != 0 or ends[ends.shape[0] - 1] != values.shape[0] or np.any(np.diff(ends) < 0):
        raise ValueError(f"the ends of the rows do not ascend from 0 to {len(values)}")
    lengths = np.zeros(ends.shape[0] - 1)
    cdef double[::1] lengths_ = lengths
    cdef Py_ssize_t t, i
    cdef double length
    cdef float square
    with nogil:
        for t in range(ends.shape[0] - 1):
            length = 0
            for i in range(ends[t], ends[t + 1]):
                square = values[i] * values[i]
                length += square
            lengths_[t] = length = sqrt(length)
            for i in range(ends[t], ends[t + 1]):
                values[i] = <float>(values[i] / length)
    return lengths


# ---- which features a corpus has ----


def document_counts(const int32_t[::1] ids, const int64_t[::1] ends, int64_t words):
    """The number of texts with each word."""
    check(ids, ends, words)
    documents = np.zeros(words, np.int64)
    cdef int64_t[::1] documents_ = documents, last = np.full(words, -1, np.int64)
    cdef Py_ssize_t t, i
    with nogil:
        for t in range(ends.shape[0] - 1):
            for i in range(ends[t], ends[t + 1]):
                if ids[i] >= 0 and last[ids[i]] != t:
                    last[ids[i]] = t
                    documents_[ids[i]] += 1
    return documents


def frequent_pairs(const int32_t[::1] ids, const int64_t[::1] ends, const uint8_t[::1] included, int64_t least):
    """The codes of the pairs of included words that occur in at least so many texts, and in how many.

    They are counted in parts, by their hashes, and have no order.
    """
    cdef int64_t words = included.shape[0]
    check(ids, ends, words)
    cdef Py_ssize_t t, i
    cdef int64_t neighbours = 0
    with nogil:
        for t in range(ends.shape[0] - 1):
            for i in range(ends[t] + 1, ends[t + 1]):
                neighbours += are_included(ids[i - 1], ids[i], included)
    parts = max(1, -(-neighbours // <int64_t>PART))
    found = [_pairs_of_part(ids, ends, included, least, part, parts) for part in range(parts)]
    return tuple(np.concatenate([pair[side] for pair in found]) for side in (0, 1))


cdef inline int are_included(int32_t left, int32_t right, const uint8_t[::1] included) noexcept nogil:
    return left >= 0 and right >= 0 and included[left] and included[right]


def _pairs_of_part(const int32_t[::1] ids, const int64_t[::1] ends, const uint8_t[::1] included, int64_t least,
                   uint64_t part, uint64_t parts):
    """The frequent pairs whose hash has this remainder."""
    cdef Py_ssize_t t, i, size = 1 << 16, used = 0
    cdef int64_t code, words = included.shape[0]
    cdef uint64_t mixed, at, mask = size - 1
    keys, documents, last = np.full(size, -1, np.int64), np.zeros(size, np.int32), np.full(size, -1, np.int32)
    cdef int64_t[::1] keys_ = keys
    cdef int32_t[::1] documents_ = documents, last_ = last
    for t in range(ends.shape[0] - 1):
        if used + ends[t + 1] - ends[t] > size // 2:
            keys, documents, last = _enlarged(keys, documents, last, parts, used + ends[t + 1] - ends[t])
            keys_, documents_, last_, size = keys, documents, last, len(keys)
            mask = size - 1
        with nogil:
            for i in range(ends[t] + 1, ends[t + 1]):
                if not are_included(ids[i - 1], ids[i], included):
                    continue
                code = ids[i - 1] * words + ids[i]
                mixed = <uint64_t>code * MULTIPLIER >> 32
                if mixed % parts != part:
                    continue
                at = mixed / parts & mask
                while keys_[<Py_ssize_t>at] >= 0 and keys_[<Py_ssize_t>at] != code:
                    at = (at + 1) & mask
                if keys_[<Py_ssize_t>at] < 0:
                    keys_[<Py_ssize_t>at] = code
                    used += 1
                if last_[<Py_ssize_t>at] != t:
                    last_[<Py_ssize_t>at] = <int32_t>t
                    documents_[<Py_ssize_t>at] += 1
    often = np.flatnonzero(documents >= least)
    return keys[often], documents[often].astype(np.int64)


def _enlarged(const int64_t[::1] keys, const int32_t[::1] documents, const int32_t[::1] last, uint64_t parts, needed):
    """The same table, so large that half of it stays empty with so many pairs."""
    cdef Py_ssize_t i, size = keys.shape[0]
    while size < 2 * needed:
        size *= 2
    cdef uint64_t at, mask = size - 1
    more_keys, more_documents = np.full(size, -1, np.int64), np.zeros(size, np.int32)
    more_last = np.full(size, -1, np.int32)
    cdef int64_t[::1] keys_ = more_keys
    cdef int32_t[::1] documents_ = more_documents, last_ = more_last
    with nogil:
        for i in range(keys.shape[0]):
            if keys[i] < 0:
                continue
            at = (<uint64_t>keys[i] * MULTIPLIER >> 32) / parts & mask
            while keys_[<Py_ssize_t>at] >= 0:
                at = (at + 1) & mask
            keys_[<Py_ssize_t>at], documents_[<Py_ssize_t>at], last_[<Py_ssize_t>at] = keys[i], documents[i], last[i]
    return more_keys, more_documents, more_last
