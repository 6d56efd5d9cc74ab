"""Where the threshold belongs and how sharp the log-odds are, from a sample of documents and no label."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import sparse

from problex._util.arrays import FloatArray
from problex.counting.sample import Sample
from problex.estimation.prevalence import Prevalence, coherence, prevalence
from problex.estimation.rules import RULES, TEMPERS, Weighted

LEAST = 200
"""Documents with a word of the lexicon that a threshold needs; below, it stays at zero."""


@dataclass(frozen=True)
class Calibration:
    """Scores are `sharpness` times the tempered log-odds, less `threshold` for the second label over the first.

    `prevalence` says where the threshold comes from, in shares of the second label; None for more than two lists and
    where there was too little to go by.
    """

    sharpness: float = 1.0
    threshold: float = 0.0
    prevalence: Prevalence | None = None

    def offsets(self, lists: int) -> FloatArray:
        """What is added to the score of each label."""
        half = np.zeros(lists)
        if lists == 2:
            half[:] = self.sharpness * self.threshold / 2.0, -self.sharpness * self.threshold / 2.0
        return half

    def record(self) -> dict[str, Any]:
        """As a model file has it."""
        return asdict(self)

    @classmethod
    def of(cls, record: dict[str, Any]) -> Calibration:
        """From a model file."""
        found = record["prevalence"]
        return cls(record["sharpness"], record["threshold"], Prevalence(**found) if found else None)


NONE = Calibration()


def calibrate(model: Weighted, sample: Sample, rule: str, temper: str, *, decides: bool = True) -> Calibration:
    """Look at the documents of a sample: the threshold for two lists (unless `decides` is off), and the sharpness."""
    if not RULES[rule].log_odds or RULES[rule].all_words:
        return NONE
    matrix = sample.matrix
    spoken = np.flatnonzero(np.diff(matrix.indptr) > 0)
    if len(spoken) < LEAST:
        return NONE
    matrix = matrix[spoken]
    lengths = sample.lengths[spoken].astype(np.float64)
    times = sample.repeats[spoken].astype(np.float64)
    factor = TEMPERS[temper](lengths, model.evidence.concentration)
    plain = float(np.average(TEMPERS["burstiness"](lengths, model.evidence.concentration) / factor, weights=times))
    if len(model.classes) != 2:
        return Calibration(plain)
    columns = matrix.indices.astype(np.int64)
    parts = RULES[rule].contribution(model, columns, matrix.data)
    signed = sparse.csr_array((parts[:, 1] - parts[:, 0], matrix.indices, matrix.indptr), shape=matrix.shape)
    totals, distinct = (
        np.asarray(rows @ np.eye(2)[model.evidence.list_index], dtype=np.float64) for rows in (matrix, matrix > 0)
    )
    found = prevalence(signed, totals, distinct, lengths, times)
    scores = np.asarray(signed.sum(axis=1)).reshape(-1) * factor
    threshold = threshold_at(scores, times, found.share) if decides else 0.0
    mine = label_share(signed, np.eye(2)[model.evidence.list_index], distinct, lengths, times)
    return Calibration(sharpness(signed, factor, times, found.share, mine) or plain, threshold, found)


def threshold_at(scores: FloatArray, times: FloatArray, share: float) -> float:
    """The threshold above which that share of the documents lies; half way between the scores around it.

    >>> threshold_at(np.array([-2.0, -1.0, 1.0, 2.0]), np.ones(4), 0.25)
    1.5
    """
    values, places = np.unique(scores, return_inverse=True)
    if len(values) < 2:
        return 0.0
    mass = np.bincount(places, weights=times)
    above = 1.0 - np.cumsum(mass)[:-1] / mass.sum()
    best = int(np.argmin(np.abs(above - share)))
    return float((values[best] + values[best + 1]) / 2.0)


def label_share(
    signed: sparse.csr_array, lists: FloatArray, distinct: FloatArray, lengths: FloatArray, times: FloatArray
) -> float:
    """How much of what words of a document have in common is the label's doing: 2 k / (1 + k), k being the coherence.

    With a covariance of k times c between the lists and of c within them, one thing that moves both explains 4 k c of
    their 2 c + 2 k c. The coherence is that of the words; where the lists are not opposed by their words, that of what
    they add; where neither can be told, all is the label's.
    """
    sums, squares = (np.asarray(part @ lists, dtype=np.float64) for part in (abs(signed), signed.power(2)))
    both = [coherence(distinct, distinct, lengths, times), coherence(sums, squares, lengths, times)]
    return next((2.0 * value / (1.0 + value) for value in both if value > 0), 1.0)


def sharpness(signed: sparse.csr_array, factor: FloatArray, times: FloatArray, share: float, mine: float) -> float:
    """The slope that makes scores log-odds, if they are two normal groups: their distance over the variance within.

    The covariance between different words of a document is what sets documents apart; `mine` of it is the label's, the
    rest is noise as far as labels go. 0 if words have nothing in common.
    """
    weights = times / times.sum()
    scaled = sparse.csr_array(signed.multiply(factor[:, None]))
    sums = np.asarray(scaled.sum(axis=1)).reshape(-1)
    squares = np.asarray(scaled.power(2).sum(axis=1)).reshape(-1)
    variance = float(weights @ sums**2 - (weights @ sums) ** 2)
    means = np.asarray(scaled.T @ weights).reshape(-1)
    common = mine * (variance - float(weights @ squares - np.sum(means**2)))
    if not 0 < common < variance:
        return 0.0
    return float(np.sqrt(common / (share * (1.0 - share))) / (variance - common))
