"""Measures of a model against labels, with bootstrap intervals, and the AUC of a supervised classifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util._rows import winners
from problex._util.arrays import TIE, FloatArray, IntArray
from problex._util.formatting import quote_all
from problex._util.late import stats
from problex._util.records import Record
from problex.errors import ProblexError
from problex.model.model import Z_95
from problex.scoring.scores import Scores

LEVEL = 0.95
BINS = 10
FOLDS = 5


def auc(codes: IntArray, values: FloatArray) -> float:
    """Area under the ROC curve: of the second class for two classes, else the mean of each class against the rest.

    `codes` is the true class of each document, `values` its scores (documents x classes).

    >>> auc(np.array([0, 0, 1, 1]), np.array([[0.0, 0.1], [0.0, 0.4], [0.0, 0.35], [0.0, 0.8]]))   # 3 of 4 pairs
    0.75
    >>> auc(np.array([0, 1, 2]), np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]))     # 1, .75 and .5
    0.75
    """
    areas = [
        weighted_area(margin, positive.astype(np.float64), (~positive).astype(np.float64))
        for margin, positive in rankings(codes, values)
    ]
    return float(np.mean(areas))


def rankings(codes: IntArray, values: FloatArray) -> list[tuple[FloatArray, NDArray[np.bool_]]]:
    """For each class with an area: the margin of every document, and whether the document is of the class.

    The margin is the score of the class minus the highest score of the others. Of two classes, only the second has an
    area (that of the first is the same); a class has none if no document, or every document, belongs to it.

    >>> margin, positive = rankings(np.array([0, 1]), np.array([[0.0, 2.0], [1.0, 0.0]]))[0]
    >>> margin.tolist(), positive.tolist()
    ([2.0, -1.0], [False, True])
    >>> len(rankings(np.array([0, 0, 1]), np.eye(3)))                   # no document is of the third class
    2
    """
    classes = [1] if values.shape[1] == 2 else range(values.shape[1])
    pairs = [(values[:, k] - np.delete(values, k, axis=1).max(axis=1), codes == k) for k in classes]
    return [(margin, positive) for margin, positive in pairs if positive.any() and not positive.all()]


def weighted_area(margin: FloatArray, positive: FloatArray, negative: FloatArray) -> float:
    """The weighted share of pairs of a positive and a negative document in the right order; a tie counts half.

    `positive` and `negative` are the weights of each document on either side, 0 where it is on the other.

    >>> weighted_area(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 1.0]), np.array([1.0, 0.0, 1.0]))
    0.625
    """
    area = positive @ weight_below(margin, negative) / (positive.sum() * negative.sum())
    return min(float(area), 1.0)  # rounding can give a little more


def weight_below(margin: FloatArray, weights: FloatArray) -> FloatArray:
    """The total weight of the documents with a lower margin, plus half the weight of those with the same.

    >>> weight_below(np.array([1.0, 2.0, 2.0]), np.array([3.0, 1.0, 1.0])).tolist()
    [1.5, 4.0, 4.0]
    """
    rank = stats.rankdata(margin, "dense") - 1
    by_rank = np.bincount(rank, weights=weights)
    return np.asarray((np.cumsum(by_rank) - by_rank / 2)[rank], dtype=np.float64)


@dataclass(frozen=True)
class Measure:
    """A measure with its interval."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Evaluation:
    """Measures of a model against labels, and its reliability by bins of confidence."""

    documents: int
    undecided: int
    measures: tuple[Measure, ...]
    reliability: tuple[dict[str, float], ...]

    def records(self) -> list[Record]:
        """A record per measure."""
        return [
            {"measure": m.name, "value": round(m.value, 4), "low": round(m.low, 4), "high": round(m.high, 4)}
            for m in self.measures
        ]

    def __getitem__(self, name: str) -> float:
        return next(measure.value for measure in self.measures if measure.name == name)


def evaluate(
    labels: Sequence[str] | NDArray[Any], scores: Scores, *, resamples: int = 200, seed: int = 0
) -> Evaluation:
    """Compare scores with true labels. An undecided document counts 1 / K in the accuracy, and as wrong in F1.

    Intervals of 95 % are quantiles over `resamples` of the documents; without resamples they have no width.

    >>> values = np.array([[0.0, 2.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    >>> scores = Scores(("no", "yes"), values, np.full(4, 9), np.array([1, 1, 1, 0]))
    >>> evaluation = evaluate(["yes", "no", "no", "yes"], scores, resamples=0)
    >>> evaluation["accuracy"], evaluation.undecided                    # two are right, and the undecided one by half
    (0.625, 1)
    """
    truth = np.asarray(labels, dtype=object)
    _check_labels(truth, scores)
    codes = np.array([scores.classes.index(label) for label in truth])
    predictions = winners(scores.values, scores.matches, TIE)
    probabilities = scores.probabilities

    def measure(rows: IntArray) -> dict[str, float]:
        return _measures(codes[rows], predictions[rows], scores.values[rows], probabilities[rows])

    random = np.random.default_rng(seed)
    samples = [measure(_resample(random, codes)) for _ in range(resamples)]
    tail = (1 - LEVEL) / 2
    measures = []
    for name, value in measure(np.arange(len(codes))).items():
        values = np.array([sample[name] for sample in samples]) if samples else np.array([value])
        low, high = np.quantile(values, [tail, 1 - tail])
        measures.append(Measure(name, value, float(low), float(high)))
    bins = reliability(correctness(predictions, codes, len(scores.classes)), probabilities.max(axis=1))
    return Evaluation(len(codes), int((predictions < 0).sum()), tuple(measures), tuple(bins))


def correctness(predictions: IntArray, truth: IntArray, labels: int) -> FloatArray:
    """1 for a right label, 0 for a wrong one, 1 / K for an undecided document (-1) of K labels: what a guess is worth.

    The mean over documents is the accuracy, here and in audits, forecasts and `LexiconClassifier.score`.

    >>> correctness(np.array([0, 0, 1, -1]), np.array([0, 1, 1, 1]), labels=4).tolist()
    [1.0, 0.0, 1.0, 0.25]
    """
    return np.asarray(np.where(predictions < 0, 1.0 / labels, predictions == truth), dtype=np.float64)


def _resample(random: np.random.Generator, codes: IntArray) -> IntArray:
    """Draw documents with replacement within each label, so that every resample has all of them.

    >>> codes = np.array([0, 1, 1, 0, 1])
    >>> np.bincount(codes[_resample(np.random.default_rng(0), codes)]).tolist()
    [2, 3]
    """
    parts = [np.flatnonzero(codes == label) for label in np.unique(codes)]
    return np.concatenate([random.choice(part, len(part)) for part in parts])


def _measures(
    codes: IntArray, predictions: IntArray, values: FloatArray, probabilities: FloatArray
) -> dict[str, float]:
    """Every measure, in plain numpy: scikit-learn validates its input in each call, which is slow in a bootstrap.

    F1 is the mean over the labels that occur.
    """
    labels = np.unique(codes)
    right = correctness(predictions, codes, values.shape[1])
    measures = {"auc": auc(codes, values)} if len(labels) > 1 else {}
    measures["accuracy"] = float(right.mean())
    measures["f1"] = float(np.mean([_f1(codes == label, predictions == label) for label in labels]))
    measures["log_loss"] = float(-np.mean(np.log(np.clip(probabilities[np.arange(len(codes)), codes], 1e-15, 1.0))))
    measures["brier"] = brier_score(codes, probabilities)
    measures["calibration_error"] = calibration_error(right, probabilities.max(axis=1))
    return measures


def _f1(truth: NDArray[np.bool_], prediction: NDArray[np.bool_]) -> float:
    """2 TP / (positives + predicted positives).

    >>> round(_f1(np.array([True, True, False]), np.array([True, False, False])), 3)   # 2 * 1 / (2 + 1)
    0.667
    """
    return float(2 * np.sum(truth & prediction) / (np.sum(truth) + np.sum(prediction)))


def reliability(right: FloatArray, confidence: FloatArray, weights: FloatArray | None = None) -> list[dict[str, float]]:
    """Mean confidence and accuracy of the documents in ten equal bins of the confidence, without empty bins.

    `right` is the `correctness` of each document, `confidence` its highest probability; `weights` are the documents
    that each stands for, if they are a sample.

    >>> reliability(np.array([1.0, 0.0, 1.0]), np.array([0.62, 0.68, 0.95]))[0]
    {'documents': 2, 'confidence': 0.65, 'accuracy': 0.5}
    """
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    rows: list[dict[str, float]] = []
    for number in np.unique(bins):
        inside = bins == number
        share = None if weights is None else weights[inside]
        rows.append(
            {
                "documents": int(inside.sum()),
                "confidence": float(np.average(confidence[inside], weights=share)),
                "accuracy": float(np.average(right[inside], weights=share)),
            }
        )
    return rows


def brier_score(codes: IntArray, probabilities: FloatArray) -> float:
    """Half of the squared distance between the probabilities and the truth (1 for the true label, 0 for the others).

    For two labels it is the squared error of the probability of either. 0 is perfect; equal probabilities of K labels
    have (1 - 1 / K) / 2.

    >>> brier_score(np.array([1, 0]), np.array([[0.2, 0.8], [0.5, 0.5]]))   # (0.2^2 + 0.5^2) / 2
    0.145
    """
    distance = probabilities - np.eye(probabilities.shape[1])[codes]
    return float(0.5 * np.mean(np.sum(distance**2, axis=1)))


def calibration_error(right: FloatArray, confidence: FloatArray) -> float:
    """Expected calibration error: the mean over documents of abs(confidence - accuracy) of their bin.

    >>> round(calibration_error(np.array([1.0, 0.0, 1.0]), np.array([0.62, 0.68, 0.95])), 3)   # (2 * .15 + .05) / 3
    0.117
    """
    rows = reliability(right, confidence)
    return float(sum(r["documents"] * abs(r["confidence"] - r["accuracy"]) for r in rows) / max(len(right), 1))


def _check_labels(truth: NDArray[Any], scores: Scores) -> None:
    if len(truth) != len(scores.values):
        raise ProblexError(f"{len(truth)} labels were given for {len(scores.values)} documents, expected one for each")
    unknown = sorted({str(label) for label in truth} - set(scores.classes))
    if unknown:
        raise ProblexError(
            f"the labels {quote_all(unknown[:5])} are not lists of the lexicon, expected "
            f"{quote_all(scores.classes)}: rename them, or "
            "leave out those documents"
        )
    if not len(truth):
        raise ProblexError("no labelled documents were given, expected at least one")


def supervised_bound(
    texts: Sequence[str],
    labels: NDArray[Any],
    tokenizer: Callable[[str], Sequence[str]],
    *,
    vocabulary: int | None = 50_000,
) -> float:
    """AUC of logistic regression trained on the labels, five-fold cross-validated, as a reference."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler

    counter = CountVectorizer(analyzer=tokenizer, max_features=vocabulary, dtype=np.float64)
    matrix = counter.fit_transform(texts)
    regression = make_pipeline(MaxAbsScaler(), LogisticRegression(C=1.0, max_iter=1000))
    split = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    return float(np.mean(cross_val_score(regression, matrix, labels, cv=split, scoring="roc_auc")))


def wilson(hits: int, total: int) -> tuple[float, float]:
    """Wilson's score interval of 95 % for a share: it holds for few documents and for shares near 0 and 1.

    >>> [round(bound, 3) for bound in wilson(9, 10)]
    [0.596, 0.982]
    >>> wilson(0, 0), round(wilson(0, 10)[1], 3)
    ((0.0, 1.0), 0.278)
    """
    if total == 0:
        return 0.0, 1.0
    share, pull = hits / total, Z_95**2 / total
    centre = (share + pull / 2) / (1 + pull)
    half = float(np.sqrt(share * (1 - share) * pull + pull**2 / 4)) / (1 + pull)
    return max(0.0, centre - half) if hits else 0.0, min(1.0, centre + half) if hits < total else 1.0
