"""Documents counted by the log-odds of their probability."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.shares.grid import GRID, GRID_PROBABILITIES, class_means, grid_positions, restored_shares


def counts(*groups: dict[int, int]) -> np.ndarray:
    rows = np.zeros((len(groups), len(GRID)), dtype=np.int64)
    for at, group in enumerate(groups):
        for place, number in group.items():
            rows[at, place] = number
    return rows


@given(st.floats(0.003, 0.997))
def test_the_place_of_a_probability_is_the_nearest(p: float) -> None:
    place = int(grid_positions(np.array([p]))[0])
    logit = np.log(p / (1 - p))
    assert abs(GRID[place] - logit) <= 1 / 16 + 1e-9


@given(st.floats(0.0, 1.0))
def test_exchange_reverses_the_grid(p: float) -> None:
    one, other = grid_positions(np.array([p, 1 - p])).tolist()
    assert abs(one + other - (len(GRID) - 1)) <= 1  # a half may be rounded to either side


def test_the_ends_are_clipped() -> None:
    assert grid_positions(np.array([0.0, 1e-300, 1.0])).tolist() == [0, 0, 96]


def test_class_means_by_hand() -> None:
    """Ten documents at log-odds 2 (p = .881) and ten at -2 (p = .119)."""
    p = GRID_PROBABILITIES[64]
    low, high = class_means(counts({32: 10, 64: 10}))
    assert high == pytest.approx(p**2 + (1 - p) ** 2)
    assert low == pytest.approx(2 * p * (1 - p))


def test_restored_shares_are_larger_apart_than_means() -> None:
    """Of groups with 10 and 30 of 40 documents at log-odds 2, the means are .31 and .69."""
    documents = counts({32: 30, 64: 10}, {32: 10, 64: 30})
    p = GRID_PROBABILITIES[64]
    mean = (30 * (1 - p) + 10 * p) / 40
    low, high = class_means(documents)
    share = (mean - low) / (high - low)
    assert restored_shares(documents) == pytest.approx([share, 1 - share])
    assert share < mean < 0.5


def test_documents_of_equal_probability_keep_it() -> None:
    assert restored_shares(counts({48: 3}, {48: 9})).tolist() == [0.5, 0.5]
    assert np.isnan(restored_shares(counts({32: 3, 64: 4}, {}))[1])
