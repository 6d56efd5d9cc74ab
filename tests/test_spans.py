"""What is found at a place is what is counted."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon
from problex.items import items_of
from problex.spans import Match, locate, matches
from problex.tabulate import tabulate
from problex.tokens import LANGUAGES, Tokenizer

LEXICON = Lexicon(
    {"positive": ["good", "well made", "not bad", "año", "don't mind"], "negative": ["bad", "no good", "not"]}
)
WORDS = [
    "good",
    "Well-made",
    "not",
    "BAD",
    "no",
    "don’t",
    "mind",
    "AÑO",
    "an\u0303o",
    "ano",
    ",",
    "...",
    "\u0301",
    "ΟΔΟΣ",
]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=20).map(" ".join))
TOKENIZERS = [Tokenizer(language) for language in LANGUAGES] + [Tokenizer("en", fold_accents=True)]


@given(TEXTS, st.sampled_from(TOKENIZERS))
def test_every_token_is_found_and_reads_as_itself(text: str, tokenizer: Tokenizer) -> None:
    tokens = locate(text, tokenizer)
    assert [token.text for token in tokens] == tokenizer(text)
    end = 0
    for token in tokens:
        assert token.start is not None
        assert token.end is not None
        assert end <= token.start < token.end <= len(text)
        assert tokenizer(text[token.start : token.end]) == [token.text]
        end = token.end


@given(TEXTS, st.sampled_from(TOKENIZERS))
def test_what_is_found_is_what_is_counted(text: str, tokenizer: Tokenizer) -> None:
    items = items_of(LEXICON, tokenizer)
    table = tabulate([text], items, tokenizer)
    counted = {table.words[int(at)]: int(x) for at, x in zip(table.matrix.indices, table.matrix.data, strict=True)}
    found = matches(text, items, tokenizer)
    assert Counter(match.item for match in found) == counted
    assert len(found) == table.lengths[0]


def test_phrases_take_their_words_with_them() -> None:
    text = "It is no good, well made though."
    found = matches(text, items_of(LEXICON, Tokenizer()), Tokenizer())
    phrases = {match.item: text[match.start : match.end] for match in found if match.phrase}
    assert phrases == {"no good": "no good", "well made": "well made"}
    assert [match.first for match in found] == [0, 1, 2, 4, 6]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("ΟΔΟΣ ΣΑΣ", "any", ["ΟΔΟΣ", "ΣΑΣ"]),
        ("cafe\u0301s, can\u0303a", "es", ["cafe\u0301s", "can\u0303a"]),
        ("İstanbul l'été", "fr", ["İstanbul", "l", "été"]),
        ("\u1112\u1161\u11ab 한", "any", ["\u1112\u1161\u11ab", "한"]),
        ("a1b 'quoted' o''clock", "en", ["a", "b", "quoted", "o", "clock"]),
    ],
)
def test_places_in_texts_that_change_their_length(text: str, language: str, expected: list[str]) -> None:
    assert [text[token.start : token.end] for token in locate(text, Tokenizer(language))] == expected


def stems(text: str) -> list[str]:
    return [word.rstrip("s") if word != "went" else "go" for word in text.split()]


def test_a_tokenizer_of_your_own_is_followed_as_far_as_it_keeps_its_words() -> None:
    tokenizer = Tokenizer(custom=stems)
    found = locate("Cats went Home", tokenizer)
    assert [(token.text, token.start, token.end) for token in found] == [
        ("cat", 0, 3),
        ("go", None, None),
        ("home", 10, 14),
    ]
    items = items_of(Lexicon({"a": ["cats went"], "b": ["home"]}), tokenizer)
    assert [(match.item, match.start, match.end) for match in matches("Cats went Home", items, tokenizer)] == [
        ("cat go", 0, 3),
        ("home", 10, 14),
    ]


def test_a_negated_item_says_so() -> None:
    assert Match("NOT good", 1, 2, 4, 8).negated
    assert not Match("not good", 0, 2, 0, 8).negated
