"""Counts for another lexicon without another look at the texts: the page changes lists and wants weights at once.

`remember` keeps how often every document has every word, negated or not; `recount` picks the columns of a lexicon out
of that and sums them. The result equals `count` with that lexicon. Single words, wildcards and negation are all there;
phrases and literals take words out of a text, so they are those of the lexicon that the texts were remembered with.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from problex._util.arrays import IntArray
from problex.counting._counter import document_keys
from problex.counting.counts import Counts, no_counts, settings_of
from problex.counting.pool import SAMPLE, row_pairs
from problex.counting.sample import Sample, drawn
from problex.counting.tables import tabulate
from problex.errors import LexiconError
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of, warn_of_problems
from problex.matching.negation import NEGATED, opposite_lists
from problex.matching.tokens import Tokenizer


@dataclass(frozen=True, eq=False)
class Remembered:
    """A corpus as counts of all its words: `matrix` has a column per word, one per negated word, and an empty one.

    `sample` are the documents that every `Counts` of this corpus keeps, over the same columns.
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
    def negated(self) -> pa.Array:
        """The names of the negated words."""
        return pc.binary_join_element_wise(NEGATED, self.words, "")

    @cached_property
    def single(self) -> NDArray[np.bool_]:
        """Which of the words are one token: only these are caught by wildcards."""
        other = pc.is_in(self.words, pa.array(self.items.literals, pa.string()))
        phrase = pc.match_substring(self.words, " ")
        return ~np.asarray(pc.or_(other, phrase).to_numpy(zero_copy_only=False), dtype=bool)

    @cached_property
    def occurrences(self) -> IntArray:
        """The sum of every column."""
        return np.asarray(self.matrix.sum(axis=0), dtype=np.int64).reshape(-1)

    @cached_property
    def squares(self) -> IntArray:
        """The sum of squares of every column."""
        return np.asarray(self.matrix.astype(np.int64).power(2).sum(axis=0)).reshape(-1)

    @cached_property
    def joined_squares(self) -> IntArray:
        """The same for words that are no items, negated or not."""
        size = len(self.words)
        joined = sparse.csc_array(self.matrix[:, :size] + self.matrix[:, size : 2 * size]).astype(np.int64)
        return np.asarray(joined.power(2).sum(axis=0)).reshape(-1)


def remember(texts: pa.Array, lexicon: Lexicon, tokenizer: Tokenizer | None = None, sample: int = SAMPLE) -> Remembered:
    """Count every word of every text once, with the phrases and literals of a lexicon.

    >>> first = Lexicon({"positive": ["good"], "negative": ["bad", "rip off"]})
    >>> texts = pa.array(["good film", "not good, a rip-off", "bad dull film"])
    >>> corpus = remember(texts, first)
    >>> second = Lexicon({"positive": ["good", "fi*"], "negative": ["dull", "rip off"]})
    >>> from problex import count
    >>> recount(corpus, second) == count(texts, second)
    True
    """
    tokenizer = tokenizer or Tokenizer()
    items = items_of(lexicon, tokenizer)
    found = [word for word in tabulate(texts, items, tokenizer).words if not word.startswith(NEGATED)]
    words = list(dict.fromkeys(found))  # all that could be an item is one here, so that negated ones stand apart
    everything = replace(items, names=tuple(words), list_index=np.zeros(len(words), np.int64), wildcards=())
    columns = {name: at for at, name in enumerate([*words, *(NEGATED + word for word in words)])}
    table = tabulate(texts, everything, tokenizer, columns)
    matrix = _narrow(table.matrix, len(columns) + 1)
    kept = drawn(document_keys(texts), table.lengths, sparse.csr_array(matrix), sample)
    return Remembered(
        tokenizer,
        items,
        pa.array(words, pa.string()),
        matrix,
        table.lengths,
        kept,
        sparse.csc_array(kept.matrix),
    )


def _narrow(matrix: sparse.csr_array, columns: int) -> sparse.csc_array:
    """By columns, with an empty one at the end, in numbers as small as will do for any product of two columns."""
    wide = sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], columns))
    largest = int(wide.power(2).sum(axis=0).max()) if wide.nnz else 0
    # The sum of products of two columns is at most the larger of their sums of squares, by Cauchy and Schwarz.
    return sparse.csc_array(wide).astype(np.int32 if largest < 2**31 else np.int64)


def recount(remembered: Remembered, lexicon: Lexicon, threads: int | None = None) -> Counts:
    """What `count` would give for the remembered texts and this lexicon, without associations."""
    items = items_of(lexicon, remembered.tokenizer)
    warn_of_problems(items)
    _check(remembered.items, items)
    written = np.array([remembered.place.get(name, -1) for name in items.names], dtype=np.int64)
    own = _own_lists(remembered, items, written)
    entries, list_index, columns = _entries(remembered, items, written, own)
    kept = remembered.sample
    rows = sparse.csr_array(remembered.sample_columns[:, columns]).astype(np.int64)
    words, occurrences, squares = _sums(remembered, np.flatnonzero(own >= 0))
    return replace(
        no_counts(items, settings_of(lexicon, remembered.tokenizer)),
        entries=entries,
        list_index=list_index,
        words=words,
        occurrences=occurrences,
        squares=squares,
        pairs=row_pairs(sparse.csr_array(remembered.matrix[:, columns]), list_index, len(items.lists), threads),
        sample=Sample(kept.keys, kept.repeats, kept.lengths, rows, kept.most),
        documents=len(remembered.lengths),
        tokens=int(remembered.lengths.sum()),
        squared_lengths=int((remembered.lengths**2).sum()),
        empty=int(np.sum(remembered.lengths == 0)),
    )


def _check(before: Items, now: Items) -> None:
    """Refuse other phrases or literals than those that the texts were remembered with."""
    for what in ("phrases", "literals"):
        then, given = (set(getattr(items, what)) for items in (before, now))
        if then != given:
            differ = [one if isinstance(one, str) else " ".join(one) for one in sorted(then ^ given)]
            shown = ", ".join(map(repr, differ[:5]))
            raise LexiconError(
                f"the lexicon given has other {what} than the one that the texts were remembered with, expected the "
                f"same ({shown} are not in both): count the texts again, or remember them with this lexicon"
            )


def _own_lists(remembered: Remembered, items: Items, written: IntArray) -> IntArray:
    """The list of each word of the corpus; -1 for those of none."""
    own = np.full(len(remembered.words), -1, dtype=np.int64)
    for wildcard in reversed(items.wildcards):  # the most specific comes last, so that it has the last word
        test = (pc.starts_with, pc.ends_with, pc.match_substring)[wildcard.kind]
        caught = test(remembered.words, wildcard.letters).to_numpy(zero_copy_only=False)
        own[caught & remembered.single] = wildcard.list
    own[written[written >= 0]] = items.list_index[written >= 0]
    return own


def _entries(
    remembered: Remembered, items: Items, written: IntArray, own: IntArray
) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """The entries by list and name, their lists, and their columns: those of the lexicon, and others that were met."""
    size, empty = len(remembered.words), remembered.matrix.shape[1] - 1
    opposite = np.array([-1 if of is None else of for of in opposite_lists(items.lists)])
    lexical = np.flatnonzero(own >= 0)
    caught = np.setdiff1d(lexical[remembered.occurrences[lexical] > 0], written)
    turned = lexical[(remembered.occurrences[size + lexical] > 0) & (opposite[own[lexical]] >= 0)]
    names = [pa.array(items.names, pa.string())]
    names += [remembered.words.take(pa.array(caught)), remembered.negated.take(pa.array(turned))]
    lists = np.concatenate([items.list_index, own[caught], opposite[own[turned]]])
    columns = np.concatenate([np.where(written >= 0, written, empty), caught, size + turned])
    table = pa.table({"list": lists, "name": pa.concat_arrays(names)})
    order = pc.sort_indices(table, [("list", "ascending"), ("name", "ascending")])
    return tuple(table["name"].take(order).to_pylist()), lists[order.to_numpy()], columns[order.to_numpy()]


def _sums(remembered: Remembered, lexical: IntArray) -> tuple[pa.Array, IntArray, IntArray]:
    """The words that were met, their occurrences and squares: items apart from their negated forms, others joined."""
    size = len(remembered.words)
    plain, turned = remembered.occurrences[:size], remembered.occurrences[size : 2 * size]
    occurrences, squares = plain + turned, remembered.joined_squares.copy()
    occurrences[lexical], squares[lexical] = plain[lexical], remembered.squares[lexical]
    met, negated = np.flatnonzero(occurrences), lexical[turned[lexical] > 0]
    names = pa.concat_arrays([remembered.words.take(pa.array(met)), remembered.negated.take(pa.array(negated))])
    return (
        names,
        np.concatenate([occurrences[met], turned[negated]]),
        np.concatenate([squares[met], remembered.squares[size + negated]]),
    )
