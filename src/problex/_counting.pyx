# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The one compiled room: texts in Arrow buffers to words, sums and rows, without the GIL.

`Counter` is mutable and belongs to one thread at a time; everything that leaves it is a frozen value of other rooms.
The definition of a token is that of `tokens.py`: letters go through its table, and what a table cannot tell is asked.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, malloc, realloc
from libc.string cimport memcpy

import numpy as np
import pyarrow as pa


cdef extern from "_kernel.h" nogil:
    const uint32_t PX_NONE, PX_ITEMS
    ctypedef struct px_hot:
        uint32_t len
        uint16_t list, starts
        int32_t item
    ctypedef struct px_strings:
        uint32_t size
        px_hot *hot
        uint64_t *offset
        char *arena
        uint64_t used
    ctypedef struct px_record:
        int64_t n, q
        int64_t sums[1]
    ctypedef struct px_pair:
        uint64_t key
        int64_t value
    ctypedef struct px_counter:
        px_strings words
        int lists, closed, joins, failed
        uint32_t reserved
        uint32_t *memo_ids
        uint64_t memo_used, memo_size
        int phrases
        px_pair *trie
        uint64_t trie_mask
        uint32_t *node_word
        int64_t documents, tokens, squared_lengths, empty, pruned
        int64_t *imputed_documents
        uint32_t *list_end
        uint64_t *pair_key
        int64_t *pair_value
        size_t pair_size
        const uint32_t *lower
        uint32_t known
        uint64_t items
        int want_sums, want_rows
        int32_t *row_index
        int32_t *row_count
        size_t row_used, rows
        int64_t *row_end
        int64_t *row_length
        int (*resolve)(px_counter *, const char *, size_t) noexcept
        void *owner
    int px_init(px_counter *, int, uint64_t, int, uint64_t)
    void px_free(px_counter *)
    px_record *px_of(const px_counter *, uint32_t)
    uint32_t px_word_of(px_counter *, const char *, uint32_t)
    uint64_t px_mix(uint64_t, uint64_t)
    int px_remember(px_counter *, const char *, uint32_t, uint64_t)
    void px_document(px_counter *, const unsigned char *, size_t, int)
    int px_merge(px_counter *, px_counter *)
    int px_settle(px_counter *)
    int px_prune(px_counter *, int64_t)
    int px_sorted(const px_strings *, uint32_t *)
    int px_has_avx2()


HAS_AVX2 = bool(px_has_avx2())


cdef int resolve(px_counter *c, const char *text, size_t size) noexcept with gil:
    """Ask Python what the tokens of a chunk are, once; 0 when the memo has the answer."""
    cdef uint32_t word
    cdef uint64_t first = c.memo_used
    cdef bytes token
    cdef void *grown
    try:
        for name in (<Counter>c.owner).tokenizer(PyBytes_FromStringAndSize(text, size).decode("utf-8", "replace")):
            token = name.encode("utf-8")
            word = px_word_of(c, token, <uint32_t>len(token))
            if c.failed:
                return -1
            if c.memo_used == c.memo_size:
                c.memo_size = 2 * c.memo_size + 1024
                grown = realloc(c.memo_ids, c.memo_size * sizeof(uint32_t))
                if grown == NULL:
                    return -1
                c.memo_ids = <uint32_t *>grown
            c.memo_ids[c.memo_used] = word
            c.memo_used += 1
        return px_remember(c, text, <uint32_t>size, first)
    except BaseException as error:
        (<Counter>c.owner).error = error
        return -1


cdef class Counter:
    """Counts documents: sums over them, or (`rows`) a sparse row for each.

    `words` are known from the start, in this order, with the item and the list of each (-1 for a word that only
    helps to match phrases). A `closed` counter has no columns but these; every token counts for the length.
    """

    cdef px_counter c
    cdef readonly object tokenizer
    cdef object characters
    cdef public object error
    cdef int fast

    def __cinit__(self, tokenizer, characters, bint joins, list words, int64_t[::1] items, int64_t[::1] lists, int list_count,
                  list phrases, bint closed=False, bint rows=False, bint fast=HAS_AVX2):
        cdef uint32_t at, word
        cdef uint64_t slots = 1 << 12
        cdef bytes token
        cdef const uint32_t[::1] table = characters
        self.tokenizer = tokenizer
        self.characters = characters  # keeps the table alive
        self.error = None
        self.fast = fast
        while slots < 4 * <uint64_t>len(words):
            slots *= 2
        if px_init(&self.c, list_count, <uint64_t>len(words), joins, slots):
            raise MemoryError
        self.c.owner = <void *>self
        self.c.resolve = resolve
        self.c.lower = &table[0]
        self.c.known = <uint32_t>len(table)
        for at in range(<uint32_t>len(words)):
            token = words[at].encode("utf-8")
            word = px_word_of(&self.c, token, <uint32_t>len(token))
            if word != at:
                raise ValueError(f"the word {words[at]!r} was given twice")
            self.c.words.hot[at].item = <int32_t>items[at]
            self.c.words.hot[at].list = <uint16_t>lists[at]
        self.c.reserved = self.c.words.size
        if not rows:
            self.end_lists(items, lists)
        self.c.closed = closed
        self.c.want_sums = not rows
        self.c.want_rows = rows
        self.add_phrases(phrases)

    def __dealloc__(self):
        px_free(&self.c)

    cdef end_lists(self, int64_t[::1] items, int64_t[::1] lists):
        """Where the list of each item ends: items are numbered list by list."""
        cdef int64_t at, last = -1
        cdef int64_t size = 0
        while size < len(items) and items[size] == size:
            if size and lists[size] < lists[size - 1]:
                raise ValueError("items are not in the order of their lists")
            size += 1
        if size >= PX_ITEMS:
            raise ValueError(f"the lexicon has {size} entries, at most {PX_ITEMS - 1} can be counted")
        for at in range(size - 1, -1, -1):
            if at == size - 1 or lists[at] != lists[at + 1]:
                last = at + 1
            self.c.list_end[at] = <uint32_t>last

    cdef add_phrases(self, list phrases):
        """A trie over word ids: (ids of the words, id of the phrase) each."""
        cdef dict steps = {}
        cdef list accepts = [PX_NONE]
        cdef uint64_t slots = 16, at, key
        for path, phrase in phrases:
            node = 0
            for word in path:
                node = steps.setdefault((node, word), len(accepts))
                if node == len(accepts):
                    accepts.append(PX_NONE)
            accepts[node] = phrase
        if not phrases:
            return
        while slots < 3 * <uint64_t>len(steps):
            slots *= 2
        self.c.trie = <px_pair *>calloc(slots, sizeof(px_pair))
        self.c.node_word = <uint32_t *>malloc(len(accepts) * sizeof(uint32_t))
        if self.c.trie == NULL or self.c.node_word == NULL:
            raise MemoryError
        self.c.trie_mask = slots - 1
        self.c.phrases = 1
        for node, phrase in enumerate(accepts):
            self.c.node_word[<size_t>node] = phrase
        for (node, word), target in steps.items():
            if node == 0:
                self.c.words.hot[<size_t>word].starts = 1
            key = (<uint64_t>node << 32 | <uint64_t>word) + 1
            at = px_mix(key, 7) & self.c.trie_mask
            while self.c.trie[at].key:
                at = (at + 1) & self.c.trie_mask
            self.c.trie[at].key = key
            self.c.trie[at].value = target

    def add(self, texts):
        """Count the texts of an Arrow array of strings without nulls."""
        cdef uintptr_t offsets, data
        cdef int64_t n = len(texts)
        if n == 0:
            return
        texts = texts.cast(pa.large_string())  # of a string array this makes new offsets, never new text
        _, offset_buffer, data_buffer = texts.buffers()
        offsets = offset_buffer.address + 8 * texts.offset
        data = data_buffer.address if data_buffer is not None else 0
        with nogil:
            self.run(<const int64_t *>offsets, <const unsigned char *>data, n)
        if self.c.failed:
            if self.error is not None:
                raise self.error
            raise MemoryError("the words of these texts do not fit into memory")

    cdef void run(self, const int64_t *offsets, const unsigned char *data, int64_t n) noexcept nogil:
        cdef int64_t i
        for i in range(n):
            px_document(&self.c, data + offsets[i], <size_t>(offsets[i + 1] - offsets[i]), self.fast)
            if self.c.failed:
                return

    def merge(self, Counter other):
        """Add what another counter of the same words has counted."""
        cdef int failed
        with nogil:
            failed = px_merge(&self.c, &other.c)
        if failed:
            raise MemoryError("the words of these texts do not fit into memory")

    def settle(self):
        """Turn the log of documents into sums of pairs: asked of each thread's counter before they are merged."""
        cdef int failed
        with nogil:
            failed = px_settle(&self.c)
        if failed:
            raise MemoryError("the words of these texts do not fit into memory")

    def prune(self, int64_t least):
        """Forget words outside the lexicon that were seen at most so often; returns how many words are left."""
        if px_prune(&self.c, least):
            raise MemoryError("the words of these texts do not fit into memory")
        return self.c.words.size

    @property
    def size(self):
        """How many words are known."""
        return self.c.words.size

    @property
    def memory(self):
        """About how many bytes the words take."""
        return self.c.words.used + self.c.words.size * (20 + 32 + 32 + 16 * <uint64_t>self.c.lists) + 16 * self.c.pair_size

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

    def sums(self):
        """Words that were seen, sorted, and their n, q, products and imputed counts."""
        cdef uint32_t size = self.c.words.size, kept = 0, at, word, y, K = <uint32_t>self.c.lists
        cdef px_record *record
        cdef uint32_t[::1] order = np.empty(size, dtype=np.uint32)
        cdef int failed = 0
        if size:
            with nogil:
                failed = px_sorted(&self.c.words, &order[0])
        if failed:
            raise MemoryError
        for at in range(size):
            kept += px_of(&self.c, at).n > 0
        n = np.empty(kept, dtype=np.int64)
        q = np.empty(kept, dtype=np.int64)
        products = np.empty((kept, K), dtype=np.int64)
        imputed = np.empty((kept, K), dtype=np.int64)
        cdef int64_t[::1] n_ = n, q_ = q
        cdef int64_t[:, ::1] products_ = products, imputed_ = imputed
        cdef uint32_t[::1] chosen = np.empty(kept, dtype=np.uint32)
        kept = 0
        with nogil:
            for at in range(size):
                word = order[at]
                record = px_of(&self.c, word)
                if record.n == 0:
                    continue
                chosen[kept] = word
                n_[kept] = record.n
                q_[kept] = record.q
                for y in range(K):
                    products_[kept, y] = record.sums[y]
                    imputed_[kept, y] = record.sums[K + y]
                kept += 1
        return self.strings(np.asarray(chosen)), n, q, products, imputed

    cdef strings(self, chosen):
        """Words by id, as an Arrow array."""
        cdef uint32_t[::1] ids = chosen
        cdef Py_ssize_t i, count = len(chosen)
        cdef int64_t total = 0
        offsets = np.empty(count + 1, dtype=np.int64)
        cdef int64_t[::1] offsets_ = offsets
        for i in range(count):
            offsets_[i] = total
            total += self.c.words.hot[ids[i]].len
        offsets_[count] = total
        data = np.empty(total, dtype=np.uint8)
        cdef uint8_t[::1] data_ = data
        for i in range(count):
            if self.c.words.hot[ids[i]].len:
                memcpy(&data_[offsets_[i]], self.c.words.arena + self.c.words.offset[ids[i]], self.c.words.hot[ids[i]].len)
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
        return pa.Array.from_buffers(pa.large_string(), count, buffers).cast(pa.string())

    def pairs(self):
        """Co-occurrence of items of different lists as (ends of rows, columns, values): a row per item, in order."""
        cdef uint64_t items = self.c.items
        cdef size_t i
        cdef int failed
        with nogil:
            failed = px_settle(&self.c)
        if failed:
            raise MemoryError
        ends = np.zeros(items + 1, dtype=np.int64)
        columns = np.empty(self.c.pair_size, dtype=np.int32)
        values = np.empty(self.c.pair_size, dtype=np.int64)
        cdef int64_t[::1] ends_ = ends, values_ = values
        cdef int32_t[::1] columns_ = columns
        with nogil:
            for i in range(self.c.pair_size):
                ends_[self.c.pair_key[i] // items + 1] += 1
                columns_[i] = <int32_t>(self.c.pair_key[i] % items)
                values_[i] = self.c.pair_value[i]
        return np.cumsum(ends), columns, values

    def rows(self):
        """The rows counted so far as (ends, columns, counts, lengths), and forget them."""
        ends = np.empty(self.c.rows + 1, dtype=np.int64)
        ends[0] = 0
        cdef int64_t[::1] ends_ = ends
        columns = np.empty(self.c.row_used, dtype=np.int32)
        counts = np.empty(self.c.row_used, dtype=np.int32)
        lengths = np.empty(self.c.rows, dtype=np.int64)
        cdef int32_t[::1] columns_ = columns, counts_ = counts
        cdef int64_t[::1] lengths_ = lengths
        if self.c.rows:
            memcpy(&ends_[1], self.c.row_end, self.c.rows * sizeof(int64_t))
            memcpy(&lengths_[0], self.c.row_length, self.c.rows * sizeof(int64_t))
        if self.c.row_used:
            memcpy(&columns_[0], self.c.row_index, self.c.row_used * sizeof(int32_t))
            memcpy(&counts_[0], self.c.row_count, self.c.row_used * sizeof(int32_t))
        self.c.rows = self.c.row_used = 0
        return ends, columns, counts, lengths

    def words(self):
        """All words in the order of their ids, as an Arrow array."""
        return self.strings(np.arange(self.c.words.size, dtype=np.uint32))
