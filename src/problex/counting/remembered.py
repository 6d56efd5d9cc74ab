"""Counts for a changed lexicon without counting the texts again, for programs that edit lists and show weights.

`remember` keeps how often every document has every word, negated or not; `recount` selects the columns of a lexicon and
sums them. The result equals `count` with that lexicon. Single words, wildcards and negation may change; phrases and
literals change the tokens of a text, so they must be those of the lexicon that the texts were remembered with.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.late import sparse
from problex.counting._counter import document_keys
from problex.counting.counts import Counts
from problex.counting.pool import row_pairs
from problex.counting.sample import SAMPLE_SIZE, Sample, draw_sample
from problex.counting.tables import tabulate
from problex.errors import LexiconError
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of, warn_of_problems
from problex.matching.language_guess import resolve_language
from problex.matching.negation import NEGATED, opposite_lists
from problex.matching.tokens import Tokenizer


@dataclass(frozen=True, eq=False)
class Remembered:
    """A corpus as counts of all its words: `matrix` has a column per word, one per negated word, and an empty one.

    `sample` is the sample of every `Counts` of this corpus, over the same columns.
    """

    tokenizer: Tokenizer
    items: Items
    words: pa.Array
    matrix: sparse.csc_array
    lengths: IntArray
    sample: Sample
    sample_columns: sparse.csc_array

    @cached_property
    def place(self) -> dict[str, int]:
        """The column of each word."""
        return {word: at for at, word in enumerate(self.words.to_pylist())}

    @cached_property
    def sorted_places(self) -> IntArray:
        """The columns of the words in the order of their letters."""
        return np.asarray(pc.array_sort_indices(self.words).to_numpy(), dtype=np.int64)

    @cached_property
    def sorted_words(self) -> list[str]:
        """The words in the order of their letters."""
        words: list[str] = self.words.take(pa.array(self.sorted_places)).to_pylist()
        return words

    def documents_with(self, word: str) -> IntArray:
        """The documents that have a word, negated or not, in order."""
        ends, rows = self.matrix.indptr, self.matrix.indices
        columns = [self.column(word), self.column(NEGATED + word)]
        return np.unique(np.concatenate([rows[ends[at] : ends[at + 1]] for at in columns])).astype(np.int64)

    @cached_property
    def negated_words(self) -> pa.Array:
        """The names of the negated words."""
        return pc.binary_join_element_wise(NEGATED, self.words, "")

    @cached_property
    def single(self) -> NDArray[np.bool_]:
        """Which of the words are one token: only these can match wildcards."""
        literal = pc.is_in(self.words, pa.array(self.items.literals, pa.string()))
        phrase = pc.match_substring(self.words, " ")
        return ~np.asarray(pc.or_(literal, phrase).to_numpy(zero_copy_only=False), dtype=bool)

    @cached_property
    def _selected(self) -> dict[tuple[str, ...], sparse.csr_array]:
        """The last result of `rows`."""
        return {}

    def column(self, name: str) -> int:
        """The column of a word, or of a negated word by its name; the empty column for a word that never occurs."""
        negated = name.startswith(NEGATED)
        at = self.place.get(name.removeprefix(NEGATED) if negated else name)
        return self.matrix.shape[1] - 1 if at is None else at + negated * len(self.words)

    def rows(self, names: tuple[str, ...], columns: IntArray | None = None) -> sparse.csr_array:
        """How often every document has each of these words, by their names; `columns` are theirs, if known.

        The last result is kept: an edit of a lexicon needs it for the counts, and again for the scores.
        """
        rows = self._selected.get(names)
        if rows is None:
            if columns is None:
                columns = np.fromiter(map(self.column, names), np.int64, len(names))
            rows = sparse.csr_array(self.matrix[:, columns])
            self._selected.clear()
            self._selected[names] = rows
        return rows

    @cached_property
    def occurrences(self) -> IntArray:
        """The sum of every column."""
        return np.asarray(self.matrix.sum(axis=0), dtype=np.int64).reshape(-1)

    @cached_property
    def squares(self) -> IntArray:
        """The sum of squares of every column."""
        return np.asarray(self.matrix.astype(np.int64).power(2).sum(axis=0)).reshape(-1)

    @cached_property
    def total_squares(self) -> IntArray:
        """The sum of squares of every word that is not an item: negated and other occurrences together."""
        size = len(self.words)
        total = sparse.csc_array(self.matrix[:, :size] + self.matrix[:, size : 2 * size]).astype(np.int64)
        return np.asarray(total.power(2).sum(axis=0)).reshape(-1)


def remember(texts: pa.Array, lexicon: Lexicon, tokenizer: Tokenizer | None = None) -> Remembered:
    """Count every word of every text, with the phrases and literals of a lexicon; `recount` then needs no texts.

    >>> first = Lexicon({"positive": ["good"], "negative": ["bad", "rip off"]})
    >>> texts = pa.array(["good film", "not good, a rip-off", "bad dull film"])
    >>> corpus = remember(texts, first)
    >>> second = Lexicon({"positive": ["good", "fi*"], "negative": ["dull", "rip off"]})
    >>> from problex import count
    >>> recount(corpus, second) == count(texts, second)
    True
    """
    tokenizer = resolve_language(tokenizer or Tokenizer(), texts)
    items = items_of(lexicon, tokenizer)
    words = [word for word in tabulate(texts, items, tokenizer).words if not word.startswith(NEGATED)]
    words = list(dict.fromkeys(words))
    # every word is an item here, so that its negated occurrences have a column of their own
    all_items = replace(items, names=tuple(words), list_index=np.zeros(len(words), np.int64), wildcards=())
    columns = {name: at for at, name in enumerate([*words, *(NEGATED + word for word in words)])}
    table = tabulate(texts, all_items, tokenizer, columns)
    matrix = _narrow(table.matrix, len(columns) + 1)
    sample = draw_sample(document_keys(texts), table.lengths, sparse.csr_array(matrix), SAMPLE_SIZE)
    sample_columns = sparse.csc_array(sample.matrix)
    return Remembered(tokenizer, items, pa.array(words, pa.string()), matrix, table.lengths, sample, sample_columns)


def _narrow(matrix: sparse.csr_array, columns: int) -> sparse.csc_array:
    """The matrix by columns, with an empty one at the end; 32-bit integers if no sum of products can exceed them."""
    wide = sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], columns))
    largest = int(wide.power(2).sum(axis=0).max()) if wide.nnz else 0
    # the sum of products of two columns is at most the larger of their sums of squares (Cauchy-Schwarz)
    return sparse.csc_array(wide).astype(np.int32 if largest < 2**31 else np.int64)


def recount(remembered: Remembered, lexicon: Lexicon, threads: int | None = None) -> Counts:
    """The counts of the remembered texts for a lexicon: equal to `count`, without associations.

    >>> corpus = remember(pa.array(["good film", "not good", "bad film"]), Lexicon({"up": ["good"], "down": ["bad"]}))
    >>> counts = recount(corpus, Lexicon({"up": ["good", "film"], "down": ["bad"]}))
    >>> counts.entries, counts.documents
    (('NOT good', 'bad', 'film', 'good'), 3)
    """
    items = items_of(lexicon, remembered.tokenizer)
    if items.problems:
        warn_of_problems(items)
    check_items(remembered.items, items)
    written = np.array([remembered.place.get(name, -1) for name in items.names], dtype=np.int64)
    own = _own_lists(remembered, items, written)
    entries, list_index, columns = _entries(remembered, items, written, own)
    sample = remembered.sample
    rows = sparse.csr_array(remembered.sample_columns[:, columns]).astype(np.int64)
    words, occurrences, squares = _sums(remembered, np.flatnonzero(own >= 0))
    return replace(
        Counts.none(lexicon, remembered.tokenizer),
        entries=entries,
        list_index=list_index,
        words=words,
        occurrences=occurrences,
        squares=squares,
        pairs=row_pairs(remembered.rows(entries, columns), list_index, len(items.lists), threads),
        sample=Sample(sample.keys, sample.repeats, sample.lengths, rows, sample.limit),
        documents=len(remembered.lengths),
        tokens=int(remembered.lengths.sum()),
        squared_lengths=int((remembered.lengths**2).sum()),
        empty=int(np.sum(remembered.lengths == 0)),
    )


def check_items(before: Items, now: Items) -> None:
    """Raise if the phrases or literals differ from those of the lexicon given to `remember`."""
    for what in ("phrases", "literals"):
        old, new = (set(getattr(items, what)) for items in (before, now))
        if old != new:
            different = [item if isinstance(item, str) else " ".join(item) for item in sorted(old ^ new)]
            examples = ", ".join(map(repr, different[:5]))
            raise LexiconError(
                f"the {what} of the lexicon differ from those of the lexicon given to remember ({examples}), expected "
                "the same: count the texts again, or call remember with this lexicon"
            )


def _own_lists(remembered: Remembered, items: Items, written: IntArray) -> IntArray:
    """The list of each word of the corpus; -1 for those of none."""
    own = np.full(len(remembered.words), -1, dtype=np.int64)
    for wildcard in reversed(items.wildcards):  # the most specific one is last, and replaces the others
        test = (pc.starts_with, pc.ends_with, pc.match_substring)[wildcard.kind]
        matches = test(remembered.words, wildcard.letters).to_numpy(zero_copy_only=False)
        own[matches & remembered.single] = wildcard.list
    own[written[written >= 0]] = items.list_index[written >= 0]
    return own


def _entries(
    remembered: Remembered, items: Items, written: IntArray, own: IntArray
) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """The entries by list and name, their lists and their columns: items of the lexicon, and others that occurred."""
    size, empty = len(remembered.words), remembered.matrix.shape[1] - 1
    opposite = np.array([-1 if of is None else of for of in opposite_lists(items.lists)])
    lexical = np.flatnonzero(own >= 0)
    matched = np.setdiff1d(lexical[remembered.occurrences[lexical] > 0], written)
    negated = lexical[(remembered.occurrences[size + lexical] > 0) & (opposite[own[lexical]] >= 0)]
    names = [pa.array(items.names, pa.string())]
    names += [remembered.words.take(pa.array(matched)), remembered.negated_words.take(pa.array(negated))]
    lists = np.concatenate([items.list_index, own[matched], opposite[own[negated]]])
    columns = np.concatenate([np.where(written >= 0, written, empty), matched, size + negated])
    table = pa.table({"list": lists, "name": pa.concat_arrays(names)})
    order = pc.sort_indices(table, [("list", "ascending"), ("name", "ascending")])
    return tuple(table["name"].take(order).to_pylist()), lists[order.to_numpy()], columns[order.to_numpy()]


def _sums(remembered: Remembered, items: IntArray) -> tuple[pa.Array, IntArray, IntArray]:
    """The words that occurred, their occurrences and squares; negated items are separate words, others are not."""
    size = len(remembered.words)
    plain, negated = remembered.occurrences[:size], remembered.occurrences[size : 2 * size]
    occurrences, squares = plain + negated, remembered.total_squares.copy()
    occurrences[items], squares[items] = plain[items], remembered.squares[items]
    words, negated_items = np.flatnonzero(occurrences), items[negated[items] > 0]
    names = [remembered.words.take(pa.array(words)), remembered.negated_words.take(pa.array(negated_items))]
    return (
        pa.concat_arrays(names),
        np.concatenate([occurrences[words], negated[negated_items]]),
        np.concatenate([squares[words], remembered.squares[size + negated_items]]),
    )
