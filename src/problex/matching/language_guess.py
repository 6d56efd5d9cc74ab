"""The language of texts, guessed by its script or its function words; a warning always says that it was guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pyarrow as pa

from problex.errors import DocumentWarning, opt, warn_caller
from problex.matching.languages import LANGUAGES
from problex.matching.segmentation import SCRIPTS
from problex.matching.tokens import Tokenizer

MIN_SHARE = 0.12
"""The share of function words below which a text is in none of the languages."""
MIN_LETTERS = 0.5
"""The share of its letters above which a script tells the language."""
MIN_KANA = 0.1
"""The share of kana among Chinese characters and kana above which a text is Japanese."""
TEXTS_TO_GUESS = 200
CHARACTERS_TO_GUESS = 4000
"""The number of texts that a guess uses, and the number of characters of each."""


def guess_language(texts: Iterable[str]) -> tuple[str, float]:
    """The language of the script that most letters are of, else that with the largest share of function words.

    The second value is that share; the language is `any` if it is small.

    >>> guess_language(["Das ist ein Film, der nicht zu lang ist."])[0], guess_language(["楽しい映画でした。"])[0]
    ('de', 'ja')
    """
    tokenizer = Tokenizer("any")
    words = [word for text in texts for word in tokenizer(text[:CHARACTERS_TO_GUESS])]
    language, share = _by_script("".join(words))
    if share > MIN_LETTERS:
        return language, share
    shares = {
        code: sum(word in language.function_words for word in words) / max(len(words), 1)
        for code, language in LANGUAGES.items()
        if language.function_words
    }
    best = max(shares, key=lambda code: shares[code])
    return (best, shares[best]) if shares[best] >= MIN_SHARE else ("any", shares[best])


def _by_script(letters: str) -> tuple[str, float]:
    """The language whose script has the largest share of some letters, and that share."""
    if letters.isascii():
        return "any", 0.0
    code_of = {LANGUAGES[code].name: code for code in LANGUAGES}
    ranges = {code_of[name]: script for name, script in SCRIPTS.items()}
    ranges |= {code: language.script for code, language in LANGUAGES.items() if language.script}
    numbers = {code: len(re.findall(f"[{script}]", letters)) for code, script in ranges.items()}
    both = numbers["ja"] + numbers["zh"]
    numbers["ja"], numbers["zh"] = (both, 0) if numbers["ja"] > MIN_KANA * both else (0, both)
    best = max(numbers, key=lambda code: numbers[code])
    return best, numbers[best] / len(letters)


def language_of(texts: Sequence[str] | pa.Array) -> str:
    """The language of the first texts, guessed; a warning says so."""
    first = texts[:TEXTS_TO_GUESS]
    language, share = guess_language(first.to_pylist() if isinstance(first, pa.Array) else first)
    if language == "any":
        message = "the language of the texts was not recognised: negation and accent folding are off"
    else:
        name = LANGUAGES[language].name
        words = f"words are common {name} words" if LANGUAGES[language].function_words else f"letters are {name}"
        message = f"the texts look {name}: {share:.0%} of their {words}"
    warn_caller(f"{message} (guessed; name it with {opt('language')})", DocumentWarning)
    return language


def resolve_language(tokenizer: Tokenizer, texts: Sequence[str] | pa.Array) -> Tokenizer:
    """The same tokenizer with the language of some texts in place of "auto"; "any" where there are no texts."""
    if tokenizer.language != "auto":
        return tokenizer
    language = language_of(texts) if len(texts) else "any"
    return replace(tokenizer, language=language)
