"""Tokens: letters, marks, apostrophes, cases and accents, and links, addresses and handles, which are none."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from problex import Lexicon, LexiconClassifier, count, lookup
from problex.counting._counter import FASTEST
from problex.counting.counters import sum_counter
from problex.counting.tables import token_ids
from problex.errors import ProblexError
from problex.matching.items import items_of
from problex.matching.languages import LANGUAGES
from problex.matching.reference import find_matches, locate_matches
from problex.matching.tokens import APOSTROPHES, Tokenizer, fold_accents
from tests.counting.test_counter import assert_same, slowly


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


LEXICON = Lexicon({"up": ["good", "united", ":)", "a+", "x"], "down": ["bad", ":/", "not so good", "co", "@@", "-/"]})
BY_HAND = {
    "see http://x.y/good": ["see"],
    "http://x.y": [],
    "http://x.y good": ["good"],
    "good https://www.good.com/a?b=c&d=%20#e bad": ["good", "bad"],
    "HTTP://X": [],
    "Https://Good.Com/Bad good": ["good"],
    "http:// good": ["good"],
    "http:/x http:x ttp://x ": ["http", ":/", "x", "http", "x", "ttp", ":/", "x"],
    "seehttp://x.y": ["see"],
    "www.x.y": [],
    "WWW.good.com, bad": ["bad"],
    "awww.good www. good www.": ["awww", "good", "www", "good", "www"],
    "(http://x.y/z)": [],
    "(http://x.y/z) good": ["good"],
    "http://x.y/good\u00a0bad": ["bad"],
    "http://x.y/good\u200bbad": ["bad"],
    '"http://x.y/good"bad <http://x.y>good': ["bad", "good"],
    "http://x.y/Größe bad": ["bad"],
    "http://x.y/привет bad": ["bad"],
    "http://t.cn/abc很好": ["很好"],
    "看http://t.cn/abc，很好": ["看", "很好"],
    "http://t.co/abc… good": ["good"],
    "http://x.y:) good": [":)", "good"],
    "http://x.y :/": [":/"],
    "user@example.com": [],
    "user@example.com. Good": ["good"],
    "first.last+tag@good-bad.example.co.uk good": ["good"],
    "bad...me@good.com": ["bad"],
    "müller@größe.de good": ["good"],
    "user@example.com's good": ["good"],
    "mailto:user@example.com": ["mailto"],
    "a@b": ["a", "b"],
    "a@b. c": ["a", "b", "c"],
    "bad@good bad@@good": ["bad", "good", "bad"],
    "@ home": ["home"],
    "@united good": ["good"],
    "good @united": ["good"],
    "@united": [],
    "e.g.@me": ["e", "g"],
    "很好@united": ["很好"],
    "@name's good": ["good"],
    "@name’s good": ["good"],
    "@good, @bad: @united! good": ["good"],
    ".@united: bad": ["bad"],
    "@good_bad2 @good-bad": ["bad"],
    "@@good @@@": ["@@"],
    "@user@mastodon.social good": ["good"],
    "@www.good.com @http://good.com bad": ["bad"],
    "#good #united@bad": ["good", "united", "bad"],
    "RT @united: good http://t.co/x": ["rt", "good"],
}
"""What each text has for words, with Chinese words found by hand."""
PIECES = ["http://", "HTTPS://", "://", "www.", "WWW.", "ww", "@", "@@", ".", "..", "-", "+", "'", "’", "/", ":", ":/"]
PIECES += [" ", "\n", "\u00a0", "\u3000", "a", "x", "good", "not", "so", "É", "e\u0301", "ß", "İ", "ı", "я", "ش", "،"]
PIECES += ["很好", "ไทย", "हि", "_", "2", "²", "٣", "(", ")", '"', "<", "a+", ":)", "😀", "\x00", "x" * 61, "~", "\x7f"]
TEXTS = st.lists(st.lists(st.sampled_from(PIECES), max_size=24).map("".join), max_size=4)


def names(text: str, tokenizer: Tokenizer | None = None) -> list[str]:
    used = tokenizer or Tokenizer(negation=None)
    lexicon = LEXICON if text.isascii() else Lexicon({**LEXICON.lists, "up": [*LEXICON.lists["up"], "很好"]})
    items = items_of(lexicon, used)
    found = token_ids([text], items, used)
    compiled = [found.words[at] for at in found.ids]
    assert compiled == [match.name for match in find_matches(text, items, used)]
    return compiled


@pytest.mark.parametrize("text", BY_HAND)
def test_links_addresses_and_handles_are_no_words(text: str) -> None:
    assert names(text) == BY_HAND[text]


def test_they_are_words_if_asked_for() -> None:
    kept = Tokenizer(negation=None, keep_links=True)
    assert names("@united http://t.co/x a@b.c", kept) == ["united", "http", ":/", "t", "co", "x", "a", "b", "c"]


def test_punctuation_behind_a_link_ends_a_clause_and_that_inside_does_not() -> None:
    tokenizer = Tokenizer()
    assert names("not http://x.y/a,b.c good", tokenizer) == ["not", "NOT good"]
    assert names("not http://x.y. good", tokenizer) == ["not", "good"]
    assert names("not @a, good", tokenizer) == ["not", "good"]
    assert names("not @a @b @c @d a@b.c good", tokenizer) == ["not", "NOT good"]  # they take no place in its scope
    assert names("not so http://x.y good", tokenizer) == ["not so good"]


@given(TEXTS, st.sampled_from(sorted(LANGUAGES)), st.booleans(), st.booleans())
@example(
    ["@" * 64 + "good", "x" * 62 + "www.good", "x" * 61 + "://good http", "x" * 60 + "http://good"], "en", False, False
)
@example(["http://x.y/" + "a" * 130 + " good", " " * 63 + "@good", "a" * 64 + "@b.c good"], "en", False, False)
def test_the_counter_cuts_links_as_the_reference_does(texts: list[str], language: str, folds: bool, keep: bool) -> None:
    tokenizer = Tokenizer(language, folds, keep_links=keep)
    found = count(texts, LEXICON, threads=1, tokenizer=tokenizer, associations=True)
    assert found == slowly(texts, tokenizer, LEXICON)
    counters = [sum_counter(items_of(LEXICON, tokenizer), tokenizer, fast=fast) for fast in range(FASTEST + 1)]
    for counter in counters:
        counter.add(pa.array(texts, pa.string()))
    for other in counters[1:]:
        assert_same(counters[0], other)


@given(TEXTS, st.booleans())
def test_matches_have_their_place_beside_links(texts: list[str], keep: bool) -> None:
    tokenizer = Tokenizer(keep_links=keep)
    for text in texts:
        for match in locate_matches(text, items_of(LEXICON, tokenizer), tokenizer):
            start, end = match.position or (0, 0)
            if text.isascii() and not match.phrase:
                assert text[start:end].lower() == match.item.removeprefix("NOT ")


def test_letters_of_links_are_those_of_the_table_of_characters() -> None:
    """Every character below U+0800, in the middle of a handle: it goes on, or it ends there."""
    characters = [chr(point) for point in range(0x80, 0x800)]
    texts = [f"@a{character}bad good" for character in characters]
    rows = token_ids(texts, items_of(LEXICON, Tokenizer("any")), Tokenizer("any"))
    lengths = np.diff(np.concatenate([[0], rows.ends])) if len(rows.ends) == len(texts) else np.diff(rows.ends)
    goes_on = [unicodedata.category(character)[0] in "LM" for character in characters]
    assert lengths.tolist() == [1 if inside else 2 for inside in goes_on]


def test_lookup_does_not_count_them_unless_asked_to() -> None:
    dictionary = {"airline": ["united"], "face": [":/"]}
    texts = ["@united http://t.co/x #united"]
    found = [lookup(texts, dictionary, keep_links=keep).select(["airline", "face"]) for keep in (False, True)]
    assert [table.to_pylist() for table in found] == [[{"airline": 1, "face": 0}], [{"airline": 2, "face": 1}]]


def test_the_choice_is_part_of_models_and_counts() -> None:
    texts = ["good http://bad.com", "bad @good", "good day", "bad day"] * 5
    lexicon = {"up": ["good"], "down": ["bad"]}
    usual, kept = LexiconClassifier(lexicon).fit(texts), LexiconClassifier(lexicon, keep_links=True).fit(texts)
    assert [clf.model_.evidence.tokens for clf in (usual, kept)] == [30, 50]
    assert [clf.model_.tokenizer.keep_links for clf in (usual, kept)] == [False, True]
    again = LexiconClassifier.from_model(kept.model_)
    assert again.keep_links
    assert again.decision_function(["@bad"])[0] == kept.decision_function(["@bad"])[0]
    assert usual.decision_function(["@bad"])[0] == usual.decision_function([""])[0]
    made = [count(texts, Lexicon(lexicon), tokenizer=Tokenizer(keep_links=keep)) for keep in (False, True)]
    with pytest.raises(ProblexError, match="cannot be added"):
        _ = made[0] + made[1]


def test_keep_links_must_be_true_or_false() -> None:
    with pytest.raises(ProblexError, match="keep_links is 'yes', expected True or False"):
        Tokenizer(keep_links="yes")  # type: ignore[arg-type]


def test_an_entry_that_is_a_link_is_reported() -> None:
    lexicon = Lexicon({"up": ["good", "@united"], "down": ["bad", "www.x.y"]})
    problems = [str(problem) for problem in items_of(lexicon, Tokenizer()).problems]
    expected = "not matchable, left out: links, addresses and handles are no words by default"
    assert problems == [f"'www.x.y' (down): {expected}", f"'@united' (up): {expected}"]
    assert not items_of(lexicon, Tokenizer(keep_links=True)).problems
