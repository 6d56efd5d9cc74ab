"""Naive Bayes, support and temperature by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.special import softmax

from problex.expansion.topics import NaiveBayes, support_of, temperature, topic_expansion, unit_scores
from tests.expansion.arrays import listed_words, training_texts


def test_naive_bayes_by_hand() -> None:
    """Two documents of one word each, of one label each: 1 token of 1 for the own label, base rates of one half.

    theta = (1 + 1000 / 2) / 1001 for the own label and 500 / 1001 for the other; weights log(theta / 0.5). Shares are
    one half, at a typical length of one.
    """
    bayes = NaiveBayes(sparse.csr_array(np.eye(2, dtype=np.float32)), np.ones(2), 1.0)
    weights, constant = bayes.fit(np.eye(2), np.ones(2, dtype=bool))
    own, other = np.log(501 / 1001 / 0.5), np.log(500 / 1001 / 0.5)
    assert weights == pytest.approx(np.array([[own, other], [other, own]]))
    assert constant == pytest.approx(np.log([0.5, 0.5]))


def test_documents_that_do_not_teach_change_nothing() -> None:
    rows = sparse.csr_array(np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32))
    bayes, teachers = NaiveBayes(rows, np.ones(2), 1.0), np.array([True, True, False])
    one, two = (bayes.fit(np.array([[1.0, 0.0], [0.0, 1.0], last]), teachers)[0] for last in ([1.0, 0.0], [0.0, 1.0]))
    assert np.array_equal(one, two)


def test_support_is_the_mean_probability_of_the_list_that_leads() -> None:
    view = np.array([[1.0, -1.0], [0.0, 0.0], [0.5, -0.5]])
    probabilities = softmax(3.0 * view, axis=1)
    expected = [(probabilities[0, 0] + probabilities[1, 0]) / 2, probabilities[2, 1]]
    assert support_of(view, np.array([0, 0, 1])) == pytest.approx(expected)
    assert support_of(view, np.array([0, 0, 0]))[1] == 0.0


def test_the_temperature_makes_scores_log_odds() -> None:
    """Labels drawn with log-odds of 2.5 times the score."""
    random = np.random.default_rng(0)
    view = random.normal(size=(20_000, 2))
    view -= view.mean(axis=1, keepdims=True)
    chosen = (random.random(20_000) < softmax(2.5 * view, axis=1)[:, 1]).astype(np.int64)
    assert temperature(view, chosen) == pytest.approx(2.5, rel=0.05)


def test_unit_scores_have_row_means_of_zero_and_one_deviation() -> None:
    """Rows (1, 3) and (2, 2): less their means (-1, 1) and (0, 0), over sqrt(1 / 2)."""
    assert unit_scores(np.array([[1.0, 3.0], [2.0, 2.0]])) == pytest.approx(
        np.array([[-1.0, 1.0], [0.0, 0.0]]) * np.sqrt(2.0)
    )


@pytest.mark.parametrize("ties", [0.0, 0.2])
def test_exchanged_lists_have_exchanged_weights_also_where_they_tie(ties: float) -> None:
    """Documents in which two lists have the same score were all taken for documents of the first."""
    random, number = np.random.default_rng(0), 120
    label = random.integers(0, 2, number)
    rates = np.where(label[:, None] == 0, np.repeat([0.45, 0.15], 10), np.repeat([0.15, 0.45], 10))
    counts = random.poisson(rates).astype(np.float32)
    counts[:, 0] += 1
    rows = counts / np.linalg.norm(counts, axis=1, keepdims=True)
    lexicon = np.zeros((number, 2))
    lexicon[np.arange(number), label] = random.gamma(2.0, 1.0, number)
    lexicon[random.random(number) < ties] = 0.0
    listed = listed_words(np.ones((number, 2), dtype=np.int64), [0, 1])
    one, two = (topic_expansion(training_texts(rows, listed), scores) for scores in (lexicon, lexicon[:, ::-1].copy()))
    assert one.support is not None
    assert two.support is not None
    assert one.support == pytest.approx(two.support[::-1])
    assert one.weights == pytest.approx(two.weights[:, ::-1], abs=2e-6)
