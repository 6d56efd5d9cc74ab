# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The loops over every word or byte of a batch of texts, without the GIL.

Text t has the words `ids[ends[t]:ends[t + 1]]`; rows of other lengths are given in the same way, as `Ragged` has them.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

import numpy as np

cdef uint64_t MULTIPLIER = 0x9E3779B97F4A7C15  # odd, with bits spread evenly: neighbouring keys get far slots


def count_columns(const int32_t[::1] ids, const int64_t[::1] ends, const int64_t[::1] column_ends,
                  const int32_t[::1] columns, int64_t[:, ::1] counts, int64_t[::1] matched):
    """Add 1 to `counts` for every column of every word, and to `matched` for every word that has one."""
    cdef Py_ssize_t t, i, j, start, end
    cdef int64_t *row
    check(ids, ends, len(column_ends) - 1, counts.shape[0])
    check_columns(column_ends, columns, counts.shape[1])
    if not counts.shape[1]:
        return
    with nogil:
        for t in range(ends.shape[0] - 1):
            row = &counts[t, 0]
            for i in range(ends[t], ends[t + 1]):
                start, end = column_ends[ids[i]], column_ends[ids[i] + 1]
                matched[t] += end > start
                for j in range(start, end):
                    row[columns[j]] += 1


def sum_columns(const int32_t[::1] ids, const int64_t[::1] ends, const int64_t[::1] column_ends,
                const int32_t[::1] columns, const double[::1] values, double[:, ::1] sums):
    """Add a value to `sums` for every column of every word."""
    cdef Py_ssize_t t, i, j
    check(ids, ends, len(column_ends) - 1, sums.shape[0])
    check_columns(column_ends, columns, sums.shape[1])
    if len(values) != len(columns):
        raise ValueError(f"{len(values)} values for {len(columns)} columns, expected one each")
    with nogil:
        for t in range(ends.shape[0] - 1):
            for i in range(ends[t], ends[t + 1]):
                for j in range(column_ends[ids[i]], column_ends[ids[i] + 1]):
                    sums[t, columns[j]] += values[j]


cdef check(const int32_t[::1] ids, const int64_t[::1] ends, Py_ssize_t words, Py_ssize_t texts):
    """Raise if a text has words beyond the known ones."""
    if len(ids) and not 0 <= np.min(ids) <= np.max(ids) < words:
        raise ValueError(f"the texts have words beyond 0 to {words - 1}")
    if len(ends) != texts + 1 or ends[0] != 0 or ends[texts] != len(ids) or np.any(np.diff(ends) < 0):
        raise ValueError(f"the ends of {texts} texts do not ascend from 0 to {len(ids)}, the number of words")


cdef check_columns(const int64_t[::1] column_ends, const int32_t[::1] columns, Py_ssize_t width):
    """Raise if a word has a column that the table lacks."""
    last = len(column_ends) - 1
    if column_ends[0] != 0 or column_ends[last] != len(columns) or np.any(np.diff(column_ends) < 0):
        raise ValueError(f"the ends of the columns do not ascend from 0 to {len(columns)}")
    if len(columns) and not 0 <= np.min(columns) <= np.max(columns) < width:
        raise ValueError(f"the words have columns beyond 0 to {width - 1}")


# ---- phrases ----


ctypedef struct Buffer:
    int64_t *number
    size_t size, capacity


cdef int push(Buffer *buffer, int64_t a, int64_t b, int64_t c) noexcept nogil:
    """Append three numbers; 0 unless there is no memory."""
    cdef int64_t *larger
    if buffer.size + 3 > buffer.capacity:
        larger = <int64_t *>realloc(buffer.number, (2 * buffer.capacity + 192) * sizeof(int64_t))
        if larger == NULL:
            return -1
        buffer.number = larger
        buffer.capacity = 2 * buffer.capacity + 192
    buffer.number[buffer.size] = a
    buffer.number[buffer.size + 1] = b
    buffer.number[buffer.size + 2] = c
    buffer.size += 3
    return 0


cdef inline int64_t find_step(const int64_t[::1] steps, const int64_t[::1] nodes, uint64_t key) noexcept nogil:
    """The node that a step leads to, or -1; see `PhraseFinder.table`."""
    cdef uint64_t mask = <uint64_t>steps.shape[0] - 1, at = (key * MULTIPLIER >> 32) & mask
    while steps[<Py_ssize_t>at] >= 0:
        if steps[<Py_ssize_t>at] == <int64_t>key:
            return nodes[<Py_ssize_t>at]
        at = (at + 1) & mask
    return -1


def hash_steps(const int64_t[::1] steps, const int64_t[::1] nodes):
    """A hash table of steps and of the nodes that they lead to, at least half of which is empty (-1)."""
    cdef Py_ssize_t i, size = 16
    cdef uint64_t at
    while size < 2 * steps.shape[0]:
        size *= 2
    keys, values = np.full(size, -1, np.int64), np.zeros(size, np.int64)
    cdef int64_t[::1] keys_ = keys, values_ = values
    for i in range(steps.shape[0]):
        at = (<uint64_t>steps[i] * MULTIPLIER >> 32) & <uint64_t>(size - 1)
        while keys_[<Py_ssize_t>at] >= 0:
            at = (at + 1) & <uint64_t>(size - 1)
        keys_[<Py_ssize_t>at], values_[<Py_ssize_t>at] = steps[i], nodes[i]
    return keys, values


def find_phrases(const int32_t[::1] ids, const int64_t[::1] ends, const uint8_t[::1] roles,
                 const int64_t[::1] element_ends, const int64_t[::1] elements, const int64_t[::1] steps,
                 const int64_t[::1] nodes, const int64_t[::1] phrases, int64_t element_count):
    """All phrases in texts as rows of (first word, word behind the last, phrase), also those that overlap.

    `roles` of a word: 1 if a phrase may begin with it, 2 if it may be further on in one, 3 both. `steps` and `nodes`
    are the hash table of a `PhraseFinder`, `phrases` what ends at each node.
    """
    cdef Buffer found = Buffer(NULL, 0, 0), waiting = Buffer(NULL, 0, 0)
    cdef Py_ssize_t t, i, j, at
    cdef int64_t node, next_node
    cdef int failed = 0
    check(ids, ends, len(element_ends) - 1, len(ends) - 1)
    if len(roles) != len(element_ends) - 1:
        raise ValueError(f"{len(roles)} roles for {len(element_ends) - 1} words, expected one each")
    with nogil:
        for t in range(ends.shape[0] - 1):
            for i in range(ends[t], ends[t + 1] - 1):
                if not (roles[ids[i]] & 1 and roles[ids[i + 1]] & 2):
                    continue
                waiting.size = 0
                failed |= push(&waiting, 0, i, 0)
                while waiting.size and not failed:
                    waiting.size -= 3
                    node, at = waiting.number[waiting.size], waiting.number[waiting.size + 1]
                    for j in range(element_ends[ids[at]], element_ends[ids[at] + 1]):
                        next_node = find_step(steps, nodes, <uint64_t>(node * element_count + elements[j]))
                        if next_node < 0:
                            continue
                        if phrases[next_node] >= 0:
                            failed |= push(&found, i, at + 1, phrases[next_node])
                        if at + 1 < ends[t + 1] and roles[ids[at + 1]] & 2:
                            failed |= push(&waiting, next_node, at + 1, 0)
    rows = np.empty((found.size // 3, 3), np.int64)
    cdef int64_t[:, ::1] rows_ = rows
    if found.size and not failed:
        memcpy(&rows_[0, 0], found.number, found.size * sizeof(int64_t))
    free(found.number)
    free(waiting.number)
    if failed:
        raise MemoryError("the phrases of these texts do not fit into memory")
    return rows


# ---- sentences ----


cdef inline int is_single(uint8_t byte) noexcept nogil:
    return byte == 46 or byte == 33 or byte == 63  # . ! ?


cdef inline int goes_on(uint8_t byte) noexcept nogil:
    """Whether what follows a full stop shows that it ends no sentence: a letter, a digit, a comma, another sign."""
    return (48 <= byte <= 57) or (65 <= byte <= 90) or (97 <= byte <= 122) or byte == 44 or is_single(byte)


cdef int ends_with(const uint8_t *text, int64_t size, const uint8_t[:, ::1] signs) noexcept nogil:
    """Whether the text up to here ends with one of the signs, which are their length and up to 3 bytes."""
    cdef Py_ssize_t s, back
    cdef int same
    for s in range(signs.shape[0]):
        if size < signs[s, 0]:
            continue
        same = 1
        for back in range(signs[s, 0]):
            same &= text[size - signs[s, 0] + back] == signs[s, 1 + back]
        if same:
            return 1
    return 0


def count_sentences(const int64_t[::1] offsets, const uint8_t[::1] data, const uint8_t[:, ::1] signs, int64_t least):
    """The number of sentences of each text; `signs` other than `.!?` are rows of a length and up to 3 bytes.

    A sentence has at least `least` bytes up to its end.
    """
    cdef Py_ssize_t t, i, last, before
    cdef const uint8_t *text
    cdef uint8_t byte
    cdef int ends
    cdef uint8_t may_end[256]
    memset(may_end, 0, 256)
    for byte in b".!?":
        may_end[byte] = 1
    for i in range(signs.shape[0]):
        may_end[signs[i, signs[i, 0]]] = 1
    counts = np.zeros(len(offsets) - 1, np.int64)
    cdef int64_t[::1] counts_ = counts
    if not len(data):
        return counts
    with nogil:
        for t in range(offsets.shape[0] - 1):
            text = &data[0] + offsets[t]
            last = offsets[t + 1] - offsets[t] - 1
            while last >= 0 and (text[last] == 32 or 9 <= text[last] <= 13):
                last -= 1
            before = -1
            for i in range(last + 1):
                byte = text[i]
                if not may_end[byte]:
                    continue
                if byte >= 0x80:
                    ends = ends_with(text, i + 1, signs)
                else:
                    ends = is_single(byte) and (i == last or not goes_on(text[i + 1]))
                if ends:
                    counts_[t] += i - before >= least
                    before = i
            counts_[t] += last - before >= least
            if last >= 0 and counts_[t] == 0:
                counts_[t] = 1
    return counts
