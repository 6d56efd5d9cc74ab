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
    STAND_IN = 0x3400  # for characters of two units: a rare character, which is no part of a longer word
    MOST_UNITS = 1 << 20  # of a text that is sent to ICU
    MOST_AREAS = 8
    MARK_SIZE = 3  # bytes of the mark between words
    SPARE = 16  # bytes behind the words of a run, for copies of a fixed size
KINDS = {"letter": LETTER, "space": SPACE, "unspaced": UNSPACED, "phrased": PHRASED, "mark": MARK}
UTF16 = f"utf-16-{sys.byteorder[0]}e"
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


include "_bytes.pxi"
include "_dictionary.pxi"
include "_trie.pxi"
include "_breaker.pxi"
include "_segmenter.pxi"


cdef class Runs:
    """Runs that were segmented before, up to about `most` bytes; used by one thread at a time.

    `kind_of` says what a character is, by a sum of `KINDS`; `kinds` has the answers so far, for each character, and may
    be shared. `mark` is put between words, `clause` takes the place of spaces that end a clause.
    """

    cdef Array arena, entries, places, waiting
    cdef uint32_t *slots
    cdef int64_t slot_count, most
    cdef uint8_t[::1] kinds
    cdef object kind_of
    cdef Segmenter segmenter
    cdef bytes mark, clause

    def __cinit__(self, kinds, kind_of, Segmenter segmenter not None, str mark, str clause, int64_t most):
        self.kinds, self.kind_of, self.segmenter, self.most = kinds, kind_of, segmenter, most
        self.mark, self.clause = mark.encode(), clause.encode()
        if len(kinds) != 0x110000 or len(self.mark) != MARK_SIZE:
            raise ValueError(
                f"{len(kinds)} kinds of characters and a mark of {len(self.mark)} bytes, expected 1114112 and 3"
            )
        self.forget()

    def __dealloc__(self):
        free(self.arena.at)
        free(self.entries.at)
        free(self.places.at)
        free(self.waiting.at)
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
        cdef const char *mark = self.mark
        if self.memory > self.most:
            self.forget()
        known, self.places.used = self.entries.used, 0
        try:
            with nogil:
                for i in range(n):
                    self.find(bytes_, offsets[i], offsets[i + 1])
                    firsts_[i + 1] = self.places.used
                self.learn(known, mark)
        except BaseException:
            self.forget()  # the new runs have no words yet
            raise
        if not self.places.used:
            return texts
        return self.written(bytes_, offsets, firsts_).cast(texts.type)

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

    cdef int note(self, const char *p, int64_t start, int64_t end, uint32_t flags) except -1 nogil:
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

    cdef int learn(self, int64_t first, const char *mark) except -1 nogil:
        """Get the words of the entries from one on."""
        cdef int64_t i, count
        cdef Entry *entry = <Entry *>self.entries.at
        cdef uint32_t *ends = NULL
        self.waiting.used = self.segmenter.units.used = 0
        for i in range(first, self.entries.used):
            count = self.segmenter.cut(self.arena.at + entry[i].run, entry[i].run_size, &ends)
            if count:
                self.put_words(&entry[i], ends, count, mark)
                continue
            self.segmenter.add(self.arena.at + entry[i].run, entry[i].run_size)
            (<int64_t *>reserve(&self.waiting, 1, 8))[0] = i
            self.waiting.used += 1
            if self.segmenter.units.used > MOST_UNITS:
                self.ask(mark)
        return self.ask(mark) if self.waiting.used else 0

    cdef int put_words(self, Entry *entry, const uint32_t *ends, int64_t count, const char *mark) except -1 nogil:
        """Put the words of a run of characters of three bytes into the arena."""
        cdef int64_t i, k, size = entry.run_size + MARK_SIZE * (count - 1)
        cdef char *to = reserve(&self.arena, size + SPARE, 1)
        cdef const char *run = self.arena.at + entry.run
        cdef const char *end
        entry.words, entry.words_size = self.arena.used, <uint32_t>size
        self.arena.used += size
        for i in range(count):
            end = self.arena.at + entry.run + 3 * <int64_t>ends[i]
            while run < end:  # most words have few bytes; what is copied too much is written again
                memmove(to, run, 12)
                k = 12 if end - run > 12 else end - run
                to += k
                run += k
            memcpy(to, mark, MARK_SIZE)
            to += MARK_SIZE
        return 0

    cdef int ask(self, const char *mark) except -1 nogil:
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
                add_bytes(&self.arena, mark, MARK_SIZE)
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
