"""The threshold and the sharpness of scores, from a sample of documents without labels."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import numpy as np

from problex._util.arrays import FloatArray
from problex._util.late import sparse
from problex._util.records import Record
from problex.counting.sample import Sample
from problex.estimation.prevalence import Prevalence, coherence, prevalence
from problex.estimation.rules import RULES, TEMPERS, Weights

MIN_DOCUMENTS = 200
"""Documents with a word of the lexicon that calibration needs."""


@dataclass(frozen=True)
class Calibration:
    """Scores are `sharpness` times (tempered log-odds - `threshold`), for the second label over the first.

    `prevalence` is where the threshold comes from, in shares of the second label; None for more than two lists and
    for too few documents.
    """

    sharpness: float = 1.0
    threshold: float = 0.0
    prevalence: Prevalence | None = None

    def offsets(self, lists: int) -> FloatArray:
        """What is added to the score of each label: for two, sharpness * threshold / 2 and its negative."""
        values = np.zeros(lists)
        if lists == 2:
            values[:] = self.sharpness * self.threshold / 2.0, -self.sharpness * self.threshold / 2.0
        return values

    def record(self) -> Record:
        """The calibration as a model file has it."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Record) -> Calibration:
        """The calibration of a model file."""
        shares = record["prevalence"]
        return cls(record["sharpness"], record["threshold"], Prevalence(**shares) if shares else None)


UNCALIBRATED = Calibration()


def calibrate(
    weights: Weights, sample: Sample, rule: str, temper: str, *, threshold: bool = True, share: float | None = None
) -> Calibration:
    """The sharpness of scores and, for two lists, the threshold (zero with `threshold=False`).

    The threshold is at the given share of the second label, if there is one, else at that of `prevalence`.
    """
    matched = np.flatnonzero(np.diff(sample.matrix.indptr) > 0)
    if not RULES[rule].uses_weights or len(matched) < MIN_DOCUMENTS:
        return UNCALIBRATED
    matrix = sample.matrix[matched]
    lengths, repeats = (part[matched].astype(np.float64) for part in (sample.lengths, sample.repeats))
    tau = weights.concentration
    factor = TEMPERS[temper].factor(lengths, tau)
    by_burstiness = float(np.average(TEMPERS["burstiness"].factor(lengths, tau) / factor, weights=repeats))
    if len(weights.classes) != 2:
        return Calibration(by_burstiness)
    parts = RULES[rule].contribution(weights, matrix.indices.astype(np.int64), matrix.data)
    signed = sparse.csr_array((parts[:, 1] - parts[:, 0], matrix.indices, matrix.indptr), shape=matrix.shape)
    lists = np.eye(2)[weights.list_index]
    totals, distinct = (np.asarray(rows @ lists, dtype=np.float64) for rows in (matrix, matrix > 0))
    shares = prevalence(signed, totals, distinct, lengths, repeats)
    if share is not None:
        shares = replace(shares, share=share)
    scores = np.asarray(signed.sum(axis=1)).reshape(-1) * factor
    at = threshold_at(scores, repeats, shares.share) if threshold else 0.0
    label_part = label_share(signed, lists, distinct, lengths, repeats)
    return Calibration(sharpness(signed, factor, repeats, shares.share, label_part) or by_burstiness, at, shares)


def threshold_at(scores: FloatArray, repeats: FloatArray, share: float) -> float:
    """The threshold with that share of the documents above it; midway between the scores on both sides.

    >>> threshold_at(np.array([-2.0, -1.0, 1.0, 2.0]), np.ones(4), 0.25)
    1.5
    """
    values, places = np.unique(scores, return_inverse=True)
    if len(values) < 2:
        return 0.0
    mass = np.bincount(places, weights=repeats)
    above = 1.0 - np.cumsum(mass)[:-1] / mass.sum()
    best = int(np.argmin(np.abs(above - share)))
    return float((values[best] + values[best + 1]) / 2.0)


def label_share(
    signed: sparse.csr_array, lists: FloatArray, distinct: FloatArray, lengths: FloatArray, repeats: FloatArray
) -> float:
    """The share of the covariance between words that is due to the label: 2 k / (1 + k), with the coherence k.

    With a covariance of c within what each list adds and of k c between the two, one factor that moves both explains
    4 k c of their 2 c + 2 k c. The coherence is that of the numbers of words; if it is not positive, that of what they
    add; if neither is, the share is 1.
    """
    sums, squares = (np.asarray(part @ lists, dtype=np.float64) for part in (abs(signed), signed.power(2)))
    values = [coherence(distinct, distinct, lengths, repeats), coherence(sums, squares, lengths, repeats)]
    return next((2.0 * value / (1.0 + value) for value in values if value > 0), 1.0)


def sharpness(
    signed: sparse.csr_array, factor: FloatArray, repeats: FloatArray, share: float, label_part: float
) -> float:
    """The slope that makes scores log-odds if they are a mixture of two normal distributions of equal variance.

    slope = distance of the means / variance within. The covariance between different words, times `label_part`, is
    the variance between the two; the rest of the variance is within. 0 if words have no covariance.
    """
    weights = repeats / repeats.sum()
    scaled = sparse.csr_array(signed.multiply(factor[:, None]))
    sums = np.asarray(scaled.sum(axis=1)).reshape(-1)
    squares = np.asarray(scaled.power(2).sum(axis=1)).reshape(-1)
    variance = float(weights @ sums**2 - (weights @ sums) ** 2)
    means = np.asarray(scaled.T @ weights).reshape(-1)
    between = label_part * (variance - float(weights @ squares - np.sum(means**2)))
    if not 0 < between < variance:
        return 0.0
    return float(np.sqrt(between / (share * (1.0 - share))) / (variance - between))
