"""`Plan`: the input of the compiled counter, made from the items of a lexicon."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrow import MOST_BYTES, boolean_array, numbers_of, pc, string_array
from problex.matching.items import Items
from problex.matching.negation import NEGATED, opposite_lists
from problex.matching.wildcards import GLOB, Wildcard


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
    """The words that matching refers to by number."""
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
