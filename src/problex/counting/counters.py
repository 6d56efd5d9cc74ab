"""The input of the compiled counters, made from the items of a lexicon, and the counters, one for each thread.

A `Plan` says what to match and to count. There are counters of sums, of rows and of ids: how they are made, merged and
read.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.arrow import MOST_BYTES, boolean_array, numbers_of, pc, string_array
from problex._util.late import sparse
from problex._util.threads import call_all, once, resolve_threads
from problex.counting._counter import FASTEST, Counter, PairsPart, RowLog
from problex.counting.counts import SAMPLE_SIZE
from problex.matching.characters import character_table
from problex.matching.items import Items
from problex.matching.languages import LANGUAGES
from problex.matching.negation import NEGATED, opposite_lists
from problex.matching.reference import prepare_texts
from problex.matching.tokens import Tokenizer
from problex.matching.wildcards import GLOB, Wildcard

T = TypeVar("T")


@dataclass
class Plan:
    """The words, items and patterns that a counter matches. Words have numbers, to which everything else refers.

    `plain` words are single tokens that patterns may match; none without patterns. `items` and `lists` have the item
    and the list of each word (item -1: none).
    `negated` has pairs of a word and its negated form. `forms` has, for each item, that of its negated form, and for
    that the item (-1: none): they have no words, since most never occur. `written` is whether an item is in the
    lexicon, and `names` are the names of those, which the first words are. Patterns are (letters,
    kind, value), glob patterns with their signs: the value is a word for `classes`, the wildcards inside phrases,
    and a list for wildcards, in a closed plan the word of their column. Literals are (bytes, place of the rarest
    byte, word).
    """

    list_count: int
    words: pa.Array = field(default_factory=lambda: string_array([]))
    plain: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    items: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    lists: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    phrases: list[tuple[list[int], int]] = field(default_factory=list)
    wildcards: list[tuple[bytes, int, int]] = field(default_factory=list)
    classes: list[tuple[bytes, int, int]] = field(default_factory=list)
    literals: list[tuple[bytes, int, int]] = field(default_factory=list)
    negated: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    forms: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    negators: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    scope: int = 0
    opposite: list[int] = field(default_factory=list)
    negation_prefix: bytes = NEGATED.encode()
    names: tuple[str, ...] = ()
    written: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))

    def numbers_like(self, other: Plan) -> bool:
        """Whether words and items have the same numbers, as in a plan that was made again for the same items."""
        same = self.words.equals(other.words) and np.array_equal(self.items, other.items)
        return bool(same and np.array_equal(self.lists, other.lists) and np.array_equal(self.forms, other.forms))


@lru_cache(maxsize=16)
def make_sum_plan(items: Items) -> Plan:
    """The plan of a counter of sums: items and their negated forms are numbered by list and name, as in `Counts`."""
    own, forms = _number_items(items)
    plan = _plan(items, items.names, own, known=forms is not None)
    plan.lists[: len(own)] = items.list_index
    plan.names, plan.written = items.names, np.ones(len(own), dtype=bool)
    if forms is not None:
        plan.forms, plan.written = np.empty(2 * len(own), np.int64), np.zeros(2 * len(own), dtype=bool)
        plan.forms[own], plan.forms[forms], plan.written[own] = forms, own, True
    plan.wildcards = _patterns(items.wildcards, lambda wildcard: wildcard.list)
    return plan


def _number_items(items: Items) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """The number of each name, and of its negated form if that is in another list: in the order of lists and names.

    The names of a list are sorted, and so are negated forms, all of which begin alike: they are inserted as a whole.
    Nothing is sorted or looked up, which takes time in large lexicons.

    >>> from problex import Lexicon
    >>> from problex.matching.items import items_of
    >>> from problex.matching.tokens import Tokenizer
    >>> items = items_of(Lexicon({"a": ["fine", "good"], "b": ["bad"]}), Tokenizer())
    >>> [numbers.tolist() for numbers in _number_items(items)]  # NOT bad, fine, good; NOT fine, NOT good, bad
    [[1, 2, 5], [3, 4, 0]]
    """
    size = len(items.names)
    if items.negation is None or opposite_lists(items.lists)[0] is None:
        return np.arange(size), None
    middle = int(np.searchsorted(items.list_index, 1))
    cuts = [bisect_left(items.names, NEGATED, *ends) for ends in ((0, middle), (middle, size))]
    own = np.arange(size)
    own[cuts[0] :] += size - middle
    own[cuts[1] :] += middle
    of_first, of_second = cuts[1] + (size - middle), cuts[0]
    return own, np.concatenate([of_first + np.arange(middle), of_second + np.arange(size - middle)])


@lru_cache(maxsize=16)
def make_open_plan(items: Items) -> Plan:
    """The plan of a counter of all words: items have the first columns, other words get theirs when they occur."""
    plan = _plan(items, items.names, np.arange(len(items.names)))
    plan.lists[: len(items.names)] = items.list_index
    plan.wildcards = _patterns(items.wildcards, lambda wildcard: wildcard.list)
    return plan


def make_closed_plan(items: Items, columns: Mapping[str, int]) -> Plan:
    """The plan of a counter of the words of some columns only.

    A word without a column that matches a wildcard is counted in the column of the wildcard, if it has one.
    """
    plan = _plan(items, list(columns), np.fromiter(columns.values(), np.int64, len(columns)))
    if items.wildcards:
        numbers = dict(zip(columns, range(len(columns)), strict=True))
        known = [wildcard for wildcard in items.wildcards if wildcard.pattern in numbers]
        plan.wildcards = _patterns(known, lambda wildcard: numbers[wildcard.pattern])
    return plan


def _plan(items: Items, names: Sequence[str], places: NDArray[np.int64], *, known: bool = False) -> Plan:
    """Words with columns have the first numbers, then come those that are needed for matching only, with item -1.

    The items of negated forms may be `known`: then they need no words.
    """
    columns = string_array(names)
    number = _Numbers(columns, _needed_words(items))
    plan = Plan(len(items.lists))
    plan.phrases = [([number(word) for word in phrase], number(" ".join(phrase))) for phrase in items.phrases]
    plan.classes = _patterns(items.phrase_wildcards, lambda wildcard: number(wildcard.pattern))
    plan.literals = _literals(items.literals, number)
    forms: pa.Array = columns[:0]
    if items.negation is not None:
        plan.scope = min(items.negation.scope, 1 << 30)  # beyond any text
        plan.negators = [number(word) for word in items.negation.negators]
        plan.ends = [number(word) for word in items.negation.ends]
        if not known:
            plan.negated, forms = _number_pairs(items, names, columns, number)
    plan.opposite = [len(items.lists) if of is None else of for of in opposite_lists(items.lists)]
    plan.words = _joined([columns, string_array(number.added), forms])
    if items.wildcards or items.phrase_wildcards:
        other = pc.match_substring_regex(plan.words, "[ *?]")
        other = pc.or_(other, pc.is_in(plan.words, pc.cast(string_array(items.literals), plan.words.type)))
        plan.plain = numbers_of(pc.indices_nonzero(pc.invert(other))).astype(np.int64)
    plan.items = np.full(len(plan.words), -1, dtype=np.int64)
    plan.items[: len(columns)] = places
    plan.lists = np.zeros(len(plan.words), dtype=np.int64)
    return plan


def _needed_words(items: Items) -> list[str]:
    """The words that matching refers to by number.

    >>> from problex.lexicon.lexicon import Lexicon
    >>> from problex.matching.items import items_of
    >>> _needed_words(items_of(Lexicon({"a": ["rip off"], "b": ["good"]}), Tokenizer(negation=False)))
    ['rip', 'off', 'rip off']
    """
    words = [word for phrase in items.phrases for word in (*phrase, " ".join(phrase))]
    words += [wildcard.pattern for wildcard in items.phrase_wildcards]
    words += [*items.literals]
    words += [] if items.negation is None else [*items.negation.negators, *items.negation.ends]
    return list(dict.fromkeys(words))


class _Numbers:
    """The numbers of words: of those with columns their place, of others the next ones, when they are asked for.

    `needed` are the words that will be asked for: only these are looked up, at once.

    >>> number = _Numbers(string_array(["good", "bad"]), ["bad", "not"])
    >>> number("not"), number("bad"), number("not"), number.added
    (2, 1, 2, ['not'])
    """

    def __init__(self, columns: pa.Array, needed: Sequence[str]) -> None:
        self.size, self.added = len(columns), list[str]()
        found = pc.indices_nonzero(pc.is_in(columns, pc.cast(string_array(needed), columns.type)))
        known = zip(pc.take(columns, found).to_pylist(), numbers_of(found).tolist(), strict=True)
        self._known: dict[str, int] = dict(known)

    def __call__(self, word: str) -> int:
        if word not in self._known:
            self._known[word] = self.size + len(self.added)
            self.added.append(word)
        return self._known[word]


def _number_pairs(
    items: Items, written: Sequence[str], columns: pa.Array, number: _Numbers
) -> tuple[NDArray[np.int64], pa.Array]:
    """The numbers of names and of their negated forms, and the forms that have no column: they get the last numbers.

    `written` are the names of `columns`. A negated form may have a column where the item itself, which always followed
    a negator, has none.

    >>> from problex import Lexicon
    >>> from problex.matching.items import items_of
    >>> from problex.matching.tokens import Tokenizer
    >>> items = items_of(Lexicon({"a": ["good", "fine"], "b": ["bad"]}), Tokenizer())
    >>> columns = string_array(written := ["good", "NOT bad", "fine", "film"])
    >>> pairs, forms = _number_pairs(items, written, columns, number := _Numbers(columns, []))
    >>> pairs.tolist(), number.added, forms.to_pylist()
    ([[4, 1], [0, 5], [2, 6]], ['bad'], ['NOT good', 'NOT fine'])
    """
    names = pc.cast(string_array(items.names), columns.type)
    is_form = pc.starts_with(columns, NEGATED)
    form_of = {written[at].removeprefix(NEGATED): at for at in numbers_of(pc.indices_nonzero(is_form)).tolist()}
    negatable = pc.is_in(columns, names)
    if items.wildcards:
        others = numbers_of(pc.indices_nonzero(pc.invert(pc.or_(negatable, is_form)))).astype(np.int64)
        matched = [items.find(written[at]) is not None for at in others.tolist()]
        mask = numbers_of(pc.cast(negatable, pa.uint8())).astype(bool)
        mask[others[matched]] = True
        negatable = boolean_array(mask)
    has_form = pc.and_(negatable, pc.is_in(columns, pc.cast(string_array(list(form_of)), columns.type)))
    pairs = [(at, form_of.pop(written[at])) for at in numbers_of(pc.indices_nonzero(has_form)).tolist()]
    pairs += [(number(word), form) for word, form in form_of.items() if items.find(word) is not None]
    rest = pc.indices_nonzero(pc.and_not(negatable, has_form))
    new = number.size + len(number.added) + np.arange(len(rest))
    known = np.array(pairs, np.int64).reshape(-1, 2)
    return np.concatenate([known, np.column_stack([numbers_of(rest).astype(np.int64), new])]), _negated_forms(
        pc.take(columns, rest)
    )


def _negated_forms(names: pa.Array) -> pa.Array:
    prefix, nothing = pc.cast(string_array([NEGATED, ""]), names.type)  # pa.scalar imports pandas
    return pc.binary_join_element_wise(prefix, names, nothing)


def _joined(parts: Sequence[pa.Array]) -> pa.Array:
    """Arrays of strings as one, with offsets of 64 bits where those of 32 do not suffice."""
    large = sum(part.nbytes for part in parts) > MOST_BYTES
    return pa.concat_arrays([pc.cast(part, pa.large_string() if large else pa.string()) for part in parts])


def _patterns(wildcards: Iterable[Wildcard], value: Callable[[Wildcard], int]) -> list[tuple[bytes, int, int]]:
    kinds = [(one, one.kind) for one in wildcards]
    return [((one.pattern if kind == GLOB else one.letters).encode(), kind, value(one)) for one, kind in kinds]


RARE_BYTES = b"*+=<>|^~@#$%&_/\\`", b"0123456789", b":;()[]{}", b"-!?\"'.,"
"""Bytes to search texts for, the rarest first; letters come last."""


def _literals(literals: Iterable[str], number: Callable[[str], int]) -> list[tuple[bytes, int, int]]:
    """The bytes of each, the place of its rarest byte, and its word; those with the same rarest byte are adjacent."""

    def rarity(byte: int) -> int:
        ranks = [at for at, group in enumerate(RARE_BYTES) if byte in group]
        return ranks[0] if ranks else 1 if byte >= 0xF0 else 2 if byte >= 0x80 else len(RARE_BYTES)

    anchored = []
    for literal in literals:
        text = literal.encode()
        anchor = min(range(len(text)), key=lambda at: (rarity(text[at]), at))
        anchored.append((text, anchor, number(literal)))
    return sorted(anchored, key=lambda entry: (entry[0][entry[1]], entry[0]))


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
