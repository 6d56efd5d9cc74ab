from __future__ import annotations

import pytest

from problex import Lexicon
from problex.counting.tables import tabulate
from problex.errors import ProblexError
from problex.matching.items import items_of
from problex.matching.languages import NEGATIONS
from problex.matching.negation import Negation
from problex.matching.reference import find_matches
from problex.matching.tokens import Tokenizer


@pytest.mark.parametrize("language", sorted(NEGATIONS))
def test_every_negator_is_one_token_of_its_language(language: str) -> None:
    for word in NEGATIONS[language].negators + NEGATIONS[language].ends:
        assert len(Tokenizer(language)(word)) == 1, word


def test_the_ten_languages_most_used_have_their_negators_and_exceptions() -> None:
    assert set(NEGATIONS) == {"en", "es", "fr", "de", "nl", "it", "pt", "ru", "ar", "zh", "he", "th"}
    assert all(negation.exceptions for negation in NEGATIONS.values())


@pytest.mark.parametrize("language", sorted(NEGATIONS))
def test_every_exception_has_several_words_and_a_negator(language: str) -> None:
    negators = {Tokenizer(language)(word)[0] for word in NEGATIONS[language].negators}
    for phrase in NEGATIONS[language].exceptions:
        words = Tokenizer(language)(phrase)
        assert len(words) > 1, phrase
        assert negators & set(words), phrase


def test_an_exception_does_not_negate() -> None:
    lexicon = Lexicon({"positive": ["good", "great"], "negative": ["bad", "doubt"]})
    texts = ["Not only good but great.", "No doubt a great film.", "There is not only bad, nothing is good."]
    items = items_of(lexicon, Tokenizer())
    found = [[match.name for match in find_matches(text, items, Tokenizer())] for text in texts]
    assert found == [
        ["not only", "good", "but", "great"],
        ["no doubt", "a", "great", "film"],  # `doubt` is part of the phrase, so it is not counted
        ["there", "is", "not only", "bad", "nothing", "is", "NOT good"],
    ]
    table = tabulate(texts, items, Tokenizer())
    assert table.lengths.tolist() == [4, 4, 7]
    counted = dict(zip(table.words, table.matrix.sum(axis=0).tolist(), strict=True))
    assert [counted.get(word, 0) for word in ("not only", "no doubt", "NOT good", "NOT great")] == [2, 1, 1, 0]


def test_negation_without_exceptions_is_as_before() -> None:
    negation = Negation(("not",))
    assert Tokenizer(negation=negation).settings["negation"]["exceptions"] == []
    items = items_of(Lexicon({"a": ["good"], "b": ["bad"]}), Tokenizer(negation=negation))
    assert [match.name for match in find_matches("not only good", items, Tokenizer())] == ["not", "only", "NOT good"]


def test_exceptions_of_the_user_are_words_of_a_list_too() -> None:
    negation = Negation(("not",), exceptions=("not half",))
    lexicon = Lexicon({"a": ["not half", "good"], "b": ["bad"]})
    items = items_of(lexicon, Tokenizer(negation=negation))
    assert items.phrases == (("not", "half"),)
    assert items.find("not half") == 0
    with pytest.raises(ProblexError, match=r"exceptions='not half' was given, expected a list of words"):
        Negation(("not",), exceptions="not half")  # type: ignore[arg-type]


def test_clear_errors() -> None:
    with pytest.raises(ProblexError, match=r"negation='klingon' was given, expected one of auto, none, en, es"):
        Tokenizer(negation="klingon")
    with pytest.raises(ProblexError, match=r"negators is empty, expected at least one word: to switch negation off"):
        Negation(())
    with pytest.raises(ProblexError, match=r"scope=0 was given, expected a number of tokens from 1 to"):
        Negation(("not",), scope=0)
    with pytest.raises(ProblexError, match=r"negators='not' was given, expected a list of words"):
        Negation("not")  # type: ignore[arg-type]
    with pytest.raises(ProblexError, match=r"ends=\('but', 1\) was given, expected a list of words"):
        Negation(("not",), ("but", 1))  # type: ignore[arg-type]
    with pytest.raises(ProblexError, match=r"scope=1.5 was given, expected a number of tokens from 1 to"):
        Negation(("not",), scope=1.5)  # type: ignore[arg-type]


def test_plain_values_and_back() -> None:
    own = Negation(("nicht",), ("aber",), 3)
    assert Tokenizer("de", negation=Tokenizer("de", negation=own).settings["negation"]).negation == own


def test_the_order_of_words_does_not_matter() -> None:
    assert Negation(["not", "no", "no"], ["yet", "but"]) == Negation(("no", "not"), ("but", "yet"))  # type: ignore[arg-type]


def test_a_setting_of_negation_may_be_true_or_false() -> None:
    assert Tokenizer("de", negation=True).negation == NEGATIONS["de"]
    assert Tokenizer("de", negation=False).negation is None
    assert Tokenizer("any", negation="fr").negation == NEGATIONS["fr"]


@pytest.mark.parametrize("scope", [0, -1, True, 1.5, "4", 2**31, 10**400])
def test_a_scope_that_no_file_can_have_is_refused(scope: object) -> None:
    shown = "a number of more than 40 digits" if scope == 10**400 else repr(scope)
    with pytest.raises(ProblexError) as caught:
        Negation(("not",), scope=scope)  # type: ignore[arg-type]
    assert str(caught.value).startswith(f"scope={shown} was given, expected a number of tokens from 1 to 2,147,483,647")
