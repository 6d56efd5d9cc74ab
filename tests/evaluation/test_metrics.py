from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score, log_loss, roc_auc_score

from problex.errors import ProblexError
from problex.evaluation.metrics import (
    Evaluation,
    Measure,
    auc,
    brier_score,
    calibration_error,
    evaluate,
    reliability,
    supervised_bound,
)
from problex.matching.tokens import Tokenizer
from problex.scoring.scores import Scores


def scores(decision: np.ndarray) -> Scores:
    values = np.stack([-decision / 2, decision / 2], axis=1)
    size = len(decision)
    return Scores(("negative", "positive"), values, np.full(size, 10), np.where(decision == 0, 0, 1))


def drawn(size: int, seed: int, sharpness: float = 1.0) -> tuple[np.ndarray, Scores]:
    """Scores that are true log-odds, times a sharpness."""
    random = np.random.default_rng(seed)
    decision = random.normal(0, 2, size)
    truth = random.random(size) < 1 / (1 + np.exp(-decision))
    return np.where(truth, "positive", "negative"), scores(decision * sharpness)


def test_measures_against_scikit_learn() -> None:
    labels, found = drawn(500, 0)
    result = evaluate(labels, found, resamples=20)
    assert result["auc"] == pytest.approx(roc_auc_score(labels == "positive", found.decision))
    assert result["accuracy"] == np.mean((found.decision > 0) == (labels == "positive"))
    assert result["f1"] == pytest.approx(f1_score(labels, found.labels(), average="macro"))
    assert result["log_loss"] == pytest.approx(log_loss(labels, found.probabilities))
    assert {row["measure"] for row in result.records()} == {
        *("auc", "accuracy", "f1", "log_loss", "brier", "calibration_error")
    }
    for measure in result.measures:
        assert measure.low <= measure.high


def test_ties_count_half() -> None:
    labels, found = drawn(300, 5)
    rough = scores(np.round(found.decision))
    codes = (labels == "positive").astype(int)
    assert auc(codes, rough.values) == pytest.approx(roc_auc_score(codes, rough.decision))


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """The AUC of the whole population lies in about 95 of 100 intervals: at least 88 of 100 here."""
    labels, found = drawn(100_000, 1)
    truth = auc((labels == "positive").astype(int), found.values)
    covered = 0
    for seed in range(100):
        rows = np.random.default_rng(seed + 10).choice(100_000, 200, replace=False)
        part = Scores(found.classes, found.values[rows], found.lengths[rows], found.matches[rows])
        measure = next(m for m in evaluate(labels[rows], part, resamples=100, seed=seed).measures if m.name == "auc")
        covered += measure.low <= truth <= measure.high
    assert 88 <= covered <= 100


def test_overconfidence_shows_in_the_calibration_error() -> None:
    labels, honest = drawn(20_000, 2)
    _, loud = drawn(20_000, 2, sharpness=4)
    right = (honest.labels() == labels).astype(float)
    assert calibration_error(right, honest.probabilities.max(axis=1)) < 0.02
    assert calibration_error(right, loud.probabilities.max(axis=1)) > 0.1
    rows = reliability(right, honest.probabilities.max(axis=1))
    assert sum(row["documents"] for row in rows) == 20_000
    assert all(abs(row["confidence"] - row["accuracy"]) < 0.05 for row in rows)


def test_undecided_documents_count_one_of_k_and_are_counted() -> None:
    result = evaluate(["positive", "negative"], scores(np.array([1.0, 0.0])), resamples=5)
    assert result.undecided == 1
    assert result["accuracy"] == 0.75
    values = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    found = Scores(("a", "b", "c"), values, np.full(4, 9), np.array([1, 1, 2, 0]))
    assert evaluate(["a", "a", "a", "c"], found, resamples=5)["accuracy"] == pytest.approx((1 + 0 + 1 / 3 + 1 / 3) / 4)


def test_undecided_documents_count_one_of_k_in_the_bins() -> None:
    """Two of the first class, two of the second: all are undecided, of even probability, and half of them right."""
    found = Scores(("a", "b"), np.zeros((4, 2)), np.full(4, 9), np.zeros(4, np.int64))
    for labels in (["a", "a", "b", "b"], ["a"] * 4):  # the first class is not favoured
        result = evaluate(labels, found, resamples=0)
        assert result.reliability == ({"documents": 4, "confidence": 0.5, "accuracy": 0.5},)
        assert result["calibration_error"] == 0.0


def test_more_than_two_classes() -> None:
    random = np.random.default_rng(3)
    codes = random.integers(0, 3, 300)
    values = random.normal(0, 1, (300, 3)) + 2 * np.eye(3)[codes]
    names = ("a", "b", "c")
    found = Scores(names, values, np.full(300, 5), np.ones(300, dtype=np.int64))
    result = evaluate(np.array(names)[codes], found, resamples=10)
    assert result["auc"] > 0.85
    assert result["accuracy"] == np.mean(values.argmax(axis=1) == codes)


def test_labels_of_one_class_have_no_auc() -> None:
    result = evaluate(["positive"] * 3, scores(np.array([1.0, -1.0, 2.0])), resamples=5)
    assert {measure.name for measure in result.measures} == {"accuracy", "f1", "log_loss", "brier", "calibration_error"}


def test_errors() -> None:
    found = scores(np.array([1.0, 2.0]))
    with pytest.raises(ProblexError, match="1 labels were given for 2 documents"):
        evaluate(["positive"], found)
    with pytest.raises(ProblexError, match=r"the labels 'good' are not lists of the lexicon, expected"):
        evaluate(["positive", "good"], found)
    with pytest.raises(ProblexError, match="no labelled documents"):
        evaluate([], scores(np.array([])))


def test_the_supervised_bound_learns_what_labels_teach() -> None:
    random = np.random.default_rng(4)
    labels = random.random(200) < 0.5
    texts = [("sun " if label else "rain ") + " ".join(random.choice(list("abcdefgh"), 5)) for label in labels]
    assert supervised_bound(texts, labels, Tokenizer()) > 0.99
    assert 0.3 < supervised_bound(texts, random.permutation(labels), Tokenizer()) < 0.7


def test_measures_by_hand() -> None:
    """Two positive, three negative documents; a positive one is predicted negative, a negative one undecided: 1 / 2."""
    decision = np.log([4.0, 0.25, 0.25, 1.0, 1 / 9])
    values = np.stack([np.zeros(5), decision], axis=1)
    found = Scores(("negative", "positive"), values, np.full(5, 9), np.array([1, 1, 1, 0, 1]))
    labels = ["positive", "positive", "negative", "negative", "negative"]
    result = evaluate(labels, found, resamples=0)
    assert (result.documents, result.undecided) == (5, 1)
    assert result["accuracy"] == pytest.approx((3 + 1 / 2) / 5)
    assert result["f1"] == pytest.approx((2 * 1 / (2 + 1) + 2 * 2 / (3 + 3)) / 2)
    assert result["auc"] == pytest.approx((3 + 0.5 + 1) / 6)  # 4 beats all; .25 beats 1/9, ties with .25
    assert result["log_loss"] == pytest.approx(-np.log([0.8, 0.2, 0.8, 0.5, 0.9]).mean())
    assert result["brier"] == pytest.approx((0.04 + 0.64 + 0.04 + 0.25 + 0.01) / 5)
    assert result.records()[0] == {"measure": "auc", "value": 0.75, "low": 0.75, "high": 0.75}
    assert Evaluation(1, 0, (Measure("f1", 0.123456, 0.111111, 0.222222),), ()).records() == [
        {"measure": "f1", "value": 0.1235, "low": 0.1111, "high": 0.2222}
    ]


def test_the_brier_score_of_three_labels_is_half_of_the_squared_distance() -> None:
    """(0.5, 0.3, 0.2) and the first is true: (0.25 + 0.09 + 0.04) / 2 = 0.19; if equal, (1 - 1/3) / 2."""
    assert brier_score(np.array([0]), np.array([[0.5, 0.3, 0.2]])) == pytest.approx(0.19)
    assert brier_score(np.array([2]), np.full((1, 3), 1 / 3)) == pytest.approx(1 / 3)
    assert brier_score(np.array([1]), np.array([[1.0, 0.0, 0.0]])) == 1.0


def test_the_reliability_of_a_sample_is_weighted() -> None:
    """Two documents with .8 and .89 stand for 3 and 1: (3 * .8 + .89) / 4 = .8225, and three quarters are right."""
    (row,) = reliability(np.array([1.0, 0.0]), np.array([0.8, 0.89]), np.array([3.0, 1.0]))
    assert row == {"documents": 2, "confidence": pytest.approx(0.8225), "accuracy": pytest.approx(0.75)}


def test_the_calibration_error_by_hand() -> None:
    """Bins from .9 (two documents, one right), from .6 (one, right), and 1.0, which is in the last bin, too (wrong)."""
    right, confidence = np.array([1.0, 0.0, 1.0, 0.0]), np.array([0.95, 0.92, 0.65, 1.0])
    rows = reliability(right, confidence)
    assert [row["documents"] for row in rows] == [1, 3]
    assert [row["confidence"] for row in rows] == pytest.approx([0.65, (0.95 + 0.92 + 1.0) / 3])
    assert [row["accuracy"] for row in rows] == pytest.approx([1.0, 1 / 3])
    expected = (0.35 + 3 * ((0.95 + 0.92 + 1.0) / 3 - 1 / 3)) / 4
    assert calibration_error(right, confidence) == pytest.approx(expected)
    assert calibration_error(right[:0], confidence[:0]) == 0.0
    assert calibration_error(right[:1], confidence[:1]) == pytest.approx(0.05)


def test_bins_are_a_tenth_wide() -> None:
    confidence = np.array([0.5, 0.59, 0.6, 0.69, 0.75, 0.85, 0.9])
    assert [row["documents"] for row in reliability(np.ones(7), confidence)] == [2, 2, 1, 1, 1]


def test_a_probability_of_zero_has_a_finite_loss() -> None:
    assert evaluate(["negative"], scores(np.array([5000.0])), resamples=0)["log_loss"] == pytest.approx(-np.log(1e-15))


def test_intervals_are_quantiles_of_resamples_within_each_label() -> None:
    decision = np.tile([1.0, -1.0], 100)
    labels = ["positive"] * 100 + ["negative"] * 100
    accuracy = next(
        one for one in evaluate(labels, scores(decision), resamples=1000).measures if one.name == "accuracy"
    )
    assert accuracy.value == 0.5
    assert accuracy.high - accuracy.low == pytest.approx(2 * 1.96 * np.sqrt(0.25 / 200), rel=0.12)
    sure = evaluate(labels, scores(np.ones(200)), resamples=50)  # every positive one right, every negative one wrong
    accuracy = next(one for one in sure.measures if one.name == "accuracy")
    assert (accuracy.low, accuracy.high) == (0.5, 0.5)
    again = evaluate(labels, scores(decision), resamples=20, seed=1)
    assert again.measures == evaluate(labels, scores(decision), resamples=20, seed=1).measures
    assert again.measures != evaluate(labels, scores(decision), resamples=20).measures


def test_the_supervised_bound_is_logistic_regression_on_scaled_counts() -> None:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from sklearn.preprocessing import MaxAbsScaler

    random = np.random.default_rng(5)
    labels = random.random(120) < 0.4
    texts = [" ".join(random.choice(list("abcdef") + ["s"] * (1 + label), 6)) for label in labels]
    matrix = CountVectorizer(analyzer=Tokenizer(), dtype=np.float64).fit_transform(texts)
    areas = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(matrix, labels):
        scaler = MaxAbsScaler().fit(matrix[train])
        fitted = LogisticRegression(C=1.0).fit(scaler.transform(matrix[train]), labels[train])
        areas.append(roc_auc_score(labels[test], fitted.decision_function(scaler.transform(matrix[test]))))
    assert supervised_bound(texts, labels, Tokenizer()) == pytest.approx(np.mean(areas), abs=1e-4)


def test_the_ends_of_an_interval_are_the_outer_quantiles_of_the_resamples() -> None:
    labels = np.array(["negative"] * 30 + ["positive"] * 20)
    decision = np.tile([1.0, -1.0, 2.0, -2.0, 1.5], 10)
    random = np.random.default_rng(3)
    parts = [np.arange(30), np.arange(30, 50)]
    correct = (decision > 0) == (labels == "positive")
    values = [correct[np.concatenate([random.choice(part, len(part)) for part in parts])].mean() for _ in range(100)]
    found = next(m for m in evaluate(labels, scores(decision), resamples=100, seed=3).measures if m.name == "accuracy")
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))
