"""Measures of a model that are expected from the model alone, without labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from problex.errors import ProblexError
from problex.estimation.model import Model
from problex.evaluation.forecasts import corpus_forecast
from problex.scoring.scores import Scores

FORECAST = "forecast"


@dataclass(frozen=True)
class Expected:
    """Measures by name and label ("" for all), from the model's probabilities, and its forecast of accuracy."""

    measures: Mapping[tuple[str, str], float] = field(default_factory=dict)
    forecast: Mapping[str, float] = field(default_factory=dict)

    def get(self, measure: str, label: str) -> float | None:
        """A measure of a label, None if there is none; accuracy is the forecast if there is one."""
        if measure == "accuracy" and self.forecast:
            return self.forecast["dcm"]
        return self.measures.get((measure, label))

    def record(self) -> dict[str, object]:
        """The content of a design file: the key is the measure, a space and the label."""
        measures: dict[str, object] = {f"{measure} {label}": value for (measure, label), value in self.measures.items()}
        return measures | {FORECAST: dict(self.forecast) or None}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Expected:
        """The inverse of `record`."""
        measures = {name: float(value) for name, value in record.items() if name != FORECAST}
        pairs = {(name.partition(" ")[0], name.partition(" ")[2]): value for name, value in measures.items()}
        return cls(pairs, record.get(FORECAST) or {})


def expected_measures(model: Model, scores: Scores) -> Expected:
    """The expected measures of documents, from their probabilities; those without a token are left out."""
    some = scores.lengths > 0
    probabilities, labels = scores.probabilities[some], scores.labels()[some]
    measures: dict[tuple[str, str], float] = {}
    correct = 0.0
    for at, name in enumerate(scores.classes):
        predicted = labels == name
        correct += float(probabilities[predicted, at].sum())
        measures["prevalence", name] = float(probabilities[:, at].mean())
        measures["recall", name] = float(probabilities[predicted, at].sum() / probabilities[:, at].sum())
        if predicted.any():
            measures["precision", name] = float(probabilities[predicted, at].mean())
    measures["accuracy", ""] = correct / len(labels)
    try:
        accuracy = corpus_forecast(model, scores.lengths.tolist())
    except ProblexError:  # some rules cannot be forecast
        return Expected(measures)
    return Expected(measures, dict(zip(("multinomial", "dcm"), accuracy, strict=True)))
