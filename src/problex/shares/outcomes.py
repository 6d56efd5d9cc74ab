"""Outcomes for regressions: each document's probabilities, corrected by the labels of an audit.

.. math:: \\tilde y_i = f_i + \\frac{I_i}{\\pi_i} (y_i - f_i)

with the calibrated probability f, the label y, whether there is one I, and the probability pi of being drawn.
Over the draw of the sample the mean of the outcome is the true label, whatever f is, so a linear regression of it
estimates what a regression of the true labels would (Egami et al. 2023; Angelopoulos et al. 2023).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex._util.formatting import pluralize
from problex.corpus import Batch
from problex.estimation.calibration import fit_platt
from problex.model.calibration import Platt
from problex.model.model import Model
from problex.scoring.scores import Scores
from problex.shares.sheet_labels import SheetLabels, Sheets

FOLDS = 5
PREFIX = "outcome_"
"""Columns with outcomes are this and the label."""
LINEAR = (
    "use least squares with robust standard errors (HC1), not logit or probit:",
    "an outcome is right on average, but can lie far outside 0 and 1",
)


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The labels of an audit, and the calibrations without each of five parts of them.

    `rows` are those of the labelled documents, in order, `codes` their classes, `weights` one over their probabilities
    of being drawn. A labelled document is calibrated without its own label.
    """

    rows: IntArray
    codes: IntArray
    weights: FloatArray
    calibrations: tuple[Platt, ...]

    @classmethod
    def learn(cls, rows: IntArray, values: FloatArray, codes: IntArray, weights: FloatArray) -> Outcomes:
        """Calibrate the scores of the labelled documents; the order of the documents does not matter."""
        order = np.argsort(rows, kind="stable")
        values, codes = values[order], codes[order]
        fold = np.arange(len(rows)) % FOLDS
        calibrations = tuple(fit_platt(values[fold != at], codes[fold != at]) for at in range(FOLDS))
        return cls(rows[order], codes, weights[order], calibrations)

    def of(self, rows: IntArray, values: FloatArray) -> FloatArray:
        """The outcome of each document for each class, from its row and its scores.

        The outcomes of a document add up to one. Those of labelled documents may lie far outside 0 and 1.
        """
        places = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        labelled = self.rows[places] == rows
        fold = np.where(labelled, places, rows) % FOLDS
        outcomes = np.empty_like(values, dtype=np.float64)
        for at, calibration in enumerate(self.calibrations):
            outcomes[fold == at] = calibration.probabilities(values[fold == at])
        known = places[labelled]
        truth = np.eye(values.shape[1])[self.codes[known]]
        outcomes[labelled] += self.weights[known, None] * (truth - outcomes[labelled])
        return outcomes


@dataclass(eq=False)
class SheetOutcomes:
    """The outcomes of the texts that sheets were drawn from, batch by batch."""

    labels: SheetLabels
    outcomes: Outcomes
    empty: int = 0

    @classmethod
    def read(cls, sheets: Sheets, model: Model, *, markup: bool = False) -> SheetOutcomes:
        """The labels of filled sheets; raise if they were drawn with another model."""
        labels = SheetLabels.read(sheets, model, markup=markup)
        sample = labels.sample
        return cls(labels, Outcomes.learn(sample.rows, sample.values, sample.codes, 1.0 / sample.probabilities))

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [f"{PREFIX}{name}" for name in self.labels.sample.classes]

    def of_batch(self, batch: Batch, scores: Scores) -> FloatArray:
        """The outcomes of a batch, a column for each class; NaN for texts without words, which could not be drawn."""
        self.labels.find(batch)
        rows = np.arange(batch.first_row, batch.first_row + len(scores.lengths))
        found = self.outcomes.of(rows, scores.values)
        found[scores.lengths == 0] = np.nan
        self.empty += int((scores.lengths == 0).sum())
        return found

    def notes(self) -> list[str]:
        """Sentences on the columns and on what is missing."""
        sample = self.labels.sample
        notes = [f"{', '.join(self.names)}: from {pluralize(len(sample.rows), 'label')}", *LINEAR]
        if self.empty:
            notes.append(f"no outcome for {pluralize(self.empty, 'text')} without words")
        if sample.unreached:
            notes.append(
                f"{pluralize(sample.unreached, 'document')} could not have been labelled, because the part of the "
                "sample that they belong to has no label: their outcome is the probability of the model"
            )
        return notes
