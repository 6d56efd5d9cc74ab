"""Co-training: its parts by hand, and weak words of a lexicon that it recognises."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from problex.expansion.cotraining import cotrain, same_mean, soft_targets, weigh, without_frequency
from tests.expansion.arrays import listed_words


def test_soft_targets_are_moved_by_half_the_threshold() -> None:
    """A share of one quarter: the threshold is the upper quartile, 2, and the target tanh(2 (x - 1))."""
    contrasts = np.array([[-2.0], [0.0], [1.0], [2.0], [4.0]])
    assert soft_targets(contrasts, 0.25, sharpness=2.0) == pytest.approx(np.tanh(2.0 * (contrasts - 1.0)))


def test_what_depends_on_frequency_alone_is_taken_out() -> None:
    """Entries in 1, 2 and 4 documents with the values 0, 1, 2 are on a line of log n: nothing remains."""
    words = listed_words([[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 1]], [0, 1, 1])
    assert without_frequency(words, np.array([0.0, 1.0, 2.0])) == pytest.approx([0.0, 0.0, 0.0])
    unseen = listed_words([[0, 1], [0, 1]], [0, 1])
    assert without_frequency(unseen, np.array([5.0, 1.0])).tolist() == [0.0, 0.0]


def test_strengths_by_hand() -> None:
    """Two entries of two documents each, with the mean views 1 and -1 of the second list: 1 for each own list.

    Equal predictiveness: r = 1, slopes 1 and 1, no deviations, so that strengths are the slopes.
    """
    words = listed_words([[1, 0], [1, 0], [0, 1], [0, 1]], [0, 1])
    view = np.array([-1.5, -0.5, 0.5, 1.5])
    strengths, _, slopes = weigh(words, np.ones(2), np.stack([-view, view], axis=1))
    assert slopes == pytest.approx([1.0, 1.0])
    assert strengths == pytest.approx([1.0, 1.0])


def test_a_list_that_other_words_contradict_keeps_a_small_slope() -> None:
    words = listed_words([[1, 0], [1, 0], [0, 1], [0, 1]], [0, 1])
    view = np.array([1.0, 1.0, 1.0, 1.0])
    assert weigh(words, np.ones(2), np.stack([-view, view], axis=1))[2] == pytest.approx([0.02, 1.0])


def test_weights_have_the_mean_of_the_lexicon() -> None:
    """Documents 2 and 1; log-odds 1 and 4: 2 + 4 = 6. Weights 1 and 1: 3. The factor is 2."""
    words = listed_words([[1, 0], [1, 1]], [0, 1], log_odds=[1.0, 4.0])
    assert same_mean(words, np.ones(2)) == pytest.approx(2.0)


def synthetic(seed: int = 0, share: float = 0.5) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
    """Rows of words outside the lexicon and counts of 40 entries, of which every fourth has nothing to do with it."""
    random = np.random.default_rng(seed)
    labels = random.random(2000) < share
    signs = np.repeat([-1.0, 1.0], 20)
    strengths = np.where(np.arange(40) % 4 == 0, 0.0, 0.5)
    counts = random.poisson(0.15 * (1.0 + np.outer(2.0 * labels - 1.0, signs * strengths)))
    tilt = random.normal(0.0, 0.4, 300)
    rows = random.poisson(0.1 * np.exp(np.outer(labels - 0.5, tilt))).astype(np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1.0)
    return sparse.csr_array(rows), counts, strengths


def test_entries_without_meaning_are_recognised_and_errors_hold() -> None:
    rows, counts, strengths = synthetic()
    words = listed_words(counts.tolist(), [0] * 20 + [1] * 20)
    order = np.random.default_rng(1).permutation(2000)
    found = cotrain(rows, words, np.zeros((2000, 0)), 0.5, order)
    useless = strengths == 0
    assert found.agreement > 0.3
    assert found.weights[useless].mean() < 0.5 * found.weights[~useless].mean()
    assert np.all(found.weights >= 0)
    assert found.strengths[useless] == pytest.approx(np.zeros(10), abs=4.0 * float(found.errors.max()))
    assert float(words.documents @ found.weights) == pytest.approx(float(words.documents @ words.log_odds))
    rare = words.documents < np.median(words.documents)
    assert found.errors[rare].mean() >= found.errors[~rare].mean()


def test_exchanging_the_lists_changes_no_weight() -> None:
    rows, counts, _ = synthetic()
    order = np.random.default_rng(1).permutation(2000)
    one, two = (
        cotrain(rows, listed_words(counts.tolist(), lists), np.zeros((2000, 0)), 0.5, order)
        for lists in ([0] * 20 + [1] * 20, [1] * 20 + [0] * 20)
    )
    assert np.allclose(one.weights, two.weights, rtol=0.01)


def test_lists_are_equally_strong_on_average() -> None:
    """With 85 % of one label, documents with words of the other stand out more; the balance of the lists stays even."""
    rows, counts, _ = synthetic(share=0.85)
    words = listed_words(counts.tolist(), [0] * 20 + [1] * 20)
    found = cotrain(rows, words, np.zeros((2000, 0)), 0.85, np.random.default_rng(1).permutation(2000))
    halves = (slice(0, 20), slice(20, 40))
    strengths, weights = (
        [float(np.average(values[part], weights=words.documents[part])) for part in halves]
        for values in (found.strengths, found.weights)
    )
    assert strengths[0] > 1.3 * strengths[1]
    assert weights[0] == pytest.approx(weights[1], rel=0.15)
