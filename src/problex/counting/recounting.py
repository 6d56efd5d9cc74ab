"""`recount`: the counts of a remembered corpus for a lexicon."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from problex._util.arrays import IntArray
from problex._util.arrow import pc
from problex._util.late import sparse
from problex.counting.counts import Counts
from problex.counting.pool import row_pairs
from problex.counting.remembered import Remembered
from problex.counting.table_sums import list_associations
from problex.errors import LexiconError
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of, warn_of_problems
from problex.matching.negation import opposite_lists
from problex.matching.wildcards import matching_words

MAX_NEW_ENTRIES = 100
"""The new entries up to which pairs are computed from those of the last lexicon."""


def recount(
    remembered: Remembered, lexicon: Lexicon, threads: int | None = None, *, associations: bool = False
) -> Counts:
    """The counts of the remembered texts for a lexicon, equal to those of `count`.

    `associations` are those of every word with each list, as the doctor needs them.

    >>> from problex.counting import remember
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
    rows = sparse.csr_array(remembered.sample_columns[:, columns]).astype(np.int64)
    sums = _Sums.of(remembered, np.flatnonzero(own >= 0))
    own_rows = remembered.rows(entries, columns)
    none = Counts.none(lexicon, remembered.tokenizer, associations=associations)
    products, imputed, imputed_documents = none.list_products, none.imputed, none.imputed_documents
    if associations:
        found = list_associations(remembered.matrix, own_rows, list_index, len(items.lists))
        products, imputed, imputed_documents = sums.of_words(found[0]), sums.of_words(found[1]), found[2]
    return replace(
        none,
        entries=entries,
        list_index=list_index,
        words=sums.words,
        occurrences=sums.of_words(remembered.occurrences),
        squares=sums.of_words(remembered.squares, remembered.total_squares),
        pairs=_Pairs.of(remembered, own_rows, columns, list_index, len(items.lists), threads).matrix,
        sample=replace(remembered.sample, matrix=rows),
        keys=remembered.smallest_keys,
        documents=len(remembered.lengths),
        tokens=int(remembered.lengths.sum()),
        squared_lengths=int((remembered.lengths**2).sum()),
        empty=int(np.sum(remembered.lengths == 0)),
        list_products=products,
        imputed=imputed,
        imputed_documents=imputed_documents,
    )


def check_items(before: Items, now: Items) -> None:
    """Raise if the phrases or literals differ from those of the lexicon given to `remember`."""
    if before.segmented != now.segmented:
        raise LexiconError(
            "only one of this lexicon and the one given to remember has words of a language without spaces: count the "
            "texts again, or call remember with this lexicon"
        )
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
        own[matching_words(wildcard, remembered.words) & remembered.single] = wildcard.list
    own[written[written >= 0]] = items.list_index[written >= 0]
    return own


def _entries(
    remembered: Remembered, items: Items, written: IntArray, own: IntArray
) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """The entries by list and name, their lists and their columns: items of the lexicon, and others that occurred."""
    size, empty = len(remembered.words), remembered.matrix.shape[1] - 1
    opposite = np.array([-1 if of is None else of for of in opposite_lists(items.lists)])
    lexical = np.flatnonzero(own >= 0)
    is_written = np.zeros(size + 1, dtype=bool)  # the last for those that no document has
    is_written[written] = True
    matched = lexical[(remembered.occurrences[lexical] > 0) & ~is_written[lexical]]
    negated = lexical[(remembered.occurrences[size + lexical] > 0) & (opposite[own[lexical]] >= 0)]
    names = [pa.array(items.names, pa.string())]
    names += [remembered.words.take(pa.array(matched)), remembered.negated_words.take(pa.array(negated))]
    lists = np.concatenate([items.list_index, own[matched], opposite[own[negated]]])
    columns = np.concatenate([np.where(written >= 0, written, empty), matched, size + negated])
    table = pa.table({"list": lists, "name": pa.concat_arrays(names)})
    order = pc.sort_indices(table, [("list", "ascending"), ("name", "ascending")])
    return tuple(table["name"].take(order).to_pylist()), lists[order.to_numpy()], columns[order.to_numpy()]


@dataclass(frozen=True, eq=False)
class _Sums:
    """The words that occurred: negated items are separate words, other words have all their occurrences together.

    `items` are the columns of the items, `places` those of the words, `negated` those of the words of negated items.
    """

    words: pa.Array
    items: IntArray
    places: IntArray
    negated: IntArray

    @classmethod
    def of(cls, remembered: Remembered, items: IntArray) -> _Sums:
        size = len(remembered.words)
        plain, negated = remembered.occurrences[:size], remembered.occurrences[size : 2 * size]
        occurs = plain + negated > 0
        occurs[items] = plain[items] > 0
        places, negated_items = np.flatnonzero(occurs), items[negated[items] > 0]
        names = [remembered.words.take(pa.array(places)), remembered.negated_words.take(pa.array(negated_items))]
        return cls(pa.concat_arrays(names), items, places, negated_items)

    def of_words(self, values: IntArray, together: IntArray | None = None) -> IntArray:
        """The sums of the words from those of the columns; `together` are those of negated and other occurrences."""
        size = (len(values) - 1) // 2
        plain, negated = values[:size], values[size : 2 * size]
        whole = plain + negated if together is None else together.copy()
        whole[self.items] = plain[self.items]
        return np.concatenate([whole[self.places], negated[self.negated]])


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The pairs of a lexicon, with the columns and lists of its entries, from which those after an edit follow."""

    columns: IntArray
    list_index: IntArray
    lists: int
    matrix: sparse.csr_array

    @classmethod
    def of(
        cls,
        remembered: Remembered,
        rows: sparse.csr_array,
        columns: IntArray,
        list_index: IntArray,
        lists: int,
        threads: int | None,
    ) -> _Pairs:
        """The pairs of these entries; from the last ones, which the corpus keeps, if few entries are new."""
        last: _Pairs | None = remembered.kept.get("pairs")
        places = None if last is None or last.lists != lists else last.places(columns, list_index)
        new = columns
        if places is not None:
            is_new = np.ones(len(columns), dtype=bool)
            is_new[places[places >= 0]] = False
            new = np.flatnonzero(is_new)
            new = new[remembered.matrix.indptr[columns[new] + 1] > remembered.matrix.indptr[columns[new]]]
        if last is None or places is None or len(new) > MAX_NEW_ENTRIES:
            matrix = row_pairs(rows, list_index, lists, threads)
        else:
            matrix = last.moved(places, len(columns))
            matrix = matrix if not len(new) else sparse.csr_array(matrix + _pairs_with(rows, new, list_index))
        remembered.kept["pairs"] = found = cls(columns, list_index, lists, matrix)
        return found

    def places(self, columns: IntArray, list_index: IntArray) -> IntArray:
        """The place of each of these entries among others; -1 if they lack it, or have it in another list."""
        number = max(int(self.columns.max(initial=0)), int(columns.max(initial=0))) + 1
        place = np.full(number, -1, dtype=np.int64)
        place[columns] = np.arange(len(columns))
        found = place[self.columns]
        same = (found >= 0) & (list_index[np.maximum(found, 0)] == self.list_index)
        return np.where(same, found, -1)

    def moved(self, places: IntArray, size: int) -> sparse.csr_array:
        """The pairs of those entries that have a place among `size` others, which are in the same order."""
        ends, places = self.matrix.indptr, places.astype(self.matrix.indices.dtype)
        targets, data = np.take(places, self.matrix.indices), self.matrix.data
        own_lengths = np.diff(ends).astype(np.int64)
        if (places < 0).any():
            kept = targets >= 0
            for row in np.flatnonzero(places < 0).tolist():
                kept[ends[row] : ends[row + 1]] = False
            without = np.searchsorted(ends, np.flatnonzero(~kept), side="right") - 1
            own_lengths -= np.bincount(without, minlength=len(own_lengths))
            targets, data = targets[kept], data[kept]
        lengths = np.zeros(size, dtype=np.int64)
        lengths[places[places >= 0]] = own_lengths[places >= 0]
        rows = np.concatenate([[0], np.cumsum(lengths)])
        return sparse.csr_array((data, targets, rows), shape=(size, size))


def _pairs_with(rows: sparse.csr_array, new: IntArray, list_index: IntArray) -> sparse.csr_array:
    """The pairs of some entries with those of other lists; the entry of the earlier list is the row."""
    size = len(list_index)
    products = sparse.coo_array(sparse.csc_array(rows[:, new]).T @ rows)
    first, second = new[products.coords[0]], products.coords[1].astype(np.int64)
    is_new = np.zeros(size, dtype=bool)
    is_new[new] = True
    below, above = list_index[first] < list_index[second], list_index[first] > list_index[second]
    kept = below | (above & ~is_new[second])  # a pair of two new entries is there twice
    places = np.where(below, first, second)[kept], np.where(below, second, first)[kept]
    return sparse.csr_array((products.data[kept].astype(np.int64), places), shape=(size, size))
