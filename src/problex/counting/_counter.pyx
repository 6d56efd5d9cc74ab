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


# Texts as Arrow holds them.

cdef int64_t first_too_long(const int64_t *offsets, int64_t n) noexcept nogil:
    """The first text with more bytes than the counter can address, or -1."""
    cdef int64_t i
    for i in range(n):
        if not 0 <= offsets[i + 1] - offsets[i] <= <int64_t>PX_LENGTH:
            return i
    return -1


cdef text_buffers(texts):
    """The addresses of offsets and bytes of an Arrow array of strings, whether offsets have 64 bits, and the array."""
    wide = texts.type != STRING
    if wide and texts.type != LARGE_STRING:
        texts = texts.cast(LARGE_STRING)
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
        offsets, data, _, owner = text_buffers(texts.cast(pa.large_string()))
        at = <const int64_t *>offsets
        for i in range(n):
            keys_[i] = px_text_hash(<const unsigned char *>data + at[i], <size_t>(at[i + 1] - at[i]))
    return keys


# What a counter knows before the first text: a `Plan` becomes part of the struct.


cdef add_words(px_counter *c, words):
    """Number the words of an Arrow array of strings, from 0 on."""
    cdef uintptr_t address, data
    cdef uint32_t new, n = <uint32_t>len(words)
    if n == 0:
        return
    address, data, _, owner = text_buffers(words)
    with nogil:
        new = px_plan_words(c, <const char *>data, <const int32_t *>address, n)
    if c.failed:
        raise MemoryError(FULL)
    if new < n:
        raise ValueError(f"the plan has the word {words[new].as_py()!r} twice, expected each once")


cdef match_patterns(px_counter *c, int64_t[::1] words):
    """Find the patterns that words of the plan match."""
    cdef Py_ssize_t i
    for i in range(words.shape[0]):
        if px_classify_word(c, word_number(c, words[i]), 1):
            raise MemoryError(FULL)


cdef add_items(px_counter *c, int64_t[::1] items, int64_t[::1] lists):
    """Give words their items, and items their lists."""
    cdef Py_ssize_t i
    if items.shape[0] != lists.shape[0] or items.shape[0] != c.words.size:
        raise ValueError(f"the plan has {len(items)} items and {len(lists)} lists for {c.words.size} words")
    for i in range(items.shape[0]):
        if items[i] >= PX_ITEMS:
            raise LexiconError(f"the lexicon has {items[i] + 1} entries, expected at most {PX_ITEMS}: leave some out")
        if items[i] < -1 or not 0 <= lists[i] < c.plan.lists:
            raise ValueError(f"word {i} of the plan has item {items[i]} of list {lists[i]}, expected one of its lists")
    if items.shape[0] and px_plan_items(c, &items[0], &lists[0], <size_t>items.shape[0]):
        raise MemoryError(FULL)


cdef add_negation(px_counter *c, plan):
    cdef bytes prefix = plan.negation_prefix
    cdef int64_t[:, ::1] negated = plan.negated
    cdef int64_t[::1] forms = plan.forms
    cdef Py_ssize_t at
    cdef int failed
    if len(prefix) > <Py_ssize_t>sizeof(c.plan.negation_prefix):
        raise ValueError(f"the prefix of negated items is {prefix!r}, expected at most 8 bytes")
    if len(plan.opposite) > c.plan.lists:
        raise ValueError(f"the plan has {len(plan.opposite)} opposite lists, expected at most {c.plan.lists}")
    c.plan.scope = plan.scope
    c.plan.negation_prefix_len = <uint32_t>len(prefix)
    memcpy(c.plan.negation_prefix, <const char *>prefix, len(prefix))
    for at, of in enumerate(plan.opposite):
        c.plan.opposite[at] = <uint16_t>of
    if forms.shape[0] > PX_ITEMS:
        size = f"{len(forms)} entries and negated forms"
        raise LexiconError(f"the lexicon has {size}, expected at most {PX_ITEMS}: leave some out")
    if forms.shape[0]:
        failed = px_plan_forms(c, &forms[0], <size_t>forms.shape[0])
        if failed:
            raise MemoryError(FULL) if failed < 0 else ValueError("an item and its negated form must name each other")
    for at in range(negated.shape[0]):
        c.words.word[word_number(c, negated[at, 0])].negated = word_number(c, negated[at, 1])
    for word in plan.negators:
        px_plan_negator(c, word_number(c, word))
    for word in plan.ends:
        px_plan_scope_end(c, word_number(c, word))


cdef uint32_t word_number(px_counter *c, int64_t word) except? 0:
    """The number of a word of the plan; an error if there is no such word."""
    if not 0 <= word < c.words.size:
        raise ValueError(f"the plan names word {word}, expected one of its {c.words.size} words")
    return <uint32_t>word


cdef add_phrases(px_counter *c, list phrases, bint patterns):
    """Phrases as (numbers of their words, number of the phrase)."""
    cdef uint32_t[::1] words
    if not phrases:
        return
    if px_plan_phrases(c, sum([len(path) for path, _ in phrases])):
        raise MemoryError(FULL)
    for path, phrase in phrases:
        words = np.array([word_number(c, word) for word in path], dtype=np.uint32)
        if words.shape[0] < 2:
            raise ValueError(f"the plan has a phrase of {words.shape[0]} words, expected at least 2")
        px_plan_phrase(c, &words[0], <size_t>words.shape[0], word_number(c, phrase), patterns)


cdef add_patterns(px_patterns *patterns, list rules):
    """Patterns as (letters, kind, value), in the order in which they win; the bytes must stay where they are."""
    cdef const char *letters
    if not rules:
        return
    if px_plan_patterns(patterns, len(rules)):
        raise MemoryError(FULL)
    for text, kind, value in rules:
        letters = text
        if not 0 <= kind <= 3 or not len(text):
            raise ValueError(f"the pattern {text!r} is of kind {kind}, expected letters and a kind from 0 to 3")
        if px_plan_pattern(patterns, letters, <uint32_t>len(text), kind, value):
            raise MemoryError(FULL)


cdef add_literals(px_counter *c, list literals):
    """Strings to find as they are: (bytes, place of the byte to look for, word) each, sorted by that byte."""
    cdef const unsigned char *letters
    if not literals:
        return
    if px_plan_literals(c, len(literals)):
        raise MemoryError(FULL)
    for text, anchor, word in literals:
        letters = text
        if not 0 <= anchor < len(text):
            raise ValueError(f"the anchor of the literal {text!r} is byte {anchor}, expected one of its bytes")
        px_plan_literal(c, letters, <uint32_t>len(text), anchor, word_number(c, word))


# Logs of documents, and how they become pairs: of one counter, or of several in parts.


NO_PLACE = "an item with pairs has place -1, expected a row and column of the matrix"

cdef enum:
    FREE, WORDS, ALL  # what a thread uses of a counter: nothing, all but the log and its pairs, all


cdef class Log:
    """Documents as items with their counts, which become sums of pairs of items of different lists."""

    cdef px_counter c
    cdef object plan
    cdef int use  # by the thread that changes it: FREE, WORDS or ALL; set only with the GIL, as the next
    cdef int readers  # how many threads sum its log

    def __dealloc__(self):
        px_free(&self.c)

    @property
    def numbered_alike(self):
        """Whether its items are those known from the start, which all counters of a plan number alike."""
        return self.c.items.size == self.c.items.known

    def flush_log(self):
        """Turn the log of documents into sums of pairs."""
        with InUse(self, ALL):
            self.sum_log()

    cdef sum_log(self):
        cdef int failed
        with nogil:
            failed = px_flush_log(&self.c)
        if failed:
            raise memory_error(&self.c)

    def order_log(self):
        """Find where each item occurs in the log of documents: `PairsPart` needs that of every counter beforehand."""
        cdef int failed
        if not self.numbered_alike:
            raise ValueError("this counter has matched items of its own, expected those of its plan: use merge")
        with InUse(self, ALL):
            with nogil:
                failed = px_pairs_whole(&self.c.pairs) or px_order_log(&self.c)
            if failed:
                raise memory_error(&self.c)

    def pairs(self, int64_t[::1] place, int64_t size, int threads=1):
        """Co-occurrence of items of different lists as a sparse matrix (ends, columns, values), item i at place[i].

        Rows are in the order of the items; where the places are in another order, the columns of a row are not sorted.
        A place is -1 for an item without pairs.
        """
        if len(place) < self.c.items.size or (len(place) and not -1 <= np.min(place) <= np.max(place) < size):
            expected = f"expected a place below {size} for each of {self.c.items.size} items"
            raise ValueError(f"{expected}, got {len(place)} places")
        with InUse(self, ALL):
            return self.placed_pairs(place, size, threads)

    def count_pairs(self):
        """How many pairs there are, and how many bytes they take here."""
        with InUse(self, ALL):
            if self.c.log.size:
                self.sum_log()
            return px_pairs_count(&self.c.pairs), px_pairs_bytes(&self.c.pairs)

    cdef placed_pairs(self, int64_t[::1] place, int64_t size, int threads):
        cdef size_t n
        if self.c.failed:
            raise memory_error(&self.c)
        if self.c.log.size:
            self.sum_log()
        n = px_pairs_count(&self.c.pairs)
        starts = np.zeros(size + 1, dtype=np.int64)
        columns, values = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64)
        cdef int64_t[::1] starts_ = starts
        cdef int failed = 0
        with nogil:
            if n:
                failed = px_pairs_starts(&self.c.pairs, &place[0], size, &starts_[0])
        if failed:
            raise ValueError(NO_PLACE)
        jobs = [partial(place_part, self, part, place, starts_, columns, values)
                for part in range(self.c.pairs.parts + 1 if n else 0)]
        if len(jobs) == 1:
            jobs[0]()
        else:
            call_all(jobs, threads)
        return starts.astype(index_type(n)), columns, values


def place_part(Log log, size_t part, int64_t[::1] place, int64_t[::1] starts, int32_t[::1] columns,
               int64_t[::1] values):
    """Write the columns and values of a part of the pairs, which begin at the `starts` of their rows."""
    cdef int failed
    with nogil:
        failed = px_pairs_values(px_part_of(&log.c.pairs, part), &place[0], &starts[0], &columns[0], &values[0])
    if failed:
        raise ValueError(NO_PLACE)


cdef class InUse:
    """Holds a counter for one thread, for the length of a with block. With WORDS others may sum its log meanwhile."""

    cdef Log log

    def __cinit__(self, Log log, int use):
        if log.use != FREE or (use == ALL and log.readers):
            raise RuntimeError("this counter is in use, expected one thread at a time: make a counter for each thread")
        log.use = use
        self.log = log

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.log.use = FREE


cdef class RowLog(Log):
    """A log of documents that are the rows of a sparse matrix, with a column for each item, list by list."""

    def __cinit__(self, int lists, int64_t[::1] list_index, int64_t[::1] ends, int32_t[::1] columns,
                  int32_t[::1] counts):
        cdef Py_ssize_t i
        check_rows(lists, np.asarray(list_index), np.asarray(ends), np.asarray(columns), np.asarray(counts))
        if px_init(&self.c, lists, 0, 64, 64) or px_plan_columns(&self.c, &list_index[0], <size_t>len(list_index)):
            raise MemoryError(FULL)
        with nogil:
            for i in range(ends.shape[0] - 1):
                if ends[i + 1] > ends[i]:
                    px_log_row(&self.c, &columns[ends[i]], &counts[ends[i]], <size_t>(ends[i + 1] - ends[i]))
        if self.c.failed:
            raise memory_error(&self.c)


cdef check_rows(int lists, list_index, ends, columns, counts):
    """Raise unless these are a sparse matrix of counts whose columns are in the order of their lists."""
    size = len(list_index)
    if not (1 <= lists <= PX_LISTS and 1 <= size < PX_ITEMS):
        raise ValueError(f"{size} columns of {lists} lists, expected 1 to {PX_ITEMS - 1} of 1 to {PX_LISTS}")
    if not (0 <= list_index[0] and np.all(np.diff(list_index) >= 0) and list_index[size - 1] < lists):
        raise ValueError(f"the lists of the columns are not in ascending order, from 0 to {lists - 1}")
    if not (len(ends) and ends[0] == 0 and np.all(np.diff(ends) >= 0) and ends[len(ends) - 1] == len(columns)):
        raise ValueError(f"the ends of the rows do not ascend from 0 to {len(columns)}, the number of entries")
    if len(counts) != len(columns):
        raise ValueError(f"the rows have {len(columns)} columns and {len(counts)} counts, expected as many")
    if len(columns) and not (0 <= columns.min() and columns.max() < size and counts.min() >= 0):
        raise ValueError(f"the rows have columns beyond 0 to {size - 1}, or negative counts")
    within = np.ones(max(len(columns) - 1, 0), dtype=bool)
    starts = ends[(ends > 0) & (ends < len(columns))]
    within[starts - 1] = False
    if np.any(within & (np.diff(columns) <= 0)):
        raise ValueError("the columns of a row are not in ascending order: sort the indices of the matrix")


cdef class PairsPart:
    """The pairs of several counters that number their items alike: the part for some of the items.

    Each part can be made by a thread of its own, after all counters have ordered their logs and while nothing is
    counted. `join` then makes all parts the pairs of the first counter.
    """

    cdef px_pairs pairs

    def __cinit__(self, list counters, size_t part, size_t parts):
        cdef int failed
        cdef size_t n = len(counters)
        cdef px_counter **all = NULL
        if part >= parts or not all_ordered(counters):
            raise ValueError("expected a part and counters of one plan, after order_log")
        all = pointers(counters)
        for counter in counters:
            (<Log>counter).readers += 1
        with nogil:
            failed = px_pairs_part(all, n, part, parts, &self.pairs)
            free(all)
        for counter in counters:
            (<Log>counter).readers -= 1
        if failed:
            raise MemoryError(FULL)

    def __dealloc__(self):
        px_pairs_free(&self.pairs)

    @staticmethod
    def join(list counters, list parts):
        """Make the parts, in order, the pairs of the first counter."""
        cdef size_t i, n = len(counters), size = len(parts)
        cdef px_counter **all = NULL
        cdef px_pairs *part
        if not parts or not all_ordered(counters) or any(not isinstance(one, PairsPart) for one in parts):
            raise ValueError("expected counters and all the parts that were made of them")
        all = pointers(counters)
        part = <px_pairs *>calloc(size, sizeof(px_pairs))
        if part == NULL:
            free(all)
            raise MemoryError(FULL)
        for i in range(size):
            part[i] = (<PairsPart>parts[i]).pairs
            memset(&(<PairsPart>parts[i]).pairs, 0, sizeof(px_pairs))  # now they belong to the first counter
        px_pairs_join(all, n, part, size)
        free(all)


cdef bint all_ordered(list counters) except -1:
    """Whether these are counters of equal plans that have ordered their logs, at least one, and all unchanged since."""
    plans = list({id((<Log?>counter).plan): (<Log>counter).plan for counter in counters}.values())
    if any([(<Log>counter).use == ALL for counter in counters]):
        raise RuntimeError("a counter is in use by another thread: sum the pairs when all texts are counted")
    return (
        len(plans) > 0
        and all([one.numbers_like(plans[0]) for one in plans[1:]])
        and all([(<Log>counter).c.pairs.order.first != NULL for counter in counters])
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
    """The type of the row ends of a sparse matrix: 32 bits where they suffice."""
    return np.int32 if n <= INT32_MAX else np.int64


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
    every token counts for the length. `keep_links` is whether links, addresses and handles are words. `associations`
    also sums, for every word, how often it occurs with each list. `sample` is the size of the sample of documents.
    `fast` is 0 for plain C, 1 for AVX2, 2 for AVX-512.
    """

    cdef object characters
    cdef public object error
    cdef int fast

    def __cinit__(self, characters, bint joins, plan, bint sums=False, bint rows=False, bint ids=False,
                  bint closed=False, bint associations=False, size_t sample=0, int fast=FASTEST,
                  bint keep_links=False):
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
        self.c.plan.keep_links = keep_links
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


cdef copied(const void *numbers, size_t size, dtype, size_t zeros=0):
    """An array of C as one of numpy, after some zeros."""
    cdef Py_buffer bytes_
    cdef size_t before
    array = np.empty(zeros + size, dtype)
    if zeros + size:
        PyObject_GetBuffer(array, &bytes_, PyBUF_SIMPLE)
        before = zeros * <size_t>bytes_.len // (zeros + size)
        memset(bytes_.buf, 0, before)
        if size:
            memcpy(<char *>bytes_.buf + before, numbers, <size_t>bytes_.len - before)
        PyBuffer_Release(&bytes_)
    return array


def release():
    """Free the memory that is kept for the next counter; returns how many bytes."""
    return px_empty_store()
