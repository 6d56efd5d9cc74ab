from __future__ import annotations

import numpy as np
import pytest

from problex.evaluation.metrics import auc, rankings, weight_below, weighted_area


def test_the_area_by_hand() -> None:
    """Positive 2 and 3, negative 1, 2 and 4: 2 beats 1 and ties with 2, 3 beats 1 and 2: 3.5 of 6 pairs."""
    codes = np.array([1, 1, 0, 0, 0])
    values = np.stack([np.zeros(5), [2.0, 3.0, 1.0, 2.0, 4.0]], axis=1)
    assert auc(codes, values) == 3.5 / 6
    assert auc(codes, -values) == 2.5 / 6


def test_weights_below_count_ties_half() -> None:
    margin, weights = np.array([2.0, 1.0, 2.0, 5.0]), np.array([3.0, 1.0, 4.0, 2.0])
    assert weight_below(margin, weights).tolist() == [1 + 3.5, 0.5, 1 + 3.5, 8 + 1.0]
    assert weighted_area(margin, np.array([1.0, 0, 0, 3.0]), np.array([0, 1.0, 1.0, 0])) == (1 * 1.5 + 3 * 2) / (4 * 2)


def test_of_three_classes_each_is_ranked_against_the_best_of_the_others() -> None:
    values = np.array([[3.0, 1.0, 0.0], [0.0, 2.0, 1.0], [1.0, 0.0, 5.0], [2.0, 2.5, 0.0]])
    codes = np.array([0, 1, 2, 0])
    found = rankings(codes, values)
    assert [margin.tolist() for margin, _ in found] == [
        [2.0, -2.0, -4.0, -0.5],
        [-2.0, 1.0, -5.0, 0.5],
        [-3.0, -1.0, 4.0, -2.5],
    ]
    assert [positive.tolist() for _, positive in found] == [(codes == k).tolist() for k in range(3)]
    assert auc(codes, values) == 1.0
    assert auc(np.array([1, 0, 2, 0]), values) == pytest.approx((1 / 2 + 1 / 3 + 1) / 3)


def test_a_class_that_no_document_or_every_document_has_is_not_ranked() -> None:
    values = np.array([[3.0, 1.0, 0.0], [0.0, 2.0, 1.0]])
    assert len(rankings(np.array([0, 1]), values)) == 2
    assert rankings(np.array([2, 2]), values) == []
    assert rankings(np.array([1, 1]), values[:, :2]) == []


def test_rounding_does_not_make_an_area_larger_than_one() -> None:
    margin = np.array([0.0, 0.0, 1.0, 1.0])
    assert weighted_area(margin, np.array([0, 0, 1.5, 0.125]), np.array([1.0, 1.1, 0, 0])) == 1.0
