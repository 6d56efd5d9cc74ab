"""Keyword in context: every occurrence of an entry in an indexed corpus, page by page, in a chosen order.

Words are found fast: a character of the text is a character of the tokens, with few exceptions, which are left to the
reference matcher.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from problex._util.arrays import FloatArray, IntArray
from problex._util.formatting import pluralize
from problex.errors import ProblexError, check_choice
from problex.index.word_index import WordIndex
from problex.matching.characters import APOSTROPHE, MARK, SLOW, character_value
from problex.matching.items import Items, has_wildcard, item_of
from problex.matching.languages import LANGUAGES
from problex.matching.negation import NEGATED
from problex.matching.reference import locate_matches, text_around
from problex.matching.segmentation import UNSPACED
from problex.matching.tokens import APOSTROPHES, Tokenizer, blank_links
from problex.matching.wildcards import Wildcard

WIDTH = 40
"""Characters on either side of the keyword."""
WORDS_COMPARED = 5
"""Words next to the keyword by which lines are ordered."""
_WORD = re.compile(r"[^\W\d_]+")
ORDERS = ("row", "score", "left", "right")
"""The orders of lines: by document, by score of the document, by the words before and by those after the keyword."""
UNKNOWN = "\ue000"
"""Stands for a character whose letters depend on others: a text with one is left to the reference matcher."""
LAST_ALPHABET = 0x590
"""Letters below are those of Latin, Greek, Cyrillic and Armenian; texts in other scripts are left to it, too."""


@dataclass(frozen=True)
class KeywordLine:
    """An occurrence of an entry: its document (from 0), its characters there, and the text around them.

    `start` and `end` are None where a custom tokenizer changed the word, so that it cannot be found in the text.
    """

    row: int
    start: int | None
    end: int | None
    left: str
    keyword: str
    right: str
    negated: bool


@dataclass(frozen=True)
class KeywordPage:
    """The lines from number `first` on, of `total` occurrences in `documents` documents; `negated` are negated."""

    total: int
    negated: int
    documents: int
    first: int
    lines: tuple[KeywordLine, ...]


class _Occurrence(NamedTuple):
    """An occurrence before its line is made; `negated` is None where the document has both kinds."""

    row: int
    position: tuple[int, int] | None
    negated: bool | None
    text: str

    def words(self, side: str) -> list[str]:
        """The words on a side of the keyword, the nearest first.

        >>> occurrence = _Occurrence(0, (13, 17), None, "It was not a good film.")
        >>> occurrence.words("left"), occurrence.words("right")
        (['a', 'not', 'was', 'it'], ['film'])
        """
        if self.position is None:
            return []
        start, end = self.position
        width = 20 * WORDS_COMPARED
        if side == "right":
            return _WORD.findall(self.text[end : end + width].lower())[:WORDS_COMPARED]
        return _WORD.findall(self.text[max(start - width, 0) : start].lower())[: -WORDS_COMPARED - 1 : -1]


def keyword_lines(
    texts: pa.Array,
    index: WordIndex,
    entry: str,
    *,
    order: str = "row",
    reverse: bool = False,
    first: int = 0,
    number: int = 50,
    scores: FloatArray | None = None,
    width: int = WIDTH,
) -> KeywordPage:
    """A page of the occurrences of an entry: any word, phrase or literal of the corpus, a wildcard, or `NOT word`.

    `texts` are those of the index. `scores` has a number per document, for `order="score"`, the smallest first.
    Only the order by `left` or `right` has to look at all documents with the entry.

    >>> from problex import Lexicon
    >>> texts = pa.array(["Not a good film.", "A good day", "so good, good!"])
    >>> corpus = WordIndex.of(texts, Lexicon({"up": ["good"], "down": ["bad"]}))
    >>> page = keyword_lines(texts, corpus, "good", order="left", number=2)
    >>> page.total, page.negated, page.documents
    (4, 1, 3)
    >>> [(line.row, line.left + "|" + line.keyword + "|" + line.right, line.negated) for line in page.lines]
    [(1, 'A |good| day', False), (0, 'Not a |good| film.', True)]
    """
    check_choice("order", order, ORDERS)
    size = len(index.lengths)
    for what, values in (("text", texts), ("score", scores)):
        if values is not None and len(values) != size:
            given, have = pluralize(len(values), what), pluralize(size, "text")
            raise ProblexError(f"{given} and a corpus of {have} were given, expected one {what} per text of the index")
    if order == "score" and scores is None:
        raise ProblexError('order="score" was given without scores, expected scores=... with a number per document')
    search = _Search.of(index, entry)
    occurrences = search.negated if search.only_negated else search.plain + search.negated
    rows = np.flatnonzero(occurrences)
    if order in ("left", "right"):
        result = _sorted_occurrences(search.occurrences(texts, rows), order, reverse)[first : first + number]
    else:
        rows = _sorted_rows(rows, scores if order == "score" else None, reverse)
        ends = np.cumsum(occurrences[rows])
        begin, end = np.searchsorted(ends, first, side="right"), np.searchsorted(ends, first + number, side="left") + 1
        skipped = first - (int(ends[begin - 1]) if begin else 0)
        result = list(search.occurrences(texts, rows[begin:end]))[skipped : skipped + number]
    lines = tuple(_line(occurrence, width) for occurrence in search.resolved(result))
    return KeywordPage(int(occurrences.sum()), int(search.negated.sum()), len(rows), first, lines)


def _sorted_rows(rows: IntArray, scores: FloatArray | None, reverse: bool) -> IntArray:
    values = rows if scores is None else np.asarray(scores)[rows]
    return np.asarray(rows[np.argsort(-values if reverse else values, kind="stable")], dtype=np.int64)


def _sorted_occurrences(occurrences: Iterator[_Occurrence], side: str, reverse: bool) -> list[_Occurrence]:
    return sorted(occurrences, key=lambda occurrence: occurrence.words(side), reverse=reverse)


def _line(occurrence: _Occurrence, width: int) -> KeywordLine:
    if occurrence.position is None:
        return KeywordLine(occurrence.row, None, None, "", "", "", bool(occurrence.negated))
    parts = text_around(occurrence.text, occurrence.position, width)
    return KeywordLine(occurrence.row, *occurrence.position, *parts, bool(occurrence.negated))


@dataclass(frozen=True, eq=False)
class _Search:
    """The names of an entry in an indexed corpus, and how often each document has them, negated or not."""

    index: WordIndex
    names: tuple[str, ...]
    only_negated: bool
    plain: IntArray
    negated: IntArray

    @classmethod
    def of(cls, index: WordIndex, entry: str) -> _Search:
        names = _names(index, entry.removeprefix(NEGATED))
        prefixes = ("", NEGATED)
        columns = [[index.column(prefix + name) for name in names] for prefix in prefixes]
        counts = (np.asarray(index.matrix[:, own].sum(axis=1)).reshape(-1).astype(np.int64) for own in columns)
        return cls(index, names, entry.startswith(NEGATED), *counts)

    def occurrences(self, texts: pa.Array, rows: IntArray) -> Iterator[_Occurrence]:
        """All occurrences in some documents, in order.

        They are searched for the fast way; where that does not give the number that was counted, because a word is
        part of a phrase, say, they are located one by one.
        """
        finder = WordFinder.of(self.names, self.index.tokenizer)
        strings = texts.take(pa.array(rows)).to_pylist()
        for row, text in zip(rows.tolist(), strings, strict=True):
            has_both = bool(self.plain[row] and self.negated[row])
            spans = None if has_both and self.only_negated else finder.find(text)
            if spans is not None and len(spans) == self.plain[row] + self.negated[row]:
                negated = None if has_both else bool(self.negated[row])
                yield from (_Occurrence(row, span, negated, text) for span in spans)
            else:
                yield from self._locate(row, text)

    def resolved(self, occurrences: Sequence[_Occurrence]) -> Iterator[_Occurrence]:
        """The same occurrences, where it was not known with whether they are negated."""
        known: dict[int, dict[Any, bool | None]] = {}
        for occurrence in occurrences:
            if occurrence.negated is None:
                if occurrence.row not in known:
                    exact = self._locate(occurrence.row, occurrence.text)
                    known[occurrence.row] = {one.position: one.negated for one in exact}
                occurrence = occurrence._replace(negated=known[occurrence.row].get(occurrence.position))
            yield occurrence

    def _locate(self, row: int, text: str) -> Iterator[_Occurrence]:
        names = set(self.names)
        for match in locate_matches(text, self._items, self.index.tokenizer):
            if match.item.removeprefix(NEGATED) in names and (match.negated or not self.only_negated):
                yield _Occurrence(row, match.position, match.negated, text)

    @cached_property
    def _items(self) -> Items:
        """The items of the index and the names, so that negated ones are recognised."""
        items = self.index.items
        own = np.zeros(len(self.names), np.int64)
        return replace(items, names=items.names + self.names, list_index=np.concatenate([items.list_index, own]))


def _names(index: WordIndex, entry: str) -> tuple[str, ...]:
    """The words of the corpus that an entry stands for: those that a wildcard matches, else one."""
    item, literal = item_of(entry.strip(), index.tokenizer, index.items.segmented)
    glob = index.tokenizer.glob
    if literal or not has_wildcard(item, glob) or " " in item:
        return (item.lower() if literal else item,)
    wildcard = Wildcard(item, glob=glob)
    words = index.words.filter(pa.array(index.single)).to_pylist()
    return tuple(word for word in words if wildcard.matches(word)) or (item,)


@dataclass(frozen=True)
class WordFinder:
    """Finds words and phrases in texts without regard to the other items of a lexicon."""

    tokenizer: Tokenizer
    pattern: re.Pattern[str] | None

    @classmethod
    def of(cls, names: Iterable[str], tokenizer: Tokenizer) -> WordFinder:
        """A finder of words and phrases as tokens have them; without a pattern for others, such as literals.

        >>> WordFinder.of(["good"], Tokenizer()).pattern is None, WordFinder.of([":)"], Tokenizer()).pattern is None
        (False, True)
        """
        parts = []
        for name in sorted(names, key=len, reverse=True):
            words = name.split(" ")
            respelled = tokenizer.custom is not None or tokenizer.letters or UNSPACED.search(name)
            if respelled or not all(_is_word(word) for word in words):
                return cls(tokenizer, None)
            parts.append("'* [ ']*".join(map(re.escape, words)))
        letter = f"[^ '{UNKNOWN}]"
        return cls(tokenizer, re.compile(f"(?<!{letter})(?<!{letter}')(?:{'|'.join(parts)})(?!{letter}|'{letter})"))

    def find(self, text: str) -> list[tuple[int, int]] | None:
        """Start and end of every occurrence; None if only the reference matcher can tell.

        >>> WordFinder.of(["rip off", "été"], Tokenizer("fr")).find("L'été: a Rip-Off")
        [(2, 5), (9, 16)]
        """
        if self.pattern is None:
            return None
        text = text if self.tokenizer.keep_links else blank_links(text)
        letters = text.translate(_table(self.tokenizer.language, bool(self.tokenizer.fold_accents)))
        return None if UNKNOWN in letters else [match.span() for match in self.pattern.finditer(letters)]


def _is_word(word: str) -> bool:
    return all(part.isalpha() for part in word.split(APOSTROPHES[0]))


class _Characters(dict[int, str]):
    """A table for `str.translate`, filled as characters are met: a blank for what separates, one letter for one."""

    def __init__(self, language: str, folds: bool) -> None:
        self._keep = LANGUAGES[language].keep_accents if folds else None
        self._apostrophe = APOSTROPHES[0] if LANGUAGES[language].apostrophe_joins else " "

    def __missing__(self, point: int) -> str:
        value = character_value(chr(point), self._keep)
        if value < MARK and not chr(point).isalpha():
            letter = self._apostrophe if value == APOSTROPHE else " "
        else:
            letter = UNKNOWN if value & (MARK | SLOW) or point >= LAST_ALPHABET else chr(value % MARK)
        self[point] = letter
        return letter


@lru_cache(maxsize=16)
def _table(language: str, folds: bool) -> _Characters:
    return _Characters(language, folds)
