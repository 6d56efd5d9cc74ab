"""Estimates with intervals from a sample that was drawn by predicted label and confidence.

Given the prediction, the shares of the true labels have a Dirichlet posterior, slightly wider than that of Jeffreys'
prior, and the documents without a label are a multinomial draw from it; accuracy, precision, recall and prevalence are
functions of these numbers and of those of the labelled documents, which are known. An undecided document of K labels
counts 1 / K in the accuracy. AUC has Newcombe's score interval with the effective numbers of documents. Both keep their
coverage at 40 labels, also if the sample contains no error (the tests simulate it).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import optimize, stats
from problex.audit.sample import AuditSample
from problex.evaluation.metrics import weight_below, weighted_area
from problex.scoring.scores import UNDECIDED

TAILS = (0.025, 0.975)
"""The quantiles at the ends of a 95 % interval."""
POSTERIOR_DRAWS = 4000
PRIOR_DOCUMENTS = 1.0
"""Weight of the prior, in documents (1 is Jeffreys' prior for two classes). A heavier one would bias the sums."""
DISCOUNTED_LABELS = 1.0
"""Labels subtracted from the effective number: the coverage of Jeffreys' interval falls to .89 at few labels."""


@dataclass(frozen=True)
class Estimate:
    """A measure of a label ("" for all) with its interval, and the value expected from the model alone."""

    measure: str
    label: str
    value: float
    low: float
    high: float
    expected: float | None = None


@dataclass(frozen=True, eq=False)
class PredictionGroup:
    """The documents with the same predicted label: those with a label, and what their labels say about the others.

    `known` are the labelled documents by true label, `unlabelled` the number of the others, `true_shares` the estimated
    shares of the true labels among these, and `effective_labels` the number of equally weighted labels that would be
    worth as much.
    """

    label: str
    known: IntArray
    unlabelled: int
    true_shares: FloatArray
    effective_labels: float
    prior: FloatArray

    @classmethod
    def of(cls, sample: AuditSample, label: str, truth: IntArray, stratum: IntArray) -> PredictionGroup:
        """A stratum without labels is assumed to be like the labelled strata of the same prediction.

        >>> from problex.audit.sample import Stratum
        >>> strata, stratum = (Stratum("no", 0.0, 12), Stratum("no", 1.0, 11)), np.array([0, 0, 1])
        >>> sample = AuditSample(("no", "yes"), strata, np.arange(3), stratum, np.zeros((3, 2)))
        >>> group = PredictionGroup.of(sample, "no", np.array([0, 1, 0]), stratum)
        >>> group.true_shares.tolist(), group.expected.tolist()    # half of (.5, .5) and (1, 0), of 20 documents
        ([0.75, 0.25], [17.0, 6.0])
        """
        classes = len(sample.classes)
        strata = [at for at, part in enumerate(sample.strata) if part.label == label]
        counts = np.array([np.bincount(truth[stratum == at], minlength=classes) for at in strata])
        labels, sizes = counts.sum(axis=1), np.array([sample.strata[at].documents for at in strata])
        left, prior = sizes - labels, prior_of(label, sample.classes)
        known, unlabelled = counts.sum(axis=0), int(left.sum())
        some = labels > 0
        if not some.any():
            return cls(label, known, unlabelled, np.full(classes, 1.0 / classes), 0.0, prior)
        weights = left[some] if left[some].any() else sizes[some]
        weights = weights / weights.sum()
        effective = float(1 / np.sum(weights**2 / labels[some]))
        return cls(label, known, unlabelled, weights @ (counts[some] / labels[some, None]), effective, prior)

    @property
    def documents(self) -> int:
        """All documents with this prediction."""
        return int(self.known.sum()) + self.unlabelled

    @property
    def expected(self) -> FloatArray:
        """The expected number of documents of each true label."""
        return np.asarray(self.known + self.unlabelled * self.true_shares)

    @property
    def observations(self) -> float:
        """The weight of the labels in the posterior, in documents."""
        return max(self.effective_labels - DISCOUNTED_LABELS, 0.0)

    def share_draws(self, random: np.random.Generator) -> FloatArray:
        """Draws of the shares of the true labels (draws x classes) from their posterior."""
        return random.dirichlet(self.observations * self.true_shares + self.prior, POSTERIOR_DRAWS)

    def count_draws(self, random: np.random.Generator) -> IntArray:
        """Draws of the number of documents of each true label: the known ones, and a multinomial of the others."""
        return np.asarray(self.known + random.multinomial(self.unlabelled, self.share_draws(random)))


def prior_of(label: str, classes: Sequence[str]) -> FloatArray:
    """The prior of the true labels given a prediction: half of its weight is that of the prediction's own label.

    >>> prior_of("a", ("a", "b", "c")).tolist()
    [0.5, 0.25, 0.25]
    """
    shares = np.full(len(classes), 1.0 / len(classes))
    if label in classes:
        shares[:] = 0.5 / (len(classes) - 1)
        shares[classes.index(label)] = 0.5
    return PRIOR_DOCUMENTS * shares


def share_estimates(classes: Sequence[str], groups: Sequence[PredictionGroup]) -> list[Estimate]:
    """Accuracy, precision, recall and prevalence, from the numbers of documents of each prediction and true label.

    >>> known, shares, prior = np.array([3, 1]), np.array([0.75, 0.25]), prior_of("no", ("no", "yes"))
    >>> accuracy = share_estimates(("no", "yes"), [PredictionGroup("no", known, 0, shares, 4.0, prior)])[0]
    >>> accuracy.value, accuracy.low, accuracy.high                     # no document is without a label
    (0.75, 0.75, 0.75)
    """
    random = np.random.default_rng(0)
    names = [group.label if group.effective_labels else "" for group in groups]
    documents = sum(group.documents for group in groups)
    point = np.stack([group.expected for group in groups])[None] / documents
    draws = np.stack([group.count_draws(random) for group in groups], axis=1) / documents
    return _estimates(classes, [group.label for group in groups], names, point, draws)


def joint_estimates(
    classes: Sequence[str], predictions: NDArray[np.object_], truth: IntArray, weights: FloatArray
) -> list[Estimate]:
    """The same for predictions that the sample was not drawn by, so that their frequencies are estimated, too.

    `weights` are the shares of all documents that each labelled one represents. The frequencies of the predictions have
    a Dirichlet posterior with the effective number of all labels, the true labels given each prediction one with the
    effective number of its own.
    """
    names = [str(name) for name in dict.fromkeys(predictions.tolist())]
    sizes, groups = np.zeros(len(names)), []
    for at, name in enumerate(names):
        own = weights * (predictions == name)
        sizes[at] = own.sum()
        shares, none = np.bincount(truth, own, len(classes)) / sizes[at], np.zeros(len(classes), np.int64)
        groups.append(PredictionGroup(name, none, 0, shares, _effective_number(own), prior_of(name, classes)))
    # How frequent the predictions are is known from the sample only.
    random = np.random.default_rng(0)
    frequencies = random.dirichlet(_effective_number(weights) * sizes, POSTERIOR_DRAWS)
    point = sizes[None, :, None] * np.stack([group.true_shares for group in groups])[None]
    draws = frequencies[:, :, None] * np.stack([group.share_draws(random) for group in groups], axis=1)
    return _estimates(classes, names, names, point, draws)


def _effective_number(weights: FloatArray) -> float:
    """The number of equally weighted labels that is worth as much as labels with these weights.

    >>> _effective_number(np.array([1.0, 1.0, 1.0, 1.0])), _effective_number(np.array([3.0, 1.0]))
    (4.0, 1.6)
    """
    return float(weights.sum() ** 2 / (weights @ weights))


def _estimates(
    classes: Sequence[str], predictions: Sequence[str], labelled: Sequence[str], point: FloatArray, draws: FloatArray
) -> list[Estimate]:
    """Estimates from shares of pairs of prediction and true label; `labelled` are predictions with a label."""
    values, posterior = (_measures(classes, predictions, joint) for joint in (point, draws))
    estimates = []
    for (measure, label), (value, *_) in values.items():
        if np.isfinite(value) and not (measure == "precision" and label not in labelled):
            drawn = posterior[measure, label]
            low, high = np.quantile(drawn, TAILS)
            if low == high:  # a point, unless there are documents without a label
                low, high = drawn.min(), drawn.max()
            estimates.append(Estimate(measure, label, float(value), float(min(low, value)), float(max(high, value))))
    return estimates


def _measures(
    classes: Sequence[str], predictions: Sequence[str], joint: FloatArray
) -> dict[tuple[str, str], FloatArray]:
    """Each measure of `joint` shares (draws x predictions x classes); NaN where no label informs it.

    >>> measures = _measures(("no", "yes"), ("no", UNDECIDED), np.array([[[0.5, 0.1], [0.25, 0.15]]]))
    >>> measures["accuracy", ""].round(3).tolist()                      # .5 + (.25 + .15) / 2
    [0.7]
    >>> measures["recall", "no"].round(3).tolist(), measures["precision", "yes"].tolist()
    ([0.667], [nan])
    """
    prevalence = joint.sum(axis=1)
    undecided = [position for position, name in enumerate(predictions) if name == UNDECIDED]
    measures = {("accuracy", ""): joint[:, undecided].sum(axis=(1, 2)) / len(classes)}
    for at, label in enumerate(classes):
        predicted = [position for position, name in enumerate(predictions) if name == label]
        correct = joint[:, predicted, at].sum(axis=1)
        measures["accuracy", ""] = measures["accuracy", ""] + correct
        measures["prevalence", label] = prevalence[:, at]
        with np.errstate(invalid="ignore", divide="ignore"):
            measures["recall", label] = correct / prevalence[:, at]
            measures["precision", label] = correct / joint[:, predicted].sum(axis=(1, 2))
    return measures


def weighted_area_interval(margin: FloatArray, positive: FloatArray, negative: FloatArray) -> tuple[float, float]:
    """The interval of a weighted area: Newcombe's, wider if DeLong's variance is larger than Newcombe's.

    Newcombe's variance assumes smooth distributions of the margins; a few documents far on the wrong side make the
    variance of the placements (DeLong's) larger.
    """
    area = weighted_area(margin, positive, negative)
    numbers, variance = [], 0.0
    for own, other in ((positive, negative), (negative, positive)):
        number = _effective_number(own)
        placements = weight_below(margin, other) / other.sum()
        mean = own @ placements / own.sum()
        variance += float(own @ (placements - mean) ** 2 / own.sum()) / max(number - 1.0, 0.5)
        numbers.append(number)
    # A few documents far on the wrong side widen the interval.
    smooth = area_variance(area, numbers[0], numbers[1])
    inflation = max(1.0, variance / smooth if smooth else 1.0)
    return area_interval(area, numbers[0], numbers[1], inflation=inflation)


def area_variance(area: float, positive: float, negative: float) -> float:
    """Newcombe's variance of an area from m positive and n negative documents.

    .. math:: V(A) = A (1 - A) (1 + s (1 - A) / (2 - A) + s A / (1 + A)) / (m n), \\quad s = (m + n) / 2 - 1

    >>> round(area_variance(0.5, 1, 1), 3), round(area_variance(0.8, 10, 20), 5)
    (0.25, 0.00764)
    """
    spare = max((positive + negative) / 2 - 1, 0.0)
    pairs = 1 + spare * (1 - area) / (2 - area) + spare * area / (1 + area)
    return area * (1 - area) * pairs / (positive * negative)


def area_interval(area: float, positive: float, negative: float, *, inflation: float = 1.0) -> tuple[float, float]:
    """Newcombe's score interval (Statistics in Medicine, 2006): the true areas from which `area` is within z errors.

    .. math:: (A - \\hat A)^2 \\le z^2 V(A)

    `inflation` multiplies the variance.

    >>> [round(limit, 3) for limit in area_interval(1.0, 20, 20)]
    [0.899, 1.0]
    """
    factor = float(stats.norm.ppf(TAILS[1])) ** 2 * inflation

    def excess(true: float) -> float:
        return (true - area) ** 2 - factor * area_variance(true, positive, negative)

    def limit(end: float) -> float:
        return end if area == end else float(optimize.brentq(excess, area + (end - area) * 1e-9, end))

    return limit(0.0), limit(1.0)
