"""Intervals for shares and areas from a sample that was drawn by predicted label and confidence.

Given the prediction, the true labels are shares with a Dirichlet posterior, a little wider than Jeffreys'; accuracy,
precision, recall and prevalence are functions of those shares and of how often each label is predicted, which is
known. AUC has Newcombe's score interval with the numbers of documents that the weights leave. Both keep their coverage
at 40 labels, also where none of them was wrong (the tests simulate it).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm, rankdata

from problex._util.arrays import FloatArray, IntArray
from problex.audit.sampling import AuditSample

Row = tuple[str, str, float, float, float]
"""A measure, its label ("" for all), the value, the ends of its interval."""
DRAWS = 4000
PRIOR, GIVEN_UP = 1.0, 1.0
"""What the prior is worth, in documents (1 is Jeffreys' for two classes), and how many labels are given up: Jeffreys'
interval of one share dips to a coverage of .89 where labels are few. A heavier prior would bias sums over groups."""


@dataclass(frozen=True, eq=False)
class Group:
    """The documents of one predicted label: their share of all, and what their labelled ones say."""

    label: str
    share: float
    found: FloatArray
    effective: float
    known: float

    @classmethod
    def of(cls, sample: AuditSample, label: str, truth: IntArray, stratum: IntArray) -> Group:
        """Strata without a labelled document are spoken for by the others of the same prediction."""
        mine = [at for at, part in enumerate(sample.strata) if part.label == label]
        total = sum(sample.strata[at].documents for at in mine)
        heard = [at for at in mine if np.any(stratum == at)]
        sizes = np.array([sample.strata[at].documents for at in heard], dtype=np.float64)
        drawn = np.array([np.sum(stratum == at) for at in heard])
        shares = np.array([np.bincount(truth[stratum == at], minlength=len(sample.classes)) for at in heard])
        if not heard:
            empty = np.full(len(sample.classes), 1.0 / len(sample.classes))
            return cls(label, total / sample.documents, empty, 0.0, 0.0)
        part = sizes / sizes.sum()
        found = part @ (shares / drawn[:, None])
        return cls(label, total / sample.documents, found, float(1 / np.sum(part**2 / drawn)), drawn.sum() / total)

    def posterior(self, random: np.random.Generator) -> FloatArray:
        """Draws of the true shares of the labels: those labelled are known, the others have a posterior."""
        heard = max(self.effective - GIVEN_UP, 0.0) * (1.0 - self.known)
        unseen = heard * self.found + PRIOR / len(self.found)
        return np.asarray(self.known * self.found + (1.0 - self.known) * random.dirichlet(unseen, DRAWS))


def share_intervals(classes: Sequence[str], groups: Sequence[Group]) -> list[Row]:
    """Accuracy, precision, recall and prevalence, from the shares of true labels given each prediction."""
    random = np.random.default_rng(0)
    point = _measures(classes, groups, np.stack([group.found for group in groups])[None])
    drawn = _measures(classes, groups, np.stack([group.posterior(random) for group in groups], axis=1))
    rows = []
    for (measure, label), value in point.items():
        if np.isfinite(value[0]):
            low, high = np.quantile(drawn[measure, label], [0.025, 0.975])
            rows.append((measure, label, float(value[0]), float(min(low, value[0])), float(max(high, value[0]))))
    return rows


def _measures(classes: Sequence[str], groups: Sequence[Group], shares: FloatArray) -> dict[tuple[str, str], FloatArray]:
    """Each measure of draws x groups x classes; not a number where nothing was labelled that could tell."""
    joint = shares * np.array([group.share for group in groups])[None, :, None]
    prevalence = joint.sum(axis=1)
    found: dict[tuple[str, str], FloatArray] = {("accuracy", ""): np.zeros(len(shares))}
    for at, label in enumerate(classes):
        mine = [place for place, group in enumerate(groups) if group.label == label]
        hits = joint[:, mine, at].sum(axis=1)
        found["accuracy", ""] = found["accuracy", ""] + hits
        found["prevalence", label] = prevalence[:, at]
        with np.errstate(invalid="ignore", divide="ignore"):
            found["recall", label] = hits / prevalence[:, at]
        if mine and groups[mine[0]].effective:
            found["precision", label] = shares[:, mine[0], at]
    return found


def weighted_area(margin: FloatArray, inside: FloatArray, outside: FloatArray) -> float:
    """The weighted share of pairs in the right order, ties counting half.

    >>> weighted_area(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 1.0]), np.array([1.0, 0.0, 1.0]))
    0.625
    """
    return float(inside @ _passed(margin, outside) / inside.sum())


def _passed(margin: FloatArray, weights: FloatArray) -> FloatArray:
    """The share of weight that lies below each document, ties counting half."""
    places = rankdata(margin, "dense") - 1
    heaps = np.bincount(places, weights=weights)
    return np.asarray((np.cumsum(heaps) - heaps / 2)[places] / heaps.sum(), dtype=np.float64)


def weighted_area_interval(
    margin: FloatArray, inside: FloatArray, outside: FloatArray, level: float = 0.95
) -> tuple[float, float]:
    """The interval of a weighted area, wider where some documents are far on the wrong side.

    Newcombe's variance takes smooth distributions for granted; a few confident mistakes make that of the placements
    (DeLong's) larger, and then the larger one counts.
    """
    area = weighted_area(margin, inside, outside)
    numbers, placed = [], 0.0
    for own, other in ((inside, outside), (outside, inside)):
        number = float(own.sum() ** 2 / np.sum(own**2))
        passed = _passed(margin, other)
        mean = own @ passed / own.sum()
        placed += float(own @ (passed - mean) ** 2 / own.sum()) / max(number - 1.0, 0.5)
        numbers.append(number)
    smooth = area_variance(area, numbers[0], numbers[1])
    inflation = max(1.0, placed / smooth if smooth else 1.0)
    return area_interval(area, numbers[0], numbers[1], level, inflation=inflation)


def area_variance(area: float, inside: float, outside: float) -> float:
    """Of the area under the ROC curve from so many documents inside and outside the class.

    .. math:: V(A) = A (1 - A) (1 + s (1 - A) / (2 - A) + s A / (1 + A)) / (m n), \\quad s = (m + n) / 2 - 1
    """
    spare = max((inside + outside) / 2 - 1, 0.0)
    pairs = 1 + spare * (1 - area) / (2 - area) + spare * area / (1 + area)
    return area * (1 - area) * pairs / (inside * outside)


def area_interval(
    area: float, inside: float, outside: float, level: float = 0.95, *, inflation: float = 1.0
) -> tuple[float, float]:
    """Newcombe's score interval: the areas that would not be surprised by this one (Statistics in Medicine, 2006).

    >>> [round(limit, 3) for limit in area_interval(1.0, 20, 20)]
    [0.899, 1.0]
    """
    bar = float(norm.ppf((1 + level) / 2)) ** 2 * inflation

    def surprise(true: float) -> float:
        return (true - area) ** 2 - bar * area_variance(true, inside, outside)

    def limit(end: float) -> float:
        start = area + (end - area) * 1e-9 if 0 < area < 1 else abs(area - 1e-9)
        return end if area == end else float(brentq(surprise, start, end))

    return limit(0.0), limit(1.0)
