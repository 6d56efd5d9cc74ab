from __future__ import annotations

import pytest

from problex import Lexicon
from problex.errors import LexiconError, LexiconWarning
from problex.items import items_of, warn_of_problems
from problex.tokens import Tokenizer


def test_entries_are_tokenised_like_texts() -> None:
    items = items_of(Lexicon({"a": ["well-made", "rip off", "don’t"], "b": ["bad"]}), Tokenizer())
    assert items.names == ("don't", "rip off", "well made", "bad")  # by list, then by name
    assert items.list_index.tolist() == [0, 0, 0, 1]


def test_entries_that_are_not_words_are_reported_and_never_cut_down() -> None:
    """`a+` must not become `a`, nor `2-faced` become `faced`."""
    items = items_of(Lexicon({"a": ["good", "a+", ":)", "happ*"], "b": ["bad", "2-faced"]}), Tokenizer("any"))
    assert items.names == ("good", "bad")
    for _ in range(2):  # said each time, not only the first
        with pytest.warns(LexiconWarning, match=r"4 entries are not used \(not matchable\): ':\)' \(a\)"):
            warn_of_problems(items)
    assert [problem.entry for problem in items.problems] == [":)", "a+", "happ*", "2-faced"]


def test_entries_that_become_the_same_in_two_lists_are_left_out() -> None:
    items = items_of(Lexicon({"a": ["más", "uno"], "b": ["mas", "dos"]}), Tokenizer("es"))
    assert items.names == ("uno", "dos")


def test_entries_that_become_the_same_in_one_list_are_counted_once() -> None:
    items = items_of(Lexicon({"a": ["ripoff", "rip-off", "rip off"], "b": ["bad"]}), Tokenizer("nl"))
    assert items.names == ("rip off", "ripoff", "bad")
    assert items.problems[0].kind == "repeated"


def test_a_list_with_nothing_matchable_is_refused() -> None:
    with pytest.raises(LexiconError, match=r"no entry of list 'b' can be matched, for example"):
        items_of(Lexicon({"a": ["good"], "b": [":(", "1"]}), Tokenizer("de"))


def test_the_longest_phrase_wins_and_its_words_are_not_counted_again() -> None:
    lexicon = Lexicon({"a": ["good"], "b": ["no good", "no good at all", "at all costs"]})
    items = items_of(lexicon, Tokenizer())
    assert items.match(["no", "good", "at", "all", "costs"]) == ["no good at all", "costs"]
    assert items.match(["no", "no", "good"]) == ["no", "no good"]
    assert items.match(["good", "at", "all", "costs"]) == ["good", "at all costs"]


def test_french_elision_makes_a_sequence() -> None:
    items = items_of(Lexicon({"a": ["l'ami"], "b": ["ennemi"]}), Tokenizer("fr"))
    assert items.match(Tokenizer("fr")("L’ami est là")) == ["l ami", "est", "là"]
