"""The reference implementation of matching, in plain Python: which words and items a text has.

The compiled counter must give the same matches, and is tested against this. It is also used for custom tokenizers, and
where the position of an item in the text is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from problex.matching.items import Items
from problex.matching.negation import NEGATED
from problex.matching.segmentation import segment
from problex.matching.tokens import CLAUSE_BREAK, Tokenizer

Trie = dict[str, object]
"""A word leads to another trie; the empty string to the phrase that ends here."""


@dataclass(frozen=True)
class Match:
    """A word or item of a text, and its tokens (breaks included): from number `first` to before `end`."""

    name: str
    first: int
    end: int


@lru_cache(maxsize=16)
def literal_pattern(items: Items) -> re.Pattern[str] | None:
    """A pattern of all literals, the longest first; an edge that is a letter or digit must be the edge of a word."""
    if not items.literals:
        return None
    # ASCII letters and digits, and all beyond ASCII; by what it is not, because Python is slow with large classes.
    other = r"[^\x00-/:-@\[-`{-\x7f]"
    parts = []
    for literal in sorted(items.literals, key=lambda one: (-len(one.encode()), one)):
        before = f"(?<!{other})" if literal[0].isascii() and literal[0].isalnum() else ""
        after = f"(?!{other})" if literal[-1].isascii() and literal[-1].isalnum() else ""
        parts.append(before + re.escape(literal) + after)
    return re.compile("|".join(parts), re.ASCII | re.IGNORECASE)


def split_text(text: str, items: Items, tokenizer: Tokenizer) -> tuple[list[str], set[int]]:
    """The tokens and clause breaks of a text, and which of them are literals: each is a clause of its own."""
    if tokenizer.custom is not None:
        return tokenizer.tokens_and_breaks(text), set()
    text = tokenizer.prepare(text)
    pattern = literal_pattern(items)
    if pattern is None:
        return split_part(text, items, tokenizer), set()
    tokens: list[str] = []
    literals: set[int] = set()
    at = 0
    for literal in pattern.finditer(text):
        tokens += [*split_part(text[at : literal.start()], items, tokenizer), CLAUSE_BREAK]
        literals.add(len(tokens))
        tokens += [_ascii_lower(literal[0]), CLAUSE_BREAK]
        at = literal.end()
    return tokens + split_part(text[at:], items, tokenizer), literals


def split_part(text: str, items: Items, tokenizer: Tokenizer) -> list[str]:
    """The tokens and clause breaks of a prepared text, or of a part of one, without literals."""
    return tokenizer.cut(segment(text) if items.segmented else text)


def _ascii_lower(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)


def find_matches(text: str, items: Items, tokenizer: Tokenizer) -> list[Match]:
    """The words and items of a text, in order: phrases joined (the longest wins), negated items renamed.

    >>> from problex.lexicon.lexicon import Lexicon
    >>> from problex.matching.items import items_of
    >>> items = items_of(Lexicon({"positive": ["good"], "negative": ["no good", "bad*"]}), Tokenizer())
    >>> [match.name for match in find_matches("No good; not a good, badly made", items, Tokenizer())]
    ['no good', 'not', 'a', 'NOT good', 'badly', 'made']
    """
    tokens, literals = split_text(text, items, tokenizer)
    return list(negate(join_phrases(tokens, literals, items), tokens, items))


def join_phrases(tokens: Sequence[str], literals: set[int], items: Items) -> Iterator[Match]:
    """Each token, or the longest phrase that begins with it; a phrase may contain clause breaks."""
    places = [at for at, token in enumerate(tokens) if token != CLAUSE_BREAK]
    at = 0
    while at < len(places):
        name, size = tokens[places[at]], 1
        node: Trie = _trie(items)
        for further in range(at, len(places)):
            here = places[further]
            node = {} if here in literals else _step(node, tokens[here], items)
            if not node:
                break
            if isinstance(phrase := node.get(""), str):
                name, size = phrase, further - at + 1
        yield Match(name, places[at], places[at + size - 1] + 1)
        at += size


def _step(node: Trie, word: str, items: Items) -> Trie:
    """The node after one more word: the word itself, else the most specific pattern that it matches."""
    if word not in node:
        wildcard = items.phrase_wildcard(word)
        word = wildcard.pattern if wildcard is not None else word
    following = node.get(word, {})
    return following if isinstance(following, dict) else {}


@lru_cache(maxsize=16)
def _trie(items: Items) -> Trie:
    root: Trie = {}
    for phrase in items.phrases:
        node = root
        for word in phrase:
            node = node.setdefault(word, {})  # type: ignore[assignment]
        node[""] = " ".join(phrase)
    return root


def negate(matches: Iterator[Match], tokens: Sequence[str], items: Items) -> Iterator[Match]:
    """Rename the items within the scope of a negator.

    The scope is a number of words and items after the negator. It ends earlier at a clause break, also at one inside a
    phrase, and at the words that end it.
    """
    negation = items.negation
    left, last = 0, 0
    for match in matches:
        if negation is None:
            yield match
            continue
        if CLAUSE_BREAK in tokens[last : match.first] or match.name in negation.ends:
            left = 0
        last = match.end
        negates = match.name in negation.negators
        if left:
            left = 0 if CLAUSE_BREAK in tokens[match.first : match.end] else left - 1
            if items.find(match.name) is not None:
                match = Match(NEGATED + match.name, match.first, match.end)
        if negates:
            left = negation.scope
        yield match
