"""Keywords in context: as written, from different documents, and nothing lost on the way."""

from __future__ import annotations

import pytest

from problex import Lexicon
from problex.corpus.documents import batches
from problex.doctor.concordance import Context, in_context, survey
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer


@pytest.mark.parametrize(
    ("text", "word", "language", "found"),
    [
        ("A GOOD day", "good", "en", ("A ", "GOOD", " day")),
        ("goodness, good!", "good", "en", ("goodness, ", "good", "!")),
        ("so well-made, it\nlasts", "well made", "en", ("so ", "well-made", ", it lasts")),
        ("La Canción del año", "cancion", "es", ("La ", "Canción", " del año")),
        ("l'ami de", "ami", "fr", ("l'", "ami", " de")),
        ("I don’t know", "don't", "en", ("I ", "don’t", " know")),
        ("nothing here", "good", "en", None),
    ],
)
def test_keywords_stand_as_written(text: str, word: str, language: str, found: tuple[str, str, str] | None) -> None:
    assert in_context(text, word, Tokenizer(language)) == found


def test_long_texts_are_cut_between_words() -> None:
    text = "one two three four five good six seven eight nine ten"
    left, keyword, right = in_context(text, "good", Tokenizer(), width=12) or ("", "", "")
    assert (left, keyword, right) == ("… four five ", "good", " six seven …")


def test_a_tokenizer_of_ones_own_finds_letters() -> None:
    tokenizer = Tokenizer(custom=list)
    assert in_context("好天气", "天", tokenizer) == ("好", "天", "气")


def test_lines_come_from_documents_of_different_leans(lexicon: Lexicon) -> None:
    texts = ["day of good"] * 5 + ["day of bad"] * 5 + ["day"]
    seen = survey(batches(texts, batch_bytes=30), items_of(lexicon, Tokenizer()), Tokenizer(), ["day", "absent"])
    assert [line.row for line in seen.contexts["day"]] == [5, 0, 6]
    assert seen.contexts["absent"] == ()
    assert (seen.documents, seen.unmatched) == (11, 1)


@pytest.mark.parametrize("tokenizer", [Tokenizer(), Tokenizer(custom=str.split)], ids=["compiled", "custom"])
def test_both_ways_of_counting_see_the_same(tokenizer: Tokenizer, lexicon: Lexicon) -> None:
    texts = ["good day", "no news", "a bad day", ""]
    seen = survey(batches(texts), items_of(lexicon, tokenizer), tokenizer, ["bad"])
    assert (seen.documents, seen.unmatched) == (4, 2)
    assert seen.contexts["bad"] == (Context(2, "a ", "bad", " day"),)


def test_markup_is_taken_out(lexicon: Lexicon) -> None:
    seen = survey(batches(["a<br />bad<br />day"]), items_of(lexicon, Tokenizer()), Tokenizer(), ["bad"], markup=True)
    assert str(seen.contexts["bad"][0]) == "a [bad] day"
