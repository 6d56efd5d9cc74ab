"""Shares of two labels and of more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex.errors import ProblexError
from problex.shares.estimators import ESTIMATORS, GroupedLabels, estimate_shares
from problex.shares.grid import GRID, grid_positions


def grouped(seed: int, classes: int, groups: int = 3, size: int = 80, labels: int = 24) -> GroupedLabels:
    random = np.random.default_rng(seed)
    codes, group = random.integers(classes, size=size), np.resize(np.arange(groups), size)
    values = random.standard_normal((size, classes)) + 2 * np.eye(classes)[codes]
    probabilities = np.exp(values) / np.exp(values).sum(axis=1, keepdims=True)
    places = np.stack([grid_positions(column) for column in probabilities.T])
    documents = np.zeros((classes, groups, len(GRID)), dtype=np.int64)
    for at in range(classes):
        np.add.at(documents[at], (group, places[at]), 1)
    drawn = random.choice(size, labels, replace=False)
    return GroupedLabels(documents, group[drawn], places[:, drawn], codes[drawn], np.full(labels, size / labels))


@pytest.mark.parametrize("name", ESTIMATORS)
@given(st.integers(0, 10_000), st.integers(2, 5))
@settings(max_examples=10, deadline=None)
def test_shares_of_a_group_add_up_to_one(name: str, seed: int, classes: int) -> None:
    found = estimate_shares(grouped(seed, classes), name)
    values = np.stack([part.values for part in found])
    assert values.sum(axis=0) == pytest.approx(1.0)
    for part in found:
        assert np.all((part.low >= 0) & (part.low <= part.values) & (part.values <= part.high) & (part.high <= 1))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_two_labels_are_mirror_images(name: str) -> None:
    first, second = estimate_shares(grouped(3, 2), name)
    assert first.low == pytest.approx(1 - second.high)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_order_of_the_labelled_documents_does_not_matter(name: str) -> None:
    data = grouped(4, 3)
    order = np.random.default_rng(0).permutation(len(data.group))
    other = GroupedLabels(
        data.documents, data.group[order], data.positions[:, order], data.codes[order], data.weights[order]
    )
    for one, two in zip(estimate_shares(data, name), estimate_shares(other, name), strict=True):
        assert one.values == pytest.approx(two.values, abs=1e-12)
        assert one.high == pytest.approx(two.high, abs=1e-12)


def test_the_missing_share_goes_to_the_widest_interval() -> None:
    """One group of equal documents, three classes of which one is never seen: sums stay one."""
    data = grouped(5, 3, groups=1)
    separate = [ESTIMATORS["difference"].estimate(data, at) for at in range(3)]
    together = estimate_shares(data, "difference")
    missing = 1 - sum(part.values[0] for part in separate)
    widths = np.array([(part.high[0] - part.low[0]) ** 2 for part in separate])
    moved = np.array([one.values[0] - two.values[0] for one, two in zip(together, separate, strict=True)])
    assert moved == pytest.approx(missing * widths / widths.sum())


def test_one_group_has_the_difference_estimator() -> None:
    alone, several = grouped(6, 2, groups=1), grouped(6, 2)
    for data, name in ((alone, "difference"), (several, "hierarchical")):
        assert estimate_shares(data)[1].values.tolist() == estimate_shares(data, name)[1].values.tolist()


def test_groups_without_a_label_have_no_difference_estimate() -> None:
    data = grouped(7, 3)
    some = data.group > 0
    fewer = GroupedLabels(
        data.documents, data.group[some], data.positions[:, some], data.codes[some], data.weights[some]
    )
    assert fewer.labels[0] == 0
    for part in estimate_shares(fewer, "difference"):
        assert np.isnan(part.values[0])
        assert np.isfinite(part.values[1:]).all()
    for part in estimate_shares(fewer, "hierarchical"):
        assert np.isfinite(part.values).all()


def test_unknown_estimators_are_named() -> None:
    with pytest.raises(ProblexError, match="estimator='median' was given, expected one of hierarchical, difference"):
        estimate_shares(grouped(8, 2), "median")
