"""Wildcards, and an index of them: the time to find the one that a word matches does not depend on their number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property

import numpy as np
import pyarrow as pa

from problex._util.arrays import BoolArray
from problex._util.arrow import pc

PREFIX, SUFFIX, WITHIN, GLOB = 0, 1, 2, 3
"""Where a word must contain the letters of a wildcard: at its start, at its end, anywhere, as a glob pattern says."""


def is_glob(word: str) -> bool:
    """Whether a word has a `?`, or a `*` between other characters.

    >>> [is_glob(word) for word in ("gre*t", "colo?r", "happ*", "*less", "good")]
    [True, True, False, False, False]
    """
    return "?" in word or "*" in word.strip("*")


@dataclass(frozen=True)
class Wildcard:
    """A pattern for single words: `happ*`, `*less` or `*friend*`.

    With `glob`, it may also have `?` for one character, and `*` inside: `colo?r`, `gre*t`.
    """

    pattern: str
    list: int = -1
    glob: bool = False

    @property
    def letters(self) -> str:
        """The letters that a word must contain."""
        return re.sub(r"[*?]", "", self.pattern) if self.glob and is_glob(self.pattern) else self.pattern.strip("*")

    @property
    def kind(self) -> int:
        """Where a word must contain them: 0 at its start, 1 at its end, 2 anywhere, 3 as the `expression` says.

        >>> [Wildcard(pattern).kind for pattern in ("happ*", "*less", "*love*")], Wildcard("gre*t", glob=True).kind
        ([0, 1, 2], 3)
        """
        if self.glob and is_glob(self.pattern):
            return GLOB
        return WITHIN if self.pattern[0] == self.pattern[-1] == "*" else int(self.pattern[0] == "*")

    @property
    def expression(self) -> str:
        """The pattern as a regular expression of Arrow for a whole word.

        >>> Wildcard("gre*t", glob=True).expression
        '(?s)^gre.*t$'
        """
        signs = {"*": ".*", "?": "."} if self.kind == GLOB else {"*": ".*"}
        return "(?s)^" + "".join(signs.get(sign) or re.escape(sign) for sign in self.pattern) + "$"

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(translate(self.pattern.replace("[", "[[]")))  # unlike `expression`, without backtracking

    def matches(self, word: str) -> bool:
        """Whether a word matches.

        >>> Wildcard("happ*").matches("happens"), Wildcard("*less").matches("less"), Wildcard("*a*").matches("b")
        (True, True, False)
        >>> [Wildcard("colo?r", glob=True).matches(word) for word in ("colour", "color", "colouur")]
        [True, False, False]
        """
        if self.kind == GLOB:
            return self._compiled.fullmatch(word) is not None
        tests = (word.startswith, word.endswith, word.__contains__)
        return tests[self.kind](self.letters)


def matching_words(wildcard: Wildcard, words: pa.Array) -> BoolArray:
    """Which words of an Arrow array a wildcard matches.

    >>> matching_words(Wildcard("gr?y", glob=True), pa.array(["grey", "gray", "gry", "grëy"])).tolist()
    [True, True, False, True]
    """
    test = (pc.starts_with, pc.ends_with, pc.match_substring, pc.match_substring_regex)[wildcard.kind]
    matched = test(words, wildcard.expression if wildcard.kind == GLOB else wildcard.letters)
    return np.asarray(matched.to_numpy(zero_copy_only=False), dtype=bool)


def most_specific_first(wildcards: Iterable[Wildcard]) -> tuple[Wildcard, ...]:
    """Wildcards in the order in which they win: those with the most letters first.

    >>> [one.pattern for one in most_specific_first([Wildcard("un*"), Wildcard("*able*"), Wildcard("unlike*")])]
    ['unlike*', '*able*', 'un*']
    """
    return tuple(sorted(set(wildcards), key=lambda wildcard: (-len(wildcard.letters.encode()), wildcard.pattern)))


@dataclass(frozen=True, eq=False)
class WildcardIndex:
    """Wildcards by their letters: the first and the last letters of words, and those within as bytes.

    `places` has, for each kind, the place in `wildcards` by the letters, and `lengths` the lengths of these letters,
    the longest first. `globs` are the places of glob patterns, which are compared one by one.
    """

    wildcards: tuple[Wildcard, ...]
    places: tuple[Mapping[str, int], Mapping[str, int]]
    within: Mapping[bytes, int]
    lengths: tuple[tuple[int, ...], ...]
    globs: tuple[int, ...] = ()

    @classmethod
    def of(cls, wildcards: tuple[Wildcard, ...]) -> WildcardIndex:
        """The index of wildcards that are in the order of `most_specific_first`."""
        prefixes, suffixes, inside = places = dict[str, int](), dict[str, int](), dict[str, int]()
        globs = []
        for place, wildcard in enumerate(wildcards):
            kind = wildcard.kind
            if kind == GLOB:
                globs.append(place)
            else:
                places[kind][wildcard.letters] = place
        within = {letters.encode(): place for letters, place in inside.items()}
        sizes = [{len(letters) for letters in known} for known in (prefixes, suffixes, within)]
        lengths = tuple(tuple(sorted(size, reverse=True)) for size in sizes)
        return cls(wildcards, (prefixes, suffixes), within, lengths, tuple(globs))

    def find(self, word: str) -> Wildcard | None:
        """The first wildcard that a word matches: the most specific one.

        >>> index = WildcardIndex.of(most_specific_first(map(Wildcard, ("happ*", "*app*", "happen*", "*ens"))))
        >>> [one.pattern if (one := index.find(word)) else None for word in ("happens", "happy", "lens", "cat")]
        ['happen*', 'happ*', '*ens', None]
        """
        if not self.wildcards:
            return None
        prefixes, suffixes = self.places
        none = len(self.wildcards)
        # parts that are longer than the word are the word itself
        best = none
        for n in self.lengths[PREFIX]:
            if (at := prefixes.get(word[:n], none)) < none:
                best = at
                break
        for n in self.lengths[SUFFIX]:
            if (at := suffixes.get(word[-n:], none)) < none:
                best = min(at, best)
                break
        if self.within:
            best = min(best, self._find_within(word.encode("utf-8", "surrogatepass")))
        best = next((at for at in self.globs if at < best and self.wildcards[at].matches(word)), best)
        return self.wildcards[best] if best < none else None

    def _find_within(self, letters: bytes) -> int:
        """The place of the first wildcard whose letters a word contains anywhere; if there is none, their number."""
        within, none = self.within, len(self.wildcards)
        for n in self.lengths[WITHIN]:
            matches = [at for i in range(len(letters) - n + 1) if (at := within.get(letters[i : i + n], none)) < none]
            if matches:  # others have fewer letters
                return min(matches)
        return none
