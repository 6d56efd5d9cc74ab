from __future__ import annotations

import pytest

from problex import Lexicon
from problex.errors import LexiconError, LexiconWarning
from problex.matching.items import items_of, warn_of_problems
from problex.matching.tokens import Tokenizer


def test_entries_are_tokenised_like_texts() -> None:
    items = items_of(Lexicon({"a": ["well-made", "rip off", "don’t"], "b": ["bad"]}), Tokenizer())
    assert items.names == ("don't", "rip off", "well made", "bad")  # by list, then by name
    assert items.list_index.tolist() == [0, 0, 0, 1]


def test_entries_that_are_not_words_are_matched_as_they_are_and_never_cut_down() -> None:
    """`a+` must not become `a`, nor `2-faced` become `faced`; `f**k` is a word in disguise, not a wildcard."""
    items = items_of(Lexicon({"a": ["good", "a+", ":)", "happ*"], "b": ["bad", "2-faced", "f**k"]}), Tokenizer("any"))
    assert items.names == (":)", "a+", "good", "2-faced", "bad", "f**k")
    assert items.literals == (":)", "a+", "2-faced", "f**k")
    assert [(one.pattern, one.list) for one in items.wildcards] == [("happ*", 0)]
    assert not items.problems


def test_an_entry_with_nothing_to_match_is_reported_each_time() -> None:
    items = items_of(Lexicon({"a": ["good", "*"], "b": ["bad"]}), Tokenizer())
    for _ in range(2):
        with pytest.warns(LexiconWarning, match=r"1 entry is not used \(not matchable\): '\*' \(a\)"):
            warn_of_problems(items)


def test_the_most_specific_wildcard_wins_and_a_word_wins_over_all() -> None:
    items = items_of(Lexicon({"a": ["happ*", "*less"], "b": ["happen*", "happily", "*p*"]}), Tokenizer())
    found = {word: items.find(word) for word in ("happy", "happens", "happily", "hopeless", "pigs", "dog")}
    assert found == {"happy": 0, "happens": 1, "happily": 1, "hopeless": 0, "pigs": 1, "dog": None}


def test_wildcards_stand_inside_phrases() -> None:
    items = items_of(Lexicon({"a": ["no happ* end*"], "b": ["bad"]}), Tokenizer())
    assert items.names == ("no happ* end*", "bad")
    assert [wildcard.pattern for wildcard in items.phrase_wildcards] == ["happ*", "end*"]


def test_entries_that_become_the_same_in_two_lists_are_left_out() -> None:
    items = items_of(Lexicon({"a": ["más", "uno"], "b": ["mas", "dos"]}), Tokenizer("es"))
    assert items.names == ("uno", "dos")


def test_entries_that_become_the_same_in_one_list_are_counted_once() -> None:
    items = items_of(Lexicon({"a": ["ripoff", "rip-off", "rip off"], "b": ["bad"]}), Tokenizer("nl"))
    assert items.names == ("rip off", "ripoff", "bad")
    assert items.problems[0].kind == "repeated"


def test_a_list_with_nothing_matchable_is_refused() -> None:
    with pytest.raises(LexiconError, match=r"no entry of list 'b' can be matched, for example"):
        items_of(Lexicon({"a": ["good"], "b": ["*", "**"]}), Tokenizer("de"))
