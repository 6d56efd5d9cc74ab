"""The difference estimator of shares: by hand, and over all possible samples."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import t

from problex.shares.estimators import difference_shares
from problex.shares.grid import GRID, GRID_PROBABILITIES

P = GRID_PROBABILITIES
EVEN, HIGH = 48, 64
"""Places of p = .5 and p = .881."""


def grid(*groups: dict[int, int]) -> np.ndarray:
    rows = np.zeros((len(groups), len(GRID)), dtype=np.int64)
    for at, group in enumerate(groups):
        for place, number in group.items():
            rows[at, place] = number
    return rows


def test_two_groups_by_hand() -> None:
    """Errors of group 0: .5, -.5, .5 with weights 10, 10, 20; of group 1: 1 - p, 1 - p with weight 50 each."""
    documents = grid({EVEN: 40}, {HIGH: 100})
    found = difference_shares(
        documents,
        np.array([0, 0, 0, 1, 1]),
        np.array([EVEN, EVEN, EVEN, HIGH, HIGH]),
        np.array([True, False, True, True, True]),
        np.array([10.0, 10, 20, 50, 50]),
    )
    mean = (10 * 0.5 - 10 * 0.5 + 20 * 0.5) / 40
    assert found.values == pytest.approx([0.5 + mean, 1.0])
    squares = (10 * 0.25**2 + 10 * 0.75**2 + 20 * 0.25**2) / 140
    variance = squares * 5 / 3  # five labels, two means
    reach = t.ppf(0.975, 3) * np.sqrt(variance * 600 / 1600 * (1 - 3 / 40))
    assert found.low[0] == pytest.approx(max(0.75 - reach, 2 / 40))
    reach = t.ppf(0.975, 3) * np.sqrt(variance * 0.5 * 0.98)
    assert found.low[1] == pytest.approx(1 - reach)
    assert found.high.tolist() == [1 - 1 / 40, 1.0]


def test_the_mean_over_all_samples_is_the_truth() -> None:
    """Eight documents, three labels: all 56 samples are equally likely."""
    documents = grid({EVEN: 5, HIGH: 3})
    place = np.array([EVEN] * 5 + [HIGH] * 3)
    truth = np.array([1, 0, 1, 1, 0, 1, 0, 1], dtype=bool)
    values = []
    for rows in map(list, combinations(range(8), 3)):
        errors = truth[rows] - P[place[rows]]
        values.append((documents @ P)[0] / 8 + errors.mean())
        found = difference_shares(documents, np.zeros(3, int), place[rows], truth[rows], np.full(3, 8 / 3))
        lowest, highest = truth[rows].sum() / 8, 1 - (~truth[rows]).sum() / 8
        assert found.values[0] == pytest.approx(np.clip(values[-1], lowest, highest))
    assert np.mean(values) == pytest.approx(truth.mean())


def test_exchange_of_the_labels_mirrors_the_shares() -> None:
    random = np.random.default_rng(1)
    documents = grid({EVEN: 40, HIGH: 30}, {20: 9, HIGH: 33})
    group, place = np.array([0] * 6 + [1] * 4), np.array([EVEN, EVEN, HIGH, HIGH, HIGH, EVEN, 20, 20, HIGH, HIGH])
    positive, weights = random.random(10) < 0.6, random.uniform(3, 9, 10)
    found = difference_shares(documents, group, place, positive, weights)
    order = random.permutation(10)
    other = difference_shares(
        documents[:, ::-1], group[order], len(GRID) - 1 - place[order], ~positive[order], weights[order]
    ).mirrored()
    for name in ("values", "low", "high"):
        assert getattr(found, name) == pytest.approx(getattr(other, name))


def test_labels_of_all_documents_give_the_exact_share() -> None:
    documents = grid({EVEN: 3, HIGH: 2})
    place, positive = np.array([EVEN, EVEN, EVEN, HIGH, HIGH]), np.array([True, False, False, True, False])
    found = difference_shares(documents, np.zeros(5, int), place, positive, np.ones(5))
    assert [found.values[0], found.low[0], found.high[0]] == pytest.approx([0.4, 0.4, 0.4])


def test_a_group_without_a_label_has_no_estimate() -> None:
    documents = grid({EVEN: 40}, {HIGH: 10})
    rows = np.zeros(3, int), np.full(3, EVEN), np.array([True, False, True]), np.full(3, 40 / 3)
    found = difference_shares(documents, *rows)
    assert np.isnan([found.values[1], found.low[1], found.high[1]]).all()
    assert found.values[0] == pytest.approx(2 / 3)


def test_one_label_says_only_what_it_says() -> None:
    documents = grid({EVEN: 40})
    found = difference_shares(documents, np.array([0]), np.array([EVEN]), np.array([True]), np.array([40.0]))
    assert (found.low[0], found.high[0]) == (1 / 40, 1.0)
