"""Keyword in context: every place of an entry in a remembered corpus, page by page, in a chosen order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from problex._util.arrays import FloatArray, IntArray
from problex._util.formatting import pluralize
from problex.counting.remembered import Remembered
from problex.errors import ProblexError, check_choice
from problex.explanation.places import PlaceFinder
from problex.matching.items import Items, has_wildcard, item_of
from problex.matching.negation import NEGATED
from problex.matching.spans import locate_matches, text_around
from problex.matching.wildcards import Wildcard

WIDTH = 40
"""Characters on either side of the keyword."""
WORDS_COMPARED = 5
"""Words next to the keyword by which lines are ordered."""
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class KeywordLine:
    """A place of an entry: its document (from 0), its characters there, and the text around them.

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
    """The lines from number `first` on, of `total` places in `documents` documents; `negated` of them are negated."""

    total: int
    negated: int
    documents: int
    first: int
    lines: tuple[KeywordLine, ...]


class _Place(NamedTuple):
    """A place before its line is made; `negated` is None where the document has both kinds."""

    row: int
    position: tuple[int, int] | None
    negated: bool | None
    text: str

    def words(self, side: str) -> list[str]:
        """The words on a side of the keyword, the nearest first."""
        if self.position is None:
            return []
        start, end = self.position
        width = 20 * WORDS_COMPARED
        if side == "right":
            return _WORD.findall(self.text[end : end + width].lower())[:WORDS_COMPARED]
        return _WORD.findall(self.text[max(start - width, 0) : start].lower())[: -WORDS_COMPARED - 1 : -1]


ORDERS = ("row", "score", "left", "right")
"""The orders of lines: by document, by score of the document, by the words before and by those after the keyword."""


def keyword_lines(
    texts: pa.Array,
    remembered: Remembered,
    entry: str,
    *,
    order: str = "row",
    reverse: bool = False,
    first: int = 0,
    number: int = 50,
    scores: FloatArray | None = None,
    width: int = WIDTH,
) -> KeywordPage:
    """A page of the places of an entry: any word, phrase or literal of the corpus, a wildcard, or `NOT word`.

    `texts` are those given to `remember`. `scores` has a number per document, for `order="score"`, the smallest first.
    Only the order by `left` or `right` has to look at all documents with the entry.

    >>> from problex import Lexicon
    >>> from problex.counting import remember
    >>> texts = pa.array(["Not a good film.", "A good day", "so good, good!"])
    >>> corpus = remember(texts, Lexicon({"up": ["good"], "down": ["bad"]}))
    >>> page = keyword_lines(texts, corpus, "good", order="left", number=2)
    >>> page.total, page.negated, page.documents
    (4, 1, 3)
    >>> [(line.row, line.left + "|" + line.keyword + "|" + line.right, line.negated) for line in page.lines]
    [(1, 'A |good| day', False), (0, 'Not a |good| film.', True)]
    """
    check_choice("order", order, ORDERS)
    size = len(remembered.lengths)
    for what, values in (("text", texts), ("score", scores)):
        if values is not None and len(values) != size:
            given, have = pluralize(len(values), what), pluralize(size, "text")
            raise ProblexError(f"{given} and a corpus of {have} were given, expected one {what} per remembered text")
    if order == "score" and scores is None:
        raise ProblexError('order="score" was given without scores, expected scores=... with a number per document')
    search = _Search.of(remembered, entry)
    places = search.negated if search.only_negated else search.plain + search.negated
    rows = np.flatnonzero(places)
    if order in ("left", "right"):
        found = _sorted_places(search.places(texts, rows), order, reverse)[first : first + number]
    else:
        rows = _sorted_rows(rows, scores if order == "score" else None, reverse)
        ends = np.cumsum(places[rows])
        begin, end = np.searchsorted(ends, first, side="right"), np.searchsorted(ends, first + number, side="left") + 1
        skipped = first - (int(ends[begin - 1]) if begin else 0)
        found = list(search.places(texts, rows[begin:end]))[skipped : skipped + number]
    lines = tuple(_line(place, width) for place in search.resolved(found))
    return KeywordPage(int(places.sum()), int(search.negated.sum()), len(rows), first, lines)


def _sorted_rows(rows: IntArray, scores: FloatArray | None, reverse: bool) -> IntArray:
    values = rows if scores is None else np.asarray(scores)[rows]
    return np.asarray(rows[np.argsort(-values if reverse else values, kind="stable")], dtype=np.int64)


def _sorted_places(places: Iterator[_Place], side: str, reverse: bool) -> list[_Place]:
    return sorted(places, key=lambda place: place.words(side), reverse=reverse)


def _line(place: _Place, width: int) -> KeywordLine:
    if place.position is None:
        return KeywordLine(place.row, None, None, "", "", "", bool(place.negated))
    parts = text_around(place.text, place.position, width)
    return KeywordLine(place.row, *place.position, *parts, bool(place.negated))


@dataclass(frozen=True, eq=False)
class _Search:
    """The names of an entry in a remembered corpus, and how often each document has them, negated or not."""

    remembered: Remembered
    names: tuple[str, ...]
    only_negated: bool
    plain: IntArray
    negated: IntArray

    @classmethod
    def of(cls, remembered: Remembered, entry: str) -> _Search:
        names = _names(remembered, entry.removeprefix(NEGATED))
        prefixes = ("", NEGATED)
        columns = [[remembered.column(prefix + name) for name in names] for prefix in prefixes]
        counts = (np.asarray(remembered.matrix[:, own].sum(axis=1)).reshape(-1).astype(np.int64) for own in columns)
        return cls(remembered, names, entry.startswith(NEGATED), *counts)

    def places(self, texts: pa.Array, rows: IntArray) -> Iterator[_Place]:
        """All places in some documents, in order.

        They are searched for the fast way; where that does not give the number that was counted, because a word is
        part of a phrase, say, they are located one by one.
        """
        finder = PlaceFinder.of(self.names, self.remembered.tokenizer)
        strings = texts.take(pa.array(rows)).to_pylist()
        for row, text in zip(rows.tolist(), strings, strict=True):
            has_both = bool(self.plain[row] and self.negated[row])
            spans = None if has_both and self.only_negated else finder.find(text)
            if spans is not None and len(spans) == self.plain[row] + self.negated[row]:
                negated = None if has_both else bool(self.negated[row])
                yield from (_Place(row, span, negated, text) for span in spans)
            else:
                yield from self._locate(row, text)

    def resolved(self, places: Sequence[_Place]) -> Iterator[_Place]:
        """The same places, where it was not known with whether they are negated."""
        known: dict[int, dict[Any, bool | None]] = {}
        for place in places:
            if place.negated is None:
                if place.row not in known:
                    exact = self._locate(place.row, place.text)
                    known[place.row] = {one.position: one.negated for one in exact}
                place = place._replace(negated=known[place.row].get(place.position))
            yield place

    def _locate(self, row: int, text: str) -> Iterator[_Place]:
        names = set(self.names)
        for match in locate_matches(text, self._items, self.remembered.tokenizer):
            if match.item.removeprefix(NEGATED) in names and (match.negated or not self.only_negated):
                yield _Place(row, match.position, match.negated, text)

    @cached_property
    def _items(self) -> Items:
        """The items of the remembered corpus and the names, so that negated ones are recognised."""
        items = self.remembered.items
        own = np.zeros(len(self.names), np.int64)
        return replace(items, names=items.names + self.names, list_index=np.concatenate([items.list_index, own]))


def _names(remembered: Remembered, entry: str) -> tuple[str, ...]:
    """The words of the corpus that an entry stands for: those that a wildcard matches, else one."""
    item, literal = item_of(entry.strip(), remembered.tokenizer, remembered.items.segmented)
    glob = remembered.tokenizer.glob
    if literal or not has_wildcard(item, glob) or " " in item:
        return (item.lower() if literal else item,)
    wildcard = Wildcard(item, glob=glob)
    words = remembered.words.filter(pa.array(remembered.single)).to_pylist()
    return tuple(word for word in words if wildcard.matches(word)) or (item,)
