"""The items of a lexicon, the entries that are not used, and the weights that its author gave."""

from __future__ import annotations

import pytest

from problex import Lexicon
from problex.errors import LexiconError, LexiconWarning, ProblexError, command_option, use_spelling
from problex.matching import Negation
from problex.matching.items import given_weights, item_of, items_of, warn_of_missing_weights, warn_of_problems
from problex.matching.reference import find_matches
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


def test_problems_name_the_other_entry_and_its_list() -> None:
    items = items_of(Lexicon({"a": ["más", "uno"], "b": ["mas", "dos", "dós"]}), Tokenizer("es"))
    assert [str(problem) for problem in items.problems] == [
        "'dós' (b): repeated, the same as 'dos' once tokenised",
        "'mas' (b): in two lists, the same as 'más' in 'a' once tokenised, left out of both",
    ]
    with pytest.warns(LexiconWarning, match=r"^1 entry is not used \(in two lists\): 'mas' \(b\)$"):
        warn_of_problems(items)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (5, r"5 entries are not used \(not matchable\): '\*' \(a\), .*, '\*{5}' \(a\)$"),
        (6, r"6 entries are not used \(not matchable\): '\*' \(a\), .*, '\*{5}' \(a\) and 1 more$"),
    ],
)
def test_a_warning_names_five_entries(number: int, expected: str) -> None:
    stars = ["*" * length for length in range(1, number + 1)]
    with pytest.warns(LexiconWarning, match=expected):
        warn_of_problems(items_of(Lexicon({"a": ["good", *stars], "b": ["bad"]}), Tokenizer()))


def test_a_literal_may_have_blanks_and_is_no_phrase() -> None:
    items = items_of(
        Lexicon({"a": ["so :(", "--", "well made"], "b": ["École", "a\0b"]}), Tokenizer("fr", negation=None)
    )
    assert items.names == ("--", "so :(", "well made", "école")
    assert items.literals == ("--", "so :(")
    assert items.phrases == (("well", "made"),)
    assert [(problem.kind, problem.entry) for problem in items.problems] == [("not matchable", "a\0b")]


def test_a_negated_item_is_in_the_opposite_list_if_there_is_negation() -> None:
    lexicon = Lexicon({"a": ["good"], "b": ["bad*"]})
    items = items_of(lexicon, Tokenizer())
    names = ["NOT good", "NOT badly", "NOT film", "bad film"]
    assert [items.find(name) for name in names] == [1, 0, None, None]
    assert items_of(lexicon, Tokenizer(negation=None)).find("NOT good") is None
    three = items_of(Lexicon({"a": ["one"], "b": ["two"], "c": ["three"]}), Tokenizer())
    assert three.find("NOT one") is None


def test_words_of_a_negation_are_tokenised_and_must_be_one_token() -> None:
    negation = Negation(("Not", "no way", "don’t", "!"), ("But", "and so"), 2)
    lexicon = Lexicon({"a": ["good"], "b": ["bad"]})
    assert items_of(lexicon, Tokenizer(negation=negation)).negation == Negation(("not", "don't"), ("but",), 2)
    assert items_of(lexicon, Tokenizer(custom=stems, negation=negation)).negation == negation


def stems(text: str) -> list[str]:
    return [word.rstrip("s") for word in text.split()]


def test_a_function_tokenises_entries_of_one_word_too() -> None:
    items = items_of(Lexicon({"a": ["cats"], "b": ["dogs"]}), Tokenizer(custom=stems))
    assert items.names == ("cat", "dog")


def test_a_language_still_to_be_guessed_has_no_items() -> None:
    with pytest.raises(ProblexError, match=r'the language "auto" was given where there are no texts to guess it from'):
        items_of(Lexicon({"a": ["good"], "b": ["bad"]}), Tokenizer("auto"))


@pytest.mark.parametrize(
    ("entry", "item"),
    [
        ("Colo?r", ("colo?r", False)),
        ("gre*t deal*", ("gre*t deal*", False)),
        ("well-made thin?", ("well made thin?", False)),
        ("wo?n't", ("wo?n't", False)),
        ("do*'t", ("do*'t", True)),  # a part that begins with an apostrophe is no word
        ("a+?", ("a+?", True)),
        ("???", ("???", True)),
        ("4?er", ("4?er", True)),
        ("happ*", ("happ*", False)),
    ],
)
def test_glob_entries_are_patterns_if_the_rest_are_letters(entry: str, item: tuple[str, bool]) -> None:
    assert item_of(entry, Tokenizer(glob=True)) == item


def test_masked_words_stay_as_they_are_written_by_default() -> None:
    lexicon = Lexicon({"rude": ["sh*t", "d?mn"], "kind": ["thanks"]})
    text = "shirt, damn, sh*t, thanks"
    for glob, expected in ((False, ["sh*t", "thanks"]), (True, ["shirt", "damn", "thanks"])):
        tokenizer = Tokenizer(glob=glob)
        items = items_of(lexicon, tokenizer)
        names = [match.name for match in find_matches(text, items, tokenizer)]
        assert [name for name in names if items.find(name) is not None] == expected


def test_a_custom_tokenizer_may_keep_question_marks() -> None:
    lexicon = Lexicon({"asks": ["what?", "why?*"], "says": ["yes"]})
    tokenizer = Tokenizer(custom=str.split)
    items = items_of(lexicon, tokenizer)
    assert [items.find(word) for word in ("what?", "why?!", "whats", "whyso")] == [0, 0, None, None]


def test_glob_must_be_true_or_false() -> None:
    with pytest.raises(ProblexError, match="glob is 'yes', expected True or False"):
        Tokenizer(glob="yes")  # type: ignore[arg-type]


def test_items_have_the_weights_of_their_entries() -> None:
    lexicon = Lexicon(
        {"up": {"Well-made": 3, "happ*": 1.5, ":)": 2, "so-so": -0.5}, "down": {"bad": -2, "rip off": -4}}
    )
    entries = ["bad", "rip off", "NOT well made", ":)", "happier", "well made", "so so"]
    assert given_weights(lexicon, Tokenizer(), entries).tolist() == [2, 4, 3, 2, 1.5, 3, -0.5]


def test_the_word_itself_and_the_most_specific_wildcard_win() -> None:
    lexicon = Lexicon({"up": {"happ*": 1, "happi*": 2, "happily": 3, "h?ppy": 4}, "down": {"sad": 1}})
    words = ["happen", "happier", "happily", "happy", "sad"]
    assert given_weights(lexicon, Tokenizer(), words[:3]).tolist() == [1, 2, 3]
    assert given_weights(lexicon, Tokenizer(glob=True), words).tolist() == [1, 2, 3, 4, 1]


def test_entries_without_a_weight_have_the_mean_of_their_list() -> None:
    lexicon = Lexicon({"up": {"good": 1, "fine": 4, "fair": None}, "down": ["bad"]})
    with pytest.raises(LexiconError, match="the weights of the words in list 'down' add up to 0"):
        given_weights(lexicon, Tokenizer(), ["good"])
    lexicon = Lexicon({"up": {"good": 1, "fine": 4, "fair": None}, "down": {"bad": -1}})
    assert given_weights(lexicon, Tokenizer(), ["fair"]).tolist() == [2.5]
    with pytest.warns(
        LexiconWarning, match="1 entry of the lexicon has no weight and gets the mean of its list: 'fair'"
    ):
        warn_of_missing_weights(lexicon)


def test_a_lexicon_without_weights_is_refused() -> None:
    lexicon = Lexicon({"up": ["good"], "down": ["bad"]})
    with pytest.raises(LexiconError, match="the lexicon has no weights, expected a number for each word"):
        given_weights(lexicon, Tokenizer(), ["good"])
    with use_spelling(command_option), pytest.raises(LexiconError, match="with --rule given or --shrink-to given"):
        given_weights(lexicon, Tokenizer(), ["good"])


@pytest.mark.parametrize("weight", [True, "1", float("nan"), float("inf")])
def test_weights_are_numbers(weight: object) -> None:
    with pytest.raises(LexiconError, match=r"the weight of 'good' in list 'up' is .*, expected a number"):
        Lexicon({"up": {"good": weight}, "down": ["bad"]})
