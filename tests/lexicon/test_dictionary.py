from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.errors import LexiconError, LexiconWarning, ProblexError
from problex.lexicon.dictionary import Dictionary, category_of, find_categories, parse_choices, path_of
from problex.lexicon.lexicon import Entry

TREE = (
    "ECONOMY/+STATE+",
    "ECONOMY/-STATE-",
    "ECONOMY",
    "CULTURE/HIGH",
    "LAWS/HIGH",
    "posemo (Positive Emotions)",
    "Joy",
    "joy",
)


def entries(**lists: str) -> Dictionary:
    all_entries = [
        Entry(word, name, f"f:{at}") for name, words in lists.items() for at, word in enumerate(words.split(), 1)
    ]
    return Dictionary(tuple(all_entries))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("ECONOMY/+STATE+", ["ECONOMY/+STATE+"]),
        ("economy/+state+", ["ECONOMY/+STATE+"]),
        ("+STATE+", ["ECONOMY/+STATE+"]),
        ("economy", ["ECONOMY/+STATE+", "ECONOMY/-STATE-", "ECONOMY"]),
        ("CULTURE/HIGH", ["CULTURE/HIGH"]),
        ("culture", ["CULTURE/HIGH"]),
        ("posemo", ["posemo (Positive Emotions)"]),
        ("joy", ["joy"]),
        ("Joy", ["Joy"]),
    ],
)
def test_a_name_finds_its_category_and_what_is_below(wanted: str, expected: list[str]) -> None:
    assert find_categories(wanted, TREE) == expected


def test_names_that_find_nothing_or_too_much_are_errors() -> None:
    with pytest.raises(
        LexiconError, match=r"'HIGH' names 2 categories \(CULTURE/HIGH, LAWS/HIGH\), expected one: write"
    ):
        find_categories("HIGH", TREE)
    with pytest.raises(LexiconError, match=r"'JOY' names 2 categories \(Joy, joy\)"):
        find_categories("JOY", TREE)
    with pytest.raises(
        LexiconError,
        match=r"there is no category 'econmy', expected one of ECONOMY/\+STATE\+, .* did you mean 'ECONOMY'\?",
    ):
        find_categories("econmy", TREE)
    with pytest.raises(LexiconError, match=r"there is no category '', expected one of"):
        find_categories("", TREE)


def test_choosing_merges_categories_into_lists() -> None:
    dictionary = entries(posemo="good fine", POSITIVE="fine best", negemo="bad", other="x")
    chosen = dictionary.choose({"positive": ["posemo", "POSITIVE"], "negative": "negemo"})
    assert chosen.lists == {"positive": ("good", "fine", "best"), "negative": ("bad",)}
    assert not chosen.tidy().problems  # a word of both merged categories is not repeated in the file
    assert chosen.lexicon().lists == {"negative": ("bad",), "positive": ("best", "fine", "good")}


def test_a_word_chosen_for_two_lists_is_left_out_of_the_lexicon() -> None:
    dictionary = entries(a="good both", b="bad both")
    with pytest.warns(LexiconWarning, match=r"1 entry is in two lists"):
        assert dictionary.lexicon().lists == {"a": ("good",), "b": ("bad",)}


def test_options() -> None:
    assert parse_choices(["a=x, y", "a=z", "b"], ["x", "y", "z", "b"]) == {"a": ["x", "y", "z"], "b": ["b"]}
    assert parse_choices(["a=x, y"], ["x, y"]) == {"a": ["x, y"]}
    for bad in ("=x", "a=", ""):
        with pytest.raises(LexiconError, match=r"--list .*was given, expected NAME=CATEGORY"):
            parse_choices([bad], [])


def test_tidying_reports_what_it_does() -> None:
    dictionary = Dictionary(
        (
            Entry("a  b ", "x", "f:1"),
            Entry("a b", "x", "f:2"),
            Entry(" ", "x", "f:3"),
            Entry("A b", "x", "f:4"),
            Entry("a b", "y", "f:5", 1.0),
            Entry("a b", "y", "f:6", 2.0),
        )
    ).tidy()
    assert dictionary.lists == {"x": ("a b", "A b"), "y": ("a b",)}
    assert [str(issue) for issue in dictionary.problems] == [
        "'a b' (f:2): repeated, kept once",
        "' ' (f:3): blank, left out",
        "'a b' (f:6): repeated, the weight 1.0 of f:5 is kept, not 2.0",
    ]
    assert dictionary.tidy() == dictionary


def test_a_lexicon_keeps_weights_and_does_not_count_them_as_difference() -> None:
    plain = entries(a="good", b="bad")
    weighted = Dictionary((Entry("Good", "a", "", 1.9), Entry("bad", "b", "", -2.0)))
    assert weighted.lexicon() == plain.lexicon()
    assert weighted.lexicon().fingerprint == plain.lexicon().fingerprint
    assert weighted.lexicon().weights == {"good": 1.9, "bad": -2.0}
    assert plain.lexicon().weights == {}


def test_a_lexicon_becomes_a_dictionary_and_comes_back() -> None:
    lexicon = Dictionary((Entry("good", "a", "", 1.9), Entry("bad", "b", ""))).lexicon()
    again = Dictionary.of(lexicon)
    assert again.lists == {"a": ("good",), "b": ("bad",)}
    assert again.lexicon() == lexicon
    assert again.lexicon().weights == lexicon.weights


def test_one_list_is_not_a_lexicon_but_a_dictionary() -> None:
    one = entries(only="good")
    assert one.categories == ("only",)
    with pytest.raises(LexiconError, match=r"the lexicon has 1 list \(only\), expected two or more"):
        one.lexicon()


def test_many_overlapping_categories_ask_to_be_chosen_from() -> None:
    dictionary = entries(affect="good bad", posemo="good", negemo="bad")
    with pytest.raises(LexiconError) as raised:
        dictionary.lexicon()
    assert (
        "the file has 3 categories (affect, posemo, negemo): choose opposed categories, --list positive=CATEGORY"
        in str(raised.value)
    )


def test_records_count_what_is_in_a_category() -> None:
    dictionary = Dictionary((Entry("happ*", "a", ""), Entry("no way", "a", "", 2.0), Entry("x", "b", "")))
    assert dictionary.records()[0] == {
        "category": "a", "entries": 2, "wildcards": 1, "phrases": 1, "weighted": 1, "first": "happ*, no way"
    }  # fmt: skip


@given(st.lists(st.text(st.characters(exclude_categories=["C"])), max_size=4))
def test_paths_and_names_are_two_ways_to_say_the_same(parts: list[str]) -> None:
    name = category_of(parts)
    assert category_of(path_of(name)) == name
    assert category_of([name]) == name


NESTED = Dictionary(
    (
        Entry("glad", "affect/posemo", "f:1"),
        Entry("grim", "affect/negemo", "f:2"),
        Entry("Wicked", "affect/posemo", "f:3"),
        Entry("wicked", "affect/negemo", "f:4"),
        Entry("wicked", "moral/vice", "f:5"),
    )
)


def test_a_category_within_one_of_another_list_is_an_error() -> None:
    message = (
        r"the category 'affect' of list 'all' contains 'posemo' of list 'good' \(affect/posemo\), expected categories "
        r"that do not contain each other"
    )
    with pytest.raises(LexiconError, match=message):
        NESTED.choose({"good": "posemo", "all": "affect"})
    with pytest.raises(
        LexiconError, match=r"lists 'a' and 'b' both take the category 'posemo', expected different ones"
    ):
        NESTED.choose({"a": "posemo", "b": "posemo"})


def test_words_of_several_lists_are_kept_where_it_is_said() -> None:
    choices = {"positive": ["posemo"], "negative": ["negemo", "vice"]}
    with pytest.warns(LexiconWarning, match=r"1 entry is in two lists, left out of both: 'wicked'"):
        assert NESTED.choose(choices).lexicon().lists == {"negative": ("grim",), "positive": ("glad",)}
    with pytest.warns(
        LexiconWarning, match=r"""1 entry is in several lists and kept in one \(shared="first"\): 'wicked' in"""
    ):
        first = NESTED.choose(choices, shared="first")
    assert first.lexicon().lists == {"negative": ("grim",), "positive": ("glad", "wicked")}
    with pytest.warns(LexiconWarning, match=r"""kept in one \(shared="most"\): 'wicked' in 'negative'"""):
        most = NESTED.choose(choices, shared="most")
    assert most.lexicon().lists == {"negative": ("grim", "wicked"), "positive": ("glad",)}
    assert str(most.problems[-1]) == "'wicked' (positive and negative): in several lists, kept in 'negative'"
    both = NESTED.choose({"all": "affect", "good": "posemo"}, shared="both")
    assert both.lists == {"all": ("glad", "grim", "Wicked", "wicked"), "good": ("glad", "Wicked")}
    with pytest.raises(ProblexError, match=r"shared='none' was given, expected one of drop, first, most, both"):
        NESTED.choose(choices, shared="none")
