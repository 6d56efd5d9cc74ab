"""The threshold and the sharpness of scores, from a sample of documents without labels, and how both are applied."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from problex._util.arrays import FloatArray
from problex._util.late import sparse
from problex.counting.sample import Sample
from problex.estimation.prevalence import prevalence
from problex.estimation.slopes import label_share, sharpness, word_sharpness
from problex.model.calibration import UNCALIBRATED, Calibration
from problex.model.rules import RULES, TEMPERS, Weights

MIN_DOCUMENTS = 200
"""Documents with a word of the lexicon that calibration needs."""
HALF_LENGTH_OF_MANY = 200.0
"""The half-length for more than two lists, whose log-odds are divided by sqrt(1 + N / 200)."""
NO_THRESHOLD_FROM = 0.1
"""The share of documents without a word of the lexicon from which on the threshold is zero.

Such documents have the score zero whatever the threshold is. If there are many, moving the others past them costs more
than the better share of labels is worth.
"""
MOST_CAPPED = 0.25
"""The largest share of documents whose evidence may cap the threshold of a model that has learned from all words."""


def calibrate(
    weights: Weights, sample: Sample, rule: str, temper: str, *, threshold: bool = True, share: float | None = None
) -> Calibration:
    """The sharpness of scores and, for two lists, the threshold (zero with `threshold=False`).

    The threshold is at the given share of the second label, if there is one (of a model that has learned from all
    words), else at that of `prevalence`; it is nearer to zero the more documents have no word of the lexicon.
    """
    matched = np.flatnonzero(np.diff(sample.matrix.indptr) > 0)
    if not RULES[rule].uses_weights or len(matched) < MIN_DOCUMENTS:
        return UNCALIBRATED
    if len(weights.classes) != 2 and temper == "root":
        return Calibration(float(np.sqrt(HALF_LENGTH_OF_MANY)), half_length=HALF_LENGTH_OF_MANY)
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
    at = 0.0
    if threshold:
        scores, evidence = (np.asarray(part.sum(axis=1)).reshape(-1) * factor for part in (signed, abs(signed)))
        without = 1.0 - float(repeats.sum()) / float(sample.repeats.sum())
        most_capped = None if share is None else MOST_CAPPED
        at = threshold_at(scores, repeats, shares.share, evidence, most_capped)
        at *= max(0.0, 1.0 - without / NO_THRESHOLD_FROM)
    label_part = label_share(signed, lists, distinct, lengths, repeats)
    slope = sharpness(signed, factor, repeats, shares.share, label_part) or by_burstiness
    if temper != "root":
        return Calibration(slope, at, shares)
    of_words = np.where(weights.list_index == 1, 1.0, -1.0) * weights.log_odds
    lengths, repeats = sample.lengths.astype(np.float64), sample.repeats.astype(np.float64)
    short = word_sharpness(sample.matrix, of_words, lengths, repeats, shares.share, label_part)
    return Calibration(slope, at, shares, half_length=(slope / short) ** 2)


def threshold_at(
    scores: FloatArray,
    repeats: FloatArray,
    share: float,
    evidence: FloatArray | None = None,
    most_capped: float | None = None,
) -> float:
    """The threshold, capped by the evidence if that is given, with that share of the documents above it.

    It is midway between the scores on both sides. Documents whose score is at least half of their evidence have their
    side whatever the threshold is. If they are too many, no threshold gives the share, and the nearest one would be
    past all scores: documents would be ranked by how much they say. With `most_capped` the threshold is so near to zero
    that the cap changes it for that share of the documents at most.

    >>> threshold_at(np.array([-2.0, -1.0, 1.0, 2.0]), np.ones(4), 0.25)
    1.5
    >>> threshold_at(np.array([-2.0, -1.0, 1.0, 2.0]), np.ones(4), 0.5, np.array([9.0, 9.0, 9.0, 2.0]))
    0.0
    >>> threshold_at(np.array([-9.0, -1.0, 1.0, 2.0]), np.ones(4), 0.25, np.array([9.0, 9.0, 1.0, 2.0]), 0.5)
    1.0
    """
    limit = np.inf
    if evidence is not None:
        size, half = np.abs(scores), evidence / 2.0
        scores = np.where(size < half, scores, np.sign(scores) * size.max(initial=0.0))
        if most_capped is not None and len(half):
            order = np.argsort(half, kind="stable")
            below = np.cumsum(repeats[order]) / repeats.sum()
            limit = half[order][np.searchsorted(below, most_capped)]
    values, places = np.unique(scores, return_inverse=True)
    if len(values) < 2:
        return 0.0
    mass = np.bincount(places, weights=repeats)
    above = 1.0 - np.cumsum(mass)[:-1] / mass.sum()
    best = int(np.argmin(np.abs(above - share)))
    return float(np.clip((values[best] + values[best + 1]) / 2.0, -limit, limit))
