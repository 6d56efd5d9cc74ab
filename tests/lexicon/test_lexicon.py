from __future__ import annotations

import copy
import pickle
import random

import pytest

from problex import Lexicon
from problex.errors import LexiconError, LexiconWarning
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from tests.work import calls_of, made_up_words


def test_order_means_nothing() -> None:
    one = Lexicon({"b": ["y", "x"], "a": ["q", "p"]})
    two = Lexicon({"a": ["p", "q"], "b": ["x", "y"]})
    assert one == two
    assert one.fingerprint == two.fingerprint
    assert hash(one) == hash(two)
    assert one.names == ("a", "b")
    assert len(one) == 4
    assert Lexicon({"a": ["p"], "b": ["x", "y"]}).fingerprint != one.fingerprint


def test_entries_that_need_no_cleaning_are_read_like_others() -> None:
    """The repeated entry makes the second go the long way."""
    clean = {"b": ["y z", "x", ":)"], "a": ["q", "étés", "happ*"]}
    one, two = Lexicon(clean), Lexicon({"b": [*clean["b"], "x"], "a": clean["a"]})
    assert one == two
    assert list(one.lists) == list(two.lists) == ["a", "b"]
    assert (len(one.problems), len(two.problems)) == (0, 1)
    assert one.weights == two.weights == {}


def test_the_work_for_an_entry_does_not_depend_on_their_number() -> None:
    def work(number: int, upper: bool) -> int:
        words = [word.upper() if upper else word for word in made_up_words(number)]
        lists = {"a": words[::2], "b": words[1::2]}
        return calls_of(lambda: items_of(Lexicon(lists), Tokenizer()))

    for upper in (False, True):
        assert work(10_000, upper) < 10.1 * work(1_000, upper)


def test_problems_name_the_word_and_where() -> None:
    lexicon = Lexicon({"a": ["Up", "up", " blank ", "  "], "b": ["other"]})
    dictionary = [(issue.kind, issue.entry, issue.where) for issue in lexicon.problems]
    assert dictionary == [
        ("upper case", "Up", "a, entry 1"),
        ("repeated", "up", "a, entry 2"),
        ("blanks", " blank ", "a, entry 3"),
        ("blank", "  ", "a, entry 4"),
    ]
    assert lexicon.lists["a"] == ("blank", "up")


def test_a_word_in_two_lists_is_left_out_of_both_and_said() -> None:
    with pytest.warns(LexiconWarning, match=r"1 entry is in two lists.*'both' \(a, entry 2 and b, entry 1\)"):
        lexicon = Lexicon({"a": ["one", "both"], "b": ["Both", "two"]})
    assert lexicon.lists == {"a": ("one",), "b": ("two",)}
    assert lexicon.problems[-1].kind == "in two lists"


def test_a_word_in_three_lists_leaves_none() -> None:
    with pytest.warns(LexiconWarning):
        lexicon = Lexicon({"a": ["x", "p"], "b": ["x", "q"], "c": ["x", "r"]})
    assert all("x" not in words for words in lexicon.lists.values())


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ({"a": ["x"]}, "the lexicon has 1 list .a., expected two or more"),
        ({}, "the lexicon has 0 lists .none."),
        ({"a": ["x"], "b": []}, "list 'b' has no usable entry"),
        ({"a": ["x"], "b": [" "]}, r"list 'b' has no usable entry \(1 entry blank"),
        ({"a": "word", "b": ["x"]}, r"list 'a' is one string, 'word', expected a list of words"),
        ({"a": ["x", 3], "b": ["y"]}, r"entry 2 of list 'a' is 3 \(int\), expected a word"),
        ({"a": ["x", None], "b": ["y"]}, r"entry 2 of list 'a' is None"),
        (["x"], "given as list, expected a mapping"),
        ({"undecided": ["x"], "b": ["y"]}, "a list is called 'undecided'"),
    ],
)
def test_bad_lexicons_are_refused(lists: object, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        Lexicon(lists)  # type: ignore[arg-type]


def test_copies_and_pickles_are_equal() -> None:
    lexicon = Lexicon({"a": ["x", "X"], "b": ["y"]})
    for other in (copy.deepcopy(lexicon), pickle.loads(pickle.dumps(lexicon))):
        assert other == lexicon
        assert other.problems == lexicon.problems
        assert other.weights == lexicon.weights


def test_it_cannot_be_changed() -> None:
    lexicon = Lexicon({"a": ["x"], "b": ["y"]})
    with pytest.raises(TypeError):
        lexicon.lists["a"] = ("z",)  # type: ignore[index]
    with pytest.raises(AttributeError):
        lexicon.lists = {}  # type: ignore[misc]


def test_shuffled_words_give_the_same_lexicon() -> None:
    words = [f"w{chr(97 + at % 26)}{chr(97 + at // 26)}" for at in range(300)]
    shuffled = words[:]
    random.Random(0).shuffle(shuffled)
    assert Lexicon({"a": words, "b": ["x"]}) == Lexicon({"b": ["x"], "a": shuffled})


@pytest.mark.parametrize("name", ["", " "])
def test_a_list_needs_a_name(name: str) -> None:
    """An audit takes an empty label for none, so that every label of such a list would be lost."""
    with pytest.raises(LexiconError, match=r"blank label, which means no label. Give the list a name"):
        Lexicon({name: ["good"], "b": ["bad"]})
