"""Co-training by hand, weak words of a lexicon that it recognises, and the share between anchors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit

from problex.expansion import cotraining
from problex.expansion.cotraining import (
    cotrain,
    place_between_anchors,
    same_mean,
    share_from_anchors,
    soft_targets,
    weigh,
)
from tests.expansion.arrays import listed_words, training_texts


def test_soft_targets_are_moved_by_half_the_threshold() -> None:
    """A share of one quarter: the threshold is the upper quartile, 2, and the target tanh(2 (x - 1))."""
    contrasts = np.array([[-2.0], [0.0], [1.0], [2.0], [4.0]])
    assert soft_targets(contrasts, 0.25, sharpness=2.0) == pytest.approx(np.tanh(2.0 * (contrasts - 1.0)))


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


def synthetic(seed: int = 0, share: float = 0.5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of words outside the lexicon and counts of 40 entries, of which every fourth has nothing to do with it."""
    random = np.random.default_rng(seed)
    labels = random.random(2000) < share
    signs = np.repeat([-1.0, 1.0], 20)
    strengths = np.where(np.arange(40) % 4 == 0, 0.0, 0.5)
    counts = random.poisson(0.15 * (1.0 + np.outer(2.0 * labels - 1.0, signs * strengths)))
    tilt = random.normal(0.0, 0.4, 300)
    rows = random.poisson(0.1 * np.exp(np.outer(labels - 0.5, tilt))).astype(np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1.0)
    return rows, counts, strengths


def test_entries_without_meaning_are_recognised_and_errors_hold() -> None:
    rows, counts, strengths = synthetic()
    words = listed_words(counts.tolist(), [0] * 20 + [1] * 20)
    found = cotrain(training_texts(rows, words), 0.5)
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
    one, two = (
        cotrain(training_texts(rows, listed_words(counts.tolist(), lists)), 0.5)
        for lists in ([0] * 20 + [1] * 20, [1] * 20 + [0] * 20)
    )
    assert np.allclose(one.weights, two.weights, rtol=0.01)


def test_lists_are_equally_strong_on_average() -> None:
    """With 85 % of one label, documents with words of the other stand out more; the balance of the lists stays even."""
    rows, counts, _ = synthetic(share=0.85)
    words = listed_words(counts.tolist(), [0] * 20 + [1] * 20)
    found = cotrain(training_texts(rows, words), 0.85)
    halves = (slice(0, 20), slice(20, 40))
    strengths, weights = (
        [float(np.average(values[part], weights=words.documents[part])) for part in halves]
        for values in (found.strengths, found.weights)
    )
    assert strengths[0] > 1.3 * strengths[1]
    assert weights[0] == pytest.approx(weights[1], rel=0.15)


def test_the_place_is_that_of_the_mean_between_the_anchors() -> None:
    """Anchors 1 and 5, mean (1 + 2 + 2 + 5) / 4 = 2.5: (2.5 - 1) / 4."""
    assert place_between_anchors(np.array([1.0, 2.0, 2.0, 5.0]), np.array([0.0, 1.0, 2.0, 3.0]), 0.25) == 0.375


def test_documents_that_tie_share_the_place_at_an_anchor() -> None:
    """The two highest tie: the anchor is their mean, 4, in any order; the lowest is 0. Mean 2: one half."""
    by = np.array([0.0, 1.0, 3.0, 3.0])
    for order in ([0, 1, 2, 3], [0, 1, 3, 2]):
        assert place_between_anchors(np.array([0.0, 0.0, 3.0, 5.0])[order], by, 0.25) == 0.5


def test_anchors_that_meet_say_nothing() -> None:
    assert place_between_anchors(np.ones(4), np.array([0.0, 1.0, 2.0, 3.0]), 0.25) == 0.5


@pytest.mark.parametrize("share", [0.3, 0.5, 0.8])
def test_a_known_share_is_found(share: float) -> None:
    """Forty words of each list, three times as frequent under their own label; the lexicon model says one half."""
    random = np.random.default_rng(3)
    labels = random.random(3000) < share
    lists = np.repeat([0, 1], 40)
    rates = np.where(lists[None, :] == labels[:, None], 0.3, 0.1)
    words = listed_words(random.poisson(rates), lists.tolist())
    found, reliability = share_from_anchors(words, np.ones(80), 0.5)
    assert reliability > 0.6
    assert found == pytest.approx(share, abs=0.07)


def test_log_odds_are_half_the_lexicons_plus_the_anchors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cotraining, "place_between_anchors", lambda *_: 0.6)
    words = listed_words([[3, 3, 0, 0], [0, 0, 3, 3], [1, 1, 0, 0], [0, 0, 2, 2]], [0, 0, 1, 1])
    found, _ = share_from_anchors(words, np.ones(4), 0.8)
    assert found == pytest.approx(expit(0.5 * logit(0.8) + logit(0.6)))


def test_an_unreliable_lexicon_keeps_the_share_of_the_model() -> None:
    random = np.random.default_rng(0)
    words = listed_words(random.poisson(0.3, (500, 20)), [0] * 10 + [1] * 10)
    found, reliability = share_from_anchors(words, np.ones(20), 0.7)
    assert reliability < 0.4
    assert found == 0.7
