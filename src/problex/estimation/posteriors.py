"""From shrunken deficits to predictiveness: the balance between the lists, the scale, standard errors, and a way back.

The deficits say how words of a list compare; the balance sets how the lists do; the scale follows from all meetings
together. Where they say nothing, every entry weighs the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from problex._util.arrays import FloatArray
from problex.estimation.moments import Evidence, of_others, per_list
from problex.estimation.shrinkage import Posterior, deficits, posterior, relative_weights

PLAIN = 0.1
"""The predictiveness of every entry when nothing is known of any: it decides as counting does."""


def weigh_by_posterior(evidence: Evidence, shares: FloatArray, top: float) -> tuple[FloatArray, dict[str, Any]]:
    """The predictiveness of every entry, and how it came about.

    `fallback` in the summary says that there was nothing to learn, so that every entry weighs the same; `own_evidence`
    how much of their weight entries owe to themselves, on average over tokens: near 0 is near counting.
    """
    found = posterior(evidence)
    width = weighted_coverage(evidence, found, shares)
    nothing = np.any(found.centre <= 0) or not width > 0
    x = np.full(len(evidence.entries), min(PLAIN, top))
    if not nothing:
        x = balanced(np.maximum(found.mean, 0.0), evidence, shares, width, top)
    return x, {
        "converged": True,
        "shrinkage": found.strength,
        "spread": found.spread,
        "dispersion": found.dispersion,
        "own_evidence": found.kept,
        "fallback": bool(nothing),
    }


def balanced(telling: FloatArray, evidence: Evidence, shares: FloatArray, width: float, top: float) -> FloatArray:
    """The predictiveness in proportion to `telling` within each list, with G_a = pi_a W, and no higher than `top`.

    Where entries reach the top, all lists give way alike: words that differ must not be pressed into one value.
    """
    covered = per_list(evidence, evidence.base_rates * telling)
    x = np.minimum(telling * (shares * width / covered)[evidence.list_index], top)
    reached = per_list(evidence, evidence.base_rates * x) / shares
    return np.asarray(x * (reached.min() / reached)[evidence.list_index], dtype=np.float64)


def weighted_coverage(evidence: Evidence, found: Posterior, shares: FloatArray) -> float:
    """W, so that G_a = pi_a W fits the meetings of all entries together; 0 if they are not fewer than by chance.

    With u the deficits balanced by the shares, E[sum_i u_i (e_i - c_i)] is W^2 times
    s sum_i u_i^2 mu_i sum_other w_j mu_j u_j.
    """
    rates, partners = evidence.base_rates, evidence.partner_weights * evidence.base_rates
    relative = relative_weights(evidence, found.mean)
    if relative is None:
        return 0.0
    fair = relative * (shares / per_list(evidence, rates))[evidence.list_index]
    fewer = float(np.sum(fair * rates * of_others(evidence, partners) * deficits(evidence)[0]))
    unit = float(np.sum(fair**2 * rates * of_others(evidence, partners * fair)))
    return float(np.sqrt(fewer / unit)) if fewer > 0 and unit > 0 else 0.0


def standard_errors(evidence: Evidence, predictiveness: FloatArray, kappa: float) -> FloatArray:
    """Standard errors of predictiveness: of the posterior, or (with a number for kappa) of the sampling alone.

    Deficits are predictiveness times a constant for each list; the constant is read off the entries themselves.
    """
    found = posterior(evidence)
    telling = np.maximum(found.mean, 0.0)
    weighed, shown = (per_list(evidence, evidence.base_rates * part) for part in (telling, predictiveness))
    factor = np.divide(shown, weighed, out=np.zeros_like(shown), where=weighed > 0)[evidence.list_index]
    if np.isnan(kappa):
        return np.asarray(factor * found.error, dtype=np.float64)
    _, effective = deficits(evidence)
    sampling = np.sqrt(found.dispersion / np.maximum(effective, 1e-300)) * effective / (effective + kappa)
    return np.asarray(factor * np.where(effective > 0, sampling, np.sqrt(found.spread)), dtype=np.float64)
