"""The language of texts, guessed by the share of its function words; a warning always says that it was guessed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

from problex.errors import DocumentWarning, warn_caller
from problex.matching.languages import LANGUAGES
from problex.matching.tokens import Tokenizer

MIN_SHARE = 0.12
"""The share of function words below which a text is in none of the languages."""
TEXTS_TO_GUESS = 200
CHARACTERS_TO_GUESS = 4000
"""The number of texts that a guess uses, and the number of characters of each."""


def guess_language(texts: Iterable[str]) -> tuple[str, float]:
    """The language whose function words are the largest share of all words, and that share; `any` if it is small.

    >>> guess_language(["Das ist ein Film, der nicht zu lang ist."])[0]
    'de'
    """
    tokenizer = Tokenizer("any")
    words = [word for text in texts for word in tokenizer(text[:CHARACTERS_TO_GUESS])]
    shares = {
        code: sum(word in language.function_words for word in words) / max(len(words), 1)
        for code, language in LANGUAGES.items()
        if language.function_words
    }
    best = max(shares, key=lambda code: shares[code])
    return (best, shares[best]) if shares[best] >= MIN_SHARE else ("any", shares[best])


def language_of(texts: Sequence[str] | pa.Array) -> str:
    """The language of the first texts, guessed; a warning says so."""
    first = texts[:TEXTS_TO_GUESS]
    language, share = guess_language(first.to_pylist() if isinstance(first, pa.Array) else first)
    if language == "any":
        message = "the language of the texts was not recognised: negation and accent folding are off"
    else:
        name = LANGUAGES[language].name
        message = f"the texts look {name}: {share:.0%} of their words are common {name} words"
    warn_caller(f"{message} (guessed; name it with language=...)", DocumentWarning)
    return language


def resolve_language(tokenizer: Tokenizer, texts: Sequence[str] | pa.Array) -> Tokenizer:
    """The same tokenizer with the language of some texts in place of "auto"; "any" where there are no texts."""
    if tokenizer.language != "auto":
        return tokenizer
    language = language_of(texts) if len(texts) else "any"
    return Tokenizer(language, tokenizer.fold_accents, tokenizer.custom, tokenizer.negation)
