"""Threshold and slope from labels: against a grid, by their gradient, and in what they cost and gain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex._util.arrays import FloatArray
from problex.audit.thresholds import (
    SHIFT_SCALE,
    SLOPE_DEVIATION,
    LabelledScores,
    Prior,
    _loss,
    cauchy_prior,
    fit_labels,
    wide_prior,
)
from problex.errors import ProblexError


def documents(
    number: int, classes: int = 2, seed: int = 0, shift: float = 0.0, slope: float = 1.0, cap: bool = True
) -> LabelledScores:
    """Labels drawn with the log-odds slope * (factor * sums) + shift for the last class."""
    random = np.random.default_rng(seed)
    sums, factor = random.normal(0, 2, (number, classes)), random.uniform(0.5, 1, number)
    odds = slope * factor[:, None] * sums
    odds[:, -1] += shift
    odds = np.exp(odds) / np.exp(odds).sum(axis=1, keepdims=True)
    codes = (random.random(number)[:, None] > np.cumsum(odds, axis=1)).sum(axis=1).astype(np.int64)
    evidence = random.uniform(0, 6, number) if cap else np.full(number, np.inf)
    return LabelledScores(sums, evidence, factor, codes, np.ones(number), np.zeros(classes))


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("prior", [cauchy_prior, wide_prior])
def test_the_gradient_is_that_of_the_loss(classes: int, prior: Prior) -> None:
    labelled, random = documents(60, classes), np.random.default_rng(1)
    offsets = random.normal(size=classes)
    for _ in range(10):
        at = random.normal(0, 0.7, 1 + classes)
        steps = 1e-6 * np.eye(1 + classes)
        numeric = [
            (_loss(at + step, labelled, offsets, prior)[0] - _loss(at - step, labelled, offsets, prior)[0]) / 2e-6
            for step in steps
        ]
        assert _loss(at, labelled, offsets, prior)[1] == pytest.approx(numeric, abs=1e-5)


def posterior(labelled: LabelledScores, offsets: FloatArray, slope: float, shift: float) -> float:
    """By the definition, for two classes: the difference of the shifts is Cauchy, the log slope normal."""
    odds = labelled.log_odds(offsets + np.array([-0.5, 0.5]) * shift / slope, slope)
    margin = (odds[:, 1] - odds[:, 0]) * np.where(labelled.codes == 1, 1, -1)
    prior = np.log1p((shift / SHIFT_SCALE) ** 2) + 0.5 * (np.log(slope) / SLOPE_DEVIATION) ** 2
    return float(-np.sum(np.log1p(np.exp(-margin))) - prior)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shift", [0.0, 2.5])
def test_no_point_of_a_grid_is_better(seed: int, shift: float) -> None:
    labelled, offsets = documents(40, seed=seed, shift=shift), np.array([0.3, -0.3])
    slope, moved = fit_labels(labelled, offsets)
    best = posterior(labelled, offsets, slope, float(slope * np.diff(moved - offsets)[0]))
    grid = [
        posterior(labelled, offsets, float(np.exp(log_slope)), float(at))
        for log_slope in np.linspace(-1, 1, 21)
        for at in np.linspace(-5, 5, 101)
    ]
    assert best >= max(grid) - 0.02


def test_without_labels_nothing_changes() -> None:
    labelled, offsets = documents(30), np.array([0.4, -0.4])
    slope, moved = fit_labels(labelled.part(np.array([], dtype=np.int64)), offsets)
    assert (slope, moved.tolist()) == (1.0, offsets.tolist())
    wrong = replace(labelled, codes=labelled.codes[:5])
    with pytest.raises(ProblexError, match="5 labels were given for 30 documents, expected one for each"):
        fit_labels(wrong, offsets)


def test_many_labels_recover_threshold_and_slope() -> None:
    labelled = documents(4000, seed=2, shift=-1.5, slope=0.6, cap=False)
    slope, moved = fit_labels(labelled, np.zeros(2))
    assert slope == pytest.approx(0.6, abs=0.06)
    # The shift is added to log-odds of every length, the offsets are multiplied by the factor, .75 in the mean.
    assert slope * 0.75 * np.diff(moved)[0] == pytest.approx(-1.5, abs=0.25)


def test_a_right_threshold_hardly_moves_and_a_wrong_one_does() -> None:
    """The mean accuracy over 40 draws of 40 labels."""
    gains = {}
    for shift in (0.0, 3.0):
        population = documents(4000, seed=5, shift=shift, cap=False)
        random, right = np.random.default_rng(6), []
        for _ in range(40):
            _, moved = fit_labels(population.part(random.choice(4000, 40, replace=False)), np.zeros(2))
            right.append(population.correctness(population.log_odds(moved)).mean())
        gains[shift] = float(np.mean(right) - population.correctness(population.log_odds(np.zeros(2))).mean())
    assert gains[0.0] > -0.005
    assert gains[3.0] > 0.1


@given(st.integers(0, 30), st.integers(2, 4))
def test_exchanged_classes_give_exchanged_offsets(seed: int, classes: int) -> None:
    labelled, offsets = documents(40, classes, seed, shift=1.0), np.linspace(-0.3, 0.3, classes)
    mirrored = LabelledScores(
        labelled.sums[:, ::-1], labelled.evidence, labelled.factor, classes - 1 - labelled.codes, labelled.weights,
        labelled.log_prior,
    )  # fmt: skip
    slope, moved = fit_labels(labelled, offsets)
    other, back = fit_labels(mirrored, offsets[::-1])
    assert slope == pytest.approx(other, rel=1e-2)
    assert moved == pytest.approx(back[::-1], abs=2e-2)


def test_offsets_are_limited_by_the_evidence() -> None:
    """A document without evidence has no lean, and one with words of one list only keeps it."""
    labelled = LabelledScores(
        np.array([[0.0, 0.0], [0.0, 0.4], [0.0, 3.0]]), np.array([0.0, 0.4, 3.0]), np.ones(3), np.ones(3, np.int64),
        np.ones(3), np.zeros(2),
    )  # fmt: skip
    odds = labelled.log_odds(np.array([1.0, -1.0]))
    assert (odds[:, 1] - odds[:, 0]).tolist() == [0.0, pytest.approx(0.2), pytest.approx(1.5)]
    assert labelled.correctness(odds).tolist() == [0.5, 1.0, 1.0]  # undecided: one of two
    prior = replace(labelled, log_prior=np.log([0.2, 0.8]))  # a prior does not decide for a text that says nothing
    assert prior.correctness(prior.log_odds(np.array([1.0, -1.0]))).tolist() == [0.5, 1.0, 1.0]


def test_weights_count_documents() -> None:
    """A label with the weight two is as good as two of them."""
    labelled = documents(30, seed=3, shift=1.0)
    twice = labelled.part(np.repeat(np.arange(30), 2))
    heavy = LabelledScores(
        labelled.sums, labelled.evidence, labelled.factor, labelled.codes, np.full(30, 2.0), labelled.log_prior
    )
    first, second = fit_labels(twice, np.zeros(2)), fit_labels(heavy, np.zeros(2))
    assert first[0] == pytest.approx(second[0], rel=1e-3)
    assert first[1] == pytest.approx(second[1], abs=1e-3)
