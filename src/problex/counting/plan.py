"""`Plan`: the input of the compiled counter, made from the items of a lexicon."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from problex._util.arrow import numbers_of, string_array
from problex.matching.items import Items
from problex.matching.negation import NEGATED, opposite_lists
from problex.matching.wildcards import GLOB, Wildcard


@dataclass
class Plan:
    """The words, items and patterns that a counter matches. Words have numbers, to which everything else refers.

    `plain` words are single tokens. `items` and `lists` have the item and the list of each word (item -1: none).
    `negated` has pairs of a word and its negated form. `names` are those of the items, and `written` is whether they
    are in the lexicon. Patterns are (letters, kind, value), glob patterns with their signs: the value is a word for
    `classes`, the wildcards inside phrases, and a list for wildcards, in a closed plan the word of their column.
    Literals are (bytes, place of the rarest byte, word).
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
    negators: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    scope: int = 0
    opposite: list[int] = field(default_factory=list)
    negation_prefix: bytes = NEGATED.encode()
    names: NDArray[np.object_] = field(default_factory=lambda: np.zeros(0, object))
    written: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))

    def numbers_like(self, other: Plan) -> bool:
        """Whether words and items have the same numbers, as in a plan that was made again for the same items."""
        same = self.words.equals(other.words) and np.array_equal(self.items, other.items)
        return bool(same and np.array_equal(self.lists, other.lists))


@lru_cache(maxsize=16)
def make_sum_plan(items: Items) -> Plan:
    """The plan of a counter of sums: items and their negated forms are numbered by list and name, as in `Counts`."""
    bounds = np.searchsorted(items.list_index, np.arange(len(items.lists) + 1)).tolist()
    own = [items.names[start:end] for start, end in pairwise(bounds)]
    by_list = [list(names) for names in own]
    if items.negation is not None:
        for names, opposite in zip(own, opposite_lists(items.lists), strict=True):
            if opposite is not None:
                by_list[opposite] += [NEGATED + name for name in names]
    numbered = [name for names in by_list for name in sorted(names)]
    # if all negated forms are numbered, no other names need be looked for, which takes time in large lexicons
    negatable = items.names if len(numbered) == 2 * len(items.names) else None
    plan = _plan(items, dict(zip(numbered, range(len(numbered)), strict=True)), negatable)
    plan.lists[: len(numbered)] = np.repeat(np.arange(len(by_list)), [len(names) for names in by_list])
    plan.names = np.array(numbered, dtype=object)
    plan.written = np.array([not name.startswith(NEGATED) for name in numbered], dtype=bool)
    plan.wildcards = _patterns(items.wildcards, lambda wildcard: wildcard.list)
    return plan


@lru_cache(maxsize=16)
def make_open_plan(items: Items) -> Plan:
    """The plan of a counter of all words: items have the first columns, other words get theirs when they occur."""
    plan = _plan(items, dict(zip(items.names, range(len(items.names)), strict=True)))
    plan.lists[: len(items.names)] = items.list_index
    plan.wildcards = _patterns(items.wildcards, lambda wildcard: wildcard.list)
    return plan


def make_closed_plan(items: Items, columns: Mapping[str, int]) -> Plan:
    """The plan of a counter of the words of some columns only.

    A word without a column that matches a wildcard is counted in the column of the wildcard, if it has one.
    """
    plan = _plan(items, columns)
    numbers = dict(zip(columns, range(len(columns)), strict=True))
    known = [wildcard for wildcard in items.wildcards if wildcard.pattern in numbers]
    plan.wildcards = _patterns(known, lambda wildcard: numbers[wildcard.pattern])
    return plan


def _plan(items: Items, columns: Mapping[str, int], names: Sequence[str] | None = None) -> Plan:
    """Words with columns have the first numbers, then come those that are needed for matching only, with item -1.

    `names` are the items that may be negated, by default those with a column of their own or of their negated form.
    """
    places = np.fromiter(columns.values(), np.int64, len(columns))
    in_order = np.array_equal(places, np.arange(len(columns)))
    place = dict(columns) if in_order else dict(zip(columns, range(len(columns)), strict=True))

    def number(word: str) -> int:
        return place.setdefault(word, len(place))

    plan = Plan(len(items.lists))
    plan.phrases = [([number(word) for word in phrase], number(" ".join(phrase))) for phrase in items.phrases]
    plan.classes = _patterns(items.phrase_wildcards, lambda wildcard: number(wildcard.pattern))
    plan.literals = _literals(items.literals, number)
    if items.negation is not None:
        plan.scope = min(items.negation.scope, 1 << 30)  # beyond any text
        plan.negators = [number(word) for word in items.negation.negators]
        plan.ends = [number(word) for word in items.negation.ends]
        # a negated form may have a column where the item itself, which always followed a negator, has none
        if names is None:
            known, candidates = items.list_of, dict.fromkeys([name.removeprefix(NEGATED) for name in columns])
            names = [name for name in candidates if name in known or items.find(name) is not None]
        plan.negated = _number_pairs(names, place)
    plan.opposite = [len(items.lists) if of is None else of for of in opposite_lists(items.lists)]
    plan.words = string_array(list(place))
    other = pc.match_substring_regex(plan.words, "[ *?]")
    other = pc.or_(other, pc.is_in(plan.words, string_array(items.literals)))
    plan.plain = numbers_of(pc.indices_nonzero(pc.invert(other))).astype(np.int64)
    plan.items = np.full(len(place), -1, dtype=np.int64)
    plan.items[: len(columns)] = places
    plan.lists = np.zeros(len(place), dtype=np.int64)
    return plan


def _number_pairs(names: Sequence[str], place: dict[str, int]) -> NDArray[np.int64]:
    """The numbers of names and of their negated forms; those that have none get the next ones.

    >>> place = {"good": 0, "NOT bad": 1, "fine": 2}
    >>> _number_pairs(["good", "bad", "fine"], place).tolist(), list(place)
    ([[0, 3], [4, 1], [2, 5]], ['good', 'NOT bad', 'fine', 'NOT good', 'bad', 'NOT fine'])
    >>> _number_pairs(["good", "fine"], place := {"good": 0, "fine": 1}).tolist(), list(place)
    ([[0, 2], [1, 3]], ['good', 'fine', 'NOT good', 'NOT fine'])
    """
    forms = [NEGATED + name for name in names]
    numbers, others = list(map(place.get, names)), list(map(place.get, forms))
    if None in others and None not in numbers:
        new = [form for form, number in zip(forms, others, strict=True) if number is None]
        place.update(zip(new, range(len(place), len(place) + len(new)), strict=True))
        others = list(map(place.get, forms))
    if None in numbers or None in others:
        pairs = zip(names, forms, strict=True)
        numbered = [place.setdefault(name, len(place)) for pair in pairs for name in pair]
        return np.array(numbered, np.int64).reshape(-1, 2)
    return np.column_stack([np.array(numbers, np.int64), np.array(others, np.int64)])


def _patterns(wildcards: Iterable[Wildcard], value: Callable[[Wildcard], int]) -> list[tuple[bytes, int, int]]:
    written = [(one, one.pattern if one.kind == GLOB else one.letters) for one in wildcards]
    return [(text.encode(), wildcard.kind, value(wildcard)) for wildcard, text in written]


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
