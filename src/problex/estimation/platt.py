"""Probabilities from a few labels: one slope and an intercept per class, with priors at the model's own."""

from __future__ import annotations

import numpy as np

from problex._util.arrays import FloatArray, IntArray, log_softmax
from problex.errors import ProblexError
from problex.model.calibration import Platt

SLOPE_DEVIATION, INTERCEPT_DEVIATION = 0.7, 1.5
"""Prior standard deviations of the logarithm of the slope and of the intercepts: narrow enough that forty labels
without an error do not make a model certain, wide enough that twenty labels correct a wrong threshold."""


def fit_platt(values: FloatArray, codes: IntArray) -> Platt:
    """The maximum a posteriori slope and intercepts, with log slope ~ Normal(0, 0.7) and intercept ~ Normal(0, 1.5).

    Without labels these are one and zero, which leaves the model's probabilities as they are.

    >>> values = np.repeat([[0.0, -3.0], [0.0, 3.0]], 20, axis=0)     # sure of itself, and right three times in four
    >>> codes = np.array(([0, 0, 0, 1] * 5) + ([1, 1, 1, 0] * 5))
    >>> fit_platt(values, codes).probabilities(np.array([[0.0, 3.0]])).round(2).tolist()
    [[0.22, 0.78]]
    """
    from scipy.optimize import minimize  # takes a fifth of a second to import, which prediction need not wait for

    if values.ndim != 2 or len(values) != len(codes):
        raise ProblexError(f"{len(codes)} labels were given for scores of shape {values.shape}, expected one per row")
    classes = values.shape[1]
    chosen = np.eye(classes)[codes]
    precision = np.array([SLOPE_DEVIATION**-2, *[INTERCEPT_DEVIATION**-2] * classes])

    def loss(parameters: FloatArray) -> tuple[float, FloatArray]:
        slope = np.exp(parameters[0])
        logs = log_softmax(slope * values + parameters[1:])
        wrong = np.exp(logs) - chosen
        gradient = np.concatenate([[slope * np.sum(wrong * values)], wrong.sum(axis=0)])
        penalty = parameters * precision
        return float(-np.sum(logs * chosen) + 0.5 * parameters @ penalty), gradient + penalty

    best = minimize(loss, np.zeros(1 + classes), jac=True, method="BFGS").x
    return Platt(float(np.exp(best[0])), tuple(best[1:].tolist()), len(codes))
