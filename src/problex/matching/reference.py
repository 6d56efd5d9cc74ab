"""Which items a text has, in plain Python: the definition that the compiled counter is compared with.

It serves tokenizers of one's own, and whoever needs to know where an item stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from problex.matching.items import Items
from problex.matching.negation import NEGATED
from problex.matching.tokens import CLAUSE, Tokenizer

Trie = dict[str, object]
"""A word leads to another trie; the empty string to the phrase that ends here."""


@dataclass(frozen=True)
class Match:
    """A word or item, and the pieces of the text that it stands for: from `first` to before `end`."""

    name: str
    first: int
    end: int


@lru_cache(maxsize=16)
def literal_pattern(literals: tuple[str, ...]) -> re.Pattern[str] | None:
    """Literals as they are, the longest first; an edge that is a letter or digit must be the edge of a word, too."""
    if not literals:
        return None
    other = "[0-9A-Za-z\u0080-\U0010ffff]"
    parts = []
    for literal in sorted(literals, key=lambda one: (-len(one.encode()), one)):
        before = f"(?<!{other})" if literal[0].isascii() and literal[0].isalnum() else ""
        after = f"(?!{other})" if literal[-1].isascii() and literal[-1].isalnum() else ""
        parts.append(before + re.escape(literal) + after)
    return re.compile("|".join(parts), re.ASCII | re.IGNORECASE)


def pieces_of(text: str, items: Items, tokenizer: Tokenizer) -> tuple[list[str], set[int]]:
    """The tokens and ends of clauses of a text, and which of them are literals: each a clause of its own."""
    pattern = literal_pattern(items.literals)
    if pattern is None or tokenizer.custom is not None:
        return tokenizer.pieces(text), set()
    pieces: list[str] = []
    literals: set[int] = set()
    at = 0
    for found in pattern.finditer(text):
        pieces += [*tokenizer.pieces(text[at : found.start()]), CLAUSE]
        literals.add(len(pieces))
        pieces += [_ascii_lower(found[0]), CLAUSE]
        at = found.end()
    return pieces + tokenizer.pieces(text[at:]), literals


def _ascii_lower(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)


def matches(text: str, items: Items, tokenizer: Tokenizer) -> list[Match]:
    """The words and items of a text, in order: phrases joined (the longest wins), negated items renamed.

    >>> from problex.lexicon.lexicon import Lexicon
    >>> from problex.matching.items import items_of
    >>> items = items_of(Lexicon({"positive": ["good"], "negative": ["no good", "bad*"]}), Tokenizer())
    >>> [match.name for match in matches("No good; not a good, badly made", items, Tokenizer())]
    ['no good', 'not', 'a', 'NOT good', 'badly', 'made']
    """
    pieces, literals = pieces_of(text, items, tokenizer)
    return list(negate(join_phrases(pieces, literals, items), pieces, items))


def join_phrases(pieces: Sequence[str], literals: set[int], items: Items) -> Iterator[Match]:
    """Each token, or the longest phrase that begins with it; ends of clauses do not part the words of a phrase."""
    places = [at for at, piece in enumerate(pieces) if piece != CLAUSE]
    at = 0
    while at < len(places):
        name, size = pieces[places[at]], 1
        node: Trie = _trie(items.phrases)
        for further in range(at, len(places)):
            here = places[further]
            node = {} if here in literals else _step(node, pieces[here], items)
            if not node:
                break
            if isinstance(phrase := node.get(""), str):
                name, size = phrase, further - at + 1
        yield Match(name, places[at], places[at + size - 1] + 1)
        at += size


def _step(node: Trie, word: str, items: Items) -> Trie:
    """One word further: as itself, else as the most specific pattern that it matches."""
    if word not in node:
        word = next((one.pattern for one in items.classes if one.matches(word)), word)
    found = node.get(word, {})
    return found if isinstance(found, dict) else {}


@lru_cache(maxsize=16)
def _trie(phrases: tuple[tuple[str, ...], ...]) -> Trie:
    root: Trie = {}
    for phrase in phrases:
        node = root
        for word in phrase:
            node = node.setdefault(word, {})  # type: ignore[assignment]
        node[""] = " ".join(phrase)
    return root


def negate(found: Iterator[Match], pieces: Sequence[str], items: Items) -> Iterator[Match]:
    """Rename the items within the scope of a negator, which the end of a clause and some words cut short."""
    negation = items.negation
    left, last = 0, 0
    for match in found:
        if negation is None:
            yield match
            continue
        if CLAUSE in pieces[last : match.first] or match.name in negation.ends:
            left = 0
        last = match.end
        negates = match.name in negation.negators
        if left:
            left = 0 if CLAUSE in pieces[match.first : match.end] else left - 1
            if items.find(match.name) is not None:
                match = Match(NEGATED + match.name, match.first, match.end)
        if negates:
            left = negation.scope
        yield match
