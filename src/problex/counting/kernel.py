"""The compiled counter behind plain values: what it needs is made from `Items` and `Tokenizer` here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from problex._util.threads import map_ordered, resolve_threads
from problex.counting._counter import FASTEST, Counter, PairsPart, RowLog, document_keys, release
from problex.matching.items import Items, Wildcard
from problex.matching.negation import NEGATED, opposite_lists
from problex.matching.tokens import LANGUAGES, Tokenizer, character_table

__all__ = [
    "SAMPLE",
    "Counter",
    "Pool",
    "document_keys",
    "id_counter",
    "release",
    "row_counter",
    "row_pairs",
    "sum_counter",
]

T = TypeVar("T")

SAMPLE = 4096
"""How many documents the sample keeps."""


@dataclass
class Plan:
    """What a counter knows before the first text. Words are numbered; all else speaks of these numbers.

    `plain` words are single tokens. `items` and `lists` belong to words (-1: none). `negated` pairs a word with what it
    becomes under negation. `names` are those of the items, and `written` which of them stand in the lexicon.
    Patterns are (letters, kind, value): the value is a list for wildcards, a word for classes inside phrases.
    """

    list_count: int
    words: pa.Array = field(default_factory=lambda: pa.array([], pa.string()))
    plain: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    items: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    lists: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    phrases: list[tuple[list[int], int]] = field(default_factory=list)
    wildcards: list[tuple[bytes, int, int]] = field(default_factory=list)
    classes: list[tuple[bytes, int, int]] = field(default_factory=list)
    literals: list[tuple[bytes, int, int]] = field(default_factory=list)
    negated: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    negators: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    scope: int = 0
    opposite: list[int] = field(default_factory=list)
    negation_prefix: bytes = NEGATED.encode()
    names: NDArray[np.object_] = field(default_factory=lambda: np.zeros(0, object))
    written: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))

    def numbers_like(self, other: Plan) -> bool:
        """Whether words and items have the same numbers: a plan that fell out of the cache is made again."""
        same = self.words.equals(other.words) and np.array_equal(self.items, other.items)
        return bool(same and np.array_equal(self.lists, other.lists))


def sum_counter(
    items: Items, tokenizer: Tokenizer, *, associations: bool = False, sample: int = SAMPLE, fast: int = FASTEST
) -> Counter:
    """A counter of sums over documents, for the items of a lexicon; `fast` is 0 for plain C, 1 AVX2, 2 AVX-512."""
    return _counter(_sum_plan(items), tokenizer, sums=True, associations=associations, sample=sample, fast=fast)


@lru_cache(maxsize=16)
def _sum_plan(items: Items) -> Plan:
    """Entries and their negated forms are numbered by list and name, in the order that `Counts` has them."""
    opposite = opposite_lists(items.lists)
    numbered = list(zip(items.list_index.tolist(), items.names, strict=True))
    if items.negation is not None:
        turned = [(opposite[of], NEGATED + name) for of, name in numbered]
        numbered += [(of, name) for of, name in turned if of is not None]
    numbered.sort()
    plan = _plan(items, {name: at for at, (_, name) in enumerate(numbered)})
    plan.lists[: len(numbered)] = [of for of, _ in numbered]
    plan.names = np.array([name for _, name in numbered], dtype=object)
    plan.written = np.array([not name.startswith(NEGATED) for _, name in numbered], dtype=bool)
    plan.wildcards = _patterns(items.wildcards, lambda one: one.list)
    return plan


def row_counter(items: Items, tokenizer: Tokenizer, columns: Mapping[str, int] | None = None) -> Counter:
    """A counter of sparse rows: of the given columns only, or of every word it meets."""
    return _counter(_row_plan(items, columns), tokenizer, rows=True, closed=columns is not None)


def id_counter(items: Items, tokenizer: Tokenizer, columns: Mapping[str, int] | None = None) -> Counter:
    """A counter that keeps the words of each text in order, as numbers; -1 for one that has no column."""
    return _counter(_row_plan(items, columns), tokenizer, ids=True, closed=columns is not None)


def _row_plan(items: Items, columns: Mapping[str, int] | None) -> Plan:
    return _open_plan(items) if columns is None else _closed_plan(items, tuple(columns.items()))


@lru_cache(maxsize=16)
def _open_plan(items: Items) -> Plan:
    plan = _plan(items, {name: at for at, name in enumerate(items.names)})
    plan.lists[: len(items.names)] = items.list_index
    plan.wildcards = _patterns(items.wildcards, lambda one: one.list)
    return plan


@lru_cache(maxsize=4)  # models have many columns, and are used again and again
def _closed_plan(items: Items, columns: tuple[tuple[str, int], ...]) -> Plan:
    return _plan(items, dict(columns))


def _plan(items: Items, columns: Mapping[str, int]) -> Plan:
    """Known words come first, then those that only help to match: as item they have -1."""
    place = {word: at for at, word in enumerate(columns)}

    def number(word: str) -> int:
        return place.setdefault(word, len(place))

    plan = Plan(len(items.lists))
    plan.phrases = [([number(word) for word in phrase], number(" ".join(phrase))) for phrase in items.phrases]
    plan.classes = _patterns(items.classes, lambda one: number(one.pattern))
    plan.literals = _literals(items.literals, number)
    if items.negation is not None:
        plan.scope = min(items.negation.scope, 1 << 30)  # beyond any text
        plan.negators = [number(word) for word in items.negation.negators]
        plan.ends = [number(word) for word in items.negation.ends]
        # A negated form may have a column where the item itself, never met without a negator, has none.
        lexical = dict.fromkeys(name.removeprefix(NEGATED) for name in columns)
        turned = [(number(name), number(NEGATED + name)) for name in lexical if items.find(name) is not None]
        plan.negated = np.array(turned, np.int64).reshape(-1, 2)
    plan.opposite = [len(items.lists) if of is None else of for of in opposite_lists(items.lists)]
    plan.words = pa.array(list(place), pa.string())
    other = set(items.literals)
    plain = [at for word, at in place.items() if not (word in other or " " in word or "*" in word)]
    plan.plain = np.array(plain, np.int64)
    plan.items = np.full(len(place), -1, dtype=np.int64)
    plan.items[: len(columns)] = np.fromiter(columns.values(), np.int64, len(columns))
    plan.lists = np.zeros(len(place), dtype=np.int64)
    return plan


def _patterns(wildcards: Iterable[Wildcard], value: Callable[[Wildcard], int]) -> list[tuple[bytes, int, int]]:
    return [(one.letters.encode(), one.kind, value(one)) for one in wildcards]


RARE = b"*+=<>|^~@#$%&_/\\`", b"0123456789", b":;()[]{}", b"-!?\"'.,"
"""Bytes to look for in texts, the rarest first; letters come last."""


def _literals(literals: Iterable[str], number: Callable[[str], int]) -> list[tuple[bytes, int, int]]:
    """The bytes of each, the place of its rarest byte, its word; those with the same rarest byte stand together."""

    def rarity(byte: int) -> int:
        ranks = [at for at, group in enumerate(RARE) if byte in group]
        return ranks[0] if ranks else 1 if byte >= 0xF0 else 2 if byte >= 0x80 else len(RARE)

    found = []
    for literal in literals:
        text = literal.encode()
        anchor = min(range(len(text)), key=lambda at: (rarity(text[at]), at))
        found.append((text, anchor, number(literal)))
    return sorted(found, key=lambda one: (one[0][one[1]], one[0]))


def _counter(plan: Plan, tokenizer: Tokenizer, **options: Any) -> Counter:
    language = LANGUAGES[tokenizer.language]
    table = character_table(tokenizer.language, bool(tokenizer.fold_accents))
    return Counter(tokenizer, table, language.apostrophe_joins, plan, **options)


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
        self._idle.put(counter)  # not after an error: half of a text may be counted

    def merged(self, read: Callable[[Counter], T]) -> tuple[Counter, T]:
        """What all of them have counted, in one, and what `read` finds in it.

        `read` may be called by another thread while pairs are being summed, so it must not ask for them.
        """
        first, *others = self.all or [self._make()]
        if others and all(counter.numbered_alike for counter in self.all):
            # Pairs and all the rest have nothing in common, so words are merged while logs become sums of pairs.
            threads = len(self.all)
            list(map_ordered(_call, [counter.order_log for counter in self.all], threads))
            jobs: list[Callable[[], Any]] = [partial(_merge_rest, first, others, read), *_parts(self.all, threads)]
            result, *found = map_ordered(_call, jobs, threads)
            PairsPart.join(self.all, found)
            return first, result
        for other in others:
            first.merge(other)
        return first, read(first)


def row_pairs(
    rows: sparse.csr_array, list_index: NDArray[np.int64], lists: int, threads: int | None = None
) -> sparse.csr_array:
    """How often columns of different lists meet in the rows of a matrix of counts: its columns stand list by list.

    >>> rows = sparse.csr_array(np.array([[1, 0, 2], [0, 1, 3], [1, 1, 0]]))
    >>> row_pairs(rows, np.array([0, 0, 1]), lists=2).toarray().tolist()
    [[0, 0, 2], [0, 0, 3], [0, 0, 0]]
    """
    rows.sort_indices()
    ends, columns, counts = rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data.astype(np.int32)
    logs = [RowLog(lists, list_index, ends, columns, counts)]
    logs[0].order_log()
    PairsPart.join(logs, list(map_ordered(_call, _parts(logs, resolve_threads(threads)), threads)))
    size = len(list_index)
    met, others, sums = logs[0].pairs(np.arange(size), size)
    return sparse.csr_array((sums, others, met), shape=(size, size))


def _parts(logs: list[Counter] | list[RowLog], threads: int) -> list[Callable[[], Any]]:
    """Jobs that make parts of the pairs, small enough that none has to wait long for the last."""
    return [partial(PairsPart, logs, part, 2 * threads) for part in range(2 * threads)]


def _call(job: Callable[[], Any]) -> Any:
    return job()


def _merge_rest(first: Counter, others: Iterable[Counter], read: Callable[[Counter], T]) -> T:
    for other in others:
        first.merge(other, pairs=False)
    return read(first)
