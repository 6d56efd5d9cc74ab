"""Where the words of a text stand: the compiled counter says how many, this says where, for one text at a time.

What is matched is decided by `matching` alone; here the pieces that it speaks of get their places.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from problex.matching.items import Items
from problex.matching.negation import NEGATED
from problex.matching.reference import literal_pattern, matches, pieces_of
from problex.matching.tokens import APOSTROPHES, CLAUSE, LANGUAGES, Tokenizer, fold_accents

Place = tuple[int, int] | None
"""The characters of a piece, from the first to before the last; None where they could not be found."""


@dataclass(frozen=True)
class Found:
    """A word or item of a text and where it stands; a phrase took several words."""

    item: str
    place: Place
    phrase: bool

    @property
    def negated(self) -> bool:
        """Whether the item stands for a word in the scope of a negator."""
        return self.item.startswith(NEGATED)


def find(text: str, items: Items, tokenizer: Tokenizer) -> list[Found]:
    """Every item of a text, words outside the lexicon included, in order: what `tabulate` counts, with its place.

    >>> from problex.matching.items import items_of
    >>> from problex.lexicon.lexicon import Lexicon
    >>> items = items_of(Lexicon({"a": ["well made", ":-)"], "b": ["bad"]}), Tokenizer())
    >>> [(found.item, found.place) for found in find("Well-made, not BAD :-)", items, Tokenizer())]
    [('well made', (0, 9)), ('not', (11, 14)), ('NOT bad', (15, 18)), (':-)', (19, 22))]
    """
    pieces, _ = pieces_of(text, items, tokenizer)
    places = locate(text, items, tokenizer)
    found = []
    for match in matches(text, items, tokenizer):
        inside = [place for place in places[match.first : match.end] if place is not None]
        words = sum(piece != CLAUSE for piece in pieces[match.first : match.end])
        place = (min(start for start, _ in inside), max(end for _, end in inside)) if inside else None
        found.append(Found(match.name, place, words > 1))
    return found


def locate(text: str, items: Items, tokenizer: Tokenizer) -> list[Place]:
    """The places of the pieces that `pieces_of` makes of a text; ends of clauses have none."""
    pattern = literal_pattern(items.literals)
    if pattern is None or tokenizer.custom is not None:
        return _search(text, 0, tokenizer)
    places: list[Place] = []
    at = 0
    for literal in pattern.finditer(text):
        places += [*_search(text[at : literal.start()], at, tokenizer), None, literal.span(), None]
        at = literal.end()
    return places + _search(text[at:], at, tokenizer)


def _search(text: str, offset: int, tokenizer: Tokenizer) -> list[Place]:
    """Every letter belongs to a token, so each begins at the first letter after the one before: it is enough to search.

    The tokens of a custom tokenizer are searched in the same way; those that it changed (stems) are not found.
    """
    letters, origins = _as_in_tokens(text, tokenizer)
    places: list[Place] = []
    position = 0
    for token in tokenizer.pieces(text):
        word = token.replace("ς", "σ")
        at = letters.find(word, position) if word else -1
        if at < 0:
            places.append(None)
            continue
        position = at + len(word)
        places.append((origins[at][0] + offset, origins[position - 1][1] + offset))
    return places


def _as_in_tokens(text: str, tokenizer: Tokenizer) -> tuple[str, list[tuple[int, int]]]:
    """The characters of a text as tokens hold them, and where each came from."""
    folds = tokenizer.fold_accents and tokenizer.custom is None
    keep = LANGUAGES[tokenizer.language].keep_accents
    letters: list[str] = []
    origins: list[tuple[int, int]] = []
    for start, end in _composed(text) if tokenizer.custom is None else ((at, at + 1) for at in range(len(text))):
        for character in unicodedata.normalize("NFC", text[start:end]) if tokenizer.custom is None else text[start]:
            lowered = APOSTROPHES[0] if character in APOSTROPHES else character.lower()
            if folds and not lowered.isascii():
                lowered = fold_accents(lowered, keep)
            # Which sigma a word ends with depends on the word, and here there are only characters.
            letters.extend(lowered.replace("ς", "σ"))
            origins.extend([(start, end)] * len(lowered))
    return "".join(letters), origins


def _composed(text: str) -> Iterator[tuple[int, int]]:
    """Cut a text into the smallest pieces that can be put into normal form C one by one."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or text[at].isascii() or _stands_alone(text[start:at], text[at]):
            yield start, at
            start = at


def _stands_alone(before: str, character: str) -> bool:
    if unicodedata.combining(character):
        return False
    whole = unicodedata.normalize("NFC", before + character)
    return whole == unicodedata.normalize("NFC", before) + unicodedata.normalize("NFC", character)
