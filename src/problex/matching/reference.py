"""The reference implementation of matching, in plain Python: which words and items a text has, and where.

The compiled counter must give the same matches, and is tested against this. It is also used for custom tokenizers, and
where the position of an item in the text is needed. Both cut texts that `prepare_texts` has prepared, in the few
languages that need it: letters that a language writes in two ways are written in one (`Tokenizer.letters`), and text
without spaces is segmented.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pyarrow as pa

from problex._util.arrow import pc
from problex.matching.items import Items
from problex.matching.languages import LANGUAGES
from problex.matching.negation import NEGATED
from problex.matching.segmentation import segment, segment_all
from problex.matching.tokens import APOSTROPHES, CLAUSE_BREAK, Tokenizer, fold_accents

Trie = dict[str, object]
"""A word leads to another trie; the empty string to the phrase that ends here."""
Position = tuple[int, int] | None
"""Start and end of a token in the text; None where it could not be found."""


@dataclass(frozen=True)
class Match:
    """A word or item of a text, and its tokens (breaks included): from number `first` to before `end`."""

    name: str
    first: int
    end: int


@lru_cache(maxsize=16)
def literal_pattern(items: Items) -> re.Pattern[str] | None:
    """A pattern of all literals, the longest first; an edge that is a letter or digit must be the edge of a word.

    >>> from problex.lexicon.lexicon import Lexicon
    >>> from problex.matching.items import items_of
    >>> items = items_of(Lexicon({"up": ["a+", ":-)"], "down": ["bad"]}), Tokenizer())
    >>> literal_pattern(items).findall("A+ or ca+ :-)) or ca-a+")
    ['A+', ':-)', 'a+']
    """
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
    """A text with its ASCII letters in lower case; others stay, as in the kernel.

    >>> _ascii_lower("A+ ÉTÉ")
    'a+ ÉtÉ'
    """
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

    >>> from problex.lexicon.lexicon import Lexicon
    >>> from problex.matching.items import items_of
    >>> items = items_of(Lexicon({"up": ["good"], "down": ["bad"]}), Tokenizer())
    >>> matches = find_matches("not a b c good, not a b c d good, not so; good", items, Tokenizer())
    >>> " ".join(match.name for match in matches)
    'not a b c NOT good not a b c d good not so good'
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


def prepare_texts(texts: pa.Array, items: Items, tokenizer: Tokenizer) -> pa.Array:
    """Texts as they are counted; prepared texts stay as they are.

    >>> from problex.lexicon.lexicon import Lexicon
    >>> from problex.matching.items import items_of
    >>> items = items_of(Lexicon({"a": ["ILIK"], "b": ["İyi"]}), Tokenizer("tr"))
    >>> prepare_texts(pa.array(["ILIK mı, İyi mi?"]), items, Tokenizer("tr")).to_pylist()
    ['ıLıK mı, iyi mi?']
    """
    if tokenizer.custom is not None:
        return texts
    for written, letters in tokenizer.letters:
        texts = pc.replace_substring(texts, written, letters)
    if not items.segmented:
        return texts
    return pa.array(_segment_around_literals(list(map(tokenizer.prepare, texts.to_pylist())), items), texts.type)


def _segment_around_literals(texts: list[str], items: Items) -> list[str]:
    """Segment texts, but not the literals in them."""
    pattern = literal_pattern(items)
    if pattern is None:
        return segment_all(texts)
    literals = [pattern.findall(text) for text in texts]
    parts = iter(segment_all([part for text in texts for part in pattern.split(text)]))
    return ["".join([*(next(parts) + one for one in matched), next(parts)]) for matched in literals]


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
    r"""A text as its tokenizer prepares it, and the position in the text of each character.

    >>> _respelled("I\u0307yi", Tokenizer("tr"))
    ('iyi', [(0, 2), (2, 3), (3, 4)])
    """
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
    r"""Cut a text into the smallest parts that can be put into normal form C one by one.

    >>> list(_composed("cafe\u0301s"))
    [(0, 1), (1, 2), (2, 3), (3, 5), (5, 6)]
    """
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
