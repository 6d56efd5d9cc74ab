"""Which matches count where several overlap: the table `MATCHING`.

- `category`: each category by itself. Of phrases that overlap, the longest counts, then the leftmost; a word in a
  phrase that counts for a category does not count for it once more.
- `dictionary`: all categories together. A phrase or word whose words are all in longer phrases that count, of any
  category, does not count; a phrase that overlaps another of its category does not either.
- `longest`: from left to right, the longest phrase that begins at a word, else the word; no word is used twice.

With `longest`, a word counts for the categories of its most specific entry: the word as it is, then the wildcard with
the most letters. With the others, it counts for every category that has an entry which matches it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import BoolArray, IntArray
from problex.lookups.patterns import Occurrences, Ragged


@dataclass(frozen=True)
class Matching:
    """A way to choose among matches: see the rules of this module.

    With `alone`, the categories are independent of each other. With `one_entry`, a word or phrase is matched by one
    entry only. With `nested`, phrases may overlap those of other categories unless all of their words are used.
    """

    description: str
    alone: bool = False
    one_entry: bool = False
    nested: bool = False

    def keep_words(self, words: IntArray, entries: IntArray, size: int, pairs: Ragged, categories: IntArray) -> Ragged:
        """The pairs that each of `size` words counts for; words and the entries that they match are in order.

        >>> pairs, categories = Ragged(np.array([0, 1, 3]), np.array([0, 1, 2])), np.array([0, 0, 1])
        >>> words, entries = np.array([0, 0]), np.array([0, 1])    # a word, and two entries that match it
        >>> [rule.keep_words(words, entries, 1, pairs, categories).values.tolist() for rule in MATCHING.values()]
        [[0, 2], [0, 2], [0]]
        """
        if self.one_entry:
            first = np.flatnonzero(np.diff(words, prepend=-1))
            words, entries = words[first], entries[first]
        index, of_entries = pairs.take(entries)
        rows = words[index]
        best = np.sort(np.unique(rows * (len(categories) + 1) + categories[of_entries], return_index=True)[1])
        return Ragged.of(rows[best], of_entries[best], size)

    def keep_phrases(self, phrases: Occurrences, pairs: Ragged, categories: IntArray) -> tuple[IntArray, IntArray]:
        """Those of the phrases that count, each for which pair."""
        if self.one_entry:
            kept = self.choose(phrases, np.zeros(len(phrases.starts), np.int64))
            rows, chosen = pairs.take(phrases.entries[kept])
            return kept[rows], chosen
        rows, chosen = pairs.take(phrases.entries)
        kept = self.choose(phrases.take(rows), categories[chosen])
        return rows[kept], chosen[kept]

    def choose(self, phrases: Occurrences, categories: IntArray) -> IntArray:
        """The positions of those phrases that count, each of which is of one category.

        >>> ends = np.array([2, 4, 5, 6])
        >>> phrases = Occurrences(np.array([0, 1, 3, 4]), ends, np.zeros(4, int), np.zeros(4, int))
        >>> [rule.choose(phrases, np.zeros(4, int)).tolist() for rule in MATCHING.values()]
        [[1, 3], [1, 3], [0, 2]]
        """
        best = _distinct(phrases, categories)  # of entries at the same position, the most specific one
        phrases, categories = phrases.take(best), categories[best]
        offset = categories * (int(phrases.ends.max(initial=0)) + 1)
        lane = offset if self.alone else np.zeros_like(offset)
        group, alone = _groups(phrases.starts + lane, phrases.ends + lane)
        rest = np.flatnonzero(~alone)
        if not len(rest):
            return best
        keep = alone
        keep[rest] = self._choose_in_turn(phrases.take(rest), group[rest], offset[rest])
        return np.asarray(best[keep], np.int64)

    def _choose_in_turn(self, phrases: Occurrences, group: IntArray, offset: IntArray) -> BoolArray:
        """Which phrases count in groups that overlap: the first of each group, then the second, and so on."""
        spans = phrases.ends - phrases.starts
        order = (phrases.starts, -spans) if self.one_entry else (-spans, phrases.starts)
        turns = _turns(group, *order)
        rows, at = phrases.words()
        own = np.unique(at + offset[rows], return_inverse=True)[1]
        shared = np.unique(at, return_inverse=True)[1] if self.nested else own
        words = Ragged(np.concatenate(([0], np.cumsum(spans))), np.arange(len(rows)))
        used, used_by_any = np.zeros(len(own) + 1, bool), np.zeros(len(own) + 1, bool)
        keep = np.zeros(len(spans), bool)
        for turn in turns:
            positions, of_turn = words.take(turn)
            free = np.bincount(positions, used[own[of_turn]], minlength=len(turn)) == 0
            if self.nested:
                free &= np.bincount(positions, used_by_any[shared[of_turn]], minlength=len(turn)) < spans[turn]
            keep[turn] = free
            used[own[of_turn[free[positions]]]] = True
            used_by_any[shared[of_turn[free[positions]]]] = True
        return keep

    def hidden(
        self, kept: Occurrences, chosen: IntArray, ids: NDArray[np.int32], pairs_of: Ragged, categories: IntArray
    ) -> tuple[IntArray, IntArray]:
        """The words that do not count because a phrase that does has them: their positions in the texts, and pairs."""
        rows, at = kept.words()
        if not self.alone:
            at = np.unique(at)
        index, hidden = pairs_of.take(ids[at])
        if self.alone:
            inside = categories[hidden] == categories[chosen[rows[index]]]
            index, hidden = index[inside], hidden[inside]
        return at[index], hidden


def _distinct(phrases: Occurrences, categories: IntArray) -> IntArray:
    """The most specific entry of each position and category, by position.

    >>> one = np.zeros(3, int)
    >>> phrases = Occurrences(one, one + 2, one, np.array([5, 3, 4]))        # three entries match the same two words
    >>> _distinct(phrases, np.array([0, 0, 1])).tolist()
    [1, 2]
    """
    order = np.lexsort((phrases.entries, categories, phrases.ends, phrases.starts))
    keys = np.stack([phrases.starts[order], phrases.ends[order], categories[order]])
    return np.asarray(order[np.any(np.diff(keys, axis=1, prepend=-1) != 0, axis=0)], np.int64)


def _groups(starts: IntArray, ends: IntArray) -> tuple[IntArray, BoolArray]:
    """For each of some intervals the number of the group that overlaps, and whether it is alone in it.

    >>> group, alone = _groups(np.array([0, 1, 5]), np.array([2, 4, 6]))
    >>> group.tolist(), alone.tolist()
    ([0, 0, 1], [False, False, True])
    """
    order = np.argsort(starts, kind="stable")
    reach = np.maximum.accumulate(ends[order])
    begins = np.concatenate(([True], starts[order][1:] >= reach[:-1]))[: len(order)]
    group = np.empty(len(order), np.int64)
    group[order] = np.cumsum(begins) - 1
    return group, np.asarray(np.bincount(group)[group] == 1, bool) if len(group) else np.zeros(0, bool)


def _turns(group: IntArray, first: IntArray, second: IntArray) -> list[IntArray]:
    """Rows that can be taken at the same time: the first of each group, then the second; equal ones together.

    >>> [turn.tolist() for turn in _turns(np.array([0, 0, 1]), np.array([4, 2, 9]), np.zeros(3, int))]
    [[1, 2], [0]]
    """
    order = np.lexsort((second, first, group))
    keys = np.stack([group[order], first[order], second[order]])
    is_new = np.any(np.diff(keys, axis=1, prepend=-1) != 0, axis=0)
    number = np.cumsum(is_new)
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    rank = number - np.repeat(number[starts], np.diff(np.append(starts, len(order))))
    by_rank = np.argsort(rank, kind="stable")
    return np.split(order[by_rank], np.flatnonzero(np.diff(rank[by_rank])) + 1)


MATCHING = {
    "category": Matching("each category by itself, as quanteda does", alone=True),
    "dictionary": Matching("longer phrases of all categories first, as quanteda's nested_scope", nested=True),
    "longest": Matching("from left to right, the longest phrase, then words, as LIWC does", one_entry=True),
}
"""How matches are chosen, by name."""
DEFAULT_MATCHING = "category"
