"""The threshold and the sharpness of scores, from a sample of documents without labels, and how both are applied."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex._util.json_values import MAX_NUMBER, DamagedValueError, Fields, number_array
from problex._util.late import sparse
from problex._util.records import Record
from problex.counting.sample import Sample
from problex.errors import check_choice
from problex.estimation.prevalence import Prevalence, prevalence
from problex.estimation.rules import RULES, TEMPERS, Weights
from problex.estimation.settings import MIN_POSITIVE
from problex.estimation.slopes import label_share, sharpness, word_sharpness

MIN_DOCUMENTS = 200
"""Documents with a word of the lexicon that calibration needs."""
HALF_LENGTH_OF_MANY = 200.0
"""The half-length for more than two lists, whose log-odds are divided by sqrt(1 + N / 200)."""
MAX_STEEPNESS = 10.0
NO_THRESHOLD_FROM = 0.1
"""The share of documents without a word of the lexicon from which on the threshold is zero.

Such documents have the score zero whatever the threshold is. If there are many, moving the others past them costs more
than the better share of labels is worth.
"""
MOST_CAPPED = 0.25
"""The largest share of documents whose evidence may cap the threshold of a model that has learned from all words."""
LABEL_FREE, AUDIT_LABELS = "label-free", "audit labels"
"""Where a calibration comes from."""
SOURCES = (LABEL_FREE, AUDIT_LABELS)


@dataclass(frozen=True)
class Calibration:
    """From sums over the words of a text to its score, and from the score to probabilities.

    The score of label y is `sharpness` times (the tempered sum of y + the offset of y): for two lists the offsets are
    half of the `threshold` and its negative, for more lists they are `intercepts`. The evidence of the text limits
    them: see `capped`. Scores times `length_factor` are log-odds. At `half_length` tokens their squared slope is half
    that of a long text; with a larger `steepness` it falls faster below, and is whole sooner above. `source` is one of
    `SOURCES`. `prevalence` is where the threshold comes from, in shares of the second label; None for more than two
    lists and for too few documents.

    With `AUDIT_LABELS`, `labels` is how many there were, and `before` the label-free calibration that they have moved.
    """

    sharpness: float = 1.0
    threshold: float = 0.0
    prevalence: Prevalence | None = None
    half_length: float = 0.0
    steepness: float = 1.0
    intercepts: tuple[float, ...] = ()
    source: str = LABEL_FREE
    labels: int = 0
    before: Calibration | None = None

    @property
    def label_free(self) -> Calibration:
        """The calibration without the labels of an audit."""
        return self.before or self

    def offsets(self, lists: int) -> FloatArray:
        """What is added to the score of each label: for two, sharpness * threshold / 2 and its negative."""
        if self.intercepts:
            return self.sharpness * np.array(self.intercepts)
        values = np.zeros(lists)
        if lists == 2:
            values[:] = self.sharpness * self.threshold / 2.0, -self.sharpness * self.threshold / 2.0
        return values

    def length_factor(self, lengths: IntArray) -> FloatArray:
        """What scores of documents of N tokens are multiplied by to be log-odds: sqrt(N^p / (N^p + half_length^p)).

        p is the steepness.

        >>> Calibration(half_length=50.0).length_factor(np.array([1, 50, 10**6])).round(3).tolist()
        [0.14, 0.707, 1.0]
        """
        if self.half_length == 0.0:
            return np.ones(len(lengths))
        ratio = self.half_length / np.maximum(lengths, 1.0)
        return np.asarray(1.0 / np.sqrt(1.0 + ratio**self.steepness), dtype=np.float64)

    def record(self) -> Record:
        """The calibration as a model file has it."""
        values = {name: value for name, value in asdict(self).items() if name in FIELDS}
        return values if self.before is None else values | {"labels": self.labels, "before": self.before.record()}


FIELDS = ("sharpness", "threshold", "prevalence", "half_length", "steepness", "intercepts", "source")
"""The names of a model file."""
LABEL_FIELDS = ("labels", "before")
"""The names that a calibration by the labels of an audit has, too."""
UNCALIBRATED = Calibration()


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


def read_calibration(file: Fields, lists: int) -> Calibration:
    """The calibration of a model file."""
    part = file.object("calibration", (*FIELDS, *LABEL_FIELDS))
    found = _read_part(part, lists)
    if found.source == LABEL_FREE:
        Fields.of("calibration", part.record, FIELDS)  # labels are of audits only
        return found
    before = _read_part(part.object("before", FIELDS), lists)
    if before.source != LABEL_FREE:
        raise DamagedValueError(f"'calibration.before.source' is {before.source!r}, expected {LABEL_FREE!r}")
    return replace(found, labels=part.integer("labels", 1), before=before)


def _read_part(part: Fields, lists: int) -> Calibration:
    source = part.text("source")
    check_choice(f"'{part.where}source'", source, SOURCES)
    intercepts = part.values("intercepts", lists if part.get("intercepts") else 0)
    values = tuple(number_array(f"{part.where}intercepts", intercepts).tolist())
    return Calibration(
        part.number("sharpness", MIN_POSITIVE),
        part.number("threshold"),
        _read_prevalence(part),
        part.number("half_length", 0.0, MAX_NUMBER),
        part.number("steepness", 0.0, MAX_STEEPNESS),
        values,
        source,
    )


def _read_prevalence(part: Fields) -> Prevalence | None:
    """The shares that the threshold comes from."""
    if part.get("prevalence") is None:
        return None
    stored = part.object("prevalence", ("counted", "skewed", "coherence", "share"))
    counted, skewed, share = (stored.number(name, 0.0, 1.0) for name in ("counted", "skewed", "share"))
    return Prevalence(counted, skewed, stored.number("coherence"), share)
