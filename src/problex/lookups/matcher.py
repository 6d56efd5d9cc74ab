"""`Matcher`: how often the entries of each category occur in texts.

The compiled counter turns texts into numbers of words. Each word is looked up in the dictionary once; the counts of a
batch of texts are then a product of two sparse matrices, words in texts and categories of words. Phrases are found
among the numbers, and words that they hide are subtracted.

A sentence ends with `.`, `!` or `?`, if no letter, digit or comma follows (`3.14` is no end), or with `…` or a sign of
another script, and if the end before is more than 3 bytes away (`J. R.` and `. . .` are no sentences). What follows the
last end is one more sentence. Abbreviations such as `Mr.` count as ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex._util.late import sparse
from problex._util.memory import DEFAULT_MEMORY
from problex._util.threads import map_ordered, resolve_threads
from problex.corpus import Batch, strip_markup
from problex.counting._counter import Counter
from problex.counting.counters import id_counter
from problex.counting.streams import guess_stream_language
from problex.counting.tables import token_ids_slowly
from problex.errors import check_choice
from problex.lookups import _loops
from problex.lookups.entries import AnyDictionary, CategoryEntries, compile_entries, warn_of_lost_entries
from problex.lookups.patterns import NO_ROWS, PatternIndex, PhraseFinder, Ragged
from problex.lookups.rules import DEFAULT_MATCHING, MATCHING, Matching
from problex.matching.items import Items
from problex.matching.tokens import Tokenizer

MIN_BYTES = 4
"""A sentence has at least so many bytes."""
OTHER_SIGNS = "…。！？｡؟۔।՞"
_SIGNS = np.array([[len(sign.encode()), *sign.encode().ljust(3, b"\0")] for sign in OTHER_SIGNS], np.uint8)
MAX_WORDS = 1 << 19
"""Distinct words that a vocabulary may have before a new one begins."""
T = TypeVar("T")
CELL_BYTES = 24
"""Memory that a cell of the table takes at most while it is computed."""
MIN_CELLS = 1 << 16


def count_sentences(texts: pa.Array) -> IntArray:
    """The number of sentences of each text; 0 only if a text has nothing but white space.

    >>> count_sentences(pa.array(["One. Two! Three", "It costs 3.50 or so...", "", "Really?!  "])).tolist()
    [3, 1, 0, 1]
    """
    _, offsets, data = texts.buffers()
    if offsets is None or data is None:
        return np.zeros(len(texts), np.int64)
    kind = np.int64 if texts.type == pa.large_string() else np.int32
    at = np.frombuffer(offsets, kind)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    return _loops.count_sentences(at, np.frombuffer(data, np.uint8), _SIGNS, MIN_BYTES)


@dataclass(frozen=True, eq=False)
class KnownWords:
    """The words of texts by number: their pairs, and the elements of phrases that they match."""

    size: int
    pairs: Ragged
    elements: Ragged
    roles: NDArray[np.uint8]

    @cached_property
    def matched(self) -> BoolArray:
        """Which words are matched by an entry."""
        return self.pairs.lengths > 0

    def __add__(self, more: KnownWords) -> KnownWords:
        roles = np.concatenate((self.roles, more.roles))
        return KnownWords(self.size + more.size, self.pairs + more.pairs, self.elements + more.elements, roles)


NO_WORDS = KnownWords(0, NO_ROWS, NO_ROWS, np.zeros(0, np.uint8))


@dataclass(frozen=True, eq=False)
class Matches:
    """What the entries of a dictionary match in a batch of texts.

    Text t has the words `ids[ends[t]:ends[t + 1]]`. `changes` are texts, pairs and numbers: what phrases add, and
    what the words that they hide subtract. `covered` are words that only a phrase matches, for each text.
    """

    entries: CategoryEntries
    ids: NDArray[np.int32]
    ends: IntArray
    words: KnownWords
    changes: tuple[IntArray, IntArray, IntArray] | None
    covered: IntArray
    sentences: IntArray

    @property
    def lengths(self) -> IntArray:
        """The number of words of each text."""
        return np.diff(self.ends)

    @cached_property
    def _counts(self) -> tuple[IntArray, IntArray]:
        """The matches of each category in each text, and the words of each text that are matched."""
        size = len(self.ends) - 1
        counts, matched = np.zeros((size, len(self.entries.categories)), np.int64), np.zeros(size, np.int64)
        _loops.count_columns(self.ids, self.ends, self.words.pairs.ends, self._columns, counts, matched)
        self._add_changes(counts, np.ones(len(self.entries.pair_categories), np.int64))
        return counts, matched + self.covered

    @property
    def counts(self) -> IntArray:
        """The matches of each category (column) in each text (row)."""
        return self._counts[0]

    @property
    def dictionary_words(self) -> IntArray:
        """The number of words of each text that are matched, alone or in a phrase."""
        return self._counts[1]

    def weight_sums(self) -> tuple[FloatArray, FloatArray]:
        """The sum of the weights of the matches of each category in each text, and how many of them have a weight."""
        known = np.isfinite(self.entries.pair_weights)
        return self._sums(np.where(known, self.entries.pair_weights, 0.0)), self._sums(known.astype(np.float64))

    def pair_counts(self) -> sparse.csr_array:
        """The matches of each entry in each of its categories, as a sparse matrix of texts and pairs."""
        pairs, size = self.words.pairs, len(self.entries.pair_entries)
        by_word = sparse.csr_array(
            (np.ones(len(pairs.values), np.int32), pairs.values, pairs.ends), shape=(self.words.size, size)
        )
        texts = len(self.ends) - 1
        shape = (texts, self.words.size)  # a word that occurs twice in a text has two entries
        counts = sparse.csr_array((np.ones(len(self.ids), np.int32), self.ids, self.ends), shape=shape) @ by_word
        if self.changes is not None:
            *positions, numbers = self.changes
            counts = counts + sparse.coo_array((numbers, tuple(positions)), shape=(texts, size)).tocsr()
        counts.eliminate_zeros()
        return counts

    @cached_property
    def _columns(self) -> NDArray[np.int32]:
        """The categories of words, as `words.pairs` has their pairs."""
        return self.entries.pair_categories[self.words.pairs.values].astype(np.int32)

    def _sums(self, values: FloatArray) -> FloatArray:
        """The sums of a value of each pair over the matches of each category."""
        sums = np.zeros((len(self.ends) - 1, len(self.entries.categories)))
        of_words = values[self.words.pairs.values]
        _loops.sum_columns(self.ids, self.ends, self.words.pairs.ends, self._columns, of_words, sums)
        self._add_changes(sums, values)
        return sums

    def _add_changes(self, table: Any, values: Any) -> None:
        """Add what phrases change to a table of texts and categories."""
        if self.changes is not None:
            texts, pairs, numbers = self.changes
            np.add.at(table, (texts, self.entries.pair_categories[pairs]), numbers * values[pairs])


@dataclass(eq=False)
class ThreadWords:
    """The words that one thread has met, with a counter that numbers them."""

    counter: Counter
    known: KnownWords = NO_WORDS


@dataclass(frozen=True, eq=False)
class Matcher:
    """The entries of a dictionary, ready to be matched in texts by any number of threads."""

    entries: CategoryEntries
    tokenizer: Tokenizer
    matching: str = "category"
    _free: SimpleQueue[ThreadWords] = field(default_factory=SimpleQueue, init=False)

    @cached_property
    def rule(self) -> Matching:
        """How matches are chosen."""
        return MATCHING[self.matching]

    @cached_property
    def items(self) -> Items:
        """What the counter must know."""
        return self.entries.counted_items()

    @cached_property
    def index(self) -> PatternIndex:
        """The entries of one word."""
        items = self.entries.items
        words, literals = self.entries.words, self.entries.literals
        return PatternIndex.of([items[at] for at in words], words, literals, glob=self.entries.glob)

    @cached_property
    def finder(self) -> PhraseFinder:
        """The entries of several words."""
        phrases = [(self.entries.items[at], at) for at in self.entries.phrases]
        return PhraseFinder.of(phrases, glob=self.entries.glob)

    def prepare(self) -> Matcher:
        """Make the indexes now: threads that need them at the same time would make them several times."""
        _ = self.rule, self.items, self.index, self.finder.index, self.finder.table
        return self

    def match(self, texts: pa.Array) -> Matches:
        """The matches in an Arrow array of texts without nulls."""
        if self.tokenizer.custom is not None:
            tokens = token_ids_slowly(texts, self.items, self.tokenizer)
            words = self._look_up(pa.array(list(tokens.words), pa.string()), 0)
            return self._find(texts, tokens.ids, tokens.ends, words)
        try:
            vocabulary = self._free.get_nowait()
        except Empty:
            vocabulary = ThreadWords(id_counter(self.items, self.tokenizer))
        vocabulary.counter.add(texts)
        ends, ids = vocabulary.counter.ids()
        if vocabulary.counter.size > vocabulary.known.size:
            new = vocabulary.counter.words().slice(vocabulary.known.size)
            vocabulary.known += self._look_up(new, max(len(self.items.literals) - vocabulary.known.size, 0))
        if vocabulary.counter.size <= MAX_WORDS:  # else it is dropped, so that memory is bounded
            self._free.put(vocabulary)
        return self._find(texts, ids, ends, vocabulary.known)

    def _look_up(self, words: pa.Array, literals: int) -> KnownWords:
        """Match words with the dictionary; the first `literals` of them are literals."""
        size = len(words)
        rows, entries = self.index.match(words, literals)
        pairs = self.rule.keep_words(rows, entries, size, self.entries.pairs, self.entries.pair_categories)
        elements = Ragged.of(*self.finder.index.match(words, literals), size)
        return KnownWords(size, pairs, elements, self.finder.roles(elements))

    def _find(self, texts: pa.Array, ids: NDArray[np.int32], ends: IntArray, words: KnownWords) -> Matches:
        size = len(ends) - 1
        changes, covered = None, np.zeros(size, np.int64)
        if self.entries.phrases:
            changes, covered = self._find_phrases(ids, ends, words)
        return Matches(self.entries, ids, ends, words, changes, covered, count_sentences(texts))

    def _find_phrases(
        self, ids: NDArray[np.int32], ends: IntArray, words: KnownWords
    ) -> tuple[tuple[IntArray, IntArray, IntArray] | None, IntArray]:
        """What phrases change: texts, pairs and numbers; and for each text the words that only a phrase matches."""
        size, categories = len(ends) - 1, self.entries.pair_categories
        phrases = self.finder.find(ids, ends, words.roles, words.elements)
        if not len(phrases.starts):
            return None, np.zeros(size, np.int64)
        rows, chosen = self.rule.keep_phrases(phrases, self.entries.pairs, categories)
        kept = phrases.take(rows)
        at, hidden = self.rule.hidden(kept, chosen, ids, words.pairs, categories)
        texts = np.concatenate((kept.texts, np.searchsorted(ends, at, "right") - 1))
        numbers = np.repeat(np.array([1, -1]), (len(chosen), len(hidden)))
        inside = np.unique(kept.words()[1])
        only = inside[~words.matched[ids[inside]]]
        covered = np.bincount(np.searchsorted(ends, only, "right") - 1, minlength=size)
        return (texts, np.concatenate((chosen, hidden)), numbers), covered


def make_matcher(
    stream: Iterable[Batch],
    dictionary: AnyDictionary,
    tokenizer: Tokenizer | None = None,
    *,
    matching: str = DEFAULT_MATCHING,
    levels: str | int = "all",
    glob: bool = False,
) -> tuple[Matcher, Iterator[Batch]]:
    """The matcher of a dictionary for the language of the texts, and the stream of all batches.

    Negation is not used: a dictionary counts words.
    """
    check_choice("matching", matching, MATCHING)
    tokenizer = replace(tokenizer or Tokenizer(), negation="none")
    if tokenizer.language == "auto":
        tokenizer, stream = guess_stream_language(tokenizer, stream)
    entries = compile_entries(dictionary, tokenizer, levels, glob=glob)
    warn_of_lost_entries(entries)
    return Matcher(entries, tokenizer, matching).prepare(), iter(stream)


def match_batches(
    stream: Iterable[Batch],
    matcher: Matcher,
    compute: Callable[[Batch, Matches], T],
    *,
    markup: bool = False,
    threads: int | None = None,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[tuple[Batch, T]]:
    """Match batch by batch, in order, and compute a result of each; `compute` is called by several threads.

    Batches of many short texts are divided, so that the cells of their tables fit into memory.
    """
    rows = cells_at_once(memory, threads) // max(len(matcher.entries.categories), 1)

    def work(batch: Batch) -> tuple[Batch, T]:
        texts = strip_markup(batch.texts) if markup else batch.texts
        return batch, compute(batch, matcher.match(texts))

    return map_ordered(work, divide_batches(stream, max(rows, 1)), threads)


def cells_at_once(memory: int, threads: int | None) -> int:
    """How many cells a part of the table has: all parts that wait may take a quarter of the memory."""
    return max(memory // 4 // (2 * resolve_threads(threads) + 1) // CELL_BYTES, MIN_CELLS)


def divide_batches(stream: Iterable[Batch], rows: int) -> Iterator[Batch]:
    """The same documents in batches of at most so many; what is lost, and the position, is said of the last.

    >>> from problex.corpus import batches
    >>> parts = divide_batches(batches(["a", "b", "c"]), rows=2)
    >>> [(part.first_row, part.texts.to_pylist()) for part in parts]
    [(0, ['a', 'b']), (2, ['c'])]
    """
    for batch in stream:
        starts = range(0, len(batch.texts), rows)
        for start in starts[:-1]:
            columns = None if batch.columns is None else batch.columns.slice(start, rows)
            part = replace(batch, texts=batch.texts.slice(start, rows), columns=columns)
            yield replace(part, first_row=batch.first_row + start, missing=0, invalid=0, position=())
        last = starts[-1] if starts else 0
        columns = None if batch.columns is None else batch.columns.slice(last)
        yield replace(batch, texts=batch.texts.slice(last), columns=columns, first_row=batch.first_row + last)
