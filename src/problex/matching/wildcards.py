"""Wildcards, and an index of them: the time to find the one that a word matches does not depend on their number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

PREFIX, SUFFIX, WITHIN = 0, 1, 2
"""Where a word must contain the letters of a wildcard: at its start, at its end, anywhere."""


@dataclass(frozen=True)
class Wildcard:
    """A pattern for single words: `happ*`, `*less` or `*friend*`."""

    pattern: str
    list: int = -1

    @property
    def letters(self) -> str:
        """The letters that a word must contain."""
        return self.pattern.strip("*")

    @property
    def kind(self) -> int:
        """Where a word must contain them: 0 at its start, 1 at its end, 2 anywhere."""
        return WITHIN if self.pattern[0] == self.pattern[-1] == "*" else int(self.pattern[0] == "*")

    def matches(self, word: str) -> bool:
        """Whether a word matches.

        >>> Wildcard("happ*").matches("happens"), Wildcard("*less").matches("less"), Wildcard("*a*").matches("b")
        (True, True, False)
        """
        tests = (word.startswith, word.endswith, word.__contains__)
        return tests[self.kind](self.letters)


def most_specific_first(wildcards: Iterable[Wildcard]) -> tuple[Wildcard, ...]:
    """Wildcards in the order in which they win: those with the most letters first."""
    return tuple(sorted(set(wildcards), key=lambda wildcard: (-len(wildcard.letters.encode()), wildcard.pattern)))


@dataclass(frozen=True, eq=False)
class WildcardIndex:
    """Wildcards by their letters, as the bytes that the compiled counter compares, too.

    `places` has, for each kind, the place in `wildcards` by the letters, and `lengths` the lengths of these letters,
    the longest first.
    """

    wildcards: tuple[Wildcard, ...]
    places: tuple[Mapping[bytes, int], ...]
    lengths: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, wildcards: tuple[Wildcard, ...]) -> WildcardIndex:
        """The index of wildcards that are in the order of `most_specific_first`."""
        places: tuple[dict[bytes, int], ...] = ({}, {}, {})
        for place, wildcard in enumerate(wildcards):
            places[wildcard.kind][wildcard.letters.encode()] = place
        return cls(wildcards, places, tuple(tuple(sorted(set(map(len, known)), reverse=True)) for known in places))

    def find(self, word: str) -> Wildcard | None:
        """The first wildcard that a word matches: the most specific one.

        >>> index = WildcardIndex.of(most_specific_first(map(Wildcard, ("happ*", "*app*", "happen*", "*ens"))))
        >>> [found.pattern if (found := index.find(word)) else None for word in ("happens", "happy", "lens", "cat")]
        ['happen*', 'happ*', '*ens', None]
        """
        if not self.wildcards:
            return None
        letters = word.encode("utf-8", "surrogatepass")
        prefixes, suffixes, _ = self.places
        none = len(self.wildcards)
        # parts that are longer than the word are the word itself
        best = none
        for n in self.lengths[PREFIX]:
            if (at := prefixes.get(letters[:n], none)) < none:
                best = at
                break
        for n in self.lengths[SUFFIX]:
            if (at := suffixes.get(letters[-n:], none)) < none:
                best = min(at, best)
                break
        if self.lengths[WITHIN]:
            best = min(best, self._find_within(letters))
        return self.wildcards[best] if best < none else None

    def _find_within(self, letters: bytes) -> int:
        """The place of the first wildcard whose letters a word contains anywhere; if there is none, their number."""
        within, none = self.places[WITHIN], len(self.wildcards)
        for n in self.lengths[WITHIN]:
            found = [at for i in range(len(letters) - n + 1) if (at := within.get(letters[i : i + n], none)) < none]
            if found:  # others have fewer letters
                return min(found)
        return none
