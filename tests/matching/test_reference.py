"""The reference of matching: which words and items a text has, and where they are."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon, LexiconClassifier, count, estimate
from problex.counting.tables import tabulate
from problex.matching.items import items_of
from problex.matching.languages import LANGUAGES
from problex.matching.negation import Negation
from problex.matching.reference import find_matches, locate_matches, locate_tokens
from problex.matching.tokens import Tokenizer

PAIR = Lexicon({"positive": ["good", "well made", ":)"], "negative": ["bad", "no good", "no good at all", "hope*"]})


def names(text: str, lexicon: Lexicon = PAIR, tokenizer: Tokenizer | None = None) -> list[str]:
    used = tokenizer or Tokenizer()
    return [match.name for match in find_matches(text, items_of(lexicon, used), used)]


def test_the_longest_phrase_wins_and_its_words_are_not_counted_again() -> None:
    lexicon = Lexicon({"a": ["good"], "b": ["no good", "no good at all", "at all costs"]})
    off = Tokenizer(negation=None)
    assert names("no good at all costs", lexicon, off) == ["no good at all", "costs"]
    assert names("no no good", lexicon, off) == ["no", "no good"]
    assert names("good at all costs", lexicon, off) == ["good", "at all costs"]


def test_french_elision_makes_a_sequence() -> None:
    lexicon = Lexicon({"a": ["l'ami"], "b": ["ennemi"]})
    assert names("L’ami est là", lexicon, Tokenizer("fr")) == ["l ami", "est", "là"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not good", ["not", "NOT good"]),
        ("not a very good film", ["not", "a", "very", "NOT good", "film"]),
        ("not one two three good", ["not", "one", "two", "three", "NOT good"]),  # the fourth token is in the scope
        ("not one two three four good", ["not", "one", "two", "three", "four", "good"]),  # the fifth is not
        ("not well, made good", ["not", "NOT well made", "good"]),  # a clause ends inside the phrase, and the scope
        ("not well made good", ["not", "NOT well made", "NOT good"]),
        ("not bad, good", ["not", "NOT bad", "good"]),  # the comma ends it
        ("not bad but good", ["not", "NOT bad", "but", "good"]),  # and so does the word
        ("Don’t — good", ["don't", "good"]),
        ("isn't it good", ["isn't", "it", "NOT good"]),
        ("never well-made", ["never", "NOT well made"]),  # a phrase is one item
        ("not no good", ["not", "NOT no good"]),  # the lexicon's own phrase is not taken apart
        ("never not good", ["never", "not", "NOT good"]),
        ("without hopes", ["without", "NOT hopes"]),  # what a wildcard caught
        ("not :) good", ["not", ":)", "good"]),  # a literal is a clause of its own
    ],
)
def test_negation_has_a_scope_of_four_tokens(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_negation_can_be_switched_off_and_rewritten() -> None:
    assert names("not good", tokenizer=Tokenizer(negation=None)) == ["not", "good"]
    own = Negation(("hardly",), ends=("and",), scope=1)
    assert names("not good, hardly good, hardly a good", tokenizer=Tokenizer(negation=own)) == [
        "not", "good", "hardly", "NOT good", "hardly", "a", "good",
    ]  # fmt: skip
    assert names("no es bueno", Lexicon({"a": ["bueno"], "b": ["malo"]}), Tokenizer("es"))[-1] == "NOT bueno"


def test_literals_stand_as_they_are_with_edges_of_words() -> None:
    lexicon = Lexicon({"a": ["a+", ":)", ":d"], "b": ["f**k", "2-faced", "😞"]})
    assert names("An A+ film :) F**k 2-faced 😞", lexicon) == ["an", "a+", "film", ":)", "f**k", "2-faced", "😞"]
    assert names("ba+ 12-faced :dog", lexicon) == ["ba", "faced", "dog"]
    assert names("good:) :D!", lexicon) == ["good", ":)", ":d"]
    assert names("x :)good", lexicon) == ["x", ":)", "good"]


def test_a_literal_is_no_word_of_a_phrase() -> None:
    lexicon = Lexicon({"a": ["so a*"], "b": ["a+"]})
    assert names("so a+ film, so angry", lexicon) == ["so", "a+", "film", "so a*"]


def test_the_longest_literal_wins() -> None:
    lexicon = Lexicon({"a": [":)", ":))"], "b": ["((", "((("]})
    assert names(":)) :) ((( ((", lexicon) == [":))", ":)", "(((", "(("]


def test_a_word_of_a_phrase_wins_over_a_wildcard() -> None:
    lexicon = Lexicon({"a": ["so happ* now", "so happy then"], "b": ["bad"]})
    assert names("so happier now, so happy then", lexicon) == ["so happ* now", "so happy then"]
    assert names("so happier then, so happy now", lexicon) == ["so", "happier", "then", "so", "happy", "now"]
    assert names("so angry now", lexicon) == ["so", "angry", "now"]


def test_negated_items_belong_to_the_opposite_list_and_learn_a_weight() -> None:
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    texts = ["good and fine", "a fine, good day", "bad and poor", "poor, and not good", "bad, never fine"] * 30
    counts = count(texts, lexicon)
    assert counts.entries == ("NOT fine", "NOT good", "bad", "poor", "fine", "good")
    model = estimate(counts, lexicon)
    weights = {row["entry"]: row for row in model.records()}
    assert weights["NOT good"]["list"] == "negative"
    assert weights["NOT good"]["count"] == 30
    assert weights["NOT good"]["weight"] > 0
    clf = LexiconClassifier(lexicon).fit(texts)
    assert clf.predict(["it is not good", "it is good"]).tolist() == ["negative", "positive"]


def test_with_more_than_two_lists_a_negated_word_is_only_dropped() -> None:
    lexicon = Lexicon({"a": ["one"], "b": ["two"], "c": ["three"]})
    counts = count(["not one, two", "three"], lexicon)
    assert counts.entries == ("one", "two", "three")
    words = dict(zip(counts.words.to_pylist(), counts.occurrences.tolist(), strict=True))
    assert words == {"not": 1, "NOT one": 1, "two": 1, "three": 1}


def test_wildcards_become_entries_of_their_own_when_they_are_met() -> None:
    lexicon = Lexicon({"positive": ["happ*"], "negative": ["*less", "bad"]})
    one = count(["happy, happens", "hopeless"], lexicon)
    two = count(["happier and bad"], lexicon)
    assert one.entries == ("bad", "hopeless", "happens", "happy")
    assert (one + two).entries == ("bad", "hopeless", "happens", "happier", "happy")
    assert one + two == count(["happier and bad", "happy, happens", "hopeless"], lexicon) == two + one


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
