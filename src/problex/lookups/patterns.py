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
from problex.matching.wildcards import PREFIX, SUFFIX, Wildcard, matching_words

WHOLE = -1
"""Where a word must have the letters of an entry that is no wildcard, beside `PREFIX` and `SUFFIX`."""


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
        """The values of some rows: for each the position of its row in `rows`, and the value.

        >>> [part.tolist() for part in Ragged(np.array([0, 2, 3]), np.array([5, 6, 7])).take(np.array([1, 0, 1]))]
        [[0, 1, 1, 2], [7, 5, 6, 7]]
        """
        starts = self.ends[rows]
        lengths = self.ends[rows + 1] - starts
        positions = np.repeat(np.arange(len(rows)), lengths)
        firsts = np.cumsum(lengths) - lengths
        return positions, self.values[np.arange(len(positions)) + (starts - firsts)[positions]]

    def __add__(self, other: Ragged) -> Ragged:
        ends = np.concatenate((self.ends, other.ends[1:] + self.ends[-1]))
        return Ragged(ends, np.concatenate((self.values, other.values)))


NO_ROWS = Ragged(np.zeros(1, np.int64), np.zeros(0, np.int64))


@dataclass(frozen=True, eq=False)
class LetterTable:
    """Patterns by their letters, of one length in bytes, which a word must have at its start, at its end, or be."""

    kind: int
    length: int
    letters: pa.Array
    numbers: IntArray

    def match(self, words: pa.Array) -> tuple[IntArray, IntArray]:
        """The words, as bytes, that match a pattern, and the number of this pattern.

        >>> table = LetterTable(PREFIX, 3, pa.array([b"hap", b"sad"]), np.array([5, 6]))
        >>> [part.tolist() for part in table.match(pa.array([b"sadly", b"ha", b"happy"]))]
        [[0, 2], [6, 5]]
        """
        # A part that is longer than the word is the word itself, which has another length.
        start, stop = {WHOLE: (0, None), PREFIX: (0, self.length), SUFFIX: (-self.length, None)}[self.kind]
        part = words if self.kind == WHOLE else pc.binary_slice(words, start, stop)
        known = pc.index_in(part, self.letters)
        rows = numbers_of(pc.indices_nonzero(known.is_valid())).astype(np.int64)
        return rows, self.numbers[numbers_of(known.fill_null(0))[rows]]


@dataclass(frozen=True, eq=False)
class PatternIndex:
    """Words and wildcards, each with a number: in tables by their letters, or else compared with every word."""

    tables: tuple[LetterTable, ...]
    compared: tuple[tuple[Wildcard, int], ...]

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

        >>> index = PatternIndex.of(["hap*", "h*y", "*"], literals=["*"], glob=True)
        >>> [(table.letters.to_pylist(), table.numbers.tolist()) for table in index.tables]
        [([b'hap'], [0]), ([b'*'], [2])]
        >>> [number for _, number in index.compared]
        [1]
        """
        literal = frozenset(literals)
        by_letters: dict[tuple[int, int], list[tuple[str, int]]] = {}
        compared: list[tuple[Wildcard, int]] = []
        for text, number in zip(patterns, range(len(patterns)) if numbers is None else numbers, strict=True):
            if text in literal or not has_wildcard(text, glob):
                by_letters.setdefault((WHOLE, 0), []).append((text, number))
                continue
            wildcard = Wildcard(text, glob=glob)
            if wildcard.kind in (PREFIX, SUFFIX):
                key = wildcard.kind, len(wildcard.letters.encode())
                by_letters.setdefault(key, []).append((wildcard.letters, number))
            else:
                compared.append((wildcard, number))
        tables = [
            LetterTable(
                *key,
                string_array([letters for letters, _ in known]).cast(pa.binary()),
                np.array([number for _, number in known], np.int64),
            )
            for key, known in by_letters.items()
        ]
        return cls(tuple(tables), tuple(compared))

    def match(self, words: pa.Array, literals: int = 0) -> tuple[IntArray, IntArray]:
        """All pairs of a word and a pattern that it matches, in the order of words and patterns.

        The first `literals` of the words match no wildcards.

        >>> index = PatternIndex.of(["happy", "happ*", "*y", "*pp*"])
        >>> [part.tolist() for part in index.match(pa.array(["happy", "apple", "x"]))]
        [[0, 0, 0, 0, 1], [0, 1, 2, 3, 3]]
        >>> [part.tolist() for part in index.match(pa.array(["happy", "happy"]), literals=1)]
        [[0, 1, 1, 1, 1], [0, 0, 1, 2, 3]]
        """
        letters, plain = words.cast(pa.binary()), words.slice(literals)
        pairs = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
        for table in self.tables:
            first = 0 if table.kind == WHOLE else literals
            rows, numbers = table.match(letters.slice(first))
            pairs.append((rows + first, numbers))
        for wildcard, number in self.compared:
            rows = np.flatnonzero(matching_words(wildcard, plain)) + literals
            pairs.append((rows, np.full(len(rows), number, np.int64)))
        rows, numbers = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
        order = np.lexsort((numbers, rows))
        return rows[order], numbers[order]


class Occurrences(NamedTuple):
    """Phrases in a batch of texts: their first words, the words behind their last, their texts, and their entries."""

    starts: IntArray
    ends: IntArray
    texts: IntArray
    entries: IntArray

    def take(self, positions: IntArray) -> Occurrences:
        """Some of them."""
        return Occurrences(*(part[positions] for part in self))

    def words(self) -> tuple[IntArray, IntArray]:
        """All words in them: for each the position of its occurrence, and its position in the texts."""
        lengths = self.ends - self.starts
        positions = np.repeat(np.arange(len(lengths)), lengths)
        return positions, np.arange(len(positions)) + (self.starts - (np.cumsum(lengths) - lengths))[positions]


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
        """The trie of phrases, whose words are separated by spaces, and of their numbers.

        >>> finder = PhraseFinder.of([("very good", 7), ("very", 8)])
        >>> finder.elements, finder.steps.tolist(), finder.nodes.tolist(), finder.ends.tolist()
        (('very', 'good'), [0, 3], [1, 2], [-1, 8, 7])
        """
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
        >>> phrases = finder.find(ids, np.array([0, 4, 5]), finder.roles(elements), elements)
        >>> phrases.starts.tolist(), phrases.ends.tolist(), phrases.entries.tolist()
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
