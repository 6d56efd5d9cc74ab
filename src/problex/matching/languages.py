"""Guessing the language of texts from their commonest words; a guess is always said to be one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from problex.errors import DocumentWarning, warn_caller
from problex.matching.tokens import LANGUAGES, Tokenizer

_WORDS = {
    "en": "the of and to a in is it that was for with as this but be on not are have you at by from",
    "es": "el la de que y en un una los las del por con no se es lo para su al como más pero muy",
    "fr": "le la les de des du et un une est en que qui dans pour pas ce il elle sur au avec plus ne",
    "de": "der die das und ist ein eine nicht zu den von mit sich auf für dem im es auch als an wie",
    "nl": "de het een en van is dat in op te niet met voor zijn er aan die ook als maar om bij",
    "it": "il la di che e un una è non in per del della con i le si da sono gli al ma anche come",
    "pt": "o a de que e do da em um uma não os as para com por se no na mais mas como foi dos",
}
COMMON: Mapping[str, frozenset[str]] = {code: frozenset(words.split()) for code, words in _WORDS.items()}
"""Words that every text of some length has, a few dozen for each language."""

LEAST = 0.12
"""The share of such words below which a text is taken for none of these languages."""
TEXTS_TO_GUESS = 200
"""How many texts a guess looks at."""


def guess_language(texts: Iterable[str]) -> tuple[str, float]:
    """The language whose commonest words make up most of some texts, and their share; `any` if it is small.

    >>> guess_language(["Das ist ein Film, der nicht zu lang ist."])[0]
    'de'
    """
    plain = Tokenizer("any")
    words = [word for text in texts for word in plain(text[:4000])]
    shares = {code: sum(word in common for word in words) / max(len(words), 1) for code, common in COMMON.items()}
    best = max(shares, key=lambda code: shares[code])
    return (best, shares[best]) if shares[best] >= LEAST else ("any", shares[best])


def resolve_language(tokenizer: Tokenizer, texts: Sequence[str] | pa.Array) -> Tokenizer:
    """The same tokenizer with the language of some texts in place of "auto"; "any" where there are none."""
    if tokenizer.language != "auto":
        return tokenizer
    language = language_of(texts) if len(texts) else "any"
    return Tokenizer(language, tokenizer.fold_accents, tokenizer.custom, tokenizer.negation)


def language_of(texts: Sequence[str] | pa.Array) -> str:
    """The language of the first texts, guessed; a warning says so."""
    first = texts[:TEXTS_TO_GUESS]
    language, share = guess_language(first.to_pylist() if isinstance(first, pa.Array) else first)
    if language == "any":
        message = "the texts look like none of the languages that problex knows: no negation, no accents folded"
    else:
        message = f"the texts look {LANGUAGES[language].name}: {share:.0%} of their words are its commonest"
    warn_caller(f"{message} (guessed; name it with language=...)", DocumentWarning)
    return language
