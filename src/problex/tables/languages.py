"""How well characters make words of a language: the frequencies of pairs of letters, and the places of signs."""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PAIRS_FILE = Path(__file__).parent / "letter_pairs.txt"
ASCII = "+ascii"  # after the name of a language: its pairs of ASCII letters
EDGE = "_"  # the beginning or the end of a word
WEST = ("fr", "de", "es", "pt", "it", "en", "nl", "sv", "da", "nb", "fi", "is", "ca", "et", "sq", "ga", "lb")
EAST = ("pl", "cs", "sk", "hu", "ro", "sh", "sl")
LATIN = (*WEST, *EAST, "tr", "lt", "lv", "vi", "cy")
CYRILLIC = ("ru", "uk", "bg", "sr", "mk")
WIDE = ("zh-hans", "zh-hant", "ja", "ko")
CODECS: dict[str, tuple[float, tuple[str, ...]]] = {
    "cp1252": (0.0, WEST),
    "iso8859-15": (2.0, WEST),
    "mac-roman": (4.0, WEST),
    "cp850": (4.0, WEST),
    "cp437": (5.0, WEST),
    "cp1250": (3.0, EAST),
    "iso8859-2": (4.0, EAST),
    "cp852": (5.0, EAST),
    "mac-latin2": (6.0, EAST),
    "cp1254": (3.0, ("tr",)),
    "cp857": (6.0, ("tr",)),
    "mac-turkish": (6.0, ("tr",)),
    "cp1257": (3.0, ("lt", "lv", "et")),
    "iso8859-13": (5.0, ("lt", "lv", "et")),
    "iso8859-4": (6.0, ("lt", "lv", "et")),
    "cp775": (6.0, ("lt", "lv", "et")),
    "iso8859-14": (6.0, ("cy", "ga")),
    "cp1258": (4.0, ("vi",)),
    "cp1251": (3.0, CYRILLIC),
    "koi8-r": (4.0, ("ru", "bg")),
    "koi8-u": (4.0, ("uk", "ru")),
    "cp866": (4.0, CYRILLIC),
    "cp1125": (5.0, ("uk",)),
    "iso8859-5": (5.0, CYRILLIC),
    "mac-cyrillic": (5.0, CYRILLIC),
    "cp855": (6.0, CYRILLIC),
    "cp1253": (3.0, ("el",)),
    "iso8859-7": (4.0, ("el",)),
    "cp737": (5.0, ("el",)),
    "cp869": (6.0, ("el",)),
    "mac-greek": (6.0, ("el",)),
    "cp1255": (3.0, ("he",)),
    "cp862": (5.0, ("he",)),
    "cp1256": (3.0, ("ar", "fa")),
    "iso8859-6": (5.0, ("ar",)),
    "cp720": (6.0, ("ar",)),
    "cp874": (3.0, ("th",)),
    "gb18030": (3.0, ("zh-hans", "zh-hant")),
    "big5": (3.0, ("zh-hant",)),
    "cp949": (3.0, ("ko",)),
    "johab": (6.0, ("ko",)),
    "cp932": (3.0, ("ja",)),
    "euc_jp": (4.0, ("ja",)),
}
"""Encodings, how much rarer than Windows-1252 each is (in nats), and the languages that are written in it."""
UNKNOWN = 1e-4  # the frequency of a letter that a language does not have
SMOOTHING = 0.02  # the share of pairs that are as frequent as their letters let expect
RARE_PAIR = 5e-5  # of ASCII letters
ASCII_LETTER = 1 / 30
USUAL_SIGN, UNUSUAL_SIGN, WRONG_SIGN, NO_CHARACTER = -9.0, -16.0, -18.0, -20.0  # logarithms of frequencies
MIXED_SCRIPTS = -5.0  # for an ASCII letter beside a Chinese character
BROKEN_CASE = -8.0  # for a capital after a small letter
USUAL_CHARACTER, RARE_CHARACTER = -11.0, -16.0  # of Chinese, Japanese and Korean, if the table does not have it
USUAL_CHARACTERS = {
    "zh-hans": ("gb2312", 0xB0, 0xD7),
    "zh-hant": ("big5", 0xA4, 0xC6),
    "ja": ("euc_jp", 0xB0, 0xCF),
    "ko": ("euc_kr", 0xB0, 0xC8),
}
"""The standard that lists usual characters before rare ones, and the first bytes of the usual ones in it."""
APOSTROPHE, RARE_APOSTROPHE = -5.0, -11.0
DASH_WITHIN = -12.0  # for a dash between letters
BESIDE_NUMBER = -5.0  # for a letter beyond ASCII beside a number
_WITHIN_WORDS = "’´\u00ad"
_DASHES = "–—"
_QUOTES = "“”‘„‚«»‹›"
_BESIDE_NUMBERS = "€£¥¢½¼¾²³¹°ºª×÷±‰₪฿№"
_OTHERS = _DASHES + "…•·§©®™¿¡µ†،؛؟ـ"
_USUAL = frozenset(_WITHIN_WORDS + _QUOTES + _BESIDE_NUMBERS + _OTHERS)
_NOT_AFTER_LETTERS = "½¼¾£¢¥¿¡©§"
_NOT_BEFORE_LETTERS = "½¼¾®²³¹§"
_WIDE_SIGNS = "、。，．！？：；「」『』（）《》〈〉【】・～…—―\u3000“”‘’％／＆＋－＝ー々"
_ELISION = re.compile(
    r"^(?:[cdjlmnst]|.*(?:qu|ll|un|st|nt))’[aeiouyhéèêàâîô]\w|^[od]’\w|’[sdtm]$|[deiotuy]’(?:re|ve|ll)$", re.IGNORECASE
)
_USUAL_BLOCKS = re.compile(
    r"[\u00a0-\u017fƒƠơƯưȘșȚțƏəƁɓƊɗƘƙƎǝǍ-ǜ\u0300-\u045f\u0490-\u04ff\u0531-\u06ff\u0900-\u11ff\u1200-\u137f\u1780-\u17ff\u1d00-\u24ff\u2580-\u27bf"
    r"\u2900-\u2bff\u3000-\u33ff\uac00-\ud7a3\ufb00-\uffff\U00010000-\U0010ffff]"
)
"""Letters and signs that are frequent in UTF-8, but for Chinese characters."""
_ONE_LETTER = re.compile(r"^[b-df-hj-np-tv-xz][–—][^\W\d]|[^\W\d][–—][b-df-hj-np-tv-xz]$", re.IGNORECASE)
_WIDE_LETTERS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


class Language(dict[str, float]):
    """The logarithm of the frequency of each pair of letters, the first given where it is beyond ASCII.

    Pairs that the table does not have are computed when they are asked for. A wide language has single characters.
    """

    def __init__(self, name: str, frequencies: Mapping[str, float]) -> None:
        super().__init__()
        self._name, self._frequencies = name, frequencies
        self._letters: dict[str, float] = {}
        for pair, frequency in frequencies.items():
            if pair[0] > "\x7f":
                self._letters[pair[0]] = self._letters.get(pair[0], 0.0) + frequency

    def __missing__(self, key: str) -> float:
        self[key] = value = self._wide(key) if self._name in WIDE else self._pair(*key)
        return value

    def ascii_score(self, words: Iterable[str]) -> float:
        """The logarithm of the frequency of words of ASCII letters."""
        return sum(
            math.log(self._frequencies.get(first + second, RARE_PAIR))
            for word in words
            for first, second in zip(EDGE + word, word + EDGE, strict=True)
        )

    def knows(self, unit: str) -> bool:
        """Whether the table has a pair, or a character of a wide language is usual."""
        return unit in self._frequencies or (self._name in WIDE and self[unit] >= USUAL_CHARACTER)

    def _pair(self, first: str, second: str) -> float:
        found = (1 - SMOOTHING) * self._frequencies.get(first + second, 0.0)
        expected = ASCII_LETTER if second <= "\x7f" else self._letters.get(second, UNKNOWN)
        if first <= "\x7f":
            return math.log(found + SMOOTHING * ASCII_LETTER * expected)
        return math.log(found / self._letters.get(first, UNKNOWN) + SMOOTHING * expected)

    def _wide(self, character: str) -> float:
        if character in self._frequencies:
            return math.log(self._frequencies[character])
        if character in _WIDE_SIGNS:
            return USUAL_SIGN
        codec, first, last = USUAL_CHARACTERS[self._name]
        if first <= next(iter(character.encode(codec, errors="ignore")), 0) <= last:
            return USUAL_CHARACTER
        return RARE_CHARACTER if _WIDE_LETTERS.match(character) else NO_CHARACTER


def pairs_of(text: str) -> list[str]:
    """The pairs of a word that have a letter beyond ASCII, as the table has them.

    >>> pairs_of("Été")
    ['_é', 'ét', 'té', 'é_']
    """
    folded = [fold(character) for character in text]
    return [a + b for a, b in zip([EDGE, *folded], [*folded, EDGE], strict=True) if a > "\x7f" or b > "\x7f"]


@cache
def fold(character: str) -> str:
    """A letter as the table has it: small, or the edge of a word.

    >>> fold("É"), fold("İ"), fold("’")
    ('é', 'i', '_')
    """
    if not _is_letter(character):
        return EDGE
    return "i" if character == "İ" else character.lower()


def _is_letter(character: str) -> bool:
    return character.isalpha() or unicodedata.category(character)[0] == "M"


def penalty(text: str) -> float:
    """The logarithm of the frequency of the signs of a word that are no letters, and of capitals after small letters.

    >>> penalty("für"), penalty("f¸r"), penalty("caffÈ"), penalty("“für”")
    (0.0, -16.0, -8.0, -18.0)
    """
    total = 0.0
    for before, character, after in zip(EDGE + text[:-1], text, text[1:] + EDGE, strict=True):
        if character <= "\x7f":
            continue
        if character == "·" and before + after in ("ll", "LL"):
            total += APOSTROPHE  # Catalan
        elif character == "’" and before.isalpha() and after.isalpha():
            total += APOSTROPHE if _ELISION.search(text) else RARE_APOSTROPHE
        elif character in _DASHES and _ONE_LETTER.search(text):
            total += WRONG_SIGN
        elif not _is_letter(character):
            total += sign_score(before, character, after)
        elif (before.islower() and character.isupper()) or (character.islower() and "A" <= after <= "Z"):
            total += BROKEN_CASE
        elif before.isdigit() or after.isdigit():
            total += BESIDE_NUMBER
    return total


def wide_penalty(text: str) -> float:
    """The logarithm of the frequency of ASCII letters beside Chinese, Japanese or Korean characters.

    >>> wide_penalty("好a好"), wide_penalty("好1") == 0
    (-10.0, True)
    """
    return MIXED_SCRIPTS * sum(
        (a > "\x7f") != (b > "\x7f") and (a if a <= "\x7f" else b).isalpha() for a, b in itertools.pairwise(text)
    )


def sign_score(before: str, sign: str, after: str) -> float:
    """The logarithm of the frequency of a sign that is no letter, lower where it is within a word.

    >>> sign_score("a", "’", "t"), sign_score("a", "“", "t"), sign_score("_", "“", "t")
    (-9.0, -18.0, -9.0)
    """
    if sign == "\ufffd" or unicodedata.category(sign) in ("Cc", "Cn", "Co"):
        return NO_CHARACTER
    if sign == "\u00a0":
        return UNUSUAL_SIGN if before.isalpha() and after.isalpha() else USUAL_SIGN
    if sign not in _USUAL:
        return UNUSUAL_SIGN
    after_letter, before_letter = before.isalpha(), after.isalpha()
    if after_letter and before_letter and sign in _DASHES:
        return DASH_WITHIN
    is_wrong = (
        (after_letter and before_letter and sign not in _WITHIN_WORDS)
        or (after_letter != before_letter and sign in _DASHES)
        or (before.isdigit() and sign == "§")
        or (after_letter and sign in _NOT_AFTER_LETTERS)
        or (before_letter and sign in _NOT_BEFORE_LETTERS)
    )
    return WRONG_SIGN if is_wrong else USUAL_SIGN


def is_usual(character: str) -> bool:
    """Whether a character is of a script or of signs that are frequent in UTF-8: not Braille, or lines of boxes.

    >>> [is_usual(character) for character in "éж好한☺€🙂⠪│蠣\\ue000"]
    [True, True, True, True, True, True, True, False, False, False, False]
    """
    if "\u3400" <= character <= "\u9fff":
        is_frequent = languages()["zh-hant"][character] > USUAL_CHARACTER  # the standard of Taiwan calls many usual
        return is_frequent or any(languages()[name].knows(character) for name in ("zh-hans", "ja"))
    return _USUAL_BLOCKS.match(character) is not None


@cache
def languages() -> dict[str, Language]:
    """The languages by name, from the file of pairs."""
    found = {}
    for line in PAIRS_FILE.read_text(encoding="utf-8").splitlines():
        name, *levels = line.split(" ")
        frequencies: dict[str, float] = {}
        size = 1 if name in WIDE else 2
        for part in levels:
            level, _, units = part.partition(":")
            frequencies |= {units[at : at + size]: 2.0 ** -int(level) for at in range(0, len(units), size)}
        found[name] = Language(name, frequencies)
    return found


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
    r"""The different words with a byte beyond ASCII, in their order.

    >>> find_words("für uns, für 3 Öl".encode("cp1252"))
    [b'f\xfcr', b'\xd6l']
    """
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
