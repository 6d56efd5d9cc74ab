"""`recount`: the counts of a remembered corpus for a lexicon."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from problex._util.arrays import IntArray
from problex._util.late import sparse
from problex.counting.counts import Counts
from problex.counting.pool import row_pairs
from problex.counting.remembered import Remembered
from problex.counting.sample import Sample
from problex.errors import LexiconError
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of, warn_of_problems
from problex.matching.negation import opposite_lists


def recount(remembered: Remembered, lexicon: Lexicon, threads: int | None = None) -> Counts:
    """The counts of the remembered texts for a lexicon: equal to `count`, without associations.

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
