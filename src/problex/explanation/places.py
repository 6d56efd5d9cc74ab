"""Where words are in a text, found fast: a character of the text is a character of the tokens, with few exceptions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from problex.matching.languages import LANGUAGES
from problex.matching.tokens import APOSTROPHE, APOSTROPHES, COMPLEX, Tokenizer, character_table

UNKNOWN = "\ue000"
"""Stands for a character whose letters depend on others: a text with one is left to the reference matcher."""


@dataclass(frozen=True)
class PlaceFinder:
    """Finds words and phrases in texts without regard to the other items of a lexicon."""

    tokenizer: Tokenizer
    pattern: re.Pattern[str] | None

    @classmethod
    def of(cls, names: Iterable[str], tokenizer: Tokenizer) -> PlaceFinder:
        """A finder of words and phrases as tokens have them; without a pattern for others, such as literals."""
        parts = []
        for name in sorted(names, key=len, reverse=True):
            words = name.split(" ")
            if tokenizer.custom is not None or not all(_is_word(word) for word in words):
                return cls(tokenizer, None)
            parts.append("'* [ ']*".join(map(re.escape, words)))
        letter = f"[^ '{UNKNOWN}]"
        return cls(tokenizer, re.compile(f"(?<!{letter})(?<!{letter}')(?:{'|'.join(parts)})(?!{letter}|'{letter})"))

    def find(self, text: str) -> list[tuple[int, int]] | None:
        """Start and end of every occurrence; None if only the reference matcher can tell.

        >>> PlaceFinder.of(["rip off", "été"], Tokenizer("fr")).find("L'été: a Rip-Off")
        [(2, 5), (9, 16)]
        """
        if self.pattern is None:
            return None
        letters = text.translate(_table(self.tokenizer.language, bool(self.tokenizer.fold_accents)))
        return None if UNKNOWN in letters else [match.span() for match in self.pattern.finditer(letters)]


def _is_word(word: str) -> bool:
    return all(part.isalpha() for part in word.split(APOSTROPHES[0]))


class _Characters(dict[int, str]):
    """A table for `str.translate`; characters beyond the alphabets are unknown."""

    def __missing__(self, point: int) -> str:
        return UNKNOWN


@lru_cache(maxsize=16)
def _table(language: str, folds: bool) -> _Characters:
    """The letter of the tokens for each character of a text: a blank for what separates, one for one."""
    table = _Characters()
    apostrophe = APOSTROPHES[0] if LANGUAGES[language].apostrophe_joins else " "
    for point, value in enumerate(character_table(language, folds).tolist()):
        special = UNKNOWN if value == COMPLEX else apostrophe if value == APOSTROPHE else " "
        table[point] = chr(value) if value > max(COMPLEX, APOSTROPHE) + 1 else special
    return table
