"""What the words of texts say about their language: which it is, and whether it has entries with other endings.

The language is guessed by its script or its function words; a warning always says that it was guessed. In languages
whose words take many endings, a note names entries that occur mostly with other endings than written.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from problex._util.arrays import IntArray
from problex._util.formatting import pluralize
from problex.errors import DocumentWarning, LexiconWarning, opt, warn_caller
from problex.matching.items import Items
from problex.matching.languages import LANGUAGES, LanguageRules
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
MIN_STEM = 3
"""Letters that a stem must have to be told from the start of other words; syllables of Hangul count as three."""
LAST_CHARACTER = "\U0010ffff"


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
    """The language whose script has the largest share of some letters, and that share.

    >>> [_by_script(letters)[0] for letters in ("映画", "映画です", "good")]
    ['zh', 'ja', 'any']
    """
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


@dataclass(frozen=True)
class InflectedEntry:
    """An entry, its stem, how often it occurs as written, and the words with other endings and their occurrences."""

    entry: str
    stem: str
    written: int
    forms: tuple[str, ...]
    inflected: int


def inflected_entries(
    entries: Iterable[str], words: list[str], occurrences: IntArray, infinitives: tuple[str, ...]
) -> list[InflectedEntry]:
    """The entries whose stem occurs more often with other endings; `infinitives` are those that are not of the stem.

    >>> import numpy as np
    >>> [one] = inflected_entries(["güzel", "gelmek"], ["gelmek", "güzel", "güzeldi"], np.array([1, 1, 4]), ("mek",))
    >>> one.entry, one.written, one.forms, one.inflected
    ('güzel', 1, ('güzeldi',), 4)
    """
    order = sorted(range(len(words)), key=words.__getitem__)
    in_order, known = [words[at] for at in order], set(entries)
    results = []
    for entry in sorted(known):
        ending = next((ending for ending in infinitives if entry.endswith(ending)), "")
        stem = entry.removesuffix(ending)
        if sum(3 if "\uac00" <= letter <= "\ud7a3" else 1 for letter in stem) < MIN_STEM:
            continue
        same = order[bisect_left(in_order, stem) : bisect_right(in_order, stem + LAST_CHARACTER)]
        others = sorted(
            (at for at in same if words[at] not in known), key=lambda at: (-int(occurrences[at]), words[at])
        )
        written = sum(int(occurrences[at]) for at in same if words[at] == entry)
        inflected = sum(int(occurrences[at]) for at in others)
        if inflected > written:
            results.append(InflectedEntry(entry, stem, written, tuple(words[at] for at in others), inflected))
    return results


def warn_of_inflected_forms(words: pa.Array, occurrences: IntArray, items: Items, language: LanguageRules) -> None:
    """Suggest wildcards if most entries of one word occur mostly with other endings among the words of a corpus."""
    entries = [name for name in items.names if name.isalpha()]
    results = inflected_entries(entries, words.to_pylist(), occurrences, language.infinitives)
    if 2 * len(results) <= len(entries):
        return
    first = max(results, key=lambda one: one.inflected)
    forms = ", ".join(first.forms[:3])
    warn_caller(
        f"{len(results)} of {pluralize(len(entries), 'entry', 'entries')} occur mostly with other endings, for example "
        f"{first.entry!r} {pluralize(first.written, 'time')} as written and {first.inflected} as {forms}: "
        f"{language.name} words take many endings. Write such entries as wildcards, for example '{first.stem}*'",
        LexiconWarning,
    )
