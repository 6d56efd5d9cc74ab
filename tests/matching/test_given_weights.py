"""The weights of a lexicon for its items: signs, wildcards, negated words, and entries without one."""

from __future__ import annotations

import pytest

from problex import Lexicon
from problex.errors import LexiconError, LexiconWarning, command_line_message
from problex.matching.items import given_weights, warn_of_missing_weights
from problex.matching.tokens import Tokenizer


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
    with pytest.raises(LexiconError, match="the lexicon has no weights, expected a number for each word") as error:
        given_weights(Lexicon({"up": ["good"], "down": ["bad"]}), Tokenizer(), ["good"])
    assert "fitted with --rule given or --shrink-to given" in command_line_message(str(error.value))


@pytest.mark.parametrize("weight", [True, "1", float("nan"), float("inf")])
def test_weights_are_numbers(weight: object) -> None:
    with pytest.raises(LexiconError, match=r"the weight of 'good' in list 'up' is .*, expected a number"):
        Lexicon({"up": {"good": weight}, "down": ["bad"]})
