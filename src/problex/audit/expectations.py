"""Measures of a model that are expected from the model alone, without labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from problex.scoring.scores import UNDECIDED, Scores


@dataclass(frozen=True)
class Expected:
    """Measures by name and label ("" for all), from the model's probabilities."""

    measures: Mapping[tuple[str, str], float] = field(default_factory=dict)

    def get(self, measure: str, label: str) -> float | None:
        """A measure of a label, None if there is none."""
        return self.measures.get((measure, label))

    def record(self) -> dict[str, object]:
        """The content of a design file: the key is the measure, a space and the label."""
        return {f"{measure} {label}": value for (measure, label), value in self.measures.items()}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Expected:
        """The inverse of `record`."""
        return cls({(name.partition(" ")[0], name.partition(" ")[2]): float(value) for name, value in record.items()})


def expected_measures(scores: Scores) -> Expected:
    """The expected measures of documents, from their probabilities; those without a token are left out."""
    some = scores.lengths > 0
    probabilities, labels = scores.probabilities[some], scores.labels()[some]
    measures: dict[tuple[str, str], float] = {}
    correct = float(np.sum(labels == UNDECIDED)) / len(scores.classes)
    for at, name in enumerate(scores.classes):
        predicted = labels == name
        correct += float(probabilities[predicted, at].sum())
        measures["prevalence", name] = float(probabilities[:, at].mean())
        measures["recall", name] = float(probabilities[predicted, at].sum() / probabilities[:, at].sum())
        if predicted.any():
            measures["precision", name] = float(probabilities[predicted, at].mean())
    measures["accuracy", ""] = correct / len(labels)
    return Expected(measures)
