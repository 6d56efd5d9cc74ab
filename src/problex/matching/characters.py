"""What every character is to the compiled counter: a table filled from `unicodedata` where texts need it.

The table is of the Python that runs, not of the one that compiled the counter: their versions of Unicode may differ,
and the counter must give the tokens of `Tokenizer`, bit for bit.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from problex.matching.languages import LANGUAGES
from problex.matching.negation import CLAUSE_ENDS
from problex.matching.tokens import APOSTROPHES, lower_token

POINTS = 0x110000
"""The number of code points."""
BLOCK = 0x100
"""So many characters are looked up at once."""
UNKNOWN, SEPARATOR, APOSTROPHE, ENDS_CLAUSE = 0, 1, 2, 3
"""The values of characters that are not part of a token, and of those not looked up yet."""
MARK, SLOW, IGNORABLE, CASED = 1 << 21, 1 << 22, 1 << 23, 1 << 24
"""Flags above the code point of a letter or mark in lower case; see `character_value`."""
CLASS_SHIFT = 24
"""Where the combining class of a mark begins."""
JAMO = frozenset([*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)])
"""The parts of Hangul syllables that join what is before them."""

FIRST_JOINING = 0x300
"""No character below is composed with one before it."""


@dataclass(frozen=True, eq=False)
class CharacterTable:
    """The values of all characters for one language; `UNKNOWN` until the counter asks for their block."""

    keep: str | None
    """The accented letters that stay if accents are removed; None if all stay."""
    folds: bool
    """Whether accents are removed."""
    values: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(POINTS, np.uint32))

    def fill(self, block: int) -> None:
        """Look up the characters of a block."""
        start, end = block * BLOCK, (block + 1) * BLOCK
        if block and _is_plain(start, "NFD" if self.folds else "NFC"):
            self.values[start:end] = np.arange(start, end)
        else:
            self.values[start:end] = [character_value(chr(point), self.keep) for point in range(start, end)]

    def normalization(self) -> Normalization:
        """The tables of normalisation, which are the same for all languages."""
        return normalization()


@lru_cache(maxsize=16)
def character_table(language: str, folds: bool) -> CharacterTable:
    """The table of a language, with ASCII and what follows it up to U+00FF looked up.

    >>> values = character_table("es", True).values
    >>> chr(values[ord("É")] % MARK), chr(values[ord("Ñ")] % MARK), int(values[ord("-")])
    ('e', 'ñ', 1)
    """
    table = CharacterTable(LANGUAGES[language].keep_accents if folds else None, folds)
    table.fill(0)
    return table


def character_value(character: str, keep: str | None) -> int:
    """The character of a token for a letter or mark, with flags, or one of the values of other characters.

    `MARK`: part of a token only behind a letter or mark; its combining class is in the upper bits, and if accents are
    removed the character may be none. `SLOW`: what a token has for it depends on the characters around it, or is
    longer. `IGNORABLE` and `CASED` are what decides about a capital sigma.

    >>> chr(character_value("É", "") % MARK), character_value("!", "") == ENDS_CLAUSE
    ('e', True)
    """
    if character in APOSTROPHES:
        return APOSTROPHE
    composed = unicodedata.normalize("NFC", character)
    if composed in CLAUSE_ENDS:
        return ENDS_CLAUSE
    kind = unicodedata.category(character)[0]
    if kind not in "LM":
        return SEPARATOR
    lowered = lower_token(composed if kind == "L" else character, keep)
    value = ord(lowered[0]) if lowered and kind == "L" else ord(character) if lowered else 0
    slow = composed != character and (kind == "M" or len(composed) > 1)
    slow |= len(lowered) > 1 or len(lowered.encode()) > len(character.encode()) or character == "Σ"
    slow |= ord(character) >= FIRST_JOINING and ord(character) in _joining()
    slow |= kind == "M" and lowered not in ("", character)
    flags = (SLOW if slow else 0) | _case_flags(character)
    if kind == "M":
        return value | flags & ~CASED | MARK | unicodedata.combining(character) << CLASS_SHIFT
    return value | flags


def _is_plain(start: int, form: Literal["NFC", "NFD"]) -> bool:
    """Whether the characters of a block are letters without case that depend on no others, as most that exist."""
    block = "".join(map(chr, range(start, start + BLOCK)))
    letters = all(unicodedata.category(character) == "Lo" for character in block)
    return letters and unicodedata.is_normalized(form, block) and _joining().isdisjoint(range(start, start + BLOCK))


def _case_flags(character: str) -> int:
    """Whether a character has a case, or `str.lower` looks beyond it for what decides if a sigma ends a word.

    >>> _case_flags("a") == CASED, _case_flags("'") == IGNORABLE, _case_flags("1")
    (True, True, 0)
    """
    if f"1{character}Σ".lower()[-1] == "ς":
        return CASED
    return IGNORABLE if f"A{character}Σ".lower()[-1] == "ς" else 0


class Normalization(NamedTuple):
    """How characters are taken apart and composed: NFC, except for Hangul syllables, which are computed.

    The parts of the character `points[i]` are `parts[ends[i - 1] : ends[i]]`, with `ends[-1]` read as 0. `pairs` are
    two characters in a number, the first in its upper half, that become one of `composed`. `points` and `pairs` ascend.
    """

    points: NDArray[np.uint32]
    ends: NDArray[np.uint32]
    parts: NDArray[np.uint32]
    pairs: NDArray[np.uint64]
    composed: NDArray[np.uint32]


@lru_cache(maxsize=1)
def normalization() -> Normalization:
    """The tables for all characters, in some milliseconds.

    >>> table = normalization()
    >>> at = table.points.tolist().index(ord("é"))
    >>> [chr(part) for part in table.parts[table.ends[at - 1] : table.ends[at]]]
    ['e', '́']
    """
    points, parts, pairs = [], [], {}
    for character in _decomposable():
        points.append(ord(character))
        parts.append([ord(part) for part in unicodedata.normalize("NFD", character)])
        two = [int(point, 16) for point in unicodedata.decomposition(character).split()]
        if len(two) == 2 and unicodedata.normalize("NFC", character) == character:
            pairs[two[0] << 32 | two[1]] = ord(character)
    keys = sorted(pairs)
    return Normalization(
        np.array(points, np.uint32),
        np.cumsum([len(each) for each in parts], dtype=np.uint32),
        np.array([part for each in parts for part in each], np.uint32),
        np.array(keys, np.uint64),
        np.array([pairs[key] for key in keys], np.uint32),
    )


def _decomposable() -> Iterator[str]:
    """The characters with a canonical decomposition, without Hangul syllables, in ascending order."""
    everything = np.arange(POINTS, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    for start in range(0, POINTS, BLOCK):
        block = everything[start : start + BLOCK]
        if not (0xAC00 <= start < 0xE000 or unicodedata.is_normalized("NFD", block)):  # Hangul syllables, surrogates
            yield from (one for one in block if not unicodedata.is_normalized("NFD", one))


@lru_cache(maxsize=1)
def _joining() -> frozenset[int]:
    """The characters that may be composed with one before them."""
    return JAMO | {int(pair) & 0xFFFFFFFF for pair in normalization().pairs}
