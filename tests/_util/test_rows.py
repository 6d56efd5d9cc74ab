"""The loops over rows against NumPy, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex._util._rows import add_features, capped, finish_rows, sum_rows, winners


def rows_of(seed: int, labels: int) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(seed)
    ends = np.concatenate([[0], np.cumsum(random.integers(0, 5, 20))])
    columns = random.integers(0, 9, ends[-1], dtype=np.int32)
    counts = random.integers(1, 4, ends[-1], dtype=np.int32)
    single = random.choice([-1.5, -0.1, 0.0, 0.3, 0.7], 9)
    return ends, columns, counts, single, random.integers(0, labels, 9), random.random(20)


@pytest.mark.parametrize("labels", [2, 3, 60])
@given(seed=st.integers(0, 2**32))
def test_sums_are_those_of_numpy_bit_for_bit(labels: int, seed: int) -> None:
    """Words that occur more than once get their amounts from the function that is given."""
    ends, columns, counts, single, lists, factors = rows_of(seed, labels)
    amounts = np.where(counts == 1, single[columns], np.log(counts) * single[columns])
    repeated = lambda columns, counts: np.log(counts) * single[columns]  # noqa: E731
    values, leads, matches = sum_rows(ends, columns, counts, single, repeated, lists, labels, factors, 0.7)
    factors = 0.7 * factors
    rows = np.arange(20).repeat(np.diff(ends))
    expected = np.bincount(rows * labels + lists[columns], weights=amounts, minlength=20 * labels).reshape(20, labels)
    assert np.array_equal(values, expected * factors[:, None])
    lead = np.abs(amounts) if labels == 2 else np.maximum(amounts, 0.0)
    assert np.array_equal(leads, np.bincount(rows, weights=lead, minlength=20) * factors)
    assert np.array_equal(matches, np.bincount(rows, weights=counts * (amounts != 0), minlength=20))


@pytest.mark.parametrize("has_prior", [False, True])
@given(seed=st.integers(0, 2**32), labels=st.integers(2, 7))
def test_scores_are_those_of_numpy_bit_for_bit(has_prior: bool, seed: int, labels: int) -> None:
    random = np.random.default_rng(seed)
    values, evidence, certainty = random.normal(size=(30, labels)), random.exponential(size=30), random.random(30)
    evidence[:3] = 0.0, np.inf, 1e-300
    prior = np.log(random.dirichlet(np.ones(labels)))
    for offsets in (random.normal(size=labels), np.full(labels, 0.3), np.zeros(labels)):
        span = offsets.max() - offsets.min()
        limits = np.minimum(1.0, evidence / (2.0 * span)) if span else np.ones(30)
        assert np.array_equal(capped(offsets, evidence), limits[:, None] * offsets)
        expected = values + limits[:, None] * offsets
        expected = expected * certainty[:, None] + prior if has_prior else expected + prior
        found = finish_rows(values, evidence, offsets, prior, certainty if has_prior else None)
        assert np.array_equal(found, expected)


@given(st.integers(0, 2**32), st.integers(2, 7))
def test_features_are_added_as_by_numpy_bit_for_bit(seed: int, labels: int) -> None:
    random = np.random.default_rng(seed)
    values, features = random.normal(size=(30, labels)), random.normal(size=(30, labels + 1))
    evidence, (matches, numbers, lengths) = random.random(30), random.integers(0, 9, (3, 30))
    found = add_features(values, evidence, matches, features, numbers, 0.7, lengths)
    assert np.array_equal(found[0], values + 0.7 * features[:, 1:])
    assert np.array_equal(found[1], evidence + 0.7 * features[:, 0])
    assert np.array_equal(found[2], np.minimum(matches + numbers, lengths))


@given(st.integers(0, 2**32), st.integers(2, 7))
def test_the_winner_is_the_highest_unless_there_is_a_tie(seed: int, labels: int) -> None:
    random = np.random.default_rng(seed)
    values = random.choice([-1.0, 0.0, 1e-13, 0.5, 2.0], (30, labels))
    matches = random.integers(0, 3, 30)
    ordered = np.sort(values, axis=1)
    tied = ordered[:, -1] - ordered[:, -2] <= 1e-12
    expected = np.where(tied | (matches == 0), -1, values.argmax(axis=1))
    assert winners(values, matches, 1e-12).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({0: np.array([0, 99])}, "ends of the rows do not ascend"),
        ({0: np.array([0, 5, 2])}, "ends of the rows do not ascend"),
        ({0: np.array([0, -3, 2])}, "ends of the rows do not ascend"),
        ({1: np.array([0, 9], np.int32)}, "word 1 of the rows has a column without a list"),
        ({1: np.array([0, -1], np.int32)}, "word 1 of the rows has a column without a list"),
        ({2: np.array([1], np.int32)}, "2 words have 1 counts, and 2 columns 2 amounts"),
        ({2: np.array([1, 3], np.int32)}, r"1 repeated words have amounts of shape \(2,\)"),
        ({3: np.ones(3)}, "2 words have 2 counts, and 2 columns 3 amounts"),
        ({5: np.array([0, 2])}, "without a list"),
        ({7: np.ones(3)}, "3 factors"),
    ],
)
def test_rows_that_do_not_fit_are_refused(change: dict[int, np.ndarray], message: str) -> None:
    words = np.array([0, 1], np.int32), np.array([1, 1], np.int32), np.ones(2)
    given: list[Any] = [np.array([0, 2]), *words, lambda *_: np.ones(2), np.array([0, 1]), 2, np.ones(1)]
    for place, value in change.items():
        given[place] = value
    if 0 in change:
        given[7] = np.ones(len(change[0]) - 1)
    with pytest.raises(ValueError, match=message):
        sum_rows(*given)


def test_sums_that_do_not_fit_are_refused() -> None:
    values, rows, columns = np.zeros((2, 3)), np.zeros(2), np.zeros(3)
    for wrong in ((rows[:1], columns, columns), (rows, rows, columns), (rows, columns, rows)):
        with pytest.raises(ValueError, match="expected one for each row and column"):
            finish_rows(values, *wrong)
    with pytest.raises(ValueError, match="2 rows have 3 certainties"):
        finish_rows(values, rows, columns, columns, columns)
    numbers = np.zeros(2, np.int64)
    with pytest.raises(ValueError, match="expected as many rows, and one more column"):
        add_features(values, rows, numbers, values, numbers, 1.0, numbers)


def test_scores_without_matches_for_each_row_are_refused() -> None:
    with pytest.raises(ValueError, match="expected one for each row"):
        winners(np.zeros((2, 2)), np.zeros(3, np.int64), 0.0)
