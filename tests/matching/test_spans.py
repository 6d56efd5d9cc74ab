"""Matches with a position are those that are counted."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon
from problex.counting.tables import tabulate
from problex.matching.items import items_of
from problex.matching.languages import LANGUAGES
from problex.matching.reference import locate_matches, locate_tokens
from problex.matching.tokens import Tokenizer

LEXICON = Lexicon(
    {"positive": ["good", "well made", "not bad", "año", "don't mind"], "negative": ["bad", "no good", "not"]}
)
WILD = Lexicon({"positive": ["happ*", "good", ":-)", "*friend*"], "negative": ["bad", "*less", "a+", "no way*"]})
WORDS = [
    ":-)",
    "a+",
    "happily",
    "hopeless",
    "ways",
    "never",
    "but",
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


NO_ITEMS = items_of(Lexicon({"a": ["zzz"], "b": ["yyy"]}), Tokenizer())


@given(TEXTS, st.sampled_from(TOKENIZERS))
def test_every_token_is_found_and_reads_as_itself(text: str, tokenizer: Tokenizer) -> None:
    places = [place for place in locate_tokens(text, NO_ITEMS, tokenizer) if place is not None]
    assert [text[start:end] for start, end in places] == [
        part for start, end in places if (part := text[start:end]) and len(tokenizer(part)) == 1
    ]
    assert [tokenizer(text[start:end])[0] for start, end in places] == tokenizer(text)
    edges = [edge for place in places for edge in place]
    assert edges == sorted(edges)


@given(TEXTS, st.sampled_from(TOKENIZERS), st.sampled_from([LEXICON, WILD]))
def test_what_is_found_is_what_is_counted(text: str, tokenizer: Tokenizer, lexicon: Lexicon) -> None:
    items = items_of(lexicon, tokenizer)
    table = tabulate([text], items, tokenizer)
    counted = {table.words[int(at)]: int(x) for at, x in zip(table.matrix.indices, table.matrix.data, strict=True)}
    matches = locate_matches(text, items, tokenizer)
    assert Counter(match.item for match in matches) == counted
    assert len(matches) == table.lengths[0]
    for match in matches:
        assert match.position is not None
        name = match.item.removeprefix("NOT ")
        if name not in items.literals and "*" not in name:
            assert " ".join(tokenizer(text[slice(*match.position)])) == name


def test_phrases_take_their_words_with_them() -> None:
    text = "It is no good, well made though."
    matches = locate_matches(text, items_of(LEXICON, Tokenizer()), Tokenizer())
    phrases = {match.item: text[slice(*match.position)] for match in matches if match.phrase and match.position}
    assert phrases == {"no good": "no good", "well made": "well made"}


def test_negation_wildcards_and_emoticons_have_their_places() -> None:
    text = "Not a happy film :-) GOOD, never BAD!"
    matches = locate_matches(text, items_of(WILD, Tokenizer()), Tokenizer())
    assert [
        (match.item, text[slice(*match.position)])
        for match in matches
        if match.position and match.item not in ("a", "film")
    ] == [
        ("not", "Not"),
        ("NOT happy", "happy"),
        (":-)", ":-)"),
        ("good", "GOOD"),
        ("never", "never"),
        ("NOT bad", "BAD"),
    ]
    assert [match.item for match in matches if match.negated] == ["NOT happy", "NOT bad"]


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
    matches = locate_matches(text, NO_ITEMS, Tokenizer(language))
    assert [text[slice(*match.position)] for match in matches if match.position] == expected


def test_words_right_after_a_literal_have_their_places() -> None:
    matches = locate_matches("a:-)good:-)bad", items_of(WILD, Tokenizer()), Tokenizer())
    assert [(match.item, match.position) for match in matches] == [
        ("a", (0, 1)), (":-)", (1, 4)), ("good", (4, 8)), (":-)", (8, 11)), ("bad", (11, 14)),
    ]  # fmt: skip


def stems(text: str) -> list[str]:
    return [word.rstrip("s") if word != "went" else "go" for word in text.split()]


def test_a_tokenizer_of_your_own_is_followed_as_far_as_it_keeps_its_words() -> None:
    tokenizer = Tokenizer(custom=stems)
    items = items_of(Lexicon({"a": ["x y"], "b": ["home"]}), tokenizer)
    assert locate_tokens("Cats went Home", items, tokenizer) == [(0, 3), None, (10, 14)]
    items = items_of(Lexicon({"a": ["cats went"], "b": ["home"]}), tokenizer)
    assert [(match.item, match.position) for match in locate_matches("Cats went Home", items, tokenizer)] == [
        ("cat go", (0, 3)),
        ("home", (10, 14)),
    ]
