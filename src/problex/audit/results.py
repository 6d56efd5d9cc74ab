"""The result of an audit: accuracy, AUC, precision, recall and prevalence with intervals, and the calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import softmax

from problex._util.arrays import FloatArray, IntArray
from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.audit.design import Expected
from problex.audit.intervals import Estimate, PredictionGroup, joint_estimates, share_estimates, weighted_area_interval
from problex.audit.sample import AuditSample, LabelledSample, class_codes
from problex.audit.thresholds import LabelledScores, LabelledTexts, cross_validated, log_losses
from problex.errors import ProblexError
from problex.estimation.calibration import fit_platt
from problex.evaluation.metrics import correctness, rankings, reliability, weighted_area
from problex.model.calibration import Platt
from problex.scoring.scores import UNDECIDED, Scores

CROSSED = " (cross-validated)"
MEASURES = ("accuracy", "auc", "precision", "recall", "prevalence")


@dataclass(frozen=True)
class Audit:
    """The estimates for the documents that a sample was drawn from, and the calibration by its labels.

    `log_loss` is that of the model's own probabilities and, cross-validated, that of probabilities that the labels have
    moved as in `with_labels`. `platt` is a logistic curve through the labels alone, without the model's own
    probabilities as a prior. `coders` is a sentence on the agreement of several coders, if there are several.
    `reliability` has the confidence of the model's own probabilities and the accuracy, by bins of confidence.
    `is_rescored` is whether the sample was drawn with another model.
    """

    documents: int
    labelled: int
    unlabelled: int
    estimates: tuple[Estimate, ...]
    platt: Platt
    log_loss: tuple[float, float]
    expected: Expected = field(default_factory=Expected)
    coders: str = ""
    reliability: tuple[Record, ...] = ()
    is_rescored: bool = False
    labelled_texts: LabelledTexts | None = field(default=None, compare=False, repr=False)

    def records(self) -> list[Record]:
        """A record per measure."""
        return [
            {
                "measure": estimate.measure,
                "label": estimate.label,
                "value": round(estimate.value, 4),
                "low": round(estimate.low, 4),
                "high": round(estimate.high, 4),
                "expected": None if estimate.expected is None else round(estimate.expected, 4),
            }
            for estimate in self.estimates
        ]

    def __getitem__(self, name: str | tuple[str, str]) -> Estimate:
        measure, label = (name, "") if isinstance(name, str) else name
        return next(one for one in self.estimates if (one.measure, one.label) == (measure, label))

    def notes(self, *, stored: bool = False) -> list[str]:
        """Sentences on the number of labels and, unless they are `stored`, on what labels would do."""
        intervals = "95% intervals" if self.labelled < self.documents else "all labelled, so nothing is estimated"
        notes = [f"{pluralize(self.labelled, 'label')} for {pluralize(self.documents, 'document')}; {intervals}"]
        if self.unlabelled:
            notes.append(
                f"{pluralize(self.unlabelled, 'document')} of the sample without a label; assumed to be like the "
                "labelled ones with the same prediction"
            )
        notes += [self.coders] if self.coders else []
        if self.is_rescored:
            notes.append(
                "the documents were drawn with another model: each label counts for as many documents as in that "
                "sample, and how frequent the predictions of this model are is estimated, too"
            )
        return notes if stored else [*notes, *self._advice()]

    def _advice(self) -> list[str]:
        """What the labels would do to the probabilities, and how to store them."""
        own, moved = self.log_loss
        if moved >= own:
            return [f"the labels do not improve the probabilities: log loss {own:.3f}, {moved:.3f} with them{CROSSED}"]
        return [
            f"the labels improve the probabilities: log loss {own:.3f}, {moved:.3f} with them{CROSSED}",
            "to let them set threshold and probabilities: problex audit score SHEETS --store MODEL",
        ]


def audit(
    sample: AuditSample, labels: Sequence[str | None], expected: Expected | None = None, scores: Scores | None = None
) -> Audit:
    """Evaluate a model by the labels of a sample, in the order of its rows; None is a document without a label.

    The model is the one that the sample was drawn with or, with `scores` of the documents of the sample, another one.
    """
    codes = class_codes(sample, labels)
    known = codes >= 0
    values = sample.values[known] if scores is None else scores.log_odds[known]
    truth, stratum = codes[known], sample.stratum[known]
    predicted = sample.predictions[known] if scores is None else scores.labels()[known]
    positions = {name: at for at, name in enumerate(sample.classes)} | {UNDECIDED: -1}
    right = correctness(np.array([positions[name] for name in predicted]), truth, len(sample.classes))
    weights = sample_weights(sample, stratum)
    expected = expected if expected is not None and scores is None else {}
    return Audit(
        documents=sample.documents,
        labelled=int(known.sum()),
        unlabelled=int((~known).sum()),
        estimates=tuple(
            replace(one, expected=expected.get((one.measure, one.label)))
            for one in estimate_measures(sample, codes, scores)
        ),
        platt=fit_platt(values, truth),
        log_loss=_log_losses(sample, values, truth, weights),
        expected=expected,
        reliability=tuple(reliability(right, softmax(values, axis=1).max(axis=1), weights)),
        is_rescored=scores is not None,
    )


def estimate_measures(sample: AuditSample, codes: IntArray, scores: Scores | None = None) -> list[Estimate]:
    """Every measure with its interval, from the class of each document; -1 is a document without a label.

    `scores` are those of another model than the one that the sample was drawn with.
    """
    known = codes >= 0
    values = (sample if scores is None else scores).values[known]
    areas = _auc(sample, values, codes[known], sample_weights(sample, sample.stratum[known]))
    return sorted([*_share_estimates(sample, codes, scores), *areas], key=_order)


def _share_estimates(sample: AuditSample, codes: IntArray, scores: Scores | None) -> list[Estimate]:
    """The measures that are shares of documents; those of another model than the sample's have joint intervals."""
    known = codes >= 0
    truth, stratum = codes[known], sample.stratum[known]
    if scores is None:
        return share_estimates(sample.classes, prediction_groups(sample, truth, stratum))
    return joint_estimates(sample.classes, scores.labels()[known], truth, sample_weights(sample, stratum))


def prediction_groups(sample: AuditSample, truth: IntArray, stratum: IntArray) -> list[PredictionGroup]:
    """The documents by predicted label, from the classes and strata of the labelled ones."""
    predictions = dict.fromkeys(part.label for part in sample.strata)
    return [PredictionGroup.of(sample, label, truth, stratum) for label in predictions]


def _order(estimate: Estimate) -> tuple[int, str]:
    return MEASURES.index(estimate.measure), estimate.label


def sample_weights(sample: AuditSample, stratum: IntArray) -> FloatArray:
    """Weights of the labelled documents: the number of documents that each represents, as a share of all.

    >>> from problex.audit.sample import Stratum
    >>> strata, stratum = (Stratum("no", 0.0, 90), Stratum("yes", 0.0, 10)), np.array([0, 0, 0, 1])
    >>> sample = AuditSample(("no", "yes"), strata, np.arange(4), stratum, np.zeros((4, 2)))
    >>> sample_weights(sample, stratum).round(3).tolist()               # 30, 30, 30 and 10 of 100 documents
    [0.3, 0.3, 0.3, 0.1]
    """
    drawn = np.bincount(stratum, minlength=len(sample.strata))
    sizes = np.array([part.documents for part in sample.strata], dtype=np.float64)
    weights = (sizes / np.maximum(drawn, 1))[stratum]
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def _auc(sample: AuditSample, values: FloatArray, truth: IntArray, weights: FloatArray) -> list[Estimate]:
    """The weighted area, for more than two classes the mean of each class against the rest.

    The interval is multiplied by the finite population correction sqrt(1 - n / N) of n labels for N documents.
    """
    areas = []
    for margin, positive in rankings(truth, values):
        sides = (margin, weights * positive, weights * ~positive)
        areas.append((weighted_area(*sides), *weighted_area_interval(*sides)))
    if not areas:
        return []
    area, low, high = np.mean(areas, axis=0)
    factor = np.sqrt(1.0 - len(truth) / sample.documents)
    return [Estimate("auc", "", float(area), float(area - (area - low) * factor), float(area + (high - area) * factor))]


def _log_losses(sample: AuditSample, values: FloatArray, truth: IntArray, weights: FloatArray) -> tuple[float, float]:
    """Of the model's own probabilities, and of those that the labels of other documents have moved."""
    scores = LabelledScores.of_log_odds(values, truth, weights / weights.mean() if sample.by else np.ones(len(truth)))
    moved = cross_validated(scores, np.zeros(values.shape[1]))
    return float(weights @ log_losses(values, truth)), float(weights @ log_losses(moved, truth))


def running_width(sample: AuditSample, labels: Sequence[str | None], scores: Scores | None = None) -> float | None:
    """Half the width of the 95% interval of the accuracy by the labels so far; None without a label.

    The accuracy itself is left out: who looks at it and stops when it pleases has an interval that covers the truth
    less often. `labels` are in the order of the sample, None for a document without one. `scores` are those of the
    documents of the sample by another model than the one that they were drawn with, for example after an edit.
    """
    if all(label is None for label in labels):
        return None
    estimates = _share_estimates(sample, class_codes(sample, labels), scores)
    accuracy = next(one for one in estimates if one.measure == "accuracy")
    return (accuracy.high - accuracy.low) / 2


def labelled_texts(sample: AuditSample, labels: Sequence[str | None], texts: Sequence[str]) -> LabelledTexts:
    """The labelled texts of a sample, for `with_labels`; texts and labels are in the order of the sample."""
    if len(texts) != len(sample.rows):
        raise ProblexError(f"{len(texts)} texts were given for a sample of {len(sample.rows)}, expected one for each")
    labelled = LabelledSample.of(sample, class_codes(sample, labels))
    known = [text for text, label in zip(texts, labels, strict=True) if label is not None]
    return LabelledTexts(known, labelled.codes, 1.0 / labelled.probabilities, bool(labelled.by))
