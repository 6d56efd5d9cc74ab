from __future__ import annotations

import pytest

from problex.errors import ProblexError
from problex.matching.languages import NEGATIONS
from problex.matching.negation import Negation
from problex.matching.tokens import Tokenizer


@pytest.mark.parametrize("language", sorted(NEGATIONS))
def test_every_negator_is_one_token_of_its_language(language: str) -> None:
    for word in NEGATIONS[language].negators + NEGATIONS[language].ends:
        assert len(Tokenizer(language)(word)) == 1, word


def test_the_seven_languages_have_their_negators() -> None:
    assert set(NEGATIONS) == {"en", "es", "fr", "de", "nl", "it", "pt"}


def test_clear_errors() -> None:
    with pytest.raises(ProblexError, match=r"negation='klingon' was given, expected one of auto, none, en, es"):
        Tokenizer(negation="klingon")
    with pytest.raises(ProblexError, match=r"a negation without negators was given"):
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
