# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The one compiled room: texts in Arrow buffers to words, sums and rows, without the GIL.

`Counter` is mutable and belongs to one thread at a time; everything that leaves it is a frozen value of other rooms.
The definition of a token is that of `tokens.py`: letters go through its table, and what a table cannot tell is asked.
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


cdef int resolve(px_counter *c, const char *text, size_t size) noexcept with gil:
    """Ask Python what the tokens of a chunk are, once; 0 when the memo has the answer."""
    cdef uint32_t word
    cdef uint64_t first = c.memo_used
    cdef bytes token
    cdef void *grown
    try:
        chunk = PyBytes_FromStringAndSize(text, size).decode("utf-8", "replace")
        for name in (<Counter>c.owner).tokenizer.pieces(chunk):
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


cdef class Log:
    """Documents as items with their counts, which become sums of pairs of items of different lists."""

    cdef px_counter c
    cdef object plan

    def __dealloc__(self):
        px_free(&self.c)

    @property
    def numbered_alike(self):
        """Whether its items are those known from the start, which all counters of a plan number alike."""
        return self.c.items == self.c.known_items

    def settle(self):
        """Turn the log of documents into sums of pairs."""
        cdef int failed
        with nogil:
            failed = px_settle(&self.c)
        if failed:
            raise MemoryError(FULL)

    def order_log(self):
        """Find where each item occurs in the log of documents: what `PairsPart` needs of every counter beforehand."""
        cdef int failed
        if not self.numbered_alike:
            raise ValueError("this counter has met items of its own, expected those of its plan: use merge")
        with nogil:
            failed = px_pairs_whole(&self.c) or px_order_log(&self.c)
        if failed:
            raise MemoryError(FULL)

    def pairs(self, int64_t[::1] place, int64_t size):
        """Co-occurrence of items of different lists as a sparse matrix (ends, columns, values), item i at place[i].

        Pairs come in the order of the items; where the places are in another order, the columns of a row are not.
        """
        cdef size_t i, n
        cdef uint64_t low = PX_ITEMS - 1, key
        cdef int64_t at
        cdef int ordered
        if self.c.failed:
            raise MemoryError(FULL)
        if self.c.in_log:
            self.settle()
        n = self.c.pairs.size
        for i in range(self.c.parts):
            n += self.c.part[i].size
        lengths = np.zeros(size + 1, dtype=np.int32)
        columns = np.empty(n, dtype=np.int32)
        values = np.empty(n, dtype=np.int64)
        cdef int64_t[::1] values_ = values
        cdef int32_t[::1] columns_ = columns, lengths_ = lengths
        with nogil:
            ordered = n == 0 or px_pairs_rows(&self.c, &place[0], &lengths_[0], &columns_[0], &values_[0])
        if ordered:
            return np.cumsum(lengths, dtype=index_type(n)), columns, values
        self.settle()  # in one part
        lengths[:] = 0
        with nogil:
            for i in range(n):
                lengths_[place[self.c.pairs.key[i] >> 32 & low] + 1] += 1
        ends = np.cumsum(lengths, dtype=np.int64)
        starts = ends[:size].copy()
        cdef int64_t[::1] starts_ = starts
        with nogil:
            for i in range(n):
                key = self.c.pairs.key[i]
                at = starts_[place[key >> 32 & low]]
                starts_[place[key >> 32 & low]] = at + 1
                columns_[at] = <int32_t>place[key & low]
                values_[at] = self.c.pairs.value[i]
        return ends.astype(index_type(n)), columns, values


cdef class RowLog(Log):
    """A log of documents that are the rows of a sparse matrix, with a column for each item, list by list."""

    def __cinit__(self, int lists, int64_t[::1] list_index, int64_t[::1] ends, int32_t[::1] columns,
                  int32_t[::1] counts):
        cdef Py_ssize_t i
        if px_init(&self.c, lists, 0, 64, 64):
            raise MemoryError(FULL)
        self.c.items = self.c.known_items = <int32_t>len(list_index)
        self.c.item_room = len(list_index) + 1
        self.c.item_list = <uint16_t *>calloc(self.c.item_room, sizeof(uint16_t))
        if self.c.item_list == NULL:
            raise MemoryError(FULL)
        with nogil:
            for i in range(list_index.shape[0]):
                self.c.item_list[i] = <uint16_t>list_index[i]
            for i in range(ends.shape[0] - 1):
                if ends[i + 1] > ends[i]:
                    px_log_row(&self.c, &columns[ends[i]], &counts[ends[i]], <size_t>(ends[i + 1] - ends[i]))
        if self.c.failed:
            raise MemoryError(FULL)


cdef class Counter(Log):
    """Counts documents: sums over them (`sums`), a sparse row for each (`rows`), or their words in order (`ids`).

    What it knows beforehand stands in the plan (`problex.kernel.Plan`). A `closed` counter has no columns but the
    plan's items; every token counts for the length. `associations` also sums, for every word, how often it meets each
    list. `sample` is the size of the sample of documents.
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
        self.add_words(plan.words)
        self.c.reserved = self.c.words.size
        self.c.closed = closed
        self.number_items(plan.items, plan.lists)
        self.plan_negation(plan)
        self.add_phrases(plan.phrases, len(plan.classes) > 0)
        self.add_patterns(&self.c.classes, plan.classes)
        self.add_patterns(&self.c.wildcards, plan.wildcards)
        self.add_literals(plan.literals)
        self.introduce(plan.plain)

    cdef add_words(self, words):
        """Number the words of an Arrow array of strings, from 0 on."""
        cdef uintptr_t address, data
        cdef uint32_t i, n = <uint32_t>len(words), found = 0
        cdef const int32_t *offsets
        if n == 0:
            return
        address, data, _, kept = text_buffers(words)
        offsets = <const int32_t *>address
        with nogil:
            for i in range(n):
                found = px_word_of(&self.c, <const char *>data + offsets[i], <uint32_t>(offsets[i + 1] - offsets[i]))
                if self.c.failed or found != i:
                    break
        if self.c.failed:
            raise MemoryError(FULL)
        if found != i:
            raise ValueError(f"the word {words[i].as_py()!r} was given twice")

    cdef introduce(self, int64_t[::1] words):
        """Let patterns catch words that were given."""
        cdef Py_ssize_t i
        cdef int failed = 0
        with nogil:
            for i in range(words.shape[0]):
                failed |= px_introduce(&self.c, <uint32_t>words[i], 1)
        if failed:
            raise MemoryError(FULL)

    cdef number_items(self, int64_t[::1] items, int64_t[::1] lists):
        """Give words their items, and items their lists."""
        cdef Py_ssize_t at
        cdef int64_t most = -1
        for at in range(len(items)):
            most = max(most, items[at])
        if most >= PX_ITEMS:
            raise LexiconError(f"the lexicon has {most + 1} entries, expected at most {PX_ITEMS}: leave some out")
        self.c.items = self.c.known_items = <int32_t>(most + 1)
        self.c.item_room = <size_t>(most + 2)
        self.c.item_list = <uint16_t *>calloc(self.c.item_room, sizeof(uint16_t))
        if self.c.item_list == NULL:
            raise MemoryError
        for at in range(len(items)):
            self.c.words.word[at].item = <int32_t>items[at]
            self.c.words.word[at].list = <uint8_t>lists[at]
            if items[at] >= 0:
                self.c.item_list[items[at]] = <uint16_t>lists[at]

    cdef plan_negation(self, plan):
        cdef bytes prefix = plan.negation_prefix
        cdef int64_t[:, ::1] negated = plan.negated
        cdef size_t at
        self.c.scope = plan.scope
        self.c.negation_prefix_len = <uint32_t>len(prefix)
        memcpy(self.c.negation_prefix, <const char *>prefix, len(prefix))
        for at, of in enumerate(plan.opposite):
            self.c.opposite[at] = <uint16_t>of
        for at in range(<size_t>negated.shape[0]):
            self.c.words.word[negated[at, 0]].negated = <uint32_t>negated[at, 1]
        for at in plan.negators:
            self.c.words.word[at].flags |= PX_NEGATES
            self.c.words.word[at].followers = PX_ANY
        for at in plan.ends:
            self.c.words.word[at].flags |= PX_ENDS

    cdef add_phrases(self, list phrases, bint patterns):
        """A trie over word ids: (ids of the words, id of the phrase) each; with patterns any word may follow."""
        cdef dict steps = {}
        cdef list accepts = [PX_NONE]
        cdef uint64_t slots = 16, at, key
        for path, phrase in phrases:
            node = 0
            px_may_follow(&self.c, path[0], path[1])
            if patterns:
                self.c.words.word[<size_t>path[0]].followers = PX_ANY
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
        for node, phrase in enumerate(accepts):
            self.c.node_word[<size_t>node] = phrase
        for (node, word), target in steps.items():
            key = (<uint64_t>node << 32 | <uint64_t>word) + 1
            at = px_mix(key, 7) & self.c.trie_mask
            while self.c.trie[at].key:
                at = (at + 1) & self.c.trie_mask
            self.c.trie[at].key = key
            self.c.trie[at].value = target

    cdef add_patterns(self, px_patterns *patterns, list found):
        """Patterns in the order in which they win: (letters, kind, value) each."""
        cdef size_t n = len(found), number
        cdef uint32_t word
        cdef px_token token
        cdef const char *letters
        if not n:
            return
        patterns.value = <int32_t *>malloc(n * sizeof(int32_t))
        patterns.within = <const char **>malloc(n * sizeof(char *))
        patterns.within_len = <uint32_t *>malloc(n * sizeof(uint32_t))
        patterns.within_number = <uint32_t *>malloc(n * sizeof(uint32_t))
        if not (patterns.value and patterns.within and patterns.within_len and patterns.within_number):
            raise MemoryError
        if px_words_init(&patterns.edge[0], 64) or px_words_init(&patterns.edge[1], 64):
            raise MemoryError
        for number in range(n):
            text, kind, value = found[number]
            letters = text
            patterns.value[number] = value
            if kind == 2:
                patterns.within[patterns.withins] = letters
                patterns.within_len[patterns.withins] = <uint32_t>len(text)
                patterns.within_number[patterns.withins] = <uint32_t>number
                patterns.withins += 1
                continue
            px_print_safe(&token, letters, <uint32_t>len(text))
            word = px_add(&patterns.edge[<int>kind], &token)
            if word == PX_NONE:
                raise MemoryError
            patterns.edge[<int>kind].word[word].item = <int32_t>number
            patterns.longest[<int>kind] = max(patterns.longest[<int>kind], <uint32_t>len(text))
        patterns.size = <uint32_t>n

    cdef add_literals(self, list literals):
        """Strings to find as they are: (bytes, place of the byte to look for, word) each, sorted by that byte."""
        cdef size_t at
        cdef uint8_t byte
        cdef const unsigned char *letters
        if not literals:
            return
        self.c.literal = <px_literal *>calloc(len(literals) + 1, sizeof(px_literal))
        if self.c.literal == NULL:
            raise MemoryError
        for at, (text, anchor, word) in enumerate(literals):
            letters = text
            self.c.literal[at].text = letters
            self.c.literal[at].len = <uint32_t>len(text)
            self.c.literal[at].anchor = anchor
            self.c.literal[at].word = word
            if not self.c.anchor[<uint8_t>text[anchor]]:
                self.c.anchor[<uint8_t>text[anchor]] = <uint32_t>at + 1
            for byte in {text[anchor], text[anchor : anchor + 1].upper()[0]}:
                self.add_anchor(byte, <int>(byte >= 128))
        self.c.literals = len(literals)

    cdef add_anchor(self, uint8_t byte, int above):
        """The set of bytes for AVX2 and AVX-512: exact, since each half of the byte values has eight high nibbles."""
        self.c.high_anchors |= above
        self.c.nibble[2 * above][byte & 15] |= 1 << (byte >> 4 & 7)
        self.c.nibble[2 * above + 1][byte >> 4] |= 1 << (byte >> 4 & 7)

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


cdef class PairsPart:
    """The pairs of several counters that number their items alike: the part for some of the items.

    Each part can be made by a thread of its own, after all counters have ordered their logs and while nothing is
    counted. `join` then makes all parts the pairs of the first counter.
    """

    cdef px_pairs found

    def __cinit__(self, list counters, size_t part, size_t parts):
        cdef int failed
        cdef size_t n = len(counters)
        cdef px_counter **all = NULL
        if part >= parts or not all_ordered(counters):
            raise ValueError("a part and counters of one plan were expected, after order_log")
        all = pointers(counters)
        with nogil:
            failed = px_pairs_part(all, n, part, parts, &self.found)
            free(all)
        if failed:
            raise MemoryError(FULL)

    def __dealloc__(self):
        px_pairs_free(&self.found)

    @staticmethod
    def join(list counters, list parts):
        """Make the parts, in order, the pairs of the first counter."""
        cdef size_t i, n = len(counters), size = len(parts)
        cdef px_counter **all = NULL
        cdef px_pairs *part
        if not parts or not all_ordered(counters) or any(not isinstance(one, PairsPart) for one in parts):
            raise ValueError("counters and all the parts that were made of them were expected")
        all = pointers(counters)
        part = <px_pairs *>calloc(size, sizeof(px_pairs))
        if part == NULL:
            free(all)
            raise MemoryError(FULL)
        for i in range(size):
            part[i] = (<PairsPart>parts[i]).found
            memset(&(<PairsPart>parts[i]).found, 0, sizeof(px_pairs))  # they are the first counter's now
        px_pairs_join(all, n, part, size)
        free(all)


cdef bint all_ordered(list counters):
    """Whether these are counters of equal plans that have ordered their logs, at least one."""
    plans = list({id((<Log?>counter).plan): (<Log>counter).plan for counter in counters}.values())
    return (
        len(plans) > 0
        and all(one.numbers_like(plans[0]) for one in plans[1:])
        and all((<Log>counter).c.order.first != NULL for counter in counters)
    )


cdef px_counter **pointers(list counters) except NULL:
    """The structs of counters; to be freed by the caller."""
    cdef px_counter **all = <px_counter **>malloc(max(len(counters), 1) * sizeof(px_counter *))
    if all == NULL:
        raise MemoryError(FULL)
    for at, counter in enumerate(counters):
        all[<size_t>at] = &(<Log>counter).c
    return all


cdef index_type(size_t n):
    """The type of the row ends of a sparse matrix: the smaller one, where it will do."""
    return np.int32 if n <= INT32_MAX else np.int64


def release():
    """Give back the memory that is kept for the next counter; how many bytes it was."""
    return px_empty_store()


cdef int64_t too_long(const int64_t *offsets, int64_t n) noexcept nogil:
    """The first text of more bytes than places can be told apart, or -1."""
    cdef int64_t i
    for i in range(n):
        if not 0 <= offsets[i + 1] - offsets[i] <= <int64_t>PX_LENGTH:
            return i
    return -1


cdef text_buffers(texts):
    """Where the offsets and the bytes of an Arrow array of strings are, how wide offsets are, what keeps them there."""
    wide = texts.type != pa.string()
    if wide:
        texts = texts.cast(pa.large_string())
    _, offsets, data = texts.buffers()
    start = offsets.address + (8 if wide else 4) * texts.offset
    return start, data.address if data is not None else 0, wide, texts


def document_keys(texts):
    """The hash of each text of an Arrow array, by which a sample is drawn."""
    cdef uintptr_t offsets, data
    cdef Py_ssize_t i, n = len(texts)
    keys = np.empty(n, dtype=np.uint64)
    cdef uint64_t[::1] keys_ = keys
    cdef const int64_t *at
    if n:
        offsets, data, _, kept = text_buffers(texts.cast(pa.large_string()))
        at = <const int64_t *>offsets
        for i in range(n):
            keys_[i] = px_text_hash(<const unsigned char *>data + at[i], <size_t>(at[i + 1] - at[i]))
    return keys
