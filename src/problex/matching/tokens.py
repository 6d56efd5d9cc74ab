"""What a token is: a run of letters, lower-cased after it has been split off.

A letter is a character of Unicode category L; combining marks stay with the letter before them. Apostrophes inside a
word are kept (`don't`), except in languages where they join two words (`l'ami` is `l`, `ami`). Nothing else is part
of a token: digits, `_`, `½` and `²` separate. Some punctuation also ends a clause, which only negation asks for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex.errors import ProblexError
from problex.matching.negation import CLAUSE_ENDS, Negation, negation_of

APOSTROPHES = "'’ʼ＇"
"""Characters that are read as an apostrophe; tokens hold the first one."""

CLAUSE = ""
"""Stands among the pieces of a text where a clause ends."""


@dataclass(frozen=True)
class Language:
    """How a language writes words."""

    name: str
    apostrophe_joins: bool = True
    fold_accents: bool = False
    keep_accents: str = ""


LANGUAGES: Mapping[str, Language] = {
    "en": Language("English"),
    "es": Language("Spanish", fold_accents=True, keep_accents="ñ"),
    "fr": Language("French", apostrophe_joins=False),
    "de": Language("German"),
    "nl": Language("Dutch"),
    "it": Language("Italian", apostrophe_joins=False),
    "pt": Language("Portuguese"),
    "any": Language("any other"),
}
"""Spanish folds accents by default: its texts and its published lexicons leave them out about as often as not."""


@dataclass(frozen=True)
class Tokenizer:
    """Text in, tokens out; equal settings give equal tokens.

    `fold_accents=None` and `negation="auto"` follow the language; `language="auto"` lets `count` guess it from the
    first texts. `custom` replaces the rule, for languages without spaces; its tokens are lower-cased, and an empty one
    ends a clause.

    >>> Tokenizer()("Don't PANIC: 42 naïve plans")
    ["don't", 'panic', 'naïve', 'plans']
    >>> Tokenizer("fr")("l'ami")
    ['l', 'ami']
    >>> Tokenizer("es")("El niño está aquí")
    ['el', 'niño', 'esta', 'aqui']
    """

    language: str = "en"
    fold_accents: bool | None = None
    custom: Callable[[str], Sequence[str]] | None = None
    negation: Negation | str | bool | None = "auto"

    def __post_init__(self) -> None:
        if self.language not in (*LANGUAGES, "auto"):
            known = ", ".join(f"{code} ({language.name})" for code, language in LANGUAGES.items())
            raise ProblexError(f"language {self.language!r} is not known, expected one of: {known}")
        if self.custom is not None and not isinstance(self.custom, Hashable):
            raise ProblexError(f"the tokenizer {self.custom!r} cannot be hashed, expected a function of one text")
        if self.language != "auto":  # else until the language is known
            folds = LANGUAGES[self.language].fold_accents if self.fold_accents is None else self.fold_accents
            object.__setattr__(self, "fold_accents", folds)
            object.__setattr__(self, "negation", negation_of(self.negation, self.language))

    @property
    def name(self) -> str | None:
        """The name of a custom tokenizer, which a saved model keeps in place of the function itself."""
        if self.custom is None:
            return None
        module = getattr(self.custom, "__module__", "")
        return f"{module}.{getattr(self.custom, '__qualname__', type(self.custom).__name__)}"

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text, in order."""
        return [piece for piece in self.pieces(text) if piece != CLAUSE]

    def pieces(self, text: str) -> list[str]:
        """The tokens of a text, and `CLAUSE` where a clause ends.

        >>> Tokenizer().pieces("Not good, bad")
        ['not', 'good', '', 'bad']
        """
        if self.custom is not None:
            return [str(token).lower() for token in self.custom(text)]
        language = LANGUAGES[self.language]
        if text.isascii():
            pattern = _JOINED if language.apostrophe_joins else _PLAIN
            return [CLAUSE if piece in CLAUSE_ENDS else piece for piece in pattern.findall(text.lower())]
        if not unicodedata.is_normalized("NFC", text):
            text = unicodedata.normalize("NFC", text)
        pieces: list[str] = []
        for word in text.translate(_LETTERS_ONLY).split():
            if word == _CLAUSE_END:
                pieces.append(CLAUSE)
            else:
                pieces += [self.normal(token) for token in _split(word, language.apostrophe_joins)]
        return pieces

    def normal(self, token: str) -> str:
        """A token as it is counted: lower-cased, its accents folded if the language does."""
        return _normal(token, LANGUAGES[self.language].keep_accents if self.fold_accents else None)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What two tokenizers must share for their counts to be added."""
        negation = self.negation.settings if isinstance(self.negation, Negation) else None
        return {"language": self.language, "fold_accents": self.fold_accents, "custom": self.name, "negation": negation}


_ENDS = "[" + re.escape("".join(sorted(character for character in CLAUSE_ENDS if character.isascii()))) + "]"
_JOINED = re.compile("[a-z]+(?:'[a-z]+)*|" + _ENDS)
_PLAIN = re.compile("[a-z]+|" + _ENDS)
_CLAUSE_END = "."


class _LettersOnly(dict[int, str]):
    """A table for `str.translate`, filled as characters are met: letters, marks and ends of clauses stay."""

    def __missing__(self, point: int) -> str:
        character = chr(point)
        if character in APOSTROPHES:
            value = APOSTROPHES[0]
        elif character in CLAUSE_ENDS:
            value = f" {_CLAUSE_END} "
        else:
            value = character if unicodedata.category(character)[0] in "LM" else " "
        self[point] = value
        return value


_LETTERS_ONLY = _LettersOnly()


def _split(word: str, apostrophe_joins: bool) -> list[str]:
    """Split letters, marks and apostrophes into tokens: each begins with a letter, apostrophes stand inside."""
    if word.isalpha():
        return [word]
    tokens: list[str] = []
    joins = False  # whether the last character was an apostrophe right after a token
    inside = False
    for character in word:
        if character == APOSTROPHES[0]:
            joins, inside = inside and apostrophe_joins, False
        elif inside:
            tokens[-1] += character
        elif character.isalpha():
            if joins:
                tokens[-1] += APOSTROPHES[0] + character
            else:
                tokens.append(character)
            joins, inside = False, True
        else:
            joins = False
    return tokens


@lru_cache(maxsize=1 << 16)
def _normal(token: str, keep: str | None) -> str:
    token = token.lower()
    return token if keep is None or token.isascii() else fold_accents(token, keep)


def fold_accents(word: str, keep: str = "") -> str:
    """Take the marks off letters, except off those in `keep`.

    >>> fold_accents("canción de año", keep="ñ")
    'cancion de año'
    """
    folded = []
    for letter in word:
        if letter not in keep:
            parts = unicodedata.normalize("NFD", letter)
            letter = "".join(part for part in parts if unicodedata.category(part) != "Mn")
        folded.append(letter)
    return unicodedata.normalize("NFC", "".join(folded))


BREAK, APOSTROPHE, HARD, ENDS_CLAUSE = 0, 1, 2, 3
"""What a character is in `character_table` when it is not a letter of its own."""

KNOWN = 0x3000
"""Alphabets end here; beyond are writing systems whose words are not runs of letters."""


@lru_cache(maxsize=16)
def character_table(language: str, folds: bool) -> NDArray[np.uint32]:
    """For every character below `KNOWN` the one that a token has in its place, or one of the marks above.

    Hard are those that this table cannot say: combining marks, what normalisation may join, what lower-cases or folds
    to several characters or by context.

    >>> table = character_table("es", True)
    >>> chr(table[ord("É")]), chr(table[ord("Ñ")]), int(table[ord("-")]), int(table[ord("Σ")])
    ('e', 'ñ', 0, 2)
    """
    keep = LANGUAGES[language].keep_accents
    table = np.zeros(KNOWN, dtype=np.uint32)
    for point in range(KNOWN):
        character = chr(point)
        kind = unicodedata.category(character)[0]
        if character in APOSTROPHES:
            table[point] = APOSTROPHE
        elif character in CLAUSE_ENDS:
            table[point] = ENDS_CLAUSE
        elif kind == "M" or 0x1100 <= point < 0x1200 or not unicodedata.is_normalized("NFC", character):
            table[point] = HARD
        elif kind == "L":
            lowered = _normal(character, keep if folds else None)
            simple = len(lowered) == 1 and ord(lowered) < 0x10000 and character != "Σ"
            table[point] = ord(lowered) if simple else HARD
    return table
