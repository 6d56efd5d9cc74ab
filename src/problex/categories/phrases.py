"""`PhraseFinder`: all occurrences of phrases in texts whose words are numbers, also those that overlap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex.categories import _loops
from problex.categories.patterns import PatternIndex
from problex.categories.ragged import Ragged


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
