from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.errors import ProblexError
from problex.matching.languages import LANGUAGES
from problex.matching.tokens import APOSTROPHES, Tokenizer, fold_accents


def obvious(text: str, joins: bool) -> list[str]:
    """The definition, character by character: the reference for every faster way."""
    tokens: list[str] = []
    current, pending = "", False
    for character in unicodedata.normalize("NFC", text) + " ":
        kind = unicodedata.category(character)[0]
        if character in APOSTROPHES:
            if pending or not current or not joins:
                tokens, current, pending = ([*tokens, current] if current else tokens), "", False
            else:
                pending = True
        elif kind == "L" or (kind == "M" and current and not pending):
            current += ("'" if pending else "") + character
            pending = False
        else:
            tokens, current, pending = ([*tokens, current] if current else tokens), "", False
    return [token.lower() for token in tokens]


@given(st.text(), st.sampled_from(["en", "fr"]))
def test_tokens_follow_the_definition(text: str, language: str) -> None:
    assert Tokenizer(language, keep_links=True)(text) == obvious(text, language == "en")


@given(st.text(alphabet="ab'’A .-é\u0301½²_7"))
def test_tokens_follow_the_definition_on_difficult_characters(text: str) -> None:
    assert Tokenizer()(text) == obvious(text, True)
    assert Tokenizer("it")(text) == obvious(text, False)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_is_what_a_regular_expression_says(text: str) -> None:
    assert Tokenizer(keep_links=True)(text) == re.findall(r"[a-z]+(?:'[a-z]+)*", text.lower())


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Don't stop", ["don't", "stop"]),
        ("don’t", ["don't"]),
        ("'quoted' words''", ["quoted", "words"]),
        ("rock'n'roll", ["rock'n'roll"]),
        ("well-made", ["well", "made"]),
        ("½ x² 42 a_b", ["x", "a", "b"]),
        ("İstanbul ISTANBUL", ["i̇stanbul", "istanbul"]),
        ("ΟΔΟΣ", ["οδος"]),
        ("Straße", ["straße"]),
        ("e\u0301te\u0301", ["été"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("日本語", ["日本語"]),
        ("good\x00bad", ["good", "bad"]),
        ("", []),
        ("\ud800lone", ["lone"]),
    ],
)
def test_examples(text: str, tokens: list[str]) -> None:
    assert Tokenizer()(text) == tokens


def test_apostrophes_split_where_they_join_two_words() -> None:
    assert Tokenizer("fr")("L’ami d'hier") == ["l", "ami", "d", "hier"]
    assert Tokenizer("it")("dell'arte") == ["dell", "arte"]


def test_spanish_folds_accents_and_keeps_the_tilde() -> None:
    assert Tokenizer("es")("¿Está el NIÑO aquí, pingüino?") == ["esta", "el", "niño", "aqui", "pinguino"]
    assert Tokenizer("es", fold_accents=False)("está") == ["está"]
    assert Tokenizer("en", fold_accents=True)("niño") == ["nino"]


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold_accents(fold_accents(text, "ñ"), "ñ") == fold_accents(text, "ñ")


def test_a_function_replaces_the_rule() -> None:
    pairs = Tokenizer("any", custom=lambda text: [text[at : at + 2] for at in range(0, len(text), 2)])
    assert pairs("日本語学") == ["日本", "語学"]
    assert pairs.name is not None


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ProblexError, match=r"language 'xx' is not known, expected one of: en \(English\)"):
        Tokenizer("xx")
    assert {"en", "es", "fr", "de", "nl", "it", "pt"} <= set(LANGUAGES)


def test_a_function_is_known_by_its_name() -> None:
    tokenizer = Tokenizer("any", custom=obvious_words)
    assert tokenizer.name == tokenizer.settings["custom"] == f"{__name__}.obvious_words"
    assert Tokenizer().name is None
    assert Tokenizer().settings["custom"] is None


def obvious_words(text: str) -> list[str]:
    return obvious(text, joins=True)


class Unhashable:
    __hash__ = None  # type: ignore[assignment]

    def __call__(self, text: str) -> list[str]:
        return text.split()


def test_a_function_must_be_hashable() -> None:
    with pytest.raises(ProblexError, match=r"cannot be hashed, expected a function of one text"):
        Tokenizer(custom=Unhashable())
