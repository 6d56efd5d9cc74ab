"""Where words are in a text, found fast: a character of the text is a character of the tokens, with few exceptions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from problex.matching.characters import APOSTROPHE, MARK, SLOW, character_value
from problex.matching.languages import LANGUAGES
from problex.matching.links import APOSTROPHES, blank_links
from problex.matching.segmentation import UNSPACED
from problex.matching.tokens import Tokenizer

UNKNOWN = "\ue000"
"""Stands for a character whose letters depend on others: a text with one is left to the reference matcher."""
LAST_ALPHABET = 0x590
"""Letters below are those of Latin, Greek, Cyrillic and Armenian; texts in other scripts are left to it, too."""


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
            respelled = tokenizer.custom is not None or tokenizer.letters or UNSPACED.search(name)
            if respelled or not all(_is_word(word) for word in words):
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
        text = text if self.tokenizer.keep_links else blank_links(text)
        letters = text.translate(_table(self.tokenizer.language, bool(self.tokenizer.fold_accents)))
        return None if UNKNOWN in letters else [match.span() for match in self.pattern.finditer(letters)]


def _is_word(word: str) -> bool:
    return all(part.isalpha() for part in word.split(APOSTROPHES[0]))


class _Characters(dict[int, str]):
    """A table for `str.translate`, filled as characters are met: a blank for what separates, one letter for one."""

    def __init__(self, language: str, folds: bool) -> None:
        self._keep = LANGUAGES[language].keep_accents if folds else None
        self._apostrophe = APOSTROPHES[0] if LANGUAGES[language].apostrophe_joins else " "

    def __missing__(self, point: int) -> str:
        value = character_value(chr(point), self._keep)
        if value < MARK and not chr(point).isalpha():
            letter = self._apostrophe if value == APOSTROPHE else " "
        else:
            letter = UNKNOWN if value & (MARK | SLOW) or point >= LAST_ALPHABET else chr(value % MARK)
        self[point] = letter
        return letter


@lru_cache(maxsize=16)
def _table(language: str, folds: bool) -> _Characters:
    return _Characters(language, folds)
