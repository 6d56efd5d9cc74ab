# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled counter: texts in Arrow buffers become words, sums and rows, without the GIL.

A `Counter` is mutable and used by one thread at a time; its results are arrays that it does not change any more. Tokens
are those of `Tokenizer`, by a table of all characters (`matching/characters.py`). The work is done in C (`_kernel`).
"""

from cpython cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport INT32_MAX, UINT32_MAX, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from functools import partial

import numpy as np
import pyarrow as pa

from problex._util.threads import call_all
from problex.counting import copies
from problex.errors import DocumentError, LexiconError


ctypedef fused offset_t:
    int32_t
    int64_t


INT32, INT64 = np.dtype(np.int32), np.dtype(np.int64)
STRING, LARGE_STRING = pa.string(), pa.large_string()
FASTEST = px_fastest()
FULL = "the words of these texts do not fit into memory"
LOG_FULL = f"the log has {UINT32_MAX:,} entries or more: count fewer documents at once and add the counts"


cdef memory_error(const px_counter *c):
    """The error for what a counter has run out of."""
    return MemoryError(LOG_FULL if c.failed == PX_LOG_FULL else FULL)


include "_texts.pxi"
include "_plan.pxi"
include "_logs.pxi"


cdef int load(px_counter *c, uint32_t block) noexcept with gil:
    """Let Python look up a block of characters, or give the tables of normalisation; 0 when they are there."""
    cdef const uint32_t[::1] points, ends, parts, composed
    cdef const uint64_t[::1] pairs
    try:
        characters = (<Counter>c.owner).characters
        if block != PX_NORMALIZATION:
            characters.fill(block)
            return 0
        points, ends, parts, pairs, composed = characters.normalization()  # which keeps them alive
        c.plan.normalization = px_normalization(
            &points[0], &ends[0], &parts[0], &pairs[0], &composed[0], <size_t>len(points), <size_t>len(pairs)
        )
        return 0
    except BaseException as error:
        (<Counter>c.owner).error = error
        return -1


cdef class Counter(Log):
    """Counts documents: sums over them (`sums`), a sparse row for each (`rows`), or their words in order (`ids`).

    What it knows before the first text is its `Plan`. A `closed` counter has no columns but the items of the plan;
    every token counts for the length. `associations` also sums, for every word, how often it occurs with each list.
    `sample` is the size of the sample of documents. `fast` is 0 for plain C, 1 for AVX2, 2 for AVX-512.
    """

    cdef object characters
    cdef public object error
    cdef int fast

    def __cinit__(self, characters, bint joins, plan, bint sums=False, bint rows=False, bint ids=False,
                  bint closed=False, bint associations=False, size_t sample=0, int fast=FASTEST):
        cdef uint64_t slots = 1 << (12 if closed else 18)
        cdef const uint32_t[::1] table = characters.values
        self.characters = characters  # keeps the table alive
        self.plan = plan  # and the bytes of literals and glob patterns
        self.error = None
        self.fast = min(fast, FASTEST)
        if not 1 <= plan.list_count <= PX_LISTS:
            raise LexiconError(f"the lexicon has {plan.list_count} lists, expected at most {PX_LISTS}: join some")
        if len(table) != 0x110000:
            raise ValueError(f"the table has {len(table)} characters, expected all {0x110000}")
        while slots < (16 if slots < 1 << 22 else 4) * <uint64_t>len(plan.words):  # many would fill the memory
            slots *= 2
        if px_init(&self.c, plan.list_count, joins, slots, <uint32_t>(slots // 2)):
            raise MemoryError(FULL)
        self.c.owner = <void *>self
        self.c.load = load
        self.c.plan.characters = &table[0]
        self.c.plan.folds = characters.folds
        self.c.plan.want_sums, self.c.plan.want_rows, self.c.plan.want_ids = sums, rows, ids
        self.c.plan.want_associations = associations
        self.c.sample.max = sample
        add_words(&self.c, plan.words)
        self.c.plan.reserved = self.c.words.size
        self.c.plan.closed = closed
        add_items(&self.c, plan.items, plan.lists)
        add_negation(&self.c, plan)
        add_phrases(&self.c, plan.phrases, len(plan.classes) > 0)
        add_patterns(&self.c.plan.classes, plan.classes)
        add_patterns(&self.c.plan.wildcards, plan.wildcards)
        add_literals(&self.c, plan.literals)
        match_patterns(&self.c, plan.plain)

    def add(self, texts):
        """Count the texts of an Arrow array of strings without nulls; none of them, if one is too long."""
        cdef uintptr_t offsets, data
        cdef int64_t n = len(texts), at
        cdef int wide
        if n == 0:
            return
        offsets, data, wide, owner = text_buffers(texts)
        at = first_too_long(<const int64_t *>offsets, n) if wide else -1  # 32-bit offsets only address what fits
        if at >= 0:
            size = f"{(<const int64_t *>offsets)[at + 1] - (<const int64_t *>offsets)[at]:,} bytes"
            raise DocumentError(f"text {at + 1} of {n} has {size}, expected at most {PX_LENGTH:,}: cut it into several")
        with InUse(self, ALL):
            with nogil:
                if wide:
                    self.run(<const int64_t *>offsets, <const unsigned char *>data, n)
                else:
                    self.run(<const int32_t *>offsets, <const unsigned char *>data, n)
            if self.c.failed:
                raise self.error if self.error is not None else memory_error(&self.c)
            if self.c.plan.want_sums and self.c.keys.size > 4 * <size_t>copies.MAX_KEYS:  # seldom, for it takes time
                self.trim_keys()

    cdef void run(self, const offset_t *offsets, const unsigned char *data, int64_t n) noexcept nogil:
        cdef int64_t i
        for i in range(n):
            px_count_document(&self.c, data + offsets[i], <size_t>(offsets[i + 1] - offsets[i]), self.fast)
            if self.c.failed:
                return

    def merge(self, Counter other, bint pairs=True):
        """Add the sums of another counter of the same lexicon: all of them, or all but the pairs (`PairsPart`)."""
        cdef int failed, use = ALL if pairs else WORDS
        if self.c.plan.lists != other.c.plan.lists or self.c.plan.want_associations != other.c.plan.want_associations:
            raise ValueError("the other counter has other lists or no associations, expected one made in the same way")
        with InUse(self, use), InUse(other, use):
            with nogil:
                failed = px_merge(&self.c, &other.c, pairs)
            if failed:
                raise memory_error(&self.c)

    def prune(self, int64_t max_occurrences):
        """Remove words outside the lexicon that occurred at most so often; returns the number of words left."""
        with InUse(self, ALL):
            if px_prune(&self.c, max_occurrences):
                raise memory_error(&self.c)
            return self.c.words.size

    @property
    def size(self):
        """The number of words."""
        return self.c.words.size

    @property
    def memory(self):
        """About how many bytes the words take."""
        cdef uint64_t word = 64 + 32 + (16 * <uint64_t>self.c.plan.lists if self.c.plan.want_associations else 0)
        return self.c.words.used + self.c.words.size * word + 16 * self.c.pairs.sums.size

    def fullness(self, uint64_t capacity):
        """The share of its capacity in bytes that a counter takes, or of the words it can number, whichever is larger.

        Pairs cannot be pruned, so words have what the pairs leave, and at least a quarter.
        """
        pairs = 16 * self.c.pairs.sums.size
        left = max(capacity - min(pairs, capacity), capacity // 4, 1)
        return max((self.memory - pairs) / left, self.c.words.size / (0.9 * PX_MAX_WORDS))

    def totals(self):
        """The sums that are one number each."""
        return {
            "documents": self.c.totals.documents,
            "tokens": self.c.totals.tokens,
            "squared_lengths": self.c.totals.squared_lengths,
            "empty": self.c.totals.empty,
            "pruned": self.c.totals.pruned,
        }

    def imputed_documents(self):
        """For each list, the number of documents with more matches of it than of any other."""
        return copied(self.c.totals.imputed_documents, self.c.plan.lists, np.int64)

    def known_items(self):
        """The items known from the start: the names and numbers of those of the lexicon, forms and lists of all."""
        names = self.plan.names
        return names, self.plan.items[: len(names)], self.plan.forms, self.item_lists(self.c.items.known)

    def items(self):
        """The names of the items, as an Arrow array (empty: a negated form that never occurred), and their lists."""
        words = np.full(self.c.items.size, UINT32_MAX, dtype=np.uint32)
        cdef uint32_t[::1] words_ = words
        cdef uint32_t id
        with InUse(self, WORDS):
            for id in range(self.c.words.size):
                if self.c.words.word[id].item >= 0:
                    words_[self.c.words.word[id].item] = id
            return self.strings(words), self.item_lists(self.c.items.size)

    cdef item_lists(self, int32_t size):
        """The lists of the first items: two bytes for each, as there may be millions of them."""
        return copied(self.c.items.list, size, np.uint16)

    def written_items(self):
        """Which items are entries of the lexicon: neither negated words nor words that a wildcard matched."""
        return np.concatenate((self.plan.written, np.zeros(self.c.items.size - len(self.plan.written), dtype=bool)))

    def seen_items(self):
        """Which items occurred at least once."""
        cdef uint32_t id
        cdef uint8_t[::1] seen = np.zeros(self.c.items.size, dtype=np.uint8)
        with InUse(self, WORDS):
            for id in range(self.c.words.size):
                if self.c.words.word[id].item >= 0:
                    seen[self.c.words.word[id].item] = self.c.words.word[id].n > 0
        return np.asarray(seen).view(bool)

    def sums(self):
        """The words that occurred, in no order: names, numbers, sums of counts and of squared counts over documents."""
        cdef uint32_t size = self.c.words.size, to = 0, id
        numbers = np.empty(size, dtype=np.uint32)
        n, q = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
        cdef int64_t[::1] n_ = n, q_ = q
        cdef uint32_t[::1] numbers_ = numbers
        with InUse(self, WORDS):
            with nogil:
                for id in range(size):
                    if self.c.words.word[id].n == 0:
                        continue
                    numbers_[to] = id
                    n_[to] = self.c.words.word[id].n
                    q_[to] = self.c.words.word[id].q
                    to += 1
            return self.strings(numbers[:to]), numbers[:to], n[:to], q[:to]

    def associations(self, uint32_t[::1] numbers):
        """For words by number: the products with each list, and the occurrences in documents of each label."""
        cdef Py_ssize_t i, y, K = self.c.plan.lists
        if not self.c.plan.want_associations or (len(numbers) and np.max(numbers) >= self.c.words.size):
            raise ValueError(f"expected numbers of the {self.c.words.size} words of a counter with associations")
        both = np.empty((len(numbers), 2 * K), dtype=np.int64)
        cdef int64_t[:, ::1] both_ = both
        with InUse(self, WORDS), nogil:
            for i in range(numbers.shape[0]):
                for y in range(2 * K):
                    both_[i, y] = self.c.associations.sum[<size_t>numbers[i] * 2 * <size_t>K + <size_t>y]
        return both[:, :K].copy(), both[:, K:].copy()

    cdef strings(self, uint32_t[::1] ids):
        """Words by number, as an Arrow array; UINT32_MAX is an empty one."""
        cdef Py_ssize_t i, count = ids.shape[0]
        cdef int64_t total = 0
        cdef const px_word *word
        for i in range(count):
            total += self.c.words.word[ids[i]].len if ids[i] != UINT32_MAX else 0
        if total > INT32_MAX:
            raise MemoryError("the words take over two gigabytes: give less memory, so that rare words are pruned")
        offsets, data = np.empty(count + 1, dtype=np.int32), np.empty(total, dtype=np.uint8)
        cdef int32_t[::1] offsets_ = offsets
        cdef uint8_t[::1] data_ = data
        total = 0
        with nogil:
            for i in range(count):
                offsets_[i] = <int32_t>total
                if ids[i] == UINT32_MAX:
                    continue
                word = &self.c.words.word[ids[i]]
                if word.len:
                    memcpy(&data_[total], self.c.words.arena + word.offset, word.len)
                total += word.len
        offsets_[count] = <int32_t>total
        return pa.Array.from_buffers(pa.string(), count, [None, pa.py_buffer(offsets), pa.py_buffer(data)])

    cdef trim_keys(self):
        """Keep the smallest keys, each once, in order; a larger one cannot be among them any more."""
        cdef const uint64_t[::1] smallest = copies.smallest_keys(copied(self.c.keys.at, self.c.keys.size, np.uint64))
        self.c.keys.size = <size_t>len(smallest)
        if len(smallest):
            memcpy(self.c.keys.at, &smallest[0], self.c.keys.size * sizeof(uint64_t))
        if len(smallest) == copies.MAX_KEYS:
            self.c.keys.limit = smallest[len(smallest) - 1]

    def keys(self):
        """The smallest different keys of the texts, in order."""
        with InUse(self, WORDS):
            self.trim_keys()
            return copied(self.c.keys.at, self.c.keys.size, np.uint64)

    def sample(self):
        """The sample of documents: keys, keys of words, repeats, lengths, and (ends, items, counts) of its rows."""
        with InUse(self, WORDS):
            if px_sample_trim(&self.c.sample):
                raise memory_error(&self.c)
            return self.sampled_rows()

    cdef sampled_rows(self):
        cdef size_t i, n = self.c.sample.size
        keys, word_keys = np.empty(n, dtype=np.uint64), np.empty(n, dtype=np.uint64)
        repeats = np.empty(n, dtype=np.int64)
        lengths, ends = np.empty(n, dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
        cdef uint64_t[::1] keys_ = keys, word_keys_ = word_keys
        cdef int64_t[::1] repeats_ = repeats, lengths_ = lengths, ends_ = ends
        cdef px_sampled row
        for i in range(n):
            row = self.c.sample.row[i]
            px_sort_entries(self.c.sample.entry + row.first, row.count)
            keys_[i], word_keys_[i], repeats_[i] = row.key, row.word_key, row.repeats
            lengths_[i], ends_[i + 1] = row.length, row.first + row.count
        entries = copied(self.c.sample.entry, self.c.sample.used, np.uint64)  # item and count, 32 bits each
        items, counts = (entries >> 32).astype(np.int32), (entries & UINT32_MAX).astype(np.int64)
        return keys, word_keys, repeats, lengths, ends.astype(index_type(len(entries))), items, counts

    def rows(self):
        """The rows counted since the last call, as (ends, columns, counts, lengths, keys)."""
        with InUse(self, WORDS):
            ends, lengths = self.row_ends()
            columns = copied(self.c.rows.column, self.c.rows.used, INT32)
            counts = copied(self.c.rows.count, self.c.rows.used, INT32)
            keys = copied(self.c.keys.at, self.c.keys.size, np.uint64)
            self.c.rows.size = self.c.rows.used = self.c.keys.size = 0
        return ends, columns, counts, lengths, keys

    def ids(self):
        """The words of the texts counted since the last call, in order, as (ends, ids)."""
        with InUse(self, WORDS):
            ends, _ = self.row_ends()
            ids = copied(self.c.rows.id, self.c.rows.ids, INT32)
            self.c.rows.size = self.c.rows.ids = 0
        return ends, ids

    cdef row_ends(self):
        return copied(self.c.rows.end, self.c.rows.size, INT64, 1), copied(self.c.rows.length, self.c.rows.size, INT64)

    def words(self):
        """All words in the order of their numbers, as an Arrow array."""
        with InUse(self, WORDS):
            return self.strings(np.arange(self.c.words.size, dtype=np.uint32))


def release():
    """Free the memory that is kept for the next counter; returns how many bytes."""
    return px_empty_store()
