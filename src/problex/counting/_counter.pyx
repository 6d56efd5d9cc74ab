# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The one compiled room: texts in Arrow buffers to words, sums and rows, without the GIL.

`Counter` is mutable and belongs to one thread at a time; everything that leaves it is a frozen value of other rooms.
The definition of a token is that of `tokens.py`: letters go through its table, and what a table cannot tell is asked.
The work is done in C (`_kernel/*.h`); around it stand texts, plans and logs (`_kernel/*.pxi`), and here the counter.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np
import pyarrow as pa

from problex.errors import DocumentError, LexiconError


ctypedef fused offset_t:
    int32_t
    int64_t


FASTEST = px_fastest()
FULL = "the words of these texts do not fit into memory"

include "_kernel/texts.pxi"
include "_kernel/planning.pxi"
include "_kernel/logs.pxi"


cdef int resolve(px_counter *c, const char *text, size_t size) noexcept with gil:
    """Ask Python what the tokens of a chunk are, once; 0 when the memo has the answer."""
    cdef uint32_t word
    cdef uint64_t first = c.memo_used
    cdef bytes token
    cdef void *grown
    try:
        chunk = PyBytes_FromStringAndSize(text, size).decode("utf-8", "replace")
        for name in (<Counter>c.owner).tokenizer.tokens_and_breaks(chunk):
            token = name.encode("utf-8")
            word = px_word_of(c, token, <uint32_t>len(token)) if token else PX_MARK
            if c.failed:
                return -1
            if c.memo_used == c.memo_size:
                grown = realloc(c.memo_ids, (2 * c.memo_size + 1024) * sizeof(uint32_t))
                if grown == NULL:
                    return -1
                c.memo_ids = <uint32_t *>grown
                c.memo_size = 2 * c.memo_size + 1024
            c.memo_ids[c.memo_used] = word
            c.memo_used += 1
        return px_remember(c, text, <uint32_t>size, first)
    except BaseException as error:
        (<Counter>c.owner).error = error
        return -1


cdef class Counter(Log):
    """Counts documents: sums over them (`sums`), a sparse row for each (`rows`), or their words in order (`ids`).

    What it knows beforehand is in its `Plan`. A `closed` counter has no columns but the plan's items; every token
    counts for the length. `associations` also sums, for every word, how often it meets each list.
    `sample` is the size of the sample of documents.
    """

    cdef readonly object tokenizer
    cdef object characters
    cdef public object error
    cdef int fast

    def __cinit__(self, tokenizer, characters, bint joins, plan, bint sums=False, bint rows=False, bint ids=False,
                  bint closed=False, bint associations=False, size_t sample=0, int fast=FASTEST):
        cdef uint64_t slots = 1 << (12 if closed else 18)
        cdef const uint32_t[::1] table = characters
        self.tokenizer = tokenizer
        self.characters = characters  # keeps the table alive
        self.plan = plan  # and the bytes of literals and patterns
        self.error = None
        self.fast = min(fast, FASTEST)
        if plan.list_count > PX_LISTS:
            raise LexiconError(f"the lexicon has {plan.list_count} lists, expected at most {PX_LISTS}: join some")
        while slots < 16 * <uint64_t>len(plan.words):
            slots *= 2
        if px_init(&self.c, plan.list_count, joins, slots, <uint32_t>(slots // 2)):
            raise MemoryError
        self.c.owner = <void *>self
        self.c.resolve = resolve
        self.c.lower = &table[0]
        self.c.known = <uint32_t>len(table)
        self.c.want_sums, self.c.want_rows, self.c.want_ids = sums, rows, ids
        self.c.want_associations = associations
        self.c.sample_most = sample
        add_words(&self.c, plan.words)
        self.c.reserved = self.c.words.size
        self.c.closed = closed
        add_items(&self.c, plan.items, plan.lists)
        add_negation(&self.c, plan)
        add_phrases(&self.c, plan.phrases, len(plan.classes) > 0)
        add_patterns(&self.c.classes, plan.classes)
        add_patterns(&self.c.wildcards, plan.wildcards)
        add_literals(&self.c, plan.literals)
        match_patterns(&self.c, plan.plain)

    def add(self, texts):
        """Count the texts of an Arrow array of strings without nulls; none of them, if one is too long."""
        cdef uintptr_t offsets, data
        cdef int64_t n = len(texts), long
        cdef int wide
        if n == 0:
            return
        offsets, data, wide, kept = text_buffers(texts)
        long = too_long(<const int64_t *>offsets, n) if wide else -1  # narrow offsets cannot say more than fits
        if long >= 0:
            given = (<const int64_t *>offsets)[long + 1] - (<const int64_t *>offsets)[long]
            expected = f"expected at most {PX_LENGTH:,}: cut it into several texts"
            raise DocumentError(f"text {long + 1} of {n} has {given:,} bytes, {expected}")
        with nogil:
            if wide:
                self.run(<const int64_t *>offsets, <const unsigned char *>data, n)
            else:
                self.run(<const int32_t *>offsets, <const unsigned char *>data, n)
        if self.c.failed:
            if self.error is not None:
                raise self.error
            raise MemoryError(FULL)

    cdef void run(self, const offset_t *offsets, const unsigned char *data, int64_t n) noexcept nogil:
        cdef int64_t i
        for i in range(n):
            px_document(&self.c, data + offsets[i], <size_t>(offsets[i + 1] - offsets[i]), self.fast)
            if self.c.failed:
                return

    def merge(self, Counter other, bint pairs=True):
        """Add what another counter of the same words has counted: all of it, or all but the pairs (`PairsPart`)."""
        cdef int failed
        with nogil:
            failed = px_merge(&self.c, &other.c, pairs)
        if failed:
            raise MemoryError(FULL)

    def prune(self, int64_t least):
        """Forget words outside the lexicon that were seen at most so often; returns how many words are left."""
        if px_prune(&self.c, least):
            raise MemoryError(FULL)
        return self.c.words.size

    @property
    def size(self):
        """How many words are known."""
        return self.c.words.size

    @property
    def memory(self):
        """About how many bytes the words take."""
        cdef uint64_t word = 64 + 32 + (16 * <uint64_t>self.c.lists if self.c.want_associations else 0)
        return self.c.words.used + self.c.words.size * word + 16 * self.c.pairs.size

    def fullness(self, uint64_t room):
        """How much of its room a counter takes, in bytes or in words, whichever is nearer to its end."""
        pairs = 16 * self.c.pairs.size  # these cannot be forgotten, so words have what they leave, and always a quarter
        left = max(room - min(pairs, room), room // 4, 1)
        return max((self.memory - pairs) / left, self.c.words.size / (0.9 * PX_MOST_WORDS))

    def totals(self):
        """The sums that are one number each."""
        return {
            "documents": self.c.documents,
            "tokens": self.c.tokens,
            "squared_lengths": self.c.squared_lengths,
            "empty": self.c.empty,
            "pruned": self.c.pruned,
        }

    def imputed_documents(self):
        """Documents that counting gives to each label."""
        return np.array([self.c.imputed_documents[y] for y in range(self.c.lists)], dtype=np.int64)

    def known_items(self):
        """The names of the items known from the start, and the list of each."""
        return self.plan.names, self.plan.lists[: len(self.plan.names)]

    def items(self):
        """The items, as an Arrow array of their names, and the list of each."""
        words = np.full(self.c.items, PX_NONE, dtype=np.uint32)
        lists = np.zeros(self.c.items, dtype=np.int64)
        cdef uint32_t[::1] words_ = words
        cdef int64_t[::1] lists_ = lists
        cdef uint32_t id
        for id in range(self.c.words.size):
            if self.c.words.word[id].item >= 0:
                words_[self.c.words.word[id].item] = id
                lists_[self.c.words.word[id].item] = self.c.words.word[id].list
        return self.strings(words), lists

    def written_items(self):
        """Which items stand in the lexicon: not the negated ones, nor those that wildcards caught."""
        written = np.zeros(self.c.items, dtype=bool)
        written[: len(self.plan.written)] = self.plan.written
        return written

    def seen_items(self):
        """Which items were met at least once."""
        seen = np.zeros(self.c.items, dtype=bool)
        cdef uint8_t[::1] seen_ = seen.view(np.uint8)
        cdef uint32_t id
        for id in range(self.c.words.size):
            if self.c.words.word[id].item >= 0:
                seen_[self.c.words.word[id].item] = self.c.words.word[id].n > 0
        return seen

    def sums(self):
        """Words that were seen, in no order, with their numbers, n and q."""
        cdef uint32_t size = self.c.words.size, kept = 0, id
        chosen = np.empty(size, dtype=np.uint32)
        n = np.empty(size, dtype=np.int64)
        q = np.empty(size, dtype=np.int64)
        cdef int64_t[::1] n_ = n, q_ = q
        cdef uint32_t[::1] chosen_ = chosen
        with nogil:
            for id in range(size):
                if self.c.words.word[id].n == 0:
                    continue
                chosen_[kept] = id
                n_[kept] = self.c.words.word[id].n
                q_[kept] = self.c.words.word[id].q
                kept += 1
        return self.strings(chosen[:kept]), chosen[:kept], n[:kept], q[:kept]

    def associations(self, uint32_t[::1] chosen):
        """For words by number: the products with each list, and the occurrences in documents of each label."""
        cdef Py_ssize_t i, y, K = self.c.lists
        both = np.empty((len(chosen), 2 * K), dtype=np.int64)
        cdef int64_t[:, ::1] both_ = both
        with nogil:
            for i in range(chosen.shape[0]):
                for y in range(2 * K):
                    both_[i, y] = self.c.associations[<size_t>chosen[i] * 2 * <size_t>K + <size_t>y]
        return both[:, :K].copy(), both[:, K:].copy()

    cdef strings(self, uint32_t[::1] ids):
        """Words by number, as an Arrow array."""
        cdef Py_ssize_t i, count = ids.shape[0]
        cdef int64_t total = 0
        cdef const px_word *word
        for i in range(count):
            total += self.c.words.word[ids[i]].len
        if total >= 1 << 31:
            raise MemoryError("the words take over two gigabytes: give less memory, so that rare ones are forgotten")
        offsets = np.empty(count + 1, dtype=np.int32)
        data = np.empty(total, dtype=np.uint8)
        cdef int32_t[::1] offsets_ = offsets
        cdef uint8_t[::1] data_ = data
        total = 0
        with nogil:
            for i in range(count):
                word = &self.c.words.word[ids[i]]
                offsets_[i] = <int32_t>total
                if word.len:
                    memcpy(&data_[total], self.c.words.arena + word.offset, word.len)
                total += word.len
        offsets_[count] = <int32_t>total
        return pa.Array.from_buffers(pa.string(), count, [None, pa.py_buffer(offsets), pa.py_buffer(data)])

    def sample(self):
        """The sample of documents: keys, repeats, lengths, and (ends, items, counts) of its rows, by key."""
        cdef size_t i, k, to = 0
        cdef uint64_t *entry
        if px_sample_trim(&self.c):
            raise MemoryError(FULL)
        keys = np.empty(self.c.samples, dtype=np.uint64)
        repeats = np.empty(self.c.samples, dtype=np.int64)
        lengths = np.empty(self.c.samples, dtype=np.int64)
        sizes = np.zeros(self.c.samples + 1, dtype=np.int32)
        items = np.empty(self.c.sample_used, dtype=np.int32)
        counts = np.empty(self.c.sample_used, dtype=np.int64)
        cdef uint64_t[::1] keys_ = keys
        cdef int64_t[::1] repeats_ = repeats, lengths_ = lengths, counts_ = counts
        cdef int32_t[::1] items_ = items, sizes_ = sizes
        with nogil:
            for i in range(self.c.samples):
                keys_[i] = self.c.sample_key[i]
                repeats_[i] = self.c.sample_repeats[i]
                lengths_[i] = self.c.sample_length[i]
                entry = self.c.sample_entry + self.c.sample_at[i]
                px_sort_entries(entry, self.c.sample_n[i])
                for k in range(self.c.sample_n[i]):
                    items_[to] = <int32_t>(entry[k] >> 32)
                    counts_[to] = <uint32_t>entry[k]
                    to += 1
                sizes_[i + 1] = <int32_t>self.c.sample_n[i]
        return keys, repeats, lengths, np.cumsum(sizes, dtype=index_type(to)), items, counts

    def rows(self):
        """The rows counted so far as (ends, columns, counts, lengths), and forget them."""
        ends, lengths = self.row_ends()
        columns = np.empty(self.c.row_used, dtype=np.int32)
        counts = np.empty(self.c.row_used, dtype=np.int32)
        cdef int32_t[::1] columns_ = columns, counts_ = counts
        if self.c.row_used:
            memcpy(&columns_[0], self.c.row_index, self.c.row_used * sizeof(int32_t))
            memcpy(&counts_[0], self.c.row_count, self.c.row_used * sizeof(int32_t))
        self.c.rows = self.c.row_used = 0
        return ends, columns, counts, lengths

    def ids(self):
        """The words of the texts counted so far, in order, as (ends, ids), and forget them."""
        ends, _ = self.row_ends()
        found = np.empty(self.c.in_ids, dtype=np.int32)
        cdef int32_t[::1] found_ = found
        if self.c.in_ids:
            memcpy(&found_[0], self.c.ids, self.c.in_ids * sizeof(int32_t))
        self.c.rows = self.c.in_ids = 0
        return ends, found

    cdef row_ends(self):
        ends = np.zeros(self.c.rows + 1, dtype=np.int64)
        lengths = np.empty(self.c.rows, dtype=np.int64)
        cdef int64_t[::1] ends_ = ends, lengths_ = lengths
        if self.c.rows:
            memcpy(&ends_[1], self.c.row_end, self.c.rows * sizeof(int64_t))
            memcpy(&lengths_[0], self.c.row_length, self.c.rows * sizeof(int64_t))
        return ends, lengths

    def words(self):
        """All words in the order of their numbers, as an Arrow array."""
        return self.strings(np.arange(self.c.words.size, dtype=np.uint32))


def release():
    """Give back the memory that is kept for the next counter; how many bytes it was."""
    return px_empty_store()
