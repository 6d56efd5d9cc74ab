"""Keywords in context: as written, from different documents, and nothing lost on the way."""

from __future__ import annotations

import pytest

from problex import Lexicon
from problex.corpus import batches
from problex.doctor.concordance import Context, find_context, read_concordance
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer


@pytest.mark.parametrize(
    ("text", "word", "language", "context"),
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
def test_keywords_are_shown_as_written(
    text: str, word: str, language: str, context: tuple[str, str, str] | None
) -> None:
    assert find_context(text, word, Tokenizer(language)) == context


def test_long_texts_are_cut_between_words() -> None:
    text = "one two three four five good six seven eight nine ten"
    left, keyword, right = find_context(text, "good", Tokenizer(), width=12) or ("", "", "")
    assert (left, keyword, right) == ("… four five ", "good", " six seven …")


def test_a_tokenizer_of_ones_own_finds_letters() -> None:
    tokenizer = Tokenizer(custom=list)
    assert find_context("好天气", "天", tokenizer) == ("好", "天", "气")


def test_lines_come_from_documents_with_different_majorities(lexicon: Lexicon) -> None:
    texts = ["day of good"] * 5 + ["day of bad"] * 5 + ["day"]
    concordance = read_concordance(
        batches(texts, batch_bytes=30), items_of(lexicon, Tokenizer()), Tokenizer(), ["day", "absent"]
    )
    assert [line.row for line in concordance.contexts["day"]] == [5, 0, 6]
    assert concordance.contexts["absent"] == ()
    assert (concordance.documents, concordance.unmatched) == (11, 1)


@pytest.mark.parametrize("tokenizer", [Tokenizer(), Tokenizer(custom=str.split)], ids=["compiled", "custom"])
def test_both_ways_of_counting_give_the_same(tokenizer: Tokenizer, lexicon: Lexicon) -> None:
    texts = ["good day", "no news", "a bad day", ""]
    concordance = read_concordance(batches(texts), items_of(lexicon, tokenizer), tokenizer, ["bad"])
    assert (concordance.documents, concordance.unmatched) == (4, 2)
    assert concordance.contexts["bad"] == (Context(2, "a ", "bad", " day"),)


def test_markup_is_removed(lexicon: Lexicon) -> None:
    concordance = read_concordance(
        batches(["a<br />bad<br />day"]), items_of(lexicon, Tokenizer()), Tokenizer(), ["bad"], markup=True
    )
    assert str(concordance.contexts["bad"][0]) == "a [bad] day"


def test_a_document_with_a_tie_has_no_majority_and_comes_last(lexicon: Lexicon) -> None:
    texts = ["day good bad", "day good", "day bad"]
    concordance = read_concordance(batches(texts), items_of(lexicon, Tokenizer()), Tokenizer(), ["day"])
    assert [context.row for context in concordance.contexts["day"]] == [2, 1, 0]
