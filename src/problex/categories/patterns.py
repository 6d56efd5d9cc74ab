"""`PatternIndex`: which of many patterns a word matches, for many words at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from problex._util.arrays import IntArray
from problex._util.arrow import numbers_of, pc, string_array
from problex.matching.items import has_wildcard
from problex.matching.wildcards import GLOB, PREFIX, SUFFIX, WITHIN, Wildcard


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
