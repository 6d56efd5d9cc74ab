"""Threshold and sharpness: accuracy no lower than counting's, probabilities near what they say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from problex import Model, estimate, load_model
from problex._util._rows import winners
from problex._util.arrays import TIE
from problex.estimation.calibration import calibrate, threshold_at
from problex.evaluation.metrics import calibration_error, correctness
from problex.model.calibration import AUDIT_LABELS, UNCALIBRATED, Calibration, Prevalence
from problex.scoring.scorer import make_scorer
from tests.synthetic import Truth, draw


def fitted(truth: Truth, **settings: Any) -> Model:
    return estimate(truth.counts, truth.lexicon, sample=truth.sample, **settings)


def accuracy(truth: Truth, model: Model, rule: str | None = None) -> float:
    scores = make_scorer(model, rule).score_table(truth.entries)
    return float(np.mean((scores.values.argmax(axis=1) == truth.labels) & ~scores.undecided))


@pytest.mark.parametrize("prior", [[0.5, 0.5], [0.1, 0.9], [0.8, 0.2], [0.3, 0.3, 0.4], [0.5, 0.2, 0.1, 0.1, 0.1]])
def test_accuracy_is_not_below_counting(prior: list[float]) -> None:
    for seed in range(2):
        truth = draw(1_500, prior, seed=seed, length=20)
        model = fitted(truth)
        assert accuracy(truth, model) >= accuracy(truth, model, "count")


@pytest.mark.parametrize("prior", [[0.5, 0.5], [0.1, 0.9], [0.3, 0.3, 0.4]])
@pytest.mark.parametrize("concentration", [None, 200.0])
def test_probabilities_are_near_what_they_say(prior: list[float], concentration: float | None) -> None:
    truth = draw(3_000, prior, seed=3, length=25, concentration=concentration)
    scores = make_scorer(fitted(truth)).score_table(truth.entries)
    # The words of these documents are independent given the label, which no text's are: the probabilities are modest.
    right = correctness(winners(scores.values, scores.matches, TIE), truth.labels, len(prior))
    assert calibration_error(right, scores.probabilities.max(axis=1)) < 0.13


def test_the_threshold_leaves_the_share_above_it() -> None:
    truth = draw(2_000, [0.25, 0.75], seed=4, length=40)
    model = fitted(truth)
    assert model.calibration.prevalence is not None
    assert model.calibration.prevalence.share == pytest.approx(0.75, abs=0.08)
    above = np.mean(make_scorer(model).score_table(truth.entries).decision > 0)
    assert above == pytest.approx(model.calibration.prevalence.share, abs=0.01)
    assert np.all(threshold_at(np.zeros(5), np.ones(5), 0.5) == 0)


def test_few_documents_are_not_calibrated() -> None:
    truth = draw(150, [0.5, 0.5], seed=5)
    assert fitted(truth).calibration == UNCALIBRATED


def test_it_can_be_switched_off_and_a_prior_takes_its_place() -> None:
    truth = draw(1_000, [0.2, 0.8], seed=6, length=40)
    model = fitted(truth)
    assert make_scorer(model).offsets[1] != make_scorer(model).offsets[0]
    assert fitted(truth, calibration="none").calibration == UNCALIBRATED
    given = fitted(truth, prior={"list0": 0.4, "list1": 0.6})
    assert make_scorer(given).offsets.tolist() == [0, 0]
    np.testing.assert_allclose(make_scorer(given).log_prior, np.log([0.4, 0.6]))
    assert np.all(make_scorer(model, "count").offsets == 0)
    assert make_scorer(model, temper="none").offsets[0] == make_scorer(model, temper="none").offsets[1]


def test_the_order_of_scores_is_touched_by_the_cap_alone() -> None:
    truth = draw(1_000, [0.3, 0.7], seed=7, length=40)
    model = fitted(truth)
    plain = replace(model, calibration=UNCALIBRATED)
    whole = replace(model, calibration=replace(model.calibration, whole=True))
    ours, same, theirs = (make_scorer(each).score_table(truth.entries).decision for each in (model, whole, plain))
    assert np.array_equal(np.argsort(same, kind="stable"), np.argsort(theirs, kind="stable"))
    capped = ours != same
    assert 0 < capped.mean() < 0.5


def test_rules_that_are_no_log_odds_are_left_alone() -> None:
    truth = draw(500, [0.5, 0.5], seed=8)
    model = fitted(truth)
    assert calibrate(model.entry_weights, truth.sample, "count", "root") == UNCALIBRATED


def test_it_is_saved_as_it_is(tmp_path: Path) -> None:
    truth = draw(300, [0.5, 0.5], seed=9)
    before = Calibration(3.0, -0.1, Prevalence(0.6, 0.5, 0.8, 0.55), 40.0, 2.0)
    found = replace(before, sharpness=3.5, threshold=-0.2, source=AUDIT_LABELS, labels=60, before=before)
    for calibration, version in (
        (found, 4),
        (Calibration(intercepts=(0.5, -0.25)), 4),
        (Calibration(2.0, 0.3), 4),
        (Calibration(2.0, 0.3, whole=True), 2),  # as of an earlier version, which can read it again
        (UNCALIBRATED, 2),
    ):
        model = replace(fitted(truth), calibration=calibration)
        model.save(tmp_path / "m.json", force=True)
        assert json.loads((tmp_path / "m.json").read_text())["format"] == version
        assert load_model(tmp_path / "m.json").calibration == calibration
