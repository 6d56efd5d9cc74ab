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
from problex.estimation.platt import Platt, fit_platt

FOLDS = 5


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
