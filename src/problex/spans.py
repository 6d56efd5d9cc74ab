"""Where the words of a text stand: the compiled counter says how many, this says where, for one text at a time."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from problex.items import Items
from problex.tokens import APOSTROPHES, LANGUAGES, Tokenizer, fold_accents

NEGATION = "NOT "
"""What the name of a negated item begins with; tokens are in lower case, so no word of a text can."""


@dataclass(frozen=True)
class Token:
    """A token and the characters of the text that it was made of; None where they could not be found."""

    text: str
    start: int | None
    end: int | None


@dataclass(frozen=True)
class Match:
    """An item that was counted: its name, the tokens it took (from `first` up to `last`), and its characters."""

    item: str
    first: int
    last: int
    start: int | None
    end: int | None

    @property
    def negated(self) -> bool:
        """Whether the item stands for a word in the scope of a negator."""
        return self.item.startswith(NEGATION)

    @property
    def phrase(self) -> bool:
        """Whether the item took several tokens."""
        return self.last - self.first > 1


def matches(text: str, items: Items, tokenizer: Tokenizer) -> list[Match]:
    """Every item of a text, words outside the lexicon included, in order: what `tabulate` counts, with its place.

    >>> from problex.items import items_of
    >>> from problex.lexicon import Lexicon
    >>> items = items_of(Lexicon({"a": ["well made"], "b": ["bad"]}), Tokenizer())
    >>> [(match.item, match.start, match.end) for match in matches("Well-made, not BAD", items, Tokenizer())]
    [('well made', 0, 9), ('not', 11, 14), ('bad', 15, 18)]
    """
    tokens = locate(text, tokenizer)
    found = []
    for item, first, last in item_spans(items, [token.text for token in tokens]):
        starts = [token.start for token in tokens[first:last] if token.start is not None]
        ends = [token.end for token in tokens[first:last] if token.end is not None]
        found.append(Match(item, first, last, min(starts, default=None), max(ends, default=None)))
    return found


def item_spans(items: Items, tokens: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Each item that `Items.match` makes of tokens, with the first token that it took and the one after its last.

    The items themselves say what they took: their words, joined by blanks.
    """
    at = 0
    for item in items.match(tokens):
        words, last = item.removeprefix(NEGATION), at + 1
        while " ".join(tokens[at:last]) != words:
            last += 1
            assert last <= len(tokens), f"{item!r} is not made of tokens"
        yield item, at, last
        at = last


def locate(text: str, tokenizer: Tokenizer) -> list[Token]:
    """The tokens of a text with their places.

    Every letter of a text belongs to a token, so each token begins at the first letter after the one before it: it is
    enough to search. Tokens of a custom tokenizer are searched in the same way; those that it changed (stems) are not
    found.

    >>> locate("Don’t!", Tokenizer())
    [Token(text="don't", start=0, end=5)]
    """
    tokens = tokenizer(text)
    letters, origins = _as_in_tokens(text, tokenizer)
    found, position = [], 0
    for token in tokens:
        word = token.replace("ς", "σ")
        at = letters.find(word, position) if word else -1
        if at < 0:
            found.append(Token(token, None, None))
            continue
        position = at + len(word)
        found.append(Token(token, origins[at][0], origins[position - 1][1]))
    return found


def _as_in_tokens(text: str, tokenizer: Tokenizer) -> tuple[str, list[tuple[int, int]]]:
    """The characters of a text as tokens hold them, and where each came from."""
    folds = tokenizer.folds and tokenizer.custom is None
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
