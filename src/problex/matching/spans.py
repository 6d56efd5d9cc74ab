"""Where the words and items of a text are: the compiled counter only counts them, this gives their characters.

What matches is decided by `reference` alone; here its tokens get their positions in the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from problex.matching.items import Items
from problex.matching.languages import LANGUAGES
from problex.matching.links import APOSTROPHES
from problex.matching.negation import NEGATED
from problex.matching.reference import find_matches, literal_pattern, split_part, split_text
from problex.matching.tokens import CLAUSE_BREAK, Tokenizer, fold_accents

Position = tuple[int, int] | None
"""Start and end of a token in the text; None where it could not be found."""


@dataclass(frozen=True)
class LocatedMatch:
    """A word or item of a text and its position; `phrase` is whether it has several words."""

    item: str
    position: Position
    phrase: bool

    @property
    def negated(self) -> bool:
        """Whether it is in the scope of a negator."""
        return self.item.startswith(NEGATED)


def locate_matches(text: str, items: Items, tokenizer: Tokenizer) -> list[LocatedMatch]:
    """Every word and item of a text in order, words outside the lexicon included, with their positions.

    >>> from problex.matching.items import items_of
    >>> from problex.lexicon.lexicon import Lexicon
    >>> items = items_of(Lexicon({"a": ["well made", ":-)"], "b": ["bad"]}), Tokenizer())
    >>> [(match.item, match.position) for match in locate_matches("Well-made, not BAD :-)", items, Tokenizer())]
    [('well made', (0, 9)), ('not', (11, 14)), ('NOT bad', (15, 18)), (':-)', (19, 22))]
    """
    tokens, _ = split_text(text, items, tokenizer)
    positions = locate_tokens(text, items, tokenizer)
    located = []
    for match in find_matches(text, items, tokenizer):
        parts = [position for position in positions[match.first : match.end] if position is not None]
        words = sum(token != CLAUSE_BREAK for token in tokens[match.first : match.end])
        position = (min(start for start, _ in parts), max(end for _, end in parts)) if parts else None
        located.append(LocatedMatch(match.name, position, words > 1))
    return located


def locate_tokens(text: str, items: Items, tokenizer: Tokenizer) -> list[Position]:
    """The positions of the tokens that `split_text` gives; clause breaks have none."""
    pattern = literal_pattern(items)
    if tokenizer.custom is not None:
        return _search_tokens(text, 0, items, tokenizer)
    written, places = _respelled(text, tokenizer)
    positions: list[Position] = []
    at = 0
    for literal in pattern.finditer(written) if pattern is not None else ():
        part = _search_tokens(written[at : literal.start()], at, items, tokenizer)
        positions += [*part, None, literal.span(), None]
        at = literal.end()
    positions += _search_tokens(written[at:], at, items, tokenizer)
    return [None if one is None else (places[one[0]][0], places[one[1] - 1][1]) for one in positions]


def _respelled(text: str, tokenizer: Tokenizer) -> tuple[str, Sequence[tuple[int, int]]]:
    """A text as its tokenizer prepares it, and the position in the text of each character."""
    places = [(at, at + 1) for at in range(len(text))]
    for written, letters in tokenizer.letters:
        while (at := text.find(written)) >= 0:
            end = at + len(written)
            text = text[:at] + letters + text[end:]
            places[at:end] = [(places[at][0], places[end - 1][1])] * len(letters)
    return tokenizer.prepare(text), places


def _search_tokens(text: str, offset: int, items: Items, tokenizer: Tokenizer) -> list[Position]:
    """Search each token after the one before: every letter belongs to a token, so the first hit is the right one.

    The tokens of a custom tokenizer are searched in the same way; those that it changed (stems) have no position.
    """
    letters, origins = _as_in_tokens(text, tokenizer)
    positions: list[Position] = []
    start = 0
    tokens = tokenizer.tokens_and_breaks(text) if tokenizer.custom is not None else split_part(text, items, tokenizer)
    for token in tokens:
        word = token.replace("ς", "σ")
        at = letters.find(word, start) if word else -1
        if at < 0:
            positions.append(None)
            continue
        start = at + len(word)
        positions.append((origins[at][0] + offset, origins[start - 1][1] + offset))
    return positions


def _as_in_tokens(text: str, tokenizer: Tokenizer) -> tuple[str, list[tuple[int, int]]]:
    """The characters of a text as tokens have them, and the position in the text of each."""
    folds = tokenizer.fold_accents and tokenizer.custom is None
    keep = LANGUAGES[tokenizer.language].keep_accents
    letters: list[str] = []
    origins: list[tuple[int, int]] = []
    for start, end in _composed(text) if tokenizer.custom is None else ((at, at + 1) for at in range(len(text))):
        for character in unicodedata.normalize("NFC", text[start:end]) if tokenizer.custom is None else text[start]:
            lowered = APOSTROPHES[0] if character in APOSTROPHES else character.lower()
            if folds and not lowered.isascii():
                lowered = fold_accents(lowered, keep)
            # Which sigma a word ends with depends on the word, and here there are only characters
            letters.extend(lowered.replace("ς", "σ"))
            origins.extend([(start, end)] * len(lowered))
    return "".join(letters), origins


def _composed(text: str) -> Iterator[tuple[int, int]]:
    """Cut a text into the smallest parts that can be put into normal form C one by one."""
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


def text_around(text: str, position: tuple[int, int], width: int) -> tuple[str, str, str]:
    """About `width` characters before a position, what is there, and as much after it, in one line.

    >>> text_around("Believe me, it is a Rip-Off, all in all.", (20, 27), width=8)
    ('… is a ', 'Rip-Off', ', all …')
    """
    start, end = position
    # the bar keeps the blank next to the keyword, which split would drop
    left = " ".join(f"{text[max(start - 4 * width, 0) : start]}|".split())[:-1]
    right = " ".join(f"|{text[end : end + 4 * width]}".split())[1:]
    if len(left) > width:
        left = "… " + left[-width:].partition(" ")[2]
    if len(right) > width:
        right = right[:width].rpartition(" ")[0] + " …"
    return left, " ".join(text[start:end].split()), right
