"""Compiled counters of sums, rows and ids, one for each thread that counts: how they are made, merged and read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.arrow import pc
from problex._util.late import sparse
from problex._util.threads import call_all, once, resolve_threads
from problex.counting._counter import FASTEST, Counter, PairsPart, RowLog
from problex.counting.plan import Plan, make_closed_plan, make_open_plan, make_sum_plan
from problex.counting.sample import SAMPLE_SIZE
from problex.matching.characters import character_table
from problex.matching.items import Items
from problex.matching.languages import LANGUAGES
from problex.matching.negation import NEGATED
from problex.matching.reference import prepare_texts
from problex.matching.tokens import Tokenizer

T = TypeVar("T")


def sum_counter(
    items: Items, tokenizer: Tokenizer, *, associations: bool = False, sample: int = SAMPLE_SIZE, fast: int = FASTEST
) -> Counter:
    """A counter of sums over documents, for the items of a lexicon; `fast` is 0 for plain C, 1 AVX2, 2 AVX-512."""
    plan = make_sum_plan(items)
    return _counter(items, tokenizer, plan, sums=True, associations=associations, sample=sample, fast=fast)


def row_counter(items: Items, tokenizer: Tokenizer, columns: Mapping[str, int] | None = None) -> Counter:
    """A counter of sparse rows: of some columns only, or of every word that occurs."""
    plan = make_open_plan(items) if columns is None else make_closed_plan(items, columns)
    return _counter(items, tokenizer, plan, rows=True, closed=columns is not None)


def id_counter(items: Items, tokenizer: Tokenizer, columns: Mapping[str, int] | None = None) -> Counter:
    """A counter that keeps the words of each text in order, as numbers; -1 for a word without a column."""
    plan = make_open_plan(items) if columns is None else make_closed_plan(items, columns)
    return _counter(items, tokenizer, plan, ids=True, closed=columns is not None)


class PreparingCounter(Counter):
    """A counter of texts that must be prepared: those of some languages."""

    prepare: Callable[[pa.Array], pa.Array]

    def add(self, texts: pa.Array) -> None:
        """Count the texts of an Arrow array."""
        super().add(self.prepare(texts))


def _counter(items: Items, tokenizer: Tokenizer, plan: Plan, **options: Any) -> Counter:
    characters = character_table(tokenizer.language, bool(tokenizer.fold_accents))
    kind = PreparingCounter if tokenizer.letters or items.segmented else Counter
    counter = kind(
        characters, LANGUAGES[tokenizer.language].apostrophe_joins, plan, keep_links=tokenizer.keep_links, **options
    )
    if isinstance(counter, PreparingCounter):
        counter.prepare = partial(prepare_texts, items=items, tokenizer=tokenizer)
    return counter


@dataclass
class Pool:
    """Counters for threads: each is used by one thread at a time, and as many are made as are in use at once.

    `free` are those that no thread uses. After an error a counter is not put there: half of a text may be counted.
    """

    make: Callable[[], Counter]
    all: list[Counter] = field(default_factory=list)
    free: SimpleQueue[Counter] = field(default_factory=SimpleQueue)

    def take(self) -> Counter:
        """A counter that no other thread gets until it is put into `free`."""
        try:
            return self.free.get_nowait()
        except Empty:
            counter = self.make()
            self.all.append(counter)
            return counter

    def merge(self, read: Callable[[Counter], T]) -> tuple[Counter, T]:
        """One counter with the sums of all of them, and the result of `read` for it.

        `read` may be called by another thread while pairs are being summed, so it must not use them. The other
        counters are dropped.
        """
        first, *others = self.all or [self.make()]
        if others and all(counter.numbered_alike for counter in self.all):
            # pairs have nothing in common with the rest: words are merged while logs become sums of pairs
            threads = len(self.all)
            call_all([counter.order_log for counter in self.all], threads)
            jobs: list[Callable[[], Any]] = [partial(_merge_rest, first, others, read), *_parts(self.all, threads)]
            result, *parts = call_all(jobs, threads)
            PairsPart.join(self.all, parts)
        else:
            for other in others:
                first.merge(other)
            result = read(first)
        self.all, self.free = [first], SimpleQueue()  # the memory of the others is needed for the pairs
        self.free.put(first)
        return first, result


def closed_pool(items: Items, tokenizer: Tokenizer, columns: Mapping[str, int], **kind: bool) -> Pool:
    """Counters of some columns, of `rows` or of `ids`; their plan is made once, when the first of them is needed."""
    plan = once(partial(make_closed_plan, items, columns))
    return Pool(lambda: _counter(items, tokenizer, plan(), closed=True, **kind))


def row_pairs(
    rows: sparse.csr_array, list_index: NDArray[np.int64], lists: int, threads: int | None = None
) -> sparse.csr_array:
    """Sums over rows of the products of columns of different lists; columns are ordered by list.

    `rows` is a matrix of counts, and entry (i, j) of the result, for i of an earlier list than j, is sum_t x_ti x_tj.

    >>> rows = sparse.csr_array(np.array([[1, 0, 2], [0, 1, 3], [1, 1, 0]]))
    >>> row_pairs(rows, np.array([0, 0, 1]), lists=2).toarray().tolist()
    [[0, 0, 2], [0, 0, 3], [0, 0, 0]]
    """
    if not len(list_index):  # wildcards alone, of which none has matched a word
        return sparse.csr_array((0, 0), dtype=np.int64)
    rows.sort_indices()
    ends, columns, counts = rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data.astype(np.int32)
    logs = [RowLog(lists, list_index, ends, columns, counts)]
    logs[0].order_log()
    threads = resolve_threads(threads)
    PairsPart.join(logs, call_all(_parts(logs, threads), threads))
    size = len(list_index)
    row_ends, partners, sums = logs[0].pairs(np.arange(size), size, threads)
    return sparse.csr_array((sums, partners, row_ends), shape=(size, size))


def _parts(logs: list[Counter] | list[RowLog], threads: int) -> list[Callable[[], Any]]:
    """Jobs that sum parts of the pairs: two per thread, so that no thread waits long for the last one."""
    return [partial(PairsPart, logs, part, 2 * threads) for part in range(2 * threads)]


def _merge_rest(first: Counter, others: Iterable[Counter], read: Callable[[Counter], T]) -> T:
    for other in others:
        first.merge(other, pairs=False)
    return read(first)


def read_entries(counter: Counter) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """The entries in their order, their lists, and the place of each item of the counter among them (-1: none).

    Entries are the items of the lexicon, and those negated items and matches of wildcards that occurred.
    """
    written, seen = counter.written_items(), counter.seen_items()
    if counter.numbered_alike:
        names, numbers, forms, lists = counter.known_items()
        others = np.flatnonzero(seen & ~written)
        before = np.searchsorted(numbers, others)  # how many names come before each of them
        kept = np.insert(numbers, before, others)
        found, start = list[str](), 0
        for stop, own in zip(before.tolist(), np.searchsorted(numbers, forms[others]).tolist(), strict=True):
            found += [*names[start:stop], NEGATED + names[own]]
            start = stop
        entries = (*found, *names[start:]) if found else names
    else:  # matches of wildcards have the last numbers
        kept = np.flatnonzero(seen | written)
        all_names, lists = counter.items()
        table = pa.table({"list": lists[kept], "name": all_names.take(pa.array(kept))})
        order = pc.sort_indices(table, [("list", "ascending"), ("name", "ascending")])
        kept, entries = kept[order.to_numpy()], tuple(table["name"].take(order).to_pylist())
    place = np.full(len(lists), -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    return entries, lists[kept].astype(np.int64), place
