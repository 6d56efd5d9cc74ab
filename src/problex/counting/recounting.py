"""`recount`: the counts of a remembered corpus for a lexicon."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from problex._util.arrays import IntArray
from problex._util.late import sparse
from problex.counting.counts import Counts
from problex.counting.pool import row_pairs
from problex.counting.remembered import Remembered
from problex.counting.sample import Sample
from problex.counting.table_sums import list_associations
from problex.errors import LexiconError
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of, warn_of_problems
from problex.matching.negation import opposite_lists


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
    sample = remembered.sample
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
        pairs=row_pairs(own_rows, list_index, len(items.lists), threads),
        sample=Sample(sample.keys, sample.repeats, sample.lengths, rows, sample.limit),
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
