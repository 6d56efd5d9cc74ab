"""Tokens: runs of letters in lower case.

A letter is a character of Unicode category L; combining marks stay with the letter before them. Apostrophes inside a
word are kept (`don't`), except in languages where they separate two words (`l'ami` is `l`, `ami`). Nothing else is part
of a token: digits, `_`, `½` and `²` separate. Some punctuation also ends a clause, which matters for negation only.

Links, addresses and handles, which are no words of a text, are no tokens: `http://x.y`, `user@example.com`, `@name`.
The rules look at characters only, so that they hold in every language and the compiled counter has the same (links.h).
A word character is here an ASCII letter or digit, `_`, or a letter or mark below U+0800 (Latin, Greek, Cyrillic,
Hebrew, Arabic). Those above (Hindi, Thai, Chinese) are none: text in them often follows a link without a space.

- A link begins with `http://` or `https://`, anywhere, or with `www.` that has no word character before it and one
  behind it. It goes on over word characters and all ASCII signs but white space, `"`, `<` and `>`. The punctuation
  `.,:;!?'()[]{}` at its end is no part of it, so that it ends a clause as elsewhere.
- An address is `x@y.z`: on both sides of the `@` word characters, which a single `.`, `-`, `+` or apostrophe may join,
  and at least one `.` behind it.
- A handle is an `@` that has no word character before it, and the word characters behind it; an apostrophe may join
  more of them (`@name's`). In `#name` nothing is a handle: a hashtag is its word.

They are found from left to right; one that begins inside another goes on from where that one ends.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from problex.errors import ProblexError, was_given
from problex.matching.languages import LANGUAGES, NEGATIONS
from problex.matching.negation import CLAUSE_ENDS, Negation

APOSTROPHES = "'’ʼ＇"
"""Characters that are read as an apostrophe; tokens have the first one."""
_BEYOND_ASCII = "".join(
    chr(point)
    for point in range(0x80, 0x800)
    if unicodedata.category(chr(point))[0] in "LM" and chr(point) not in APOSTROPHES
)
_WORD = f"[0-9A-Za-z_{_BEYOND_ASCII}]"
_SIGN = re.compile(r"@|(?<=http)://|(?<=https)://|(?<=www)\.", re.ASCII | re.IGNORECASE)
_WORD_CHARACTER = re.compile(_WORD)
_REST_OF_LINK = re.compile(f"[!#-;=?-~{_BEYOND_ASCII}]*")
_PART_OF_ADDRESS = re.compile(f"{_WORD}+(?:[.+{APOSTROPHES}-]{_WORD}+)*")
_NAME = re.compile(f"{_WORD}+(?:[{APOSTROPHES}]{_WORD}+)*")
_PUNCTUATION = ".,:;!?'()[]{}"
CLAUSE_BREAK = ""
"""Among the tokens of a text, where a clause ends."""


@dataclass(frozen=True)
class Tokenizer:
    """Text in, tokens out; equal settings give equal tokens.

    `fold_accents=None` and `negation="auto"` follow the language; `language="auto"` lets `count` guess it from the
    first texts. `negation` may also be the code of another language, a `Negation`, or "none". `custom` replaces
    the rule; its tokens are lower-cased, and an empty one ends a clause. `letters` are replaced before anything else,
    in this order: `I` in Turkish, whose small letter is `ı`; other spellings of a letter where accents are folded.
    With `glob`, entries may have `?` for one letter and `*` inside a word (`colo?r`, `gre*t`); otherwise such entries
    are matched as they are written (`sh*t`). With `keep_links`, links, addresses and handles are words like others.

    >>> Tokenizer()("Don't PANIC: 42 naïve plans")
    ["don't", 'panic', 'naïve', 'plans']
    >>> Tokenizer("fr")("l'ami")
    ['l', 'ami']
    >>> Tokenizer("es")("El niño está aquí")
    ['el', 'niño', 'esta', 'aqui']
    >>> Tokenizer("de")("Großer SPASS"), Tokenizer("tr")("ILIK İyi")
    (['grosser', 'spass'], ['ılık', 'iyi'])
    >>> [Tokenizer(keep_links=keep)("@united #happy http://t.co") for keep in (False, True)]
    [['happy'], ['united', 'happy', 'http', 't', 'co']]
    """

    language: str = "en"
    fold_accents: bool | None = None
    custom: Callable[[str], Sequence[str]] | None = None
    negation: Negation | Mapping[str, Any] | str | bool | None = "auto"
    glob: bool = False
    keep_links: bool = False
    letters: tuple[tuple[str, str], ...] = field(default=(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.language not in (*LANGUAGES, "auto"):
            known = ", ".join(f"{code} ({language.name})" for code, language in LANGUAGES.items())
            raise ProblexError(f"language {self.language!r} is not known, expected one of: {known}")
        if self.custom is not None and not isinstance(self.custom, Hashable):
            raise ProblexError(f"the tokenizer {self.custom!r} cannot be hashed, expected a function of one text")
        for name in ("glob", "keep_links"):
            if not isinstance(value := getattr(self, name), bool):
                raise ProblexError(f"{name} is {value!r}, expected True or False")
        if self.language != "auto":  # else these wait until the language is known
            language = LANGUAGES[self.language]
            if self.fold_accents is None:
                object.__setattr__(self, "fold_accents", language.fold_accents)
            if language.letters or language.folded_letters:
                folded = language.folded_letters if self.fold_accents else ()
                object.__setattr__(self, "letters", language.letters + folded)
            by_language = self.negation is True or self.negation == "auto"
            object.__setattr__(self, "negation", language.negation if by_language else make_negation(self.negation))

    @property
    def name(self) -> str | None:
        """The name of a custom tokenizer, which a model file has instead of the function itself."""
        if self.custom is None:
            return None
        module = getattr(self.custom, "__module__", "")
        return f"{module}.{getattr(self.custom, '__qualname__', type(self.custom).__name__)}"

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What two tokenizers must share for their counts to be added."""
        negation = None
        if isinstance(self.negation, Negation):
            words = self.negation
            negation = {
                "negators": list(words.negators),
                "ends": list(words.ends),
                "scope": words.scope,
                "exceptions": list(words.exceptions),
            }
        return {
            "language": self.language,
            "fold_accents": self.fold_accents,
            "custom": None if self.custom is None else self.name,
            "negation": negation,
            "glob": self.glob,
            "keep_links": self.keep_links,
        }

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text, in order."""
        return [token for token in self.tokens_and_breaks(text) if token != CLAUSE_BREAK]

    def tokens_and_breaks(self, text: str) -> list[str]:
        """The tokens of a text, and `CLAUSE_BREAK` where a clause ends.

        >>> Tokenizer().tokens_and_breaks("Not good, bad")
        ['not', 'good', '', 'bad']
        """
        if self.custom is not None:
            return [str(token).lower() for token in self.custom(text)]
        return self.cut(self.prepare(text))

    def prepare(self, text: str) -> str:
        """A text as it is cut: with the letters of the language, and without links.

        >>> Tokenizer("tr").prepare("ILIK"), Tokenizer().prepare("ILIK"), Tokenizer(keep_links=True).prepare("@me")
        ('ıLıK', 'ILIK', '@me')
        """
        for written, letters in self.letters:
            text = text.replace(written, letters)
        return text if self.keep_links else blank_links(text)

    def cut(self, text: str) -> list[str]:
        """The tokens and clause breaks of a prepared text, or of a part of one.

        >>> Tokenizer().cut("Don't! 2nd 'try'"), Tokenizer("fr").cut("l'été")
        (["don't", '', 'nd', 'try'], ['l', 'été'])
        """
        language = LANGUAGES.get(self.language)
        if language is None:
            raise ProblexError(AUTO_UNRESOLVED)
        if text.isascii():
            pattern = _WITH_APOSTROPHES if language.apostrophe_joins else _LETTERS
            return [CLAUSE_BREAK if token in CLAUSE_ENDS else token for token in pattern.findall(text.lower())]
        if not unicodedata.is_normalized("NFC", text):
            text = unicodedata.normalize("NFC", text)
        keep = language.keep_accents if self.fold_accents else None
        tokens: list[str] = []
        for word in text.translate(_LETTERS_ONLY).split():
            if word == _CLAUSE_END:
                tokens.append(CLAUSE_BREAK)
            else:
                tokens += [lower_token(token, keep) for token in _split(word, language.apostrophe_joins)]
        return tokens


def blank_links(text: str) -> str:
    r"""A text with NUL for every character of a link, an address or a handle: no token and no literal has that.

    >>> texts = ("See http://x.y.", "@me: a@b, c@d.e", "@ home", "看www.x.y好")
    >>> [blank_links(text).replace("\0", "_") for text in texts]
    ['See __________.', '___: a@b, _____', '@ home', '看_______好']
    """
    done, parts = 0, list[str]()  # up to where the text is in the parts
    sign = _SIGN.search(text)
    while sign is not None:
        start, end = _link_at(text, sign, done)
        if start < end:
            parts += [text[done:start], "\0" * (end - start)]
            done = end
        sign = _SIGN.search(text, max(end, sign.end()))
    return "".join([*parts, text[done:]]) if parts else text


def _link_at(text: str, sign: re.Match[str], done: int) -> tuple[int, int]:
    """The start and end of what a sign is part of, without what is before `done`; the same number twice if nothing."""
    at, behind = sign.span()
    if sign[0] == "@":
        is_handle = not _is_word_character(text, at - 1)
        match = (_NAME if is_handle else _PART_OF_ADDRESS).match(text, behind)
        if match is None or not (is_handle or "." in match[0]):
            return at, at
        before = None if is_handle else _PART_OF_ADDRESS.match(text[done:at][::-1])
        return at - (len(before[0]) if before else 0), match.end()
    if sign[0] == ".":
        if _is_word_character(text, at - 4) or not _is_word_character(text, behind):
            return at, at
        start = at - 3
    else:
        start = at - (5 if text[at - 1] in "sS" else 4)
    rest = _REST_OF_LINK.match(text, behind)
    return max(start, done), behind + (len(rest[0].rstrip(_PUNCTUATION)) if rest else 0)


def _is_word_character(text: str, at: int) -> bool:
    return 0 <= at < len(text) and _WORD_CHARACTER.match(text, at) is not None


AUTO_UNRESOLVED = (
    'the language "auto" was given where there are no texts to guess it from, expected a language such as "en": name '
    "it, or let count guess it"
)


def make_negation(value: Negation | Mapping[str, Any] | str | bool | None) -> Negation | None:
    """The negation that a setting stands for: None or "none" is none, a code that of a language, a mapping its fields.

    >>> make_negation("de").negators[:2], make_negation("none"), make_negation({"negators": ["not"]}).scope
    (('kaum', 'kein'), None, 4)
    """
    if value is None or value is False or value == "none":
        return None
    if isinstance(value, Negation):
        return value
    if isinstance(value, Mapping):
        groups = {name: tuple(value.get(name, ())) for name in ("negators", "ends", "exceptions")}
        return Negation(**{**value, **groups})
    if value in NEGATIONS:
        return NEGATIONS[str(value)]
    known = ", ".join(["auto", "none", *NEGATIONS])
    raise ProblexError(f"{was_given('negation', value)}, expected one of {known}, or a Negation of your own words")


_ENDS = "[" + re.escape("".join(sorted(character for character in CLAUSE_ENDS if character.isascii()))) + "]"
_WITH_APOSTROPHES = re.compile("[a-z]+(?:'[a-z]+)*|" + _ENDS)
_LETTERS = re.compile("[a-z]+|" + _ENDS)
_CLAUSE_END = "."


class _LettersOnly(dict[int, str]):
    """A table for `str.translate`, filled on demand: letters, marks and ends of clauses stay."""

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
    """Split letters, marks and apostrophes into tokens: each begins and ends with a letter or mark.

    >>> _split("rock'n'roll'", True), _split("rock'n'roll'", False), _split("a''b", True)
    (["rock'n'roll"], ['rock', 'n', 'roll'], ['a', 'b'])
    """
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
def lower_token(token: str, keep: str | None) -> str:
    """A token in lower case, and without accents except of the letters in `keep`; None keeps all.

    >>> lower_token("CAÑÓN", "ñ"), lower_token("CAÑÓN", None)
    ('cañon', 'cañón')
    """
    token = token.lower()
    return token if keep is None or token.isascii() else fold_accents(token, keep)


def fold_accents(word: str, keep: str = "") -> str:
    """Remove the marks of letters, except of those in `keep`.

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
