"""Keyword in context: all places, in every order, equal to those of the reference matcher."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon
from problex.errors import ProblexError
from problex.index import WordIndex
from problex.index.keywords import KeywordLine, WordFinder, keyword_lines
from problex.matching import Tokenizer
from problex.matching.items import items_of
from problex.matching.reference import locate_matches

LEXICON = Lexicon({"down": ["bad", "rip off", "good grief"], "up": ["good", "a+"]})
WORDS = [
    "good",
    "Goods",
    "BAD",
    "not",
    ",",
    "grief",
    "rip",
    "off",
    "-",
    "a+",
    "film's",
    "'good'",
    "é",
    "Ele\u0301",
    "ﬁ",
]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), min_size=1, max_size=6)


def places(texts: list[str], names: set[str], tokenizer: Tokenizer, negated: bool) -> list[tuple[object, ...]]:
    """Row, position and negation of every match, by the reference matcher with all words of the texts as items."""
    items = items_of(LEXICON, tokenizer)
    more = tuple(names - set(items.names))
    lists = np.concatenate([items.list_index, np.zeros(len(more), np.int64)])
    items = replace(items, names=items.names + more, list_index=lists)
    return [
        (row, *(match.position or (None, None)), match.negated)
        for row, text in enumerate(texts)
        for match in locate_matches(text, items, tokenizer)
        if match.item.removeprefix("NOT ") in names and (match.negated or not negated)
    ]


def key(line: KeywordLine) -> tuple[object, ...]:
    return line.row, line.start, line.end, line.negated


@given(
    texts=TEXTS,
    entry=st.sampled_from(["good", "NOT good", "goo*", "rip off", "a+", "film's", "é", "elé", "absent", "bad"]),
    language=st.sampled_from(["en", "es", "any"]),
)
def test_all_places_on_pages_of_any_size(texts: list[str], entry: str, language: str) -> None:
    tokenizer = Tokenizer(language, negation="en")
    column = pa.array(texts)
    corpus = WordIndex.of(column, LEXICON, tokenizer)
    names = {"good", "goods"} if entry == "goo*" else {entry.removeprefix("NOT ")}
    names |= {"ele", "e"} & {"".join(tokenizer(entry))}  # accents are folded in Spanish
    expected = places(texts, names, tokenizer, entry.startswith("NOT "))
    whole = keyword_lines(column, corpus, entry, number=1000)
    assert [key(line) for line in whole.lines] == expected
    assert (whole.total, whole.documents) == (len(expected), len({row for row, *_ in expected}))
    pages = [keyword_lines(column, corpus, entry, first=first, number=2).lines for first in range(0, len(expected), 2)]
    assert [line for page in pages for line in page] == list(whole.lines)
    for order in ("left", "right"):
        lines = keyword_lines(column, corpus, entry, order=order, number=1000).lines
        assert sorted(lines, key=lambda line: (line.row, line.start)) == list(whole.lines)


def test_orders_by_hand() -> None:
    texts = pa.array(["the fine day was warm", "no day, at last", "A fine Day! and more", "My first day"])
    corpus = WordIndex.of(texts, LEXICON)

    def rows(order: str, reverse: bool = False) -> list[int]:
        scores = np.array([0.5, -1.0, 2.0, 0.0])
        page = keyword_lines(texts, corpus, "day", order=order, reverse=reverse, scores=scores)
        return [line.row for line in page.lines]

    assert rows("row") == [0, 1, 2, 3]
    assert rows("row", reverse=True) == [3, 2, 1, 0]
    assert rows("score") == [1, 3, 0, 2]
    assert rows("score", reverse=True) == [2, 0, 3, 1]
    assert rows("left") == [2, 0, 3, 1], "fine a, fine the, first my, no"
    assert rows("right") == [3, 2, 1, 0], "nothing, and more, at last, was warm"


def test_a_text_with_negated_and_other_places() -> None:
    texts = pa.array(["good; not good; a good film", "bad"])
    corpus = WordIndex.of(texts, LEXICON)
    for order in ("row", "left"):
        lines = keyword_lines(texts, corpus, "good", order=order).lines
        assert {line.start: line.negated for line in lines} == {0: False, 10: True, 18: False}
    assert [line.start for line in keyword_lines(texts, corpus, "NOT good").lines] == [10]


def test_the_text_around_is_cut_at_words() -> None:
    texts = pa.array(["Believe me, it is a Rip-Off, all in all."])
    page = keyword_lines(texts, WordIndex.of(texts, LEXICON), "rip off", width=8)
    assert page.lines == (KeywordLine(0, 20, 27, "… is a ", "Rip-Off", ", all …", False),)


def test_words_that_a_tokenizer_changed_have_no_place() -> None:
    stems = Tokenizer("en", custom=lambda text: [word[:3] for word in text.split()])
    texts = pa.array(["films filming", "off"])
    page = keyword_lines(texts, WordIndex.of(texts, Lexicon({"a": ["fil"], "b": ["off"]}), stems), "films")
    assert page.total == 2
    assert [(line.row, line.start) for line in page.lines] == [(0, 0), (0, 6)]


def test_what_is_refused() -> None:
    texts = pa.array(["a good day"])
    corpus = WordIndex.of(texts, LEXICON)
    with pytest.raises(ProblexError, match="order='up' was given, expected one of row, score, left, right"):
        keyword_lines(texts, corpus, "good", order="up")
    with pytest.raises(ProblexError, match='order="score" was given without scores, expected scores='):
        keyword_lines(texts, corpus, "good", order="score")
    with pytest.raises(ProblexError, match="2 texts and a corpus of 1 text were given, expected one text per text of"):
        keyword_lines(pa.array(["a", "b"]), corpus, "good")


def test_texts_that_only_the_reference_can_read() -> None:
    assert WordFinder.of(["a+"], Tokenizer()).find("a+") is None
    assert WordFinder.of(["elé"], Tokenizer()).find("Ele\u0301") is None
    assert WordFinder.of(["good"], Tokenizer()).find("good's 'Good' good-ish goods") == [(8, 12), (14, 18)]
