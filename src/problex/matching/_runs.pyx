# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Texts without spaces between words, in Arrow buffers: their runs of letters, and the words of runs met before.

A run met for the first time is cut into words by ICU's dictionary of its script, read into a table; where there is none
for it, by ICU, together with all other such runs of a call. Texts are then written with a mark between the words of
each run, as `segment_all` of `segmentation.py` does it.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

import sys

import numpy as np
import pyarrow as pa

cdef enum:
    # What a character is: looked up, a letter, a space, of a script without spaces, of one with spaces between clauses.
    KNOWN = 1, LETTER = 2, SPACE = 4, UNSPACED = 8, PHRASED = 16, MARK = 32
    BEFORE = 1, AFTER = 2, CLAUSE = 4  # a mark goes before a run, or behind it; what is before it ends a clause
    ONCE = 8  # the words of a run are not kept for later
    SHORT = 24  # bytes of a run whose words are kept; longer ones are seldom met again, and cut as fast as found
    STAND_IN = 0x3400  # for characters of two units: a rare character, which is no part of a longer word
    MOST_UNITS = 1 << 20  # of a text that is sent to ICU
    MOST_AREAS = 8
    MARK_SIZE = 3  # bytes of the mark between words
    SPARE = 16  # bytes behind the words of a run, for copies of a fixed size
KINDS = {"letter": LETTER, "space": SPACE, "unspaced": UNSPACED, "phrased": PHRASED, "mark": MARK}
UTF16 = f"utf-16-{sys.byteorder[0]}e"
FULL = "the words of these texts do not fit into memory"
cdef uint64_t FACTOR = <uint64_t>0x9E3779B97F4A7C15


cdef struct Place:  # where a run is, and which entry, or the bytes of its words if they are not kept
    int64_t start, end
    uint32_t entry
    uint32_t flags


cdef struct Entry:  # a run, and its words with marks between them; both are in the arena
    uint64_t hash
    int64_t run, words
    uint32_t run_size, words_size


include "_bytes.pxi"
include "_dictionary.pxi"
include "_trie.pxi"
include "_table.pxi"
include "_breaker.pxi"
include "_segmenter.pxi"


cdef class Runs:
    """Runs that were segmented before, up to about `most` bytes; used by one thread at a time.

    `kind_of` says what a character is, by a sum of `KINDS`. `mark` is put between words, `clause` takes the place of
    spaces that end a clause.
    """

    cdef Array arena, entries, places, waiting, once
    cdef char[3] mark
    cdef uint32_t *slots
    cdef int64_t slot_count, most
    cdef uint8_t[::1] kinds
    cdef object kind_of
    cdef Segmenter segmenter
    cdef bytes clause

    def __cinit__(self, kind_of, Segmenter segmenter not None, str mark, str clause, int64_t most):
        self.kind_of, self.segmenter, self.most = kind_of, segmenter, most
        self.kinds = np.zeros(0x110000, dtype=np.uint8)
        cdef bytes encoded = mark.encode()
        if len(encoded) != MARK_SIZE:
            raise ValueError(f"a mark of {len(encoded)} bytes, expected {MARK_SIZE}")
        memcpy(self.mark, <const char *>encoded, MARK_SIZE)
        self.clause = clause.encode()
        self.forget()

    def __dealloc__(self):
        free(self.arena.at)
        free(self.entries.at)
        free(self.places.at)
        free(self.waiting.at)
        free(self.once.at)
        free(self.slots)

    cdef int forget(self) except -1:
        """Forget all runs, and free their memory."""
        free(self.arena.at)
        free(self.entries.at)
        self.arena = self.entries = Array(NULL, 0, 0)
        return self.make_slots(1 << 12)

    cdef int make_slots(self, int64_t count) except -1 nogil:
        """Slots for entries: the number of each plus one, by its hash."""
        cdef uint32_t *fresh = <uint32_t *>calloc(<size_t>count, 4)
        cdef int64_t i, at
        if fresh == NULL:
            with gil:
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
        known, self.places.used, self.once.used = self.entries.used, 0, 0
        try:
            with nogil:
                for i in range(n):
                    self.find(bytes_, offsets[i], offsets[i + 1])
                    firsts_[i + 1] = self.places.used
                self.learn(known)
        except BaseException:
            self.forget()  # the new runs have no words yet
            raise
        if not self.places.used:
            return texts
        written = self.written(bytes_, offsets, firsts_).cast(texts.type)
        if self.once.capacity > self.most:
            free(self.once.at)
            self.once = Array(NULL, 0, 0)
        return written

    cdef inline uint8_t kind(self, const char *p, int64_t left, int64_t *size) except 0 nogil:
        """What the character at the start of some bytes is, and its length."""
        cdef uint32_t point = decode(p, left, size)
        cdef uint8_t kind = self.kinds[point]
        return kind if kind else self.look_up(point)

    cdef uint8_t look_up(self, uint32_t point) except 0 with gil:
        self.kinds[point] = self.kind_of(chr(point)) | KNOWN
        return self.kinds[point]

    cdef int find(self, const char *p, int64_t at, int64_t end) except -1 nogil:
        """Note the runs of a text, which is from one byte to another."""
        cdef int64_t start, size = 0, first = self.places.used, once = self.once.used
        cdef uint8_t kind, before = 0, closed = 0
        cdef uint32_t flags
        cdef int spaces = 0  # since the last run: 1 if there are only spaces, 2 if there is more
        while at < end:
            kind = self.kind(p + at, end - at, &size)
            if kind & MARK:
                self.places.used, self.once.used = first, once
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

    cdef int note(self, const char *p, int64_t start, int64_t end, uint32_t flags) except -1 nogil:
        """Note a run, which becomes an entry if it is new; a long one is cut into words at once."""
        cdef uint64_t hash
        cdef int64_t at, size
        cdef Entry *entry
        cdef Place *place = <Place *>reserve(&self.places, 1, sizeof(Place))
        if end - start > SHORT:
            size = self.put_words(&self.once, p + start, end - start)
            if size:
                place[0] = Place(start, end, <uint32_t>size, flags | ONCE)
                self.places.used += 1
                return 0
        hash = hash_of(p + start, end - start)
        at = hash & <uint64_t>(self.slot_count - 1)
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

    cdef int learn(self, int64_t first) except -1 nogil:
        """Get the words of the entries from one on."""
        cdef int64_t i, size
        cdef Entry *entry = <Entry *>self.entries.at
        self.waiting.used = self.segmenter.units.used = 0
        for i in range(first, self.entries.used):
            reserve(&self.arena, 2 * entry[i].run_size + SPARE, 1)  # after which the run stays where it is
            entry[i].words = self.arena.used
            size = self.put_words(&self.arena, self.arena.at + entry[i].run, entry[i].run_size)
            entry[i].words_size = <uint32_t>size
            if size:
                continue
            self.segmenter.add(self.arena.at + entry[i].run, entry[i].run_size)
            (<int64_t *>reserve(&self.waiting, 1, 8))[0] = i
            self.waiting.used += 1
            if self.segmenter.units.used > MOST_UNITS:
                self.ask()
        return self.ask() if self.waiting.used else 0

    cdef int64_t put_words(self, Array *out, const char *run, int64_t run_size) except -1 nogil:
        """Add the words of a run to an array, by a dictionary; return their size, or 0 if there is none for the run."""
        cdef uint32_t *ends = NULL
        cdef int64_t i, count = self.segmenter.cut(run, run_size, &ends), size = run_size + MARK_SIZE * (count - 1)
        cdef char *to
        cdef const char *at = run
        cdef const char *end
        cdef const char *last = run + run_size - 12
        if not count:
            return 0
        to = reserve(out, size + SPARE, 1)
        for i in range(count):
            end = run + 3 * <int64_t>ends[i]
            while at < end and at <= last:  # most words have few bytes; what is copied too much is written again
                memcpy(to, at, 12)
                to += 12 if end - at > 12 else end - at
                at += 12 if end - at > 12 else end - at
            if at < end:
                memcpy(to, at, <size_t>(end - at))
                to += end - at
                at = end
            memcpy(to, self.mark, MARK_SIZE)
            to += MARK_SIZE
        out.used += size
        return size

    cdef int ask(self) except -1 nogil:
        """Get the words of the waiting entries from ICU."""
        cdef int64_t i = 0, k, at = 0, size = 0, next_ = 0
        cdef int32_t character = 0, end
        cdef Entry *entry = NULL
        self.segmenter.find()
        for k in range(self.segmenter.ends.used):
            end = (<int32_t *>self.segmenter.ends.at)[k]
            if entry == NULL:
                if i == self.waiting.used:
                    break
                entry = <Entry *>self.entries.at + (<int64_t *>self.waiting.at)[i]
                entry.words, at = self.arena.used, 0
            elif at == entry.run_size:  # this is the line break
                character, entry = end, NULL
                i += 1
                continue
            if at:
                add_bytes(&self.arena, self.mark, MARK_SIZE)
            next_ = at
            while character < end and next_ < entry.run_size:
                decode(self.arena.at + entry.run + next_, entry.run_size - next_, &size)
                next_ += size
                character += 1
            reserve(&self.arena, next_ - at, 1)
            add_bytes(&self.arena, self.arena.at + entry.run + at, next_ - at)
            entry.words_size = <uint32_t>(self.arena.used - entry.words)
            at = next_
        if i != self.waiting.used:
            with gil:
                raise ValueError(f"the words of {self.waiting.used} runs were expected, not of {i + (entry != NULL)}")
        self.waiting.used = self.segmenter.units.used = 0
        return 0

    cdef written(self, const char *p, const int64_t *offsets, const int64_t[::1] firsts):
        """The texts with marks, as a large Arrow array."""
        cdef int64_t i, k, size = offsets[firsts.shape[0] - 1] - offsets[0], n = firsts.shape[0] - 1
        cdef Place *place = <Place *>self.places.at
        for k in range(self.places.used):
            size += self.size_of(&place[k]) - (place[k].end - place[k].start) + 2 * MARK_SIZE + len(self.clause)
        ends, data = np.zeros(n + 1, dtype=np.int64), pa.allocate_buffer(size, resizable=True)
        cdef int64_t[::1] ends_ = ends
        cdef char *out = <char *><uintptr_t>data.address
        cdef const char *clause = self.clause
        cdef int64_t clause_size = len(self.clause)
        with nogil:
            self.write(p, offsets, firsts, out, &ends_[0], clause, clause_size)
        data.resize(ends_[n])
        return pa.Array.from_buffers(pa.large_string(), n, [None, pa.py_buffer(ends), data])

    cdef inline int64_t size_of(self, const Place *place) noexcept nogil:
        """How many bytes the words of a run take."""
        return place.entry if place.flags & ONCE else (<Entry *>self.entries.at)[place.entry].words_size

    cdef void write(self, const char *p, const int64_t *offsets, const int64_t[::1] firsts, char *out, int64_t *ends,
                    const char *clause, int64_t clause_size) noexcept nogil:
        cdef int64_t i, k, at, to = 0, size
        cdef Place *place = <Place *>self.places.at
        cdef const char *once = self.once.at
        cdef const char *words
        for i in range(firsts.shape[0] - 1):
            at = offsets[i]
            for k in range(firsts[i], firsts[i + 1]):
                if place[k].flags & CLAUSE:
                    to = put(out, to, clause, clause_size)
                else:
                    to = put(out, to, p + at, place[k].start - at)
                if place[k].flags & BEFORE:
                    to = put(out, to, self.mark, MARK_SIZE)
                size, words = self.size_of(&place[k]), once
                if place[k].flags & ONCE:
                    once += size
                else:
                    words = self.arena.at + (<Entry *>self.entries.at)[place[k].entry].words
                to = put(out, to, words, size)
                if place[k].flags & AFTER:
                    to = put(out, to, self.mark, MARK_SIZE)
                at = place[k].end
            to = put(out, to, p + at, offsets[i + 1] - at)
            ends[i + 1] = to
