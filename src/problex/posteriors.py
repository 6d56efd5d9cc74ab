"""From shrunken deficits to predictiveness: the balance between the lists, the scale, standard errors, and a way back.

The deficits say how words of a list compare; the balance sets how the lists do; the scale follows from all meetings
together. Where they say nothing, every entry weighs the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex.moments import Evidence, of_others, per_list
from problex.shrinkage import Posterior, deficits, posterior, relative_weights

FloatArray = NDArray[np.float64]
PLAIN = 0.1
"""The predictiveness of every entry when nothing is known of any: it decides as counting does."""


def weigh_by_posterior(evidence: Evidence, shares: FloatArray, top: float) -> tuple[FloatArray, dict[str, Any]]:
    """The predictiveness of every entry, and how it came about.

    `fallback` in the summary says why there was nothing to learn, and is empty otherwise.
    """
    found = posterior(evidence)
    factor = scales(evidence, found, shares)
    reason = _nothing_to_learn(found, factor)
    if reason or factor is None:
        x = np.full(len(evidence.entries), min(PLAIN, top))
    else:
        x = np.minimum(np.maximum(found.mean, 0.0) * factor[evidence.list_index], top)
    return x, {
        "converged": True,
        "shrinkage": found.strength,
        "spread": found.spread,
        "dispersion": found.dispersion,
        "own_evidence": found.kept,
        "fallback": reason,
    }


def _nothing_to_learn(found: Posterior, factor: FloatArray | None) -> str:
    if np.any(found.centre <= 0) or factor is None:
        return "the lists meet each other as often as chance has it"
    if not found.informative:
        return "no word was seen to differ from the others of its list by more than chance"
    return ""


def scales(evidence: Evidence, found: Posterior, shares: FloatArray) -> FloatArray | None:
    """What turns deficits into predictiveness, for each list: G_a in proportion to the shares, all to fit the meetings.

    With u the deficits so balanced, E[sum_i u_i (e_i - c_i)] = scale^2 s sum_i u_i^2 mu_i sum_other w_j mu_j u_j.
    """
    relative = relative_weights(evidence, found.mean)
    if relative is None:
        return None
    rates = evidence.base_rates
    covered = per_list(evidence, rates)
    balanced = relative * (shares * covered.sum() / covered)[evidence.list_index]
    deficit, _ = deficits(evidence)
    met = of_others(evidence, evidence.partner_weights * rates)
    fewer = float(np.sum(balanced * rates * met * deficit))
    unit = float(np.sum(balanced**2 * rates * of_others(evidence, evidence.partner_weights * rates * balanced)))
    if not (fewer > 0 and unit > 0):
        return None
    scale = np.sqrt(fewer / unit)
    weighed = per_list(evidence, rates * np.maximum(found.mean, 0.0))
    return np.asarray(scale * shares * covered.sum() / weighed, dtype=np.float64)


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
