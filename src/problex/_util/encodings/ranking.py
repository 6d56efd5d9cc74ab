"""Encodings ranked by how well the words of a sample fit the languages that are written in them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from problex._util.encodings.languages import (
    ASCII,
    CODECS,
    LATIN,
    WIDE,
    languages,
    pairs_of,
    penalty,
    wide_penalty,
)

FIRST_WORDS, MAX_WORDS = 30, 200  # different words by which most encodings are ruled out, and the others compared
RULED_OUT = 60.0  # below the best score
MARGIN, ODD = 8.0, 0.08  # without which an encoding is not certain: of scores, and of pairs that are odd
WIDE_MARGIN, WIDE_ODD = 40.0, 0.15  # a few more pairs may be odd if no other encoding is near
MARGIN_WEST, ODD_WEST = 5.0, 0.3  # of Windows-1252, by far the most frequent
WESTERN = ("cp1252", "iso8859-15")
MAX_ASCII_WORDS = 100
ASCII_WEIGHT = 0.3  # of pairs of ASCII letters: words of other languages and names have them, too
LEAST_HINT = -8.0
SEVERAL_LANGUAGES = 3.0  # taken from the score of a file that may be in several languages
_ASCII_WORD = re.compile(rb"(?<![\w\x80-\xff])[A-Za-z]{2,}(?![\w\x80-\xff])")
_WORD = re.compile(rb"[^\x00-\x2f\x3a-\x3f]*[\x80-\xff][^\x00-\x2f\x3a-\x3f]*")


@dataclass(frozen=True)
class Candidate:
    """An encoding, the words of a sample decoded with it, its score, and the share of pairs of letters that are odd."""

    codec: str
    words: tuple[str, ...]
    score: float
    odd: float


def find_words(sample: bytes) -> list[bytes]:
    """The different words with a byte beyond ASCII, in their order."""
    return list(dict.fromkeys(_WORD.findall(sample)))[:MAX_WORDS]


def rank(sample: bytes) -> list[Candidate]:
    """The encodings, the likeliest first; those that some words rule out are left out."""
    words, hints = find_words(sample), _score_languages(sample)
    found = [_candidate(codec, words[:FIRST_WORDS], hints) for codec in CODECS]
    if len(words) > FIRST_WORDS:
        least = max(candidate.score for candidate in found) - RULED_OUT
        found = [_candidate(candidate.codec, words, hints) for candidate in found if candidate.score >= least]
    return sorted(found, key=lambda candidate: -candidate.score)


def is_certain(candidates: Sequence[Candidate]) -> bool:
    """Whether the first of ranked encodings is clearly better than those that give another text, and has real words."""
    best = candidates[0]
    rivals = [candidate for candidate in candidates if candidate.words != best.words]
    margin = best.score - max((rival.score for rival in rivals), default=-math.inf)
    least_margin, most_odd = (MARGIN_WEST, ODD_WEST) if best.codec in WESTERN else (MARGIN, ODD)
    most_odd = max(most_odd, WIDE_ODD) if margin >= WIDE_MARGIN else most_odd
    return margin >= least_margin and best.odd <= most_odd


def readings_in_words(sample: bytes) -> list[str]:
    """The encodings in which all words of a sample are letters that follow each other in some language."""
    return [
        candidate.codec
        for candidate in rank(sample)
        if candidate.odd <= ODD
        and CODECS[candidate.codec][1][0] not in WIDE
        and not sum(map(_misplaced, candidate.words))
    ]


def _misplaced(word: str) -> int:
    """How many signs and capitals of a word are not where words have them."""
    return sum(character > "\x7f" and not character.isalpha() for character in word) + (penalty(word) < 0)


def _score_languages(sample: bytes) -> dict[str, float]:
    """What the words of ASCII letters tell about the language: 0 for the likeliest, less for others."""
    words = list(dict.fromkeys(word.decode().lower() for word in _ASCII_WORD.findall(sample)))[:MAX_ASCII_WORDS]
    scores = {name: ASCII_WEIGHT * languages()[name + ASCII].ascii_score(words) for name in LATIN}
    most = max(scores.values())
    return {name: max(score - most, LEAST_HINT) for name, score in scores.items()}


def _candidate(codec: str, words: list[bytes], hints: Mapping[str, float]) -> Candidate:
    rarity, names = CODECS[codec]
    texts = [word.decode(codec, errors="replace") for word in words]
    if codec == "cp1258":
        texts = [unicodedata.normalize("NFC", text) for text in texts]
    if names[0] in WIDE:
        units, signs = [[sign for sign in text if sign > "\x7f"] for text in texts], sum(map(wide_penalty, texts))
    else:
        units, signs = [pairs_of(text) for text in texts], sum(map(penalty, texts))
    scores = {name: [sum(map(languages()[name].__getitem__, one)) for one in units] for name in names}
    totals = {name: sum(scores[name]) + hints.get(name, 0.0) for name in names}
    best = max(names, key=lambda name: totals[name])
    total = totals[best]
    if len(names) > 1:
        mixed = sum(map(_log_mean, zip(*scores.values(), strict=True))) + max(hints.get(name, 0.0) for name in names)
        total = max(total, mixed - SEVERAL_LANGUAGES)
    spoken = [languages()[name] for name in (names if codec in WESTERN else (best,))]
    known = [any(language.knows(unit) for language in spoken) for one in units for unit in one]
    odd = known.count(False) / max(len(known), 1)
    return Candidate(codec, tuple(texts), total + signs - rarity, odd)


def _log_mean(values: Sequence[float]) -> float:
    most = max(values)
    return most + math.log(sum(math.exp(value - most) for value in values) / len(values))
