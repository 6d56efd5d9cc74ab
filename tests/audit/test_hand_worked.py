"""Small audits worked out by hand: weights, effective labels, intervals and expected measures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import betabinom

from problex.audit import thresholds
from problex.audit.design import expected_measures
from problex.audit.intervals import (
    Estimate,
    PredictionGroup,
    area_variance,
    joint_estimates,
    prior_of,
    share_estimates,
    weighted_area_interval,
)
from problex.audit.results import Audit, audit, estimate_measures
from problex.audit.sample import AuditSample, Stratum
from problex.audit.thresholds import LabelledScores, fit_labels
from problex.evaluation.metrics import weighted_area
from problex.model.calibration import Platt
from problex.scoring.scores import Scores

Z = 1.959964
STRATA = (Stratum("a", 0.0, 6), Stratum("a", 1.0, 4), Stratum("b", 0.0, 7), Stratum("b", 2.0, 3))
"""Twenty documents: ten predicted a, ten predicted b."""
MARGINS = [-0.2, -0.4, -0.6, -1.5, -3.0, 0.5, 1.0, 1.5]
"""Of b over a, for eight documents drawn: three, two and three of the first three strata, none of the last."""


@pytest.fixture
def sample() -> AuditSample:
    values = np.stack([np.zeros(8), MARGINS], axis=1)
    return AuditSample(("a", "b"), STRATA, np.arange(8), np.array([0, 0, 0, 1, 1, 2, 2, 2]), values)


LABELS = ["a", "b", None, "a", None, "b", "b", "a"]
"""Six of the eight are labelled."""


def test_a_half_labelled_stratum(sample: AuditSample) -> None:
    """Strata of 6 and 4 documents with 2 and 1 labels: of the 4 and 3 others, 4/7 * 1/2 + 3/7 * 1 are a."""
    truth, stratum = np.array([0, 1, 0, 1, 1, 0]), np.array([0, 0, 1, 2, 2, 2])
    group = PredictionGroup.of(sample, "a", truth, stratum)
    assert (group.documents, group.unlabelled, group.known.tolist()) == (10, 7, [2, 1])
    assert group.true_shares.tolist() == pytest.approx([5 / 7, 2 / 7])
    assert group.effective_labels == pytest.approx(1 / ((4 / 7) ** 2 / 2 + (3 / 7) ** 2 / 1))  # 2.88
    assert group.expected.tolist() == pytest.approx([7, 3])
    other = PredictionGroup.of(sample, "b", truth, stratum)  # the stratum of 3 is assumed to be like that of 7
    assert other.true_shares.tolist() == pytest.approx([1 / 3, 2 / 3])
    assert other.effective_labels == pytest.approx(3)
    assert (other.unlabelled, other.known.tolist()) == (7, [1, 2])
    nothing = PredictionGroup.of(sample, "b", truth[:3], stratum[:3])
    assert nothing.true_shares.tolist() == [0.5, 0.5]
    assert (nothing.effective_labels, nothing.documents, nothing.known.tolist()) == (0.0, 10, [0, 0])


def test_strata_that_are_labelled_completely_say_what_the_others_of_their_prediction_are(sample: AuditSample) -> None:
    """Of b, all 7 of one stratum are labelled, 2 of them a, and none of the 3 of the other, which are like the 7."""
    truth, stratum = np.array([0, 0, 1, 1, 1, 1, 1]), np.full(7, 2)
    group = PredictionGroup.of(sample, "b", truth, stratum)
    assert group.unlabelled == 3
    assert group.effective_labels == pytest.approx(7)
    assert group.expected.tolist() == pytest.approx([2 + 3 * 2 / 7, 5 + 3 * 5 / 7])


def test_the_documents_without_a_label_are_a_beta_binomial_draw(sample: AuditSample) -> None:
    """Of ten, 3 are known, 2 of them a; the other 7 have 2.88 - 1 observations and half a document of prior each."""
    group = PredictionGroup.of(sample, "a", np.array([0, 1, 0]), np.array([0, 0, 1]))
    observations = 1 / ((4 / 7) ** 2 / 2 + (3 / 7) ** 2) - 1
    expected = betabinom(7, observations * 5 / 7 + 0.5, observations * 2 / 7 + 0.5)
    draws = group.count_draws(np.random.default_rng(3))
    assert draws.shape == (4000, 2)
    assert set(draws.sum(axis=1)) == {10}
    for number in range(8):
        assert np.mean(draws[:, 0] == 2 + number) == pytest.approx(expected.pmf(number), abs=0.02)


def test_a_group_with_one_label_has_the_prior_only() -> None:
    """One label is given up, so that nothing is left of one; half of the prior is that of the predicted label."""
    group = PredictionGroup("b", np.array([1, 0, 0]), 50, np.array([1.0, 0, 0]), 1.0, prior_of("b", ("a", "b", "c")))
    draws = group.share_draws(np.random.default_rng(0))
    assert draws.mean(axis=0) == pytest.approx(np.array([0.25, 0.5, 0.25]), abs=0.02)
    assert draws[:, 1].var() == pytest.approx(0.5 * 0.5 / (1 + 1), rel=0.05)
    assert prior_of("undecided", ("a", "b", "c")).tolist() == pytest.approx([1 / 3] * 3)


def test_shares_of_a_half_labelled_sheet(sample: AuditSample) -> None:
    """Given a, .7 are a and .3 are b; given b, a third is a and two thirds are b; half of all have each prediction."""
    found = {(one.measure, one.label): one.value for one in audit(sample, LABELS).estimates}
    assert found["accuracy", ""] == pytest.approx(0.5 * 0.7 + 0.5 * 2 / 3)
    assert found["prevalence", "a"] == pytest.approx(0.5 * 0.7 + 0.5 / 3)
    assert found["precision", "a"] == pytest.approx(0.7)
    assert found["precision", "b"] == pytest.approx(2 / 3)
    assert found["recall", "a"] == pytest.approx(0.35 / (0.35 + 0.5 / 3))
    assert found["recall", "b"] == pytest.approx((1 / 3) / (0.15 + 1 / 3))


def test_the_interval_of_a_share_is_between_the_quantiles_of_its_posterior() -> None:
    """Twenty labels of a hundred documents, 15 of them right."""
    prior = np.array([0.5, 0.5])
    group = PredictionGroup("a", np.array([15, 5]), 80, np.array([0.75, 0.25]), 20.0, prior)
    found = {(one.measure, one.label): one for one in share_estimates(("a", "b"), [group])}
    expected = betabinom(80, 19 * 0.75 + 0.5, 19 * 0.25 + 0.5)
    accuracy = found["accuracy", ""]
    assert accuracy.value == pytest.approx(0.75)
    assert accuracy.low == pytest.approx((15 + expected.ppf(0.025)) / 100, abs=0.015)
    assert accuracy.high == pytest.approx((15 + expected.ppf(0.975)) / 100, abs=0.015)
    assert found["prevalence", "b"].low == pytest.approx(1 - accuracy.high)
    assert ("precision", "b") not in found
    certain = share_estimates(
        ("a", "b"), [PredictionGroup("a", np.array([20, 0]), 80, np.array([1.0, 0.0]), 20.0, prior)]
    )
    assert certain[0].high == 1.0  # never below the value
    assert next(one for one in certain if one.label == "b").low == 0.0


def test_undecided_texts_count_one_of_k() -> None:
    """Three classes: 300 texts predicted a, of which .6 are a, 100 predicted b, all right, and 600 undecided.

    (300 * .6 + 100 + 600 / 3) / 1000 = .48; precision and recall know nothing of that third: .6, and .18 of all a.
    """
    classes = ("a", "b", "c")
    groups = [
        PredictionGroup("a", np.array([12, 8, 0]), 280, np.array([0.6, 0.4, 0.0]), 20.0, prior_of("a", classes)),
        PredictionGroup("b", np.array([0, 20, 0]), 80, np.array([0.0, 1.0, 0.0]), 20.0, prior_of("b", classes)),
        PredictionGroup("undecided", np.array([10, 0, 10]), 580, np.array([0.5, 0, 0.5]), 20.0, prior_of("", classes)),
    ]
    found = {(one.measure, one.label): one for one in share_estimates(classes, groups)}
    assert found["accuracy", ""].value == pytest.approx(0.48)
    assert 0.2 < found["accuracy", ""].low < 0.48 < found["accuracy", ""].high < 0.6
    assert found["precision", "a"].value == pytest.approx(0.6)
    assert found["recall", "a"].value == pytest.approx(0.18 / (0.18 + 0.3))
    unlabelled = PredictionGroup("undecided", np.zeros(3, np.int64), 9, np.full(3, 1 / 3), 0.0, prior_of("", classes))
    without = share_estimates(classes, [unlabelled])
    assert (without[0].value, without[0].low, without[0].high) == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_undecided_texts_of_another_model_count_one_of_k() -> None:
    """Half of the labelled documents are undecided, and the others right: (1 + 1 / 2) / 2."""
    predictions = np.array(["a", "undecided"] * 20, dtype=object)
    found = joint_estimates(("a", "b"), predictions, np.zeros(40, np.int64), np.full(40, 1 / 40))
    assert found[0].value == pytest.approx(0.75)
    assert 0.6 < found[0].low < 0.75 < found[0].high < 0.9


def test_the_calibration_curve_of_an_audit_counts_undecided_texts_one_of_k() -> None:
    strata = (Stratum("a", 0.0, 10), Stratum("undecided", 0.0, 30))
    values = np.array([[3.0, 0.0], [3.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    whole = AuditSample(("a", "b"), strata, np.arange(4), np.array([0, 0, 1, 1]), values)
    bins = audit(whole, ["a", "b", "a", "a"]).reliability
    assert [row["accuracy"] for row in bins] == [0.5, 0.5]
    decided = Scores(("a", "b"), values + np.array([0.0, 1.0]), np.full(4, 9), np.ones(4, np.int64))
    assert [row["accuracy"] for row in audit(whole, ["a", "b", "a", "a"], scores=decided).reliability] == [0.0, 0.5]


def test_the_variance_of_an_area_by_hand() -> None:
    """A = .75 from two and two: s = 1, .75 * .25 * (1 + .25 / 1.25 + .75 / 1.75) / 4."""
    assert area_variance(0.75, 2, 2) == pytest.approx(0.1875 * (1 + 0.2 + 3 / 7) / 4)
    assert area_variance(0.75, 1, 1) == pytest.approx(0.1875)  # s = 0
    assert area_variance(0.5, 0.5, 1) == pytest.approx(0.25 / 0.5)  # s is not negative


def test_the_interval_of_a_weighted_area_by_hand() -> None:
    """Margins 1 to 4, negative, positive, negative, positive; the positive ones weigh 1 and 9.

    The positive documents are above .5 and 1 of the negative weight: area (1 * .5 + 9 * 1) / 10 = .95, variance
    (1 * .45^2 + 9 * .05^2) / 10 = .0225. The effective number is 100 / 82 = 1.22, which is less than 1 + .5, so .0225
    is divided by .5. The negative ones are above 0 and .1 of the positive weight: variance .05^2, divided by 2 - 1.
    """
    margin = np.array([1.0, 2.0, 3.0, 4.0])
    positive, negative = np.array([0.0, 1.0, 0.0, 9.0]), np.array([1.0, 0.0, 1.0, 0.0])
    assert weighted_area(margin, positive, negative) == pytest.approx(0.95)
    number = 100 / 82
    inflation = (0.0225 / 0.5 + 0.0025) / area_variance(0.95, number, 2)
    assert inflation == pytest.approx(1.839, abs=0.001)
    low, high = weighted_area_interval(margin, positive, negative)
    for end in (low, high):
        assert (end - 0.95) ** 2 == pytest.approx(Z**2 * inflation * area_variance(end, number, 2), rel=1e-5)
    assert low < 0.95 < high < 1


def test_a_smooth_sample_has_newcombe_s_interval() -> None:
    """Where DeLong's variance is the smaller one, nothing is inflated."""
    margin = np.arange(10.0)
    positive = np.array([0, 0, 0, 0, 1, 0, 1, 1, 1, 1], dtype=float)
    low, _ = weighted_area_interval(margin, positive, 1 - positive)
    assert (low - 0.96) ** 2 == pytest.approx(Z**2 * area_variance(low, 5, 5), rel=1e-5)


def test_a_perfect_order_has_newcombe_s_interval() -> None:
    """An area of 1 has no variance to compare with: (1 - A)^2 = z^2 V(A) at the lower end."""
    margin, positive = np.arange(4.0), np.array([0.0, 0.0, 1.0, 1.0])
    low, high = weighted_area_interval(margin, positive, 1 - positive)
    assert high == 1.0
    assert (1 - low) ** 2 == pytest.approx(Z**2 * area_variance(low, 2, 2), rel=1e-5)


def test_the_area_of_a_half_labelled_sheet_has_the_finite_population_correction(sample: AuditSample) -> None:
    """Six labels for eight documents in all: what is unknown of the area is sqrt(1 - 6/8) = 1/2 of the interval."""
    strata = (Stratum("a", 0.0, 4), Stratum("b", 0.0, 4))
    values = np.stack([np.zeros(8), [-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0]], axis=1)
    whole = AuditSample(("a", "b"), strata, np.arange(8), np.repeat([0, 1], 4), values)
    codes = np.array([0, 1, 0, -1, 1, 0, 1, -1])
    known = codes >= 0
    sides = (values[known, 1], (codes[known] == 1) / 6, (codes[known] == 0) / 6)
    area, (low, high) = weighted_area(*sides), weighted_area_interval(*sides)
    found = next(one for one in estimate_measures(whole, codes) if one.measure == "auc")
    assert found.value == pytest.approx(area) == pytest.approx(6 / 9)
    assert found.low == pytest.approx(area - (area - low) / 2)
    assert found.high == pytest.approx(area + (high - area) / 2)


def test_a_label_weighs_the_documents_of_its_stratum_divided_by_their_labels(sample: AuditSample) -> None:
    """Six and four documents have 2 and 1 labels, seven have 3: the labels weigh 3, 3, 4 and 7/3 each, of 17."""
    found = audit(sample, LABELS)
    margins, truth = np.array([-0.2, -0.4, -1.5, 0.5, 1.0, 1.5]), np.array([0, 1, 0, 1, 1, 0])
    weights = np.array([3, 3, 4, 7 / 3, 7 / 3, 7 / 3]) / 17
    correct = np.where(truth == 1, 1 / (1 + np.exp(-margins)), 1 / (1 + np.exp(margins)))
    assert found.log_loss[0] == pytest.approx(-np.sum(weights * np.log(correct)))
    values = np.stack([np.zeros(6), margins], axis=1)
    left_out = []
    for at in range(6):  # fewer labels than folds: each is predicted from all others
        rest = np.arange(6) != at
        slope, shift = fit_labels(LabelledScores.of_log_odds(values[rest], truth[rest], np.ones(5)), np.zeros(2))
        left_out.append(softmax(slope * (values[at] + shift))[truth[at]])
    assert found.log_loss[1] == pytest.approx(-np.sum(weights * np.log(left_out)))
    area = sum(
        weights[i] * weights[j] * ((margins[i] > margins[j]) + (margins[i] == margins[j]) / 2)
        for i in np.flatnonzero(truth == 1)
        for j in np.flatnonzero(truth == 0)
    )
    assert found["auc"].value == pytest.approx(area / (weights[truth == 1].sum() * weights[truth == 0].sum()))


def test_the_calibration_is_validated_in_ten_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    strata = (Stratum("a", 0.0, 30), Stratum("b", 0.0, 30))
    values = np.stack([np.zeros(25), np.linspace(-1, 1, 25)], axis=1)
    whole = AuditSample(("a", "b"), strata, np.arange(25), (values[:, 1] > 0).astype(np.int64), values)
    sizes = []

    def counted(some: LabelledScores, offsets: np.ndarray) -> tuple[float, np.ndarray]:
        sizes.append(len(some.codes))
        return fit_labels(some, offsets)

    monkeypatch.setattr(thresholds, "fit_labels", counted)
    audit(whole, ["a", "b"] * 12 + ["a"])
    assert sorted(sizes) == [22] * 5 + [23] * 5


def test_a_probability_of_zero_does_not_make_the_loss_infinite() -> None:
    strata = (Stratum("a", 0.0, 4),)
    whole = AuditSample(("a", "b"), strata, np.arange(4), np.zeros(4, np.int64), np.array([[2000.0, 0.0]] * 4))
    found = audit(whole, ["a", "a", "a", "b"])
    assert found.log_loss[0] == pytest.approx(-np.log(1e-15) / 4)


def test_expected_measures_by_hand() -> None:
    """Probabilities of b: .75 and .9 (predicted b), .2 and .4 (predicted a), and a document without a token.

    An undecided document in addition, with even probabilities: the accuracy is (4 * .7625 + .5) / 5.
    """
    odds = np.array([3.0, 9.0, 0.25, 2 / 3, 1.0])
    values = np.stack([np.zeros(5), np.log(odds)], axis=1)
    scores = Scores(("a", "b"), values, np.array([9, 1, 9, 9, 0]), np.array([1, 1, 1, 1, 0]))
    measures = expected_measures(scores)
    assert {name: round(value, 6) for name, value in measures.items()} == {
        ("prevalence", "a"): 0.4375,
        ("prevalence", "b"): 0.5625,
        ("precision", "a"): 0.7,
        ("precision", "b"): 0.825,
        ("recall", "a"): 0.8,
        ("recall", "b"): 0.733333,
        ("accuracy", ""): 0.7625,
    }
    undecided = replace(scores, lengths=np.full(5, 9))
    assert expected_measures(undecided)["accuracy", ""] == pytest.approx((4 * 0.7625 + 0.5) / 5)
    only = Scores(("a", "b"), values[:2], np.array([9, 9]), np.ones(2, np.int64))
    assert ("precision", "a") not in expected_measures(only)


def made(log_loss: tuple[float, float] = (0.6, 0.5)) -> Audit:
    accuracy = Estimate("accuracy", "", 0.123456789, 0.0111111, 0.2222222, 0.987654321)
    return Audit(100, 40, 0, (accuracy,), Platt(0.5, (0.0, 0.0)), log_loss)


def test_records_have_four_digits() -> None:
    assert made().records() == [
        {"measure": "accuracy", "label": "", "value": 0.1235, "low": 0.0111, "high": 0.2222, "expected": 0.9877}
    ]
    nothing = Audit(100, 40, 0, (Estimate("auc", "", 0.5, 0.4, 0.6),), Platt(1.0, (0.0, 0.0)), (0.6, 0.5))
    assert nothing.records()[0]["expected"] is None
    assert len(nothing.notes()) == 3


def test_the_notes_of_an_audit_name_no_forecast() -> None:
    notes = made().notes()
    assert notes == [
        "40 labels for 100 documents; 95% intervals",
        "the labels improve the probabilities: log loss 0.600, 0.500 with them (cross-validated)",
        "to let them set threshold and probabilities: problex audit score SHEETS --store MODEL",
    ]
    assert made().notes(stored=True) == notes[:-2]


def test_a_calibration_that_is_no_better_is_not_advised() -> None:
    for loss in (0.6, 0.7):
        advice = f"the labels do not improve the probabilities: log loss 0.600, {loss:.3f} with them (cross-validated)"
        assert made((0.6, loss)).notes()[-1] == advice
