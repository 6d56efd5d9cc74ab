"""What a few labels say: accuracy, AUC, precision, recall and prevalence with intervals, next to what was believed.

The documents are drawn by `audit_sample`, the intervals are those of `intervals`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex._util.formatting import pluralize
from problex.audit.intervals import Group, Row, share_intervals, weighted_area, weighted_area_interval
from problex.audit.sampling import AuditSample
from problex.errors import ProblexError
from problex.estimation.model import Model
from problex.estimation.platt import Platt, fit_platt
from problex.evaluation.forecasts import corpus_forecast
from problex.scoring.scores import Scores

FOLDS = 10


@dataclass(frozen=True)
class Figure:
    """A measure of a label (or of all) with its interval, and what the model believed of itself."""

    measure: str
    label: str
    value: float
    low: float
    high: float
    believed: float | None = None


@dataclass(frozen=True)
class Audit:
    """What labels say about a model on the documents that a sample was drawn from."""

    documents: int
    labelled: int
    unlabelled: int
    figures: tuple[Figure, ...]
    forecast: Mapping[str, float]
    platt: Platt
    log_loss: tuple[float, float]

    def records(self) -> list[dict[str, Any]]:
        """A record per measure."""
        return [
            {
                "measure": figure.measure,
                "label": figure.label,
                "value": round(figure.value, 4),
                "low": round(figure.low, 4),
                "high": round(figure.high, 4),
                "believed": None if figure.believed is None else round(figure.believed, 4),
            }
            for figure in self.figures
        ]

    def __getitem__(self, name: str | tuple[str, str]) -> Figure:
        measure, label = (name, "") if isinstance(name, str) else name
        return next(figure for figure in self.figures if (figure.measure, figure.label) == (measure, label))

    def notes(self) -> list[str]:
        """In words: what it rests on, the forecast beside it, and what calibration does."""
        notes = [f"{pluralize(self.labelled, 'label')} for {pluralize(self.documents, 'document')}; 95 % intervals"]
        if self.unlabelled:
            notes.append(
                f"{pluralize(self.unlabelled, 'document')} of the sample without a label: taken to be like the "
                "labelled ones of the same prediction"
            )
        if self.forecast:
            found, dcm = self["accuracy"], self.forecast["dcm"]
            where = "above" if dcm > found.high else "below" if dcm < found.low else "inside"
            notes.append(
                f"the forecast of accuracy was {dcm:.3f} ({self.forecast['multinomial']:.3f} if words were "
                f"independent), {where} the interval {found.low:.3f} to {found.high:.3f}"
            )
        own, better = self.log_loss
        advice = "--store MODEL puts it into the model" if better < own else "the model's own probabilities are as good"
        notes.append(
            f"calibration: slope {self.platt.slope:.3f}; log loss {better:.3f} on labels it did not see, "
            f"{own:.3f} by the model's own probabilities: {advice}"
        )
        return notes


def audit(sample: AuditSample, labels: Sequence[str | None], believed: Mapping[str, Any] | None = None) -> Audit:
    """Judge a model by the labels of a sample, in its order; None is a document that was not labelled."""
    codes = _codes(sample, labels)
    known = codes >= 0
    values, truth, stratum = sample.values[known], codes[known], sample.stratum[known]
    beliefs = dict(believed or {})
    forecast = beliefs.pop("forecast", None) or {}
    said = beliefs | ({"accuracy ": forecast["dcm"]} if forecast else {})
    return Audit(
        documents=sample.documents,
        labelled=int(known.sum()),
        unlabelled=int((~known).sum()),
        figures=tuple(Figure(*row, said.get(f"{row[0]} {row[1]}")) for row in audit_rows(sample, codes)),
        forecast=forecast,
        platt=fit_platt(values, truth),
        log_loss=_log_losses(values, truth, _weights(sample, stratum)),
    )


def audit_rows(sample: AuditSample, codes: IntArray) -> list[Row]:
    """Every measure with its interval, from the number of each document's class; -1 is not labelled."""
    known = codes >= 0
    truth, stratum = codes[known], sample.stratum[known]
    groups = [Group.of(sample, label, truth, stratum) for label in dict.fromkeys(s.label for s in sample.strata)]
    areas = _auc(sample, sample.values[known], truth, _weights(sample, stratum))
    return sorted([*share_intervals(sample.classes, groups), *areas], key=_order)


MEASURES = ("accuracy", "auc", "precision", "recall", "prevalence")


def _order(figure: Row) -> tuple[int, str]:
    return MEASURES.index(figure[0]), figure[1]


def _codes(sample: AuditSample, labels: Sequence[str | None]) -> IntArray:
    if len(labels) != len(sample.rows):
        raise ProblexError(f"{len(labels)} labels were given for a sample of {len(sample.rows)}, expected one for each")
    places = {name: at for at, name in enumerate(sample.classes)}
    unknown = sorted({label for label in labels if label is not None and label not in places})
    if unknown:
        raise ProblexError(f"the labels {unknown[:5]} are not known, expected {' or '.join(sample.classes)}, or none")
    codes = np.array([-1 if label is None else places[label] for label in labels], dtype=np.int64)
    if not np.any(codes >= 0):
        raise ProblexError(
            f"none of {pluralize(len(labels), 'document')} has a label: fill in {' or '.join(sample.classes)}"
        )
    return codes


def _weights(sample: AuditSample, stratum: IntArray) -> FloatArray:
    """How many documents each labelled one stands for, as a share of all."""
    drawn = np.bincount(stratum, minlength=len(sample.strata))
    sizes = np.array([part.documents for part in sample.strata], dtype=np.float64)
    weights = (sizes / np.maximum(drawn, 1))[stratum]
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def _auc(sample: AuditSample, values: FloatArray, truth: IntArray, weights: FloatArray) -> list[Row]:
    """The weighted area; for more than two classes the mean of one against the rest, as `evaluate` has it."""
    classes = [1] if len(sample.classes) == 2 else range(len(sample.classes))
    areas = []
    for at in classes:
        inside = truth == at
        if inside.any() and not inside.all():
            margin = values[:, at] - np.delete(values, at, axis=1).max(axis=1)
            parts = (margin, weights * inside, weights * ~inside)
            areas.append((weighted_area(*parts), *weighted_area_interval(*parts)))
    if not areas:
        return []
    area, low, high = np.mean(areas, axis=0)
    narrower = np.sqrt(1.0 - len(truth) / sample.documents)  # nothing is left to guess where all are labelled
    return [("auc", "", float(area), float(area - (area - low) * narrower), float(area + (high - area) * narrower))]


def _log_losses(values: FloatArray, truth: IntArray, weights: FloatArray) -> tuple[float, float]:
    """Of the model's own probabilities, and of calibrated ones on labels that they were not learned from."""
    fold = np.random.default_rng(0).permutation(len(truth)) % FOLDS
    chance = np.empty(len(truth))
    for at in np.unique(fold):
        learned = fit_platt(values[fold != at], truth[fold != at])
        chance[fold == at] = _chances(learned, values[fold == at], truth[fold == at])
    own = _chances(Platt(1.0, (0.0,) * values.shape[1]), values, truth)
    return float(-weights @ np.log(own)), float(-weights @ np.log(chance))


def _chances(platt: Platt, values: FloatArray, truth: IntArray) -> FloatArray:
    chances = platt.probabilities(values)[np.arange(len(truth)), truth]
    return np.asarray(np.maximum(chances, 1e-15), dtype=np.float64)


def beliefs(model: Model, scores: Scores) -> dict[str, Any]:
    """What the model believes of these documents before a label is seen: the same measures, and its forecast."""
    some = scores.lengths > 0
    chances, labels = scores.probabilities[some], scores.labels()[some]
    found: dict[str, Any] = {}
    hits = 0.0
    for at, name in enumerate(scores.classes):
        mine = labels == name
        hits += float(chances[mine, at].sum())
        found[f"prevalence {name}"] = float(chances[:, at].mean())
        found[f"recall {name}"] = float(chances[mine, at].sum() / chances[:, at].sum())
        if mine.any():
            found[f"precision {name}"] = float(chances[mine, at].mean())
    found["accuracy "] = hits / max(len(labels), 1)
    try:  # over quantiles of the lengths: enough for a figure of three digits
        lengths = np.quantile(scores.lengths[some], (np.arange(50) + 0.5) / 50, method="nearest")
        accuracy = corpus_forecast(model, lengths.astype(np.int64))
        found["forecast"] = dict(zip(("multinomial", "dcm"), accuracy, strict=True))
    except ProblexError:  # some rules cannot be forecast
        found["forecast"] = None
    return found
