"""`Ragged`: rows of integers of different lengths, as two arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.arrow import numbers_of, pc, string_array
from problex.lookups import _loops
from problex.matching.items import has_wildcard
from problex.matching.wildcards import GLOB, PREFIX, SUFFIX, WITHIN, Wildcard


@dataclass(frozen=True, eq=False)
class Ragged:
    """Row i is `values[ends[i]:ends[i + 1]]`."""

    ends: IntArray
    values: IntArray

    @classmethod
    def of(cls, rows: IntArray, values: IntArray, size: int) -> Ragged:
        """Rows from pairs of a row and a value; the values of a row stay in order.

        >>> Ragged.of(np.array([2, 0, 2]), np.array([7, 8, 9]), 4).take(np.array([2, 1, 0]))[1].tolist()
        [7, 9, 8]
        """
        ends = np.zeros(size + 1, np.int64)
        np.cumsum(np.bincount(rows, minlength=size), out=ends[1:])
        return cls(ends, np.asarray(values, np.int64)[np.argsort(rows, kind="stable")])

    @property
    def lengths(self) -> IntArray:
        """The length of each row."""
        return np.diff(self.ends)

    def take(self, rows: NDArray[np.integer[Any]]) -> tuple[IntArray, IntArray]:
        """The values of some rows: for each the place of its row in `rows`, and the value.

        >>> [part.tolist() for part in Ragged(np.array([0, 2, 3]), np.array([5, 6, 7])).take(np.array([1, 0, 1]))]
        [[0, 1, 1, 2], [7, 5, 6, 7]]
        """
        starts = self.ends[rows]
        lengths = self.ends[rows + 1] - starts
        places = np.repeat(np.arange(len(rows)), lengths)
        firsts = np.cumsum(lengths) - lengths
        return places, self.values[np.arange(len(places)) + (starts - firsts)[places]]

    def __add__(self, other: Ragged) -> Ragged:
        ends = np.concatenate((self.ends, other.ends[1:] + self.ends[-1]))
        return Ragged(ends, np.concatenate((self.values, other.values)))


NO_ROWS = Ragged(np.zeros(1, np.int64), np.zeros(0, np.int64))


@dataclass(frozen=True)
class Known:
    """Strings and the number of each."""

    strings: pa.Array
    numbers: IntArray

    @classmethod
    def of(cls, numbered: Iterable[tuple[str, int]]) -> Known:
        """The strings as bytes."""
        pairs = list(numbered)
        strings = string_array([text for text, _ in pairs]).cast(pa.binary())
        return cls(strings, np.array([number for _, number in pairs], np.int64))

    def find(self, parts: pa.Array) -> tuple[IntArray, IntArray]:
        """The places of those parts that are known, and their numbers."""
        if not len(self.strings):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        found = pc.index_in(parts, self.strings)
        rows = numbers_of(pc.indices_nonzero(found.is_valid())).astype(np.int64)
        return rows, self.numbers[numbers_of(found.fill_null(0))[rows]]


@dataclass(frozen=True)
class PatternIndex:
    """Words and wildcards, each with the number of its place; `affixes` have a kind and a length in bytes."""

    exact: Known
    affixes: tuple[tuple[int, int, Known], ...]
    within: tuple[tuple[str, int], ...]
    expressions: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(
        cls,
        patterns: Sequence[str],
        numbers: Sequence[int] | None = None,
        literals: Iterable[str] = (),
        *,
        glob: bool = False,
    ) -> PatternIndex:
        """The index of some patterns, by default numbered from 0 on; `literals` have no wildcards.

        With `glob`, `?` stands for one character, and `*` may be inside a word.
        """
        literal = frozenset(literals)
        numbered = list(zip(patterns, range(len(patterns)) if numbers is None else numbers, strict=True))
        wild = [
            (Wildcard(text, glob=glob), number)
            for text, number in numbered
            if has_wildcard(text, glob) and text not in literal
        ]
        affixes: dict[tuple[int, int], list[tuple[str, int]]] = {}
        for wildcard, number in wild:
            if wildcard.kind in (PREFIX, SUFFIX):
                key = wildcard.kind, len(wildcard.letters.encode())
                affixes.setdefault(key, []).append((wildcard.letters, number))
        return cls(
            Known.of((text, number) for text, number in numbered if not has_wildcard(text, glob) or text in literal),
            tuple((kind, length, Known.of(known)) for (kind, length), known in affixes.items()),
            tuple((wildcard.letters, number) for wildcard, number in wild if wildcard.kind == WITHIN),
            tuple((wildcard.expression, number) for wildcard, number in wild if wildcard.kind == GLOB),
        )

    def match(self, words: pa.Array, literals: int = 0) -> tuple[IntArray, IntArray]:
        """All pairs of a word and a pattern that it matches, in the order of words and patterns.

        The first `literals` of the words match no wildcards.

        >>> index = PatternIndex.of(["happy", "happ*", "*y", "*pp*"])
        >>> [part.tolist() for part in index.match(pa.array(["happy", "apple", "x"]))]
        [[0, 0, 0, 0, 1], [0, 1, 2, 3, 3]]
        """
        letters = words.cast(pa.binary())
        found = [self.exact.find(letters)]
        plain = letters.slice(literals)
        for kind, length, known in self.affixes:
            # parts that are longer than the word are the word itself, which has another length
            part = pc.binary_slice(plain, 0, length) if kind == PREFIX else pc.binary_slice(plain, -length)
            rows, numbers = known.find(part)
            found.append((rows + literals, numbers))
        contained = [(pc.match_substring, text, number) for text, number in self.within]
        contained += [(pc.match_substring_regex, text, number) for text, number in self.expressions]
        strings = words.slice(literals)  # not as bytes: a dot is one character
        for match, text, number in contained:
            rows = numbers_of(pc.indices_nonzero(match(strings, text))).astype(np.int64) + literals
            found.append((rows, np.full(len(rows), number, np.int64)))
        rows, numbers = (np.concatenate([pair[side] for pair in found]) for side in (0, 1))
        order = np.lexsort((numbers, rows))
        return rows[order], numbers[order]


class Occurrences(NamedTuple):
    """Phrases in a batch of texts: their first words, the words behind their last, their texts, and their entries."""

    starts: IntArray
    ends: IntArray
    texts: IntArray
    entries: IntArray

    def take(self, places: IntArray) -> Occurrences:
        """Some of them."""
        return Occurrences(*(part[places] for part in self))

    def words(self) -> tuple[IntArray, IntArray]:
        """All words in them: for each the place of its occurrence, and its place in the texts."""
        lengths = self.ends - self.starts
        places = np.repeat(np.arange(len(lengths)), lengths)
        return places, np.arange(len(places)) + (self.starts - (np.cumsum(lengths) - lengths))[places]


@dataclass(frozen=True, eq=False)
class PhraseFinder:
    """A trie of phrases. Its steps are from a node by an element, which is a word or a wildcard.

    `steps` are the numbers node * len(elements) + element, `nodes` the nodes that they lead to, and `ends` the
    phrase that ends at each node, or -1.
    """

    elements: tuple[str, ...]
    steps: IntArray
    nodes: IntArray
    ends: IntArray
    glob: bool = False

    @classmethod
    def of(cls, phrases: Iterable[tuple[str, int]], *, glob: bool = False) -> PhraseFinder:
        """The trie of phrases, whose words are separated by spaces, and of their numbers."""
        numbers: dict[str, int] = {}
        children: dict[tuple[int, int], int] = {}
        ends = {0: -1}
        for phrase, number in phrases:
            node = 0
            for word in phrase.split(" "):
                element = numbers.setdefault(word, len(numbers))
                node = children.setdefault((node, element), len(children) + 1)
                ends.setdefault(node, -1)
            ends[node] = number
        return cls(
            tuple(numbers),
            np.array([node * len(numbers) + element for node, element in children], np.int64),
            np.array(list(children.values()), np.int64),
            np.array([ends[node] for node in range(len(children) + 1)], np.int64),
            glob,
        )

    @cached_property
    def index(self) -> PatternIndex:
        """The elements as patterns."""
        return PatternIndex.of(self.elements, glob=self.glob)

    @cached_property
    def table(self) -> tuple[IntArray, IntArray]:
        """The steps as a hash table."""
        return _loops.hash_steps(self.steps, self.nodes)

    def roles(self, elements_of: Ragged) -> NDArray[np.uint8]:
        """For each word, by its elements: 1 if a phrase may begin with it, 2 if it may be further on in one, 3 both."""
        size, first = len(elements_of.ends) - 1, self.steps < len(self.elements)
        words = np.repeat(np.arange(size), elements_of.lengths)
        roles = np.zeros(size, np.uint8)
        for role, steps in ((1, self.steps[first]), (2, self.steps[~first])):
            marked = np.zeros(len(self.elements), bool)
            marked[steps % max(len(self.elements), 1)] = True
            roles[words[marked[elements_of.values]]] |= role
        return roles

    def find(
        self, ids: NDArray[np.int32], ends: IntArray, roles: NDArray[np.uint8], elements_of: Ragged
    ) -> Occurrences:
        """All phrases in texts: text t has the words `ids[ends[t]:ends[t + 1]]`.

        >>> finder = PhraseFinder.of([("a b", 0), ("a b c", 1), ("b c", 2)])
        >>> ids = np.array([0, 1, 2, 0, 1], np.int32)  # the words a, b and c are numbers 0, 1 and 2
        >>> elements = Ragged.of(np.arange(3), np.arange(3), 3)
        >>> found = finder.find(ids, np.array([0, 4, 5]), finder.roles(elements), elements)
        >>> found.starts.tolist(), found.ends.tolist(), found.entries.tolist()
        ([0, 0, 1], [2, 3, 3], [0, 1, 2])
        """
        rows = _loops.find_phrases(
            ids,
            ends,
            roles,
            elements_of.ends,
            elements_of.values,
            *self.table,
            self.ends,
            len(self.elements),
        )
        starts, last, entries = rows.T
        return Occurrences(starts, last, np.searchsorted(ends, starts, "right") - 1, entries)
