"""Scores of a indexed corpus are those of its texts."""

from __future__ import annotations

import warnings

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import Lexicon, count, estimate, expand, score
from problex.errors import LexiconError, ModelError
from problex.index import WordIndex
from problex.matching import Tokenizer
from problex.scoring import score_indexed
from tests.index.test_word_index import CORPUS, FIRST, LEXICONS

BASE = ["good film", "not good, a rip-off", "bad badly made film", "a+ good day", "bad film but never good", "a+ bad"]


def assert_same(texts: list[str], lexicon: Lexicon, rule: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        corpus = WordIndex.of(pa.array(texts), FIRST)
        counts = count(BASE * 5 + texts, lexicon, associations=rule == "pmi")
        model = estimate(counts, lexicon, rule=rule if rule == "pmi" else "dcm")
    found, expected = score_indexed(corpus, model, rule=rule), score(texts, model, rule=rule)
    np.testing.assert_allclose(found.values, expected.values, rtol=1e-12, atol=1e-12)
    assert found.lengths.tolist() == expected.lengths.tolist()
    assert found.matches.tolist() == expected.matches.tolist()
    assert found.labels().tolist() == expected.labels().tolist()
    np.testing.assert_allclose(found.probabilities, expected.probabilities, rtol=1e-12)


@settings(max_examples=40)
@given(texts=CORPUS, lexicon=st.sampled_from(LEXICONS), rule=st.sampled_from(["dcm", "count", "presence", "log"]))
def test_equal_to_scores_of_the_texts(texts: list[str], lexicon: Lexicon, rule: str) -> None:
    assert_same(texts, lexicon, rule)


@settings(max_examples=15)
@given(texts=CORPUS, lexicon=st.sampled_from(LEXICONS[:3]))
def test_equal_with_weights_for_all_words(texts: list[str], lexicon: Lexicon) -> None:
    assert_same(texts, lexicon, "pmi")


def test_tempers_and_the_rows_of_the_last_counts() -> None:
    corpus = WordIndex.of(pa.array(BASE * 20), FIRST)
    for lexicon in LEXICONS[:3]:
        model = estimate(corpus.counts(lexicon), lexicon)
        found, expected = score_indexed(corpus, model, temper="root"), score(BASE * 20, model, temper="root")
        np.testing.assert_allclose(found.values, expected.values, rtol=1e-12, atol=1e-12)


def test_items_that_only_the_scored_texts_have_are_counted() -> None:
    """A model of texts without negation: the negated words of the texts are behind its entries."""
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    learned = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    model = estimate(count(learned, lexicon), lexicon)
    for texts in (["not good", "good film", "a day"], ["good film", "bad", "a day"]):
        found = score_indexed(WordIndex.of(pa.array(texts), lexicon), model)
        expected = score(texts, model)
        assert found.values == pytest.approx(expected.values)
        assert found.matches.tolist() == expected.matches.tolist()
    assert not score(["not good"], model).undecided[0]


def test_what_is_not_in_the_index_is_refused() -> None:
    texts = BASE * 20
    corpus = WordIndex.of(pa.array(texts), FIRST)
    lexicon = Lexicon({"down": ["bad"], "up": ["good"]})
    with pytest.raises(LexiconError, match="the phrases of the lexicon differ from"):
        score_indexed(corpus, estimate(count(texts, lexicon), lexicon))
    spanish = estimate(count(texts, FIRST, tokenizer=Tokenizer("es")), FIRST)
    with pytest.raises(ModelError, match=r"the model was estimated with .*es.* made with .*en.*: estimate the m"):
        score_indexed(corpus, spanish)


def test_an_expanded_model_is_refused() -> None:
    ends = [f"{when} {what}" for when in ("day", "week", "night") for what in ("film", "walk", "story", "town", "tale")]
    starts = ["good sunny warm", "good warm sunny", "a+ warm sunny", "bad rainy cold", "bad cold rainy", "rip off cold"]
    texts = [f"{start} {end}" for start in starts for end in ends]
    model = expand(estimate(count(texts, FIRST), FIRST), texts)
    assert model.expansion is not None
    with pytest.raises(ModelError, match="the model was expanded, and the features it learned are not in the ind"):
        score_indexed(WordIndex.of(pa.array(texts), FIRST), model)
