"""The threshold and the sharpness of scores, and how probabilities follow from them: as values."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import numpy as np

from problex._util.arrays import FloatArray, IntArray, softmax
from problex._util.json_values import MAX_NUMBER, DamagedValueError, Fields, number_array
from problex._util.records import Record
from problex.errors import ModelError, check_choice
from problex.model.settings import MIN_POSITIVE

MAX_STEEPNESS = 10.0
LABEL_FREE, AUDIT_LABELS = "label-free", "audit labels"
"""Where a calibration comes from."""
SOURCES = (LABEL_FREE, AUDIT_LABELS)


@dataclass(frozen=True)
class Prevalence:
    """Shares of the second label: by counting, by the skew, and both together; `coherence` from 0 (none) to 1."""

    counted: float
    skewed: float
    coherence: float
    share: float


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
        """What is added to the score of each label: for two, sharpness * threshold / 2 and its negative.

        >>> Calibration(2.0, 3.0).offsets(2).tolist(), Calibration(2.0, 3.0).offsets(3).tolist()
        ([3.0, -3.0], [0.0, 0.0, 0.0])
        """
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


@dataclass(frozen=True)
class Platt:
    """Platt scaling: probabilities are the softmax of slope * score + intercept; slope 1, intercepts 0 change nothing.

    `labels` is the number of labelled documents that it was learned from. It changes probabilities, never the label.

    >>> Platt(0.5, (0.0, 0.0)).probabilities(np.array([[0.0, 2.0]])).round(3).tolist()
    [[0.269, 0.731]]
    """

    slope: float
    intercepts: tuple[float, ...]
    labels: int = 0

    def probabilities(self, values: FloatArray) -> FloatArray:
        """Scores, a row per document and a column per class, as probabilities."""
        return softmax(self.slope * values + np.array(self.intercepts))

    def record(self, classes: tuple[str, ...]) -> Record:
        """The scaling as a model file has it."""
        named = dict(zip(classes, self.intercepts, strict=True))
        return {"slope": self.slope, "intercepts": named, "labels": self.labels}

    @classmethod
    def from_record(cls, record: Record, classes: tuple[str, ...]) -> Platt:
        """The scaling of a model file; raise if the slope is not positive, which would reverse the scores."""
        slope, intercepts = float(record["slope"]), tuple(float(record["intercepts"][name]) for name in classes)
        if not (np.all(np.isfinite([slope, *intercepts])) and slope > 0):
            raise ModelError(f"the calibration {record} has no positive slope or is not finite: store it again")
        return cls(slope, intercepts, int(record["labels"]))


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
