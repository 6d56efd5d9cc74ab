"""The index of wildcards against the definition, and how much it does for many of them."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from problex import Lexicon
from problex.matching.items import items_of
from problex.matching.reference import find_matches
from problex.matching.tokens import Tokenizer
from problex.matching.wildcards import (
    GLOB,
    PREFIX,
    WITHIN,
    Wildcard,
    WildcardIndex,
    matching_words,
    most_specific_first,
)
from tests.work import calls_of, made_up_words

LETTERS = st.text(alphabet="abé日", min_size=1, max_size=4)
PATTERNS = st.builds(str.format, st.sampled_from(["{}*", "*{}", "*{}*"]), LETTERS)


def by_definition(wildcards: tuple[Wildcard, ...], word: str) -> Wildcard | None:
    """The first wildcard that matches."""
    return next((wildcard for wildcard in wildcards if wildcard.matches(word)), None)


@given(st.lists(PATTERNS, max_size=12), st.lists(st.text(alphabet="abé日", max_size=8), max_size=8))
@example(["*éé*", "*aaa*"], ["aaaéé"])  # two letters of two bytes are more than three of one
@example(["*b*", "*a*", "b*", "*a"], ["ab", "ba"])  # the same number of letters: the order of the patterns decides
@example(["abab*", "*ba"], ["aba", "ba", "a", ""])
def test_the_index_finds_what_the_definition_says(patterns: list[str], words: list[str]) -> None:
    wildcards = most_specific_first(map(Wildcard, patterns))
    index = WildcardIndex.of(wildcards)
    for word in words:
        assert index.find(word) == by_definition(wildcards, word)


GLOBS = (
    st.text(alphabet="abé日*?", min_size=2, max_size=6)
    .filter(lambda text: text.strip("*?") and set(text) & set("*?"))
    .map(lambda text: re.sub(r"\*+", "*", text))  # as `item_of` does: `a**` is `a*`
)


@given(st.lists(GLOBS, max_size=12), st.lists(st.text(alphabet="abé日", max_size=8), max_size=8))
@example(["a?b", "ab*"], ["aéb", "ab", "abb", "aab"])
def test_glob_patterns_match_as_those_of_the_standard_library(patterns: list[str], words: list[str]) -> None:
    wildcards = most_specific_first(Wildcard(pattern, glob=True) for pattern in patterns)
    index, text = WildcardIndex.of(wildcards), pa.array(words, pa.string())
    for wildcard in wildcards:
        expected = [fnmatchcase(word, wildcard.pattern) for word in words if wildcard.kind == GLOB]
        if expected:
            assert [wildcard.matches(word) for word in words] == expected
            assert matching_words(wildcard, text).tolist() == expected
    for word in words:
        assert index.find(word) == by_definition(wildcards, word)


@pytest.mark.parametrize(
    ("pattern", "kind", "letters"),
    [("gr?y", GLOB, "gry"), ("*le*s", GLOB, "les"), ("les*", PREFIX, "les"), ("*les*", WITHIN, "les")],
)
def test_only_signs_inside_a_word_and_question_marks_make_a_glob_pattern(pattern: str, kind: int, letters: str) -> None:
    wildcard = Wildcard(pattern, glob=True)
    assert (wildcard.kind, wildcard.letters) == (kind, letters)
    assert Wildcard("what?*").kind == PREFIX  # a custom tokenizer may keep the mark


@pytest.mark.parametrize("sign", ["*", "?*"])
def test_a_glob_pattern_of_many_stars_takes_no_longer_than_its_letters(sign: str) -> None:
    """Each star that is tried again for every other one would take years here."""
    pattern = "".join(f"{letter}{sign}" for letter in "ab" * 60) + "c"
    wildcard = Wildcard(pattern, glob=True)
    assert not wildcard.matches("ab" * 2000)
    assert wildcard.matches("ab" * 2000 + "c")
    assert WildcardIndex.of((wildcard,)).find("ab" * 2000) is None
    assert matching_words(wildcard, pa.array(["ab" * 2000, "ab" * 2000 + "c"])).tolist() == [False, True]


@pytest.mark.parametrize("pattern", ["[a]*b", "a[!b*c", "a]*[b", "[*]"])
def test_brackets_stand_for_themselves(pattern: str) -> None:
    wildcard = Wildcard(pattern, glob=True)
    assert wildcard.matches(pattern.replace("*", "x"))
    assert not wildcard.matches("axb")


def test_a_word_that_is_not_valid_text_matches_as_any_other() -> None:
    index = WildcardIndex.of((Wildcard("a*"),))
    assert index.find("a\ud800") == Wildcard("a*")
    assert index.find("\ud800") is None


@pytest.mark.parametrize("form", ["{}*", "*{}", "*{}*"])
def test_the_work_for_a_word_does_not_depend_on_the_number_of_wildcards(form: str) -> None:
    few, many = (
        WildcardIndex.of(most_specific_first(Wildcard(form.format(word)) for word in made_up_words(number)))
        for number in (10, 5000)
    )
    for word in ("film", "notqqqqqqatall", made_up_words(10)[-1]):
        assert calls_of(lambda word=word: many.find(word)) == calls_of(lambda word=word: few.find(word))  # type: ignore[misc]


def test_nor_does_that_of_the_reference_matcher() -> None:
    def work(number: int) -> int:
        words = made_up_words(number)
        half = number // 2
        lexicon = Lexicon({"a": [f"{word}*" for word in words[:half]], "b": [f"so {word}*" for word in words[half:]]})
        items = items_of(lexicon, Tokenizer())
        text = f"not {words[0]}ly, so {words[-1]}ly made"
        assert len(find_matches(text, items, Tokenizer())) == 4  # the indexes are made once
        return calls_of(lambda: find_matches(text, items, Tokenizer()))

    assert work(4000) == work(20)


NAMES = {
    "good": 0,
    "bad": 1,
    "happy": 0,
    "hopeless": 1,
    "not at all": 1,
    "happ*": 0,
    "film": None,
    "happy day": None,
    "so so": None,
    "": None,
}


@pytest.mark.parametrize("negation", [None, "auto"])
@pytest.mark.parametrize("lists", [2, 3])
def test_the_lists_of_names(negation: str | None, lists: int) -> None:
    """A negated word is in the opposite of two lists; with three, there is none."""
    entries = {"a": ["good", "happ*"], "b": ["bad", "not at all", "*less"], "c": ["so*so"]}
    items = items_of(Lexicon(dict(list(entries.items())[:lists])), Tokenizer(negation=negation))
    assert {name: items.find(name) for name in NAMES} == NAMES
    negates = negation is not None and lists == 2
    opposite = {f"NOT {name}": 1 - own if negates and own is not None else None for name, own in NAMES.items()}
    del opposite["NOT happ*"]
    assert {name: items.find(name) for name in opposite} == opposite
    assert items.find("NOT NOT good") == (0 if negates else None)
