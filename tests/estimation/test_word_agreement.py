"""Learned weights are kept as far as they make the words of the lists agree more."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from problex import estimate
from problex.counting.sample import Sample
from problex.estimation.weight_checks import FULL_GAIN, LEAST_KEPT, kept_differences, word_agreement
from tests.synthetic import draw


def sample_of(rows: list[list[int]], repeats: list[int]) -> Sample:
    """Documents of one token's length, so that nothing is scaled."""
    size = len(rows)
    matrix = sparse.csr_array(np.array(rows, dtype=np.int64))
    return Sample(np.arange(size, dtype=np.uint64), np.array(repeats), np.ones(size, np.int64), matrix, size)


def test_agreement_by_hand() -> None:
    """Sums 3, 1, 0, 0 with the weights 1 and 2: variance 10/4 - 1; alone (1 + 4 + 1)/4 - (1/2)^2 - (2/4)^2."""
    rows = sparse.csr_array(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]))
    found = word_agreement(rows, np.array([1.0, 2.0]), np.full(4, 0.25))
    assert found == pytest.approx((1.5 - (6 / 4 - 1 / 4 - 1 / 4)) / 1.5)


def test_documents_without_variance_have_no_agreement() -> None:
    assert word_agreement(sparse.csr_array(np.ones((3, 2))), np.ones(2), np.full(3, 1 / 3)) == 0.0


LISTS = np.array([0, 0, 0, 1, 1, 1])
ROWS = [[1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 0], [1, 1, 0, 0, 0, 1], [0, 0, 1, 1, 1, 0], [0, 0, 1, 0, 0, 0]]
REPEATS = [50, 50, 30, 30, 20]
"""The first two words of each list meet each other, the third meets words of the other list."""
RATES, GOOD = np.full(6, 0.1), np.array([1.1, 1.1, 0.8, 1.1, 1.1, 0.8])


def test_the_share_by_hand() -> None:
    """Weights that differ so little that the gain per variance, .02, decides; with opposite signs it is a loss."""
    sample = sample_of(ROWS, REPEATS)
    signs, shares = np.where(LISTS == 1, 1.0, -1.0), sample.repeats / 180
    one, two = (word_agreement(sample.matrix.astype(np.float64), signs * part, shares) for part in (np.ones(6), GOOD))
    assert 0 < one < two < 1
    gain = np.log(two / (1 - two)) - np.log(one / (1 - one))
    assert gain > FULL_GAIN * 0.02  # the variance of 1.1, 1.1, .8 is .02
    assert kept_differences(sample, LISTS, GOOD, RATES) == 1.0
    assert kept_differences(sample, LISTS, 2.0 - GOOD, RATES) == LEAST_KEPT


def test_a_small_gain_keeps_a_part() -> None:
    """Differences within the first two words of a list, which are alike, gain nearly nothing for their variance."""
    weights = np.array([1.5, 0.9, 0.6, 1.5, 0.9, 0.6])
    sample = sample_of(ROWS, REPEATS)
    signs, shares = np.where(LISTS == 1, 1.0, -1.0), sample.repeats / 180
    one, two = (
        word_agreement(sample.matrix.astype(np.float64), signs * part, shares) for part in (np.ones(6), weights)
    )
    gain = np.log(two / (1 - two)) - np.log(one / (1 - one))
    expected = np.clip(gain / (FULL_GAIN * (0.25 + 0.01 + 0.16) / 3), LEAST_KEPT, 1.0)
    assert kept_differences(sample, LISTS, weights, RATES) == pytest.approx(expected)


def test_words_that_avoid_each_other_keep_the_least() -> None:
    """Each document has one word: any two words of a list meet less than by chance, as in short insults."""
    sample = sample_of([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], [30, 30, 1, 1])
    lists = np.array([0, 0, 1, 1])
    assert kept_differences(sample, lists, np.array([0.5, 1.5, 0.5, 1.5]), np.full(4, 0.1)) == LEAST_KEPT


def test_equal_weights_are_kept_as_they_are() -> None:
    assert kept_differences(sample_of(ROWS, REPEATS), LISTS, np.ones(6), RATES) == 1.0


def test_the_share_does_not_depend_on_the_order_of_the_lists() -> None:
    sample, weights = sample_of(ROWS, REPEATS), np.array([1.5, 0.9, 0.6, 1.4, 0.9, 0.7])
    one, two = (kept_differences(sample, lists, weights, RATES) for lists in (LISTS, 1 - LISTS))
    assert one == pytest.approx(two)


@pytest.mark.parametrize("silent", [0.0, 0.3])
def test_weights_that_are_right_are_kept_whole(silent: float) -> None:
    """Documents of the model itself, up to lists that nearly always agree."""
    truth = draw(4_000, [0.5, 0.5], seed=2, silent=silent)
    assert estimate(truth.counts, truth.lexicon, sample=truth.sample).evidence.kept_differences == 1.0
