"""`count`: from texts of any source to `Counts`, on every core and within bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial, reduce
from os import cpu_count
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from problex.counts import Counts, no_counts, settings_of
from problex.documents import Batch, batches, strip_markup
from problex.items import Items, items_of, warn_of_problems
from problex.kernel import Counter, Pool, sum_counter
from problex.lexicon import Lexicon
from problex.parallel import in_order
from problex.tabulate import Table, tabulate
from problex.tokens import Tokenizer

IntArray = NDArray[np.int64]
MEMORY = 1 << 30
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
    memory: int = MEMORY,
) -> Counts:
    """Count texts for a lexicon: any collection of texts, a frame with `text` naming its column, or a `Path`.

    `threads=None` uses every core; the result does not depend on it. `markup` turns tags into blanks. `memory` is about
    how many bytes words may take: beyond it the rarest outside the lexicon are forgotten (`prune`), and counted in
    `pruned`.
    """
    pieces = FILE_BATCH if isinstance(documents, Path) else MEMORY_BATCH
    stream = batches(documents, text=text, missing=missing, on_error=on_error, batch_bytes=pieces)
    return count_stream(stream, lexicon, threads, tokenizer=tokenizer, markup=markup, memory=memory)


def count_stream(
    stream: Iterable[Batch],
    lexicon: Lexicon,
    threads: int | None = None,
    *,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
    memory: int = MEMORY,
) -> Counts:
    """Count batches of documents as they come."""
    tokenizer = tokenizer or Tokenizer()
    lexicon = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    items, settings = items_of(lexicon, tokenizer), settings_of(lexicon, tokenizer)
    warn_of_problems(items)
    if tokenizer.custom is not None:
        one = partial(_count_slowly, items=items, tokenizer=tokenizer, settings=settings, markup=markup)
        return reduce(Counts.__add__, in_order(one, stream, threads), Counts.none(lexicon, tokenizer))
    pool = Pool(partial(sum_counter, items, tokenizer))
    room = memory // (threads or cpu_count() or 1)
    losses = in_order(partial(_count_into, pool, room=room, markup=markup), stream, threads)
    missing, invalid = np.array([(0, 0), *losses]).sum(axis=0).tolist()
    return replace(_counted(pool.merged(), items, settings), missing=missing, invalid=invalid)


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
    while counter.memory > (room if least == 1 else room // 2) and counter.prune(least):
        least *= 2
        if least > 1 << 20:
            break


def _count_slowly(
    batch: Batch, items: Items, tokenizer: Tokenizer, settings: Mapping[str, Any], markup: bool
) -> Counts:
    texts = strip_markup(batch.texts) if markup else batch.texts
    found = sum_table(tabulate(texts, items, tokenizer), items, settings)
    return replace(found, missing=batch.missing, invalid=batch.invalid)


def _counted(counter: Counter, items: Items, settings: Mapping[str, Any]) -> Counts:
    """What a counter has counted, as a value."""
    words, occurrences, squares, list_products, imputed = counter.sums()
    ends, columns, values = counter.pairs()
    size = len(items.names)
    totals: dict[str, Any] = counter.totals()
    return replace(
        no_counts(items, settings),
        words=words,
        occurrences=occurrences,
        squares=squares,
        list_products=list_products,
        imputed=imputed,
        imputed_documents=counter.imputed_documents(),
        pairs=sparse.csr_array((values, columns, ends[: size + 1]), shape=(size, size)),
        **totals,
    )


def sum_table(table: Table, items: Items, settings: Mapping[str, Any]) -> Counts:
    """The sums over the rows of a table of counts."""
    seen = np.asarray(table.matrix.sum(axis=0)).reshape(-1) > 0
    order = sorted(np.flatnonzero(seen).tolist(), key=table.words.__getitem__)
    matrix = table.matrix[:, order]
    words = [table.words[at] for at in order]
    column_of = {word: at for at, word in enumerate(words)}
    present = [(number, column_of[name]) for number, name in enumerate(items.names) if name in column_of]
    number, column = (np.array([pair[side] for pair in present], dtype=np.int64) for side in (0, 1))
    lexical = matrix[:, column]
    in_list = sparse.csr_array(np.eye(len(items.lists), dtype=np.int64)[items.list_index[number]])
    list_totals = (lexical @ in_list).toarray()
    label = _imputed_label(list_totals)
    chosen = np.eye(len(items.lists) + 1, dtype=np.int64)[label][:, :-1]  # the last column is a tie: no label
    per_label = matrix.T @ chosen
    return replace(
        no_counts(items, settings),
        words=pa.array(words, pa.string()),
        occurrences=_column_sums(matrix),
        squares=_column_sums(matrix.power(2)),
        list_products=np.asarray(matrix.T @ list_totals, dtype=np.int64),
        imputed=np.asarray(per_label, dtype=np.int64),
        imputed_documents=chosen.sum(axis=0),
        pairs=_cross_pairs(lexical, number, items),
        documents=len(table.lengths),
        tokens=int(table.lengths.sum()),
        squared_lengths=int((table.lengths**2).sum()),
        empty=int(np.sum(table.lengths == 0)),
    )


def _imputed_label(list_totals: IntArray) -> IntArray:
    """The list with the most tokens in each document; the number of lists where there is a tie."""
    best = list_totals.max(axis=1, keepdims=True)
    tie = (list_totals == best).sum(axis=1) > 1
    return np.asarray(np.where(tie, list_totals.shape[1], list_totals.argmax(axis=1)), dtype=np.int64)


def _cross_pairs(lexical: sparse.csr_array, number: IntArray, items: Items) -> sparse.csr_array:
    """Co-occurrence of each entry (row) with the entries of later lists (column)."""
    product = (lexical.T @ lexical).tocoo()
    row, column = number[product.coords[0]], number[product.coords[1]]
    cross = items.list_index[row] < items.list_index[column]
    shape = (len(items.names), len(items.names))
    return sparse.csr_array((product.data[cross].astype(np.int64), (row[cross], column[cross])), shape=shape)


def _column_sums(matrix: sparse.csr_array) -> IntArray:
    return np.asarray(matrix.sum(axis=0), dtype=np.int64).reshape(-1)
