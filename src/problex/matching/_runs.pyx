# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Texts without spaces between words, in Arrow buffers: their runs of letters, and the words of runs met before.

A run met for the first time is segmented in Python, together with all other new ones of a call. Texts are then written
with a mark between the words of each run, as `segment_all` of `segmentation.py` does it.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy

import numpy as np
import pyarrow as pa

cdef enum:
    # What a character is: looked up, a letter, a space, of a script without spaces, of one with spaces between clauses.
    KNOWN = 1, LETTER = 2, SPACE = 4, UNSPACED = 8, PHRASED = 16, MARK = 32
    BEFORE = 1, AFTER = 2, CLAUSE = 4  # a mark goes before a run, or behind it; what is before it ends a clause
KINDS = {"letter": LETTER, "space": SPACE, "unspaced": UNSPACED, "phrased": PHRASED, "mark": MARK}
FULL = "the words of these texts do not fit into memory"
cdef uint64_t FACTOR = <uint64_t>0x9E3779B97F4A7C15


cdef struct Place:  # where a run is, and which
    int64_t start, end
    uint32_t entry
    uint32_t flags


cdef struct Entry:  # a run, and its words with marks between them; both are in the arena
    uint64_t hash
    int64_t run, words
    uint32_t run_size, words_size


cdef struct Array:  # memory that grows
    char *at
    int64_t used, capacity


cdef inline char *reserve(Array *array, int64_t more, int64_t size) except NULL:
    """The place behind the last element of an array, with memory for some more of them."""
    cdef void *larger
    if array.used + more > array.capacity:
        larger = realloc(array.at, <size_t>(2 * (array.used + more) * size))
        if larger == NULL:
            raise MemoryError(FULL)
        array.at = <char *>larger
        array.capacity = 2 * (array.used + more)
    return array.at + array.used * size


cdef int add_bytes(Array *arena, const char *p, int64_t size) except -1:
    memcpy(reserve(arena, size, 1), p, <size_t>size)
    arena.used += size
    return 0


cdef inline uint64_t hash_of(const char *p, int64_t size) noexcept nogil:
    """A hash of some bytes, eight of them at a time."""
    cdef uint64_t value = <uint64_t>size * FACTOR, part
    while size > 0:
        part = 0
        memcpy(&part, p, <size_t>(size if size < 8 else 8))
        value = (value ^ part) * FACTOR
        value ^= value >> 29
        p += 8
        size -= 8
    return value


cdef inline uint32_t decode(const char *bytes_, int64_t left, int64_t *size) noexcept nogil:
    """The character at the start of some bytes, and its length; a byte that is not UTF-8 is replaced."""
    cdef const unsigned char *p = <const unsigned char *>bytes_
    cdef uint32_t point, first = p[0]
    cdef int64_t i, n = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    size[0] = 1
    if first < 0x80:
        return first
    if first < 0xC2 or first > 0xF4 or n > left:
        return 0xFFFD
    point = first & (0xFF >> (n + 1))
    for i in range(1, n):
        if p[i] & 0xC0 != 0x80:
            return 0xFFFD
        point = point << 6 | (p[i] & 0x3F)
    if point > 0x10FFFF or point < (0x800 if n == 3 else 0x10000 if n == 4 else 0x80):  # or longer than it need be
        return 0xFFFD
    size[0] = n
    return point


cdef class Runs:
    """Runs that were segmented before, up to about `most` bytes; used by one thread at a time.

    `kind_of` says what a character is, by a sum of `KINDS`; `words_of` gives the start and end of each word of a text,
    as numbers of characters. `mark` is put between words, `clause` takes the place of spaces that end a clause.
    """

    cdef Array arena, entries, places
    cdef uint32_t *slots
    cdef int64_t slot_count, most
    cdef uint8_t[::1] kinds
    cdef object kind_of, words_of
    cdef bytes mark, clause

    def __cinit__(self, kind_of, words_of, str mark, str clause, int64_t most):
        self.kind_of, self.words_of, self.most = kind_of, words_of, most
        self.mark, self.clause = mark.encode(), clause.encode()
        self.kinds = np.zeros(0x110000, dtype=np.uint8)
        self.forget()

    def __dealloc__(self):
        free(self.arena.at)
        free(self.entries.at)
        free(self.places.at)
        free(self.slots)

    cdef int forget(self) except -1:
        """Forget all runs, and free their memory."""
        free(self.arena.at)
        free(self.entries.at)
        self.arena = self.entries = Array(NULL, 0, 0)
        return self.make_slots(1 << 12)

    cdef int make_slots(self, int64_t count) except -1:
        """Slots for entries: the number of each plus one, by its hash."""
        cdef uint32_t *fresh = <uint32_t *>calloc(<size_t>count, 4)
        cdef int64_t i, at
        if fresh == NULL:
            raise MemoryError(FULL)
        for i in range(self.entries.used):
            at = (<Entry *>self.entries.at)[i].hash & <uint64_t>(count - 1)
            while fresh[at]:
                at = (at + 1) & (count - 1)
            fresh[at] = <uint32_t>(i + 1)
        free(self.slots)
        self.slots, self.slot_count = fresh, count
        return 0

    @property
    def memory(self):
        """About how many bytes the known runs take."""
        return self.arena.capacity + self.entries.capacity * <int64_t>sizeof(Entry) + 4 * self.slot_count

    @property
    def size(self):
        """How many runs are known."""
        return self.entries.used

    def segment(self, texts):
        """Texts of an Arrow array with marks between the words of each run; those that have marks stay as they are."""
        cdef int64_t n = len(texts), i, known
        if texts.null_count:
            raise ValueError(f"the texts have {texts.null_count} nulls, expected none")
        wide = texts.cast(pa.large_string())
        if not n:
            return texts
        _, starts, data = wide.buffers()
        cdef const int64_t *offsets = <const int64_t *><uintptr_t>starts.address + <int64_t>wide.offset
        cdef const char *bytes_ = <const char *><uintptr_t>(data.address if data is not None else 0)
        firsts = np.zeros(n + 1, dtype=np.int64)  # the first place of each text
        cdef int64_t[::1] firsts_ = firsts
        if self.memory > self.most:
            self.forget()
        known, self.places.used = self.entries.used, 0
        try:
            for i in range(n):
                self.find(bytes_, offsets[i], offsets[i + 1])
                firsts_[i + 1] = self.places.used
            self.learn(known)
        except BaseException:
            self.forget()  # the new runs have no words yet
            raise
        if not self.places.used:
            return texts
        return self.written(bytes_, offsets, firsts_).cast(texts.type)

    cdef inline uint8_t kind(self, const char *p, int64_t left, int64_t *size) except 0:
        """What the character at the start of some bytes is, and its length."""
        cdef uint32_t point = decode(p, left, size)
        if not self.kinds[point]:
            self.kinds[point] = self.kind_of(chr(point)) | KNOWN
        return self.kinds[point]

    cdef int find(self, const char *p, int64_t at, int64_t end) except -1:
        """Note the runs of a text, which is from one byte to another."""
        cdef int64_t start, size = 0, first = self.places.used
        cdef uint8_t kind, before = 0, closed = 0
        cdef uint32_t flags
        cdef int spaces = 0  # since the last run: 1 if there are only spaces, 2 if there is more
        while at < end:
            kind = self.kind(p + at, end - at, &size)
            if kind & MARK:
                self.places.used = first
                return 0
            if not kind & UNSPACED:
                spaces = 1 if kind & SPACE and spaces < 2 else 2
                before = kind
                at += size
                continue
            start = at
            flags = (CLAUSE if spaces == 1 and closed & kind & PHRASED else 0) | (BEFORE if before & LETTER else 0)
            while kind & UNSPACED:
                closed = kind
                at += size
                kind = self.kind(p + at, end - at, &size) if at < end else <uint8_t>KNOWN
            self.note(p, start, at, flags | (AFTER if kind & LETTER else 0))
            spaces = before = 0
        return 0

    cdef int note(self, const char *p, int64_t start, int64_t end, uint32_t flags) except -1:
        """Note a run, which becomes an entry if it is new."""
        cdef uint64_t hash = hash_of(p + start, end - start)
        cdef int64_t at = hash & <uint64_t>(self.slot_count - 1)
        cdef Entry *entry
        cdef Place *place = <Place *>reserve(&self.places, 1, sizeof(Place))
        while self.slots[at]:
            entry = <Entry *>self.entries.at + (self.slots[at] - 1)
            if (entry.hash == hash and entry.run_size == end - start
                    and memcmp(self.arena.at + entry.run, p + start, <size_t>(end - start)) == 0):
                break
            at = (at + 1) & (self.slot_count - 1)
        else:
            entry = <Entry *>reserve(&self.entries, 1, sizeof(Entry))
            entry[0] = Entry(hash, self.arena.used, 0, <uint32_t>(end - start), 0)
            add_bytes(&self.arena, p + start, end - start)
            self.entries.used += 1
            self.slots[at] = <uint32_t>self.entries.used
        place[0] = Place(start, end, self.slots[at] - 1, flags)
        self.places.used += 1
        if 2 * self.entries.used > self.slot_count:
            self.make_slots(4 * self.slot_count)
        return 0

    cdef int learn(self, int64_t first) except -1:
        """Get the words of the entries from one on."""
        cdef int64_t i, at = 0, characters = 0, start, end
        cdef Entry *entry = <Entry *>self.entries.at
        if first == self.entries.used:
            return 0
        runs = [self.arena.at[entry[i].run:entry[i].run + entry[i].run_size] for i in range(first, self.entries.used)]
        cdef bytes joined = b"\n".join(runs)
        cdef const char *p = joined
        i = first
        entry[i].words = self.arena.used
        for _, end in self.words_of(joined.decode()):
            start = at
            while characters < end and at < len(joined):
                at += 1
                characters += at == len(joined) or p[at] & 0xC0 != 0x80
            if p[start] == c"\n":
                i += 1
                if i == self.entries.used:
                    break
                entry[i].words = self.arena.used
                continue
            if entry[i].words_size:
                add_bytes(&self.arena, self.mark, len(self.mark))
            add_bytes(&self.arena, p + start, at - start)
            entry[i].words_size = <uint32_t>(self.arena.used - entry[i].words)
        if i + 1 != self.entries.used or at != len(joined):
            raise ValueError(f"the words of {self.entries.used - first} runs were expected, not of {i + 1 - first}")
        return 0

    cdef written(self, const char *p, const int64_t *offsets, const int64_t[::1] firsts):
        """The texts with marks, as a large Arrow array."""
        cdef int64_t i, k, at, to = 0, n = firsts.shape[0] - 1, size = offsets[n] - offsets[0]
        cdef int64_t mark = len(self.mark), clause = len(self.clause)
        cdef const char *mark_ = self.mark
        cdef const char *clause_ = self.clause
        cdef Place *place = <Place *>self.places.at
        cdef Entry *entry
        for k in range(self.places.used):
            size += (<Entry *>self.entries.at)[place[k].entry].words_size + 2 * mark + clause
        ends, data = np.zeros(n + 1, dtype=np.int64), np.empty(size, dtype=np.uint8)
        cdef int64_t[::1] ends_ = ends
        cdef uint8_t[::1] data_ = data
        cdef char *out = <char *>&data_[0]
        for i in range(n):
            at = offsets[i]
            for k in range(firsts[i], firsts[i + 1]):
                entry = <Entry *>self.entries.at + place[k].entry
                if place[k].flags & CLAUSE:
                    to = put(out, to, clause_, clause)
                else:
                    to = put(out, to, p + at, place[k].start - at)
                if place[k].flags & BEFORE:
                    to = put(out, to, mark_, mark)
                to = put(out, to, self.arena.at + entry.words, entry.words_size)
                if place[k].flags & AFTER:
                    to = put(out, to, mark_, mark)
                at = place[k].end
            to = put(out, to, p + at, offsets[i + 1] - at)
            ends_[i + 1] = to
        return pa.Array.from_buffers(pa.large_string(), n, [None, pa.py_buffer(ends), pa.py_buffer(data[:to])])


cdef int64_t put(char *out, int64_t to, const char *p, int64_t size) noexcept nogil:
    """Write some bytes, and return where they end."""
    memcpy(out + to, p, <size_t>size)
    return to + size
