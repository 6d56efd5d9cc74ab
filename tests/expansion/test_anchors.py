"""The share between anchors, by hand and on texts with a known share."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit

from problex.expansion import cotraining
from problex.expansion.cotraining import place_between_anchors, share_from_anchors
from tests.expansion.arrays import listed_words


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
