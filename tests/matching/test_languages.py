"""Languages: their tokens, negation and endings, and how one is guessed."""

from __future__ import annotations

import warnings

import numpy as np
import pyarrow as pa
import pytest

from problex import Counts, Lexicon, LexiconClassifier
from problex.errors import DocumentWarning, LexiconWarning, ProblexError
from problex.matching import Negation
from problex.matching.language_guess import guess_language, inflected_entries, language_of, resolve_language
from problex.matching.languages import LANGUAGES
from problex.matching.tokens import Tokenizer

SENTENCES = {
    "en": "The film is not as good as they said, but it was fun to watch with the children.",
    "es": "La película no es tan buena como dicen, pero me lo pasé muy bien con los niños en el cine.",
    "fr": "Le film n'est pas aussi bon que l'on dit, mais il est drôle et les enfants en rient dans la salle.",
    "de": "Der Film ist nicht so gut, wie man sagt, aber es war ein Spaß mit den Kindern im Kino.",
    "nl": "De film is niet zo goed als ze zeggen, maar het was leuk om met de kinderen te kijken.",
    "it": "Il film non è così bello come dicono, ma è stato divertente con i bambini della scuola.",
    "pt": "O filme não é tão bom como dizem, mas foi divertido com as crianças no cinema da cidade.",
    "ru": "Фильм не так хорош, как говорят, но мы с детьми смеялись, и это было не зря.",
    "tr": "Film söylendiği kadar iyi değil ama çocuklar için çok eğlenceli bir gün oldu ve ben de güldüm.",
    "ar": "هذا الفيلم ليس جيدا كما قال الناس، لكن الأطفال ضحكوا في السينما من كل شيء",
    "he": "הסרט לא טוב כמו שאומרים, אבל הילדים צחקו",
    "zh": "这部电影没有大家说的那么好，但是孩子们很开心。",
    "ja": "この映画は言われているほど良くないけれど、子供たちは楽しそうだった。",
    "ko": "이 영화는 사람들이 말하는 것만큼 좋지 않지만 아이들은 즐거워했다.",
    "th": "หนังเรื่องนี้ไม่ดีเท่าที่เขาพูดกัน แต่เด็กๆ สนุกมาก",
    "lo": "ຮູບເງົານີ້ບໍ່ດີ ແຕ່ເດັກນ້ອຍມັກ",
    "km": "ខ្សែភាពយន្តនេះមិនល្អទេ ប៉ុន្តែក្មេងៗចូលចិត្ត",
    "my": "ဒီရုပ်ရှင်က မကောင်းဘူး ဒါပေမယ့် ကလေးတွေ ကြိုက်တယ်",
}
WITH_INFLECTIONS = ("en", "es", "fr", "de", "nl", "it", "pt")


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_a_sentence_is_enough(language: str) -> None:
    assert guess_language([SENTENCES[language]])[0] == language


def test_every_guess_is_a_language() -> None:
    assert set(SENTENCES) == set(LANGUAGES) - {"any", "az"}  # Azerbaijani must be named
    assert guess_language(["zxq wvu", "123"])[0] == "any"
    assert guess_language([])[0] == "any"


def test_the_classifier_says_what_it_guessed() -> None:
    lexicon = Lexicon({"positiv": ["gut", "schön"], "negativ": ["schlecht", "öde"]})
    texts = ["Das ist gut und schön.", "Es ist schlecht und öde.", "Das ist nicht gut, es ist öde."] * 20
    clf = LexiconClassifier(lexicon, language="auto")
    with pytest.warns(DocumentWarning, match=r"look German: .* of their words are common German words \(guessed"):
        clf.fit(iter(texts))  # a stream is not read twice for it
    assert clf.model_.tokenizer.language == "de"
    assert "NOT gut" in clf.model_.evidence.entries
    assert clf.counts_.documents == 60
    with pytest.warns(DocumentWarning, match="look English"):
        clf.fit(["The film is good, and it is gut.", "It was schlecht."] * 20)
    assert clf.model_.tokenizer.language == "en"


@pytest.mark.parametrize("code", WITH_INFLECTIONS)
def test_an_entry_of_the_table_has_everything(code: str) -> None:
    language = LANGUAGES[code]
    assert language.negation is not None
    assert language.negation.scope == 4
    assert len(language.function_words) > 20
    assert language.inflections


def test_a_script_tells_the_language_if_most_letters_are_of_it() -> None:
    assert guess_language(["电影 film"]) == ("any", 0.0)
    assert guess_language(["电影很好看 film"]) == ("zh", 5 / 9)
    assert guess_language(["映" * 90 + "の" * 10]) == ("zh", 1.0)
    assert guess_language(["映" * 89 + "の" * 11]) == ("ja", 1.0)
    with pytest.warns(DocumentWarning, match=r"the texts look Thai: 100% of their letters are Thai \(guessed; name it"):
        assert language_of([SENTENCES["th"]]) == "th"


def test_a_language_that_is_still_to_be_guessed_matches_nothing() -> None:
    expected = (
        r'the language "auto" was given where there are no texts to guess it from, expected a language such as "en"'
    )
    with pytest.raises(ProblexError, match=expected):
        Tokenizer("auto")("some text")
    with pytest.raises(ProblexError, match=expected):
        Counts.none(Lexicon({"a": ["good"], "b": ["bad"]}), Tokenizer("auto"))


def test_a_guess_needs_12_per_cent_of_function_words() -> None:
    assert guess_language(["the the the" + " zxq" * 22]) == ("en", 0.12)
    assert guess_language(["the the" + " zxq" * 23]) == ("any", 0.08)
    assert guess_language(["the"]) == ("en", 1.0)


def test_a_guess_looks_at_4000_characters_of_a_text() -> None:
    assert guess_language(["zxq " * 999 + " the" + "m"]) == ("any", 0.001)  # the 4001st makes it `them`


def test_a_guess_looks_at_200_texts() -> None:
    texts = ["zxq"] * 200 + ["the " * 100]
    for documents in (texts, pa.array(texts)):
        with pytest.warns(DocumentWarning, match=r"the language of the texts was not recognised: negation "):
            assert language_of(documents) == "any"
        with pytest.warns(DocumentWarning, match=r"the texts look English: 33% of their words are common English"):
            assert language_of(documents[1:]) == "en"


def test_only_the_language_is_guessed() -> None:
    negation = Negation(("nix",))
    with pytest.warns(DocumentWarning, match="look German"):
        tokenizer = resolve_language(Tokenizer("auto", True, str.split, negation), ["das ist ein Film"])
    assert tokenizer == Tokenizer("de", True, str.split, negation)
    assert resolve_language(Tokenizer("fr"), ["das ist ein Film"]) == Tokenizer("fr")
    assert resolve_language(Tokenizer("auto"), []) == Tokenizer("any")


KOREAN = [
    "영화가 좋았고 배우도 멋졌다",
    "정말 좋아요 멋진 영화",
    "지루하고 나쁜 영화",
    "너무 나쁘고 지루했다",
    "좋은 영화",
] * 20


def test_korean_entries_in_the_form_of_a_dictionary_get_a_note() -> None:
    lexicon = Lexicon({"긍정": ["좋다", "멋*", "영화"], "부정": ["나쁘다", "지루하다", "너무"]})
    with pytest.warns(LexiconWarning) as caught:
        LexiconClassifier(lexicon, language="ko").fit(KOREAN)
    assert str(caught[0].message) == (
        "3 of 5 entries occur mostly with other endings, for example '좋다' 0 times as written and 60 as 좋아요, "
        "좋았고, 좋은: Korean words take many endings. Write such entries as wildcards, for example '좋*'"
    )


def test_wildcards_and_other_languages_get_none() -> None:
    wild = Lexicon({"긍정": ["좋*", "멋*"], "부정": ["나*", "지루*"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error", LexiconWarning)
        LexiconClassifier(wild, language="ko").fit(KOREAN)
        LexiconClassifier({"a": ["good", "fine"], "b": ["bad", "sad"]}).fit(
            ["goodness fine", "badly sad", "good bad"] * 20
        )


def test_half_of_the_entries_are_not_most() -> None:
    words, counts = ["güzel", "güzeldi", "kötü", "iyi", "iyiydi"], np.array([1, 2, 1, 3, 3])
    assert [one.entry for one in inflected_entries(["güzel", "kötü", "iyi"], words, counts, ())] == ["güzel"]


def test_other_entries_and_short_stems_are_no_endings() -> None:
    words, counts = ["gelmek", "geldi", "ak", "akşam", "gelin"], np.array([1, 5, 1, 9, 9])
    [found] = inflected_entries(["gelmek", "gelin", "ak"], words, counts, ("mek",))
    assert (found.entry, found.stem, found.written, found.forms, found.inflected) == ("gelmek", "gel", 1, ("geldi",), 5)
