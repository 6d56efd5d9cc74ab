from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score, log_loss, roc_auc_score

from problex.errors import ProblexError
from problex.evaluation.metrics import calibration_error, evaluate, reliability, supervised_bound
from problex.evaluation.ranking import auc
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
    assert {row["measure"] for row in result.records()} == {"auc", "accuracy", "f1", "log_loss", "calibration_error"}
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
    codes = (labels == "positive").astype(int)
    assert calibration_error(codes, honest.probabilities) < 0.02
    assert calibration_error(codes, loud.probabilities) > 0.1
    rows = reliability(codes, honest.probabilities)
    assert sum(row["documents"] for row in rows) == 20_000
    assert all(abs(row["confidence"] - row["accuracy"]) < 0.05 for row in rows)


def test_undecided_documents_count_as_wrong_and_are_counted() -> None:
    result = evaluate(["positive", "negative"], scores(np.array([1.0, 0.0])), resamples=5)
    assert result.undecided == 1
    assert result["accuracy"] == 0.5


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
    assert {measure.name for measure in result.measures} == {"accuracy", "f1", "log_loss", "calibration_error"}


def test_errors() -> None:
    found = scores(np.array([1.0, 2.0]))
    with pytest.raises(ProblexError, match="1 labels were given for 2 documents"):
        evaluate(["positive"], found)
    with pytest.raises(ProblexError, match=r"the labels \['good'\] are not lists of the lexicon, expected"):
        evaluate(["positive", "good"], found)
    with pytest.raises(ProblexError, match="no labelled documents"):
        evaluate([], scores(np.array([])))


def test_the_supervised_bound_learns_what_labels_teach() -> None:
    random = np.random.default_rng(4)
    labels = random.random(200) < 0.5
    texts = [("sun " if label else "rain ") + " ".join(random.choice(list("abcdefgh"), 5)) for label in labels]
    assert supervised_bound(texts, labels, Tokenizer()) > 0.99
    assert 0.3 < supervised_bound(texts, random.permutation(labels), Tokenizer()) < 0.7
