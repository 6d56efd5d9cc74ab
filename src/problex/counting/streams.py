"""`count`: from texts of any source to `Counts`, on every core and within bounded memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial, reduce
from os import cpu_count
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from problex._util.arrays import IntArray
from problex._util.memory import DEFAULT_MEMORY
from problex._util.threads import map_ordered, map_unordered
from problex.corpus.documents import Batch, batches, strip_markup
from problex.counting.counts import Counts, entry_order, no_counts, settings_of
from problex.counting.kernel import Counter, Pool, document_keys, sum_counter
from problex.counting.sample import Sample, drawn
from problex.counting.tables import Table, tabulate
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of, warn_of_problems
from problex.matching.tokens import Tokenizer

FILE_BATCH, MEMORY_BATCH = 8 << 20, 1 << 20


def count(
    documents: Any,
    lexicon: Lexicon,
    threads: int | None = None,
    *,
    text: str | None = None,
    tokenizer: Tokenizer | None = None,
    missing: str = "error",
    on_error: str = "stop",
    markup: bool = False,
    memory: int = DEFAULT_MEMORY,
    associations: bool = False,
) -> Counts:
    """Count texts for a lexicon: any collection of texts, a frame with `text` naming its column, or a `Path`.

    `threads=None` uses every core; the result does not depend on it. `markup` turns tags into blanks. `memory` is about
    how many bytes words may take: beyond it the rarest outside the lexicon are forgotten (`prune`), and counted in
    `pruned`. `associations` also counts how often every word meets each list: rule="pmi" and suggestions need it.
    """
    pieces = FILE_BATCH if isinstance(documents, Path) else MEMORY_BATCH
    stream = batches(documents, text=text, missing=missing, on_error=on_error, batch_bytes=pieces)
    return count_stream(
        stream, lexicon, threads, tokenizer=tokenizer, markup=markup, memory=memory, associations=associations
    )


def count_stream(
    stream: Iterable[Batch],
    lexicon: Lexicon,
    threads: int | None = None,
    *,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
    memory: int = DEFAULT_MEMORY,
    associations: bool = False,
) -> Counts:
    """Count batches of documents as they come."""
    tokenizer = tokenizer or Tokenizer()
    lexicon = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    items, settings = items_of(lexicon, tokenizer), settings_of(lexicon, tokenizer)
    warn_of_problems(items)
    none = no_counts(items, settings, associations=associations)
    if tokenizer.custom is not None:
        one = partial(_count_slowly, items=items, tokenizer=tokenizer, none=none, markup=markup)
        return reduce(Counts.__add__, map_ordered(one, stream, threads), none)
    pool = Pool(partial(sum_counter, items, tokenizer, associations=associations))
    room = memory // (threads or cpu_count() or 1)
    losses = map_unordered(partial(_count_into, pool, room=room, markup=markup), stream, threads)
    missing, invalid = np.array([(0, 0), *losses]).sum(axis=0).tolist()
    return replace(_counted(pool, none), missing=missing, invalid=invalid)


def _count_into(pool: Pool, batch: Batch, room: int, markup: bool) -> tuple[int, int]:
    """Count a batch with a counter of the pool; what was missing and what unreadable."""
    with pool.take() as counter:
        counter.add(strip_markup(batch.texts) if markup else batch.texts)
        prune(counter, room)
    return batch.missing, batch.invalid


def prune(counter: Counter, room: int) -> None:
    """Keep a counter within its room: words outside the lexicon that were seen least go first, down to half of it.

    Their tokens stay in all other sums, so every sum of the lexicon is exact; only the concentration sees less of the
    rarest words, which have next to no weight in it.
    """
    least = 1
    while counter.fullness(room) > (1.0 if least == 1 else 0.5) and counter.prune(least):
        least *= 2
        if least > 1 << 20:
            break


def _count_slowly(batch: Batch, items: Items, tokenizer: Tokenizer, none: Counts, markup: bool) -> Counts:
    texts = strip_markup(batch.texts) if markup else batch.texts
    found = sum_table(tabulate(texts, items, tokenizer), items, none, document_keys(texts))
    return replace(found, missing=batch.missing, invalid=batch.invalid)


def _counted(pool: Pool, none: Counts) -> Counts:
    """What the counters of a pool have counted, as a value."""
    counter, (found, place) = pool.merged(partial(_all_but_pairs, none=none))
    size = len(found.entries)
    ends, columns, values = counter.pairs(place, size)
    return replace(found, pairs=sparse.csr_array((values, columns, ends), shape=(size, size)))


def _all_but_pairs(counter: Counter, none: Counts) -> tuple[Counts, IntArray]:
    """What a counter has counted but for the pairs, and the place of each of its items among the entries."""
    words, numbers, occurrences, squares = counter.sums()
    entries, list_index, place = _entries(counter)
    keys, repeats, lengths, ends, items, counts = counter.sample()
    rows = sparse.csr_array((counts, place[items], ends), shape=(len(keys), len(entries)))
    rows.sort_indices()  # sums of floats over a row must not depend on the order in which its words came
    changes: dict[str, Any] = dict(counter.totals())
    if none.imputed is not None:
        changes["list_products"], changes["imputed"] = counter.associations(numbers)
    found = replace(
        none,
        entries=entries,
        list_index=list_index,
        words=words,
        occurrences=occurrences,
        squares=squares,
        imputed_documents=counter.imputed_documents(),
        sample=Sample(keys, repeats, lengths, rows, none.sample.most),
        **changes,
    )
    return found, place


def _entries(counter: Counter) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """The entries to keep in their order, their lists, and the place of each item: negated and caught ones if met."""
    kept = np.flatnonzero(counter.seen_items() | counter.written_items())
    if counter.numbered_alike:
        names, lists = counter.known_items()
        entries = tuple(names[kept].tolist())
    else:  # those that wildcards caught come last, and have to go to their places
        found, lists = counter.items()
        table = pa.table({"list": lists[kept], "name": found.take(pa.array(kept))})
        order = pc.sort_indices(table, [("list", "ascending"), ("name", "ascending")])
        kept, entries = kept[order.to_numpy()], tuple(table["name"].take(order).to_pylist())
    place = np.full(len(lists), -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    return entries, lists[kept], place


def sum_table(table: Table, items: Items, none: Counts, keys: NDArray[np.uint64] | None = None) -> Counts:
    """The sums over the rows of a table of counts; with the keys of the documents, also their sample."""
    seen = np.flatnonzero(_column_sums(table.matrix) > 0)
    matrix = table.matrix[:, seen]
    words = [table.words[int(at)] for at in seen]
    listed = {word: of for word in words if (of := items.find(word)) is not None} | dict(items.list_of)
    names, lists = list(listed), np.array(list(listed.values()), dtype=np.int64)
    order = entry_order(names, lists)
    entries, list_index = tuple(names[at] for at in order), lists[order]
    column_of = {word: at for at, word in enumerate(words)}
    present = [(number, column_of[name]) for number, name in enumerate(entries) if name in column_of]
    number, column = (np.array([pair[side] for pair in present], dtype=np.int64) for side in (0, 1))
    spread = sparse.csr_array((np.ones(len(number), np.int64), (column, number)), shape=(len(words), len(entries)))
    lexical = sparse.csr_array(matrix @ spread)
    changes: dict[str, Any] = (
        {} if none.imputed is None else _associations(matrix, lexical, list_index, len(items.lists))
    )
    return replace(
        none,
        entries=entries,
        list_index=list_index,
        words=pa.array(words, pa.string()),
        occurrences=_column_sums(matrix),
        squares=_column_sums(matrix.power(2)),
        pairs=_cross_pairs(lexical, list_index),
        sample=none.sample.moved(order, len(entries))
        if keys is None
        else drawn(keys, table.lengths, lexical, none.sample.most),
        documents=len(table.lengths),
        tokens=int(table.lengths.sum()),
        squared_lengths=int((table.lengths**2).sum()),
        empty=int(np.sum(table.lengths == 0)),
        **changes,
    )


def _associations(
    matrix: sparse.csr_array, lexical: sparse.csr_array, list_index: IntArray, lists: int
) -> dict[str, IntArray]:
    """How often every word meets each list, and each label that counting would give."""
    list_totals = (lexical @ sparse.csr_array(np.eye(lists, dtype=np.int64)[list_index])).toarray()
    label = _imputed_label(list_totals)
    chosen = np.eye(lists + 1, dtype=np.int64)[label][:, :-1]  # the last column is a tie: no label
    return {
        "list_products": np.asarray(matrix.T @ list_totals, dtype=np.int64),
        "imputed": np.asarray(matrix.T @ chosen, dtype=np.int64),
        "imputed_documents": chosen.sum(axis=0),
    }


def _imputed_label(list_totals: IntArray) -> IntArray:
    """The list with the most tokens in each document; the number of lists where there is a tie."""
    best = list_totals.max(axis=1, keepdims=True)
    tie = (list_totals == best).sum(axis=1) > 1
    return np.asarray(np.where(tie, list_totals.shape[1], list_totals.argmax(axis=1)), dtype=np.int64)


def _cross_pairs(lexical: sparse.csr_array, list_index: IntArray) -> sparse.csr_array:
    """Co-occurrence of each entry (row) with the entries of later lists (column)."""
    product = (lexical.T @ lexical).tocoo()
    row, column = product.coords
    cross = list_index[row] < list_index[column]
    return sparse.csr_array((product.data[cross].astype(np.int64), (row[cross], column[cross])), shape=product.shape)


def _column_sums(matrix: sparse.csr_array) -> IntArray:
    return np.asarray(matrix.sum(axis=0), dtype=np.int64).reshape(-1)
