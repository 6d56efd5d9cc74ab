"""The compiled counter behind plain values: what it needs is made from `Items` and `Tokenizer` here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from problex._counting import HAS_AVX2, Counter
from problex.items import Items
from problex.parallel import in_order
from problex.tokens import LANGUAGES, Tokenizer, character_table

__all__ = ["Counter", "Pool", "row_counter", "sum_counter"]


def sum_counter(items: Items, tokenizer: Tokenizer, *, fast: bool = HAS_AVX2) -> Counter:
    """A counter of sums over documents, for the items of a lexicon; `fast` uses AVX2 where the processor has it."""
    columns = {name: at for at, name in enumerate(items.names)}
    return _counter(items, tokenizer, columns, items.list_index, fast=fast)


def row_counter(items: Items, tokenizer: Tokenizer, columns: Mapping[str, int] | None = None) -> Counter:
    """A counter of sparse rows: of the given columns only, or of every word it meets."""
    known = columns if columns is not None else {name: at for at, name in enumerate(items.names)}
    return _counter(items, tokenizer, known, None, rows=True, closed=columns is not None)


def _counter(items: Items, tokenizer: Tokenizer, columns: Mapping[str, int], lists: Any, **options: bool) -> Counter:
    """Known words come first, then those that only help to match phrases: as item they have -1."""
    place = {word: at for at, word in enumerate(columns)}
    phrases = []
    for begun in items.phrases.values():
        for phrase in begun:
            path = [place.setdefault(word, len(place)) for word in phrase]
            phrases.append((path, place.setdefault(" ".join(phrase), len(place))))
    item_of = np.full(len(place), -1, dtype=np.int64)
    item_of[: len(columns)] = np.fromiter(columns.values(), np.int64, len(columns))
    list_of = np.zeros(len(place), dtype=np.int64)
    if lists is not None:
        list_of[: len(columns)] = lists
    language = LANGUAGES[tokenizer.language]
    table = character_table(tokenizer.language, tokenizer.folds)
    joins, words = language.apostrophe_joins, list(place)
    return Counter(tokenizer, table, joins, words, item_of, list_of, len(items.lists), phrases, **options)


class Pool:
    """Counters for threads: each is used by one at a time, and as many are made as are used at once."""

    def __init__(self, make: Callable[[], Counter]) -> None:
        self._make = make
        self._idle: SimpleQueue[Counter] = SimpleQueue()
        self.all: list[Counter] = []

    @contextmanager
    def take(self) -> Iterator[Counter]:
        """A counter for the length of a with block."""
        try:
            counter = self._idle.get_nowait()
        except Empty:
            counter = self._make()
            self.all.append(counter)
        yield counter
        self._idle.put(counter)

    def merged(self) -> Counter:
        """What all of them have counted, in one."""
        first, *others = self.all or [self._make()]
        if others:
            list(in_order(Counter.settle, self.all, len(self.all)))
        for other in others:
            first.merge(other)
        return first
