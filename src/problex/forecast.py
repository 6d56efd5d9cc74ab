"""What a model believes about itself: expected accuracy by length, and effective counts of repeated words.

The paper finds real accuracy LOWER than this, the more the longer the texts, because words are not independent. Show
it with `WARNING`, and beside what a few labelled documents say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from problex.errors import ProblexError
from problex.model import Model
from problex.scoring import log_rising

FloatArray = NDArray[np.float64]

WARNING = (
    "This is what the model believes, if words were independent given the label. Real accuracy is usually lower, the "
    "more so the longer the texts: label a few dozen documents to know."
)


@dataclass(frozen=True)
class Forecast:
    """Expected accuracy at each length, under words drawn independently and under burstiness (the DCM)."""

    lengths: tuple[int, ...]
    multinomial: tuple[float, ...]
    dcm: tuple[float, ...]
    warning: str = WARNING

    def records(self) -> list[dict[str, float]]:
        """A record per length."""
        rows = zip(self.lengths, self.multinomial, self.dcm, strict=True)
        return [{"tokens": n, "multinomial": round(m, 4), "dcm": round(d, 4)} for n, m, d in rows]


def accuracy_bound(length: float, predictiveness: float, coverage: float) -> float:
    """The paper's bound for counting: every word with the same predictiveness, each list with the same coverage.

    .. math:: \\Phi(\\gamma \\sqrt{2 N s_\\mu})

    >>> round(accuracy_bound(100, 0.3, 0.04), 4)   # Phi(0.3 sqrt 8)
    0.8019
    """
    if not (length >= 0 and 0 <= predictiveness <= 1 and 0 <= coverage <= 0.5):
        raise ProblexError(
            f"length={length}, predictiveness={predictiveness}, coverage={coverage} was given, expected a length of 0 "
            "or more, a predictiveness from 0 to 1 and the coverage of one list from 0 to 0.5"
        )
    return float(ndtr(predictiveness * np.sqrt(2.0 * length * coverage)))


def forecast(model: Model, lengths: Iterable[int] = (10, 20, 50, 100, 200, 500, 1000)) -> Forecast:
    """Expected accuracy of a model's weights for documents of given lengths, averaged over the labels by the prior.

    The margin between two labels has mean N sum_i theta_i w_i and variance N (sum_i theta_i w_i^2 - (sum_i theta_i
    w_i)^2), under the DCM times (N + tau) / (1 + tau); with more than two labels, errors are added up (a bound).
    """
    sizes = tuple(int(length) for length in lengths)
    n = np.array(sizes, dtype=np.float64)
    tau = model.evidence.concentration
    inflation = (n + tau) / (1.0 + tau) if np.isfinite(tau) else np.ones_like(n)
    plain, bursty = np.zeros_like(n), np.zeros_like(n)
    for label, share in enumerate(model.prior):
        errors = np.zeros((2, len(n)))
        for rival in range(len(model.classes)):
            if rival != label:
                mean, variance = margin_moments(model, label, rival)
                for row, factor in enumerate((np.ones_like(n), inflation)):
                    errors[row] += ndtr(-_standard(n * mean, n * variance * factor))
        plain += share * np.maximum(1.0 - errors[0], 0.0)
        bursty += share * np.maximum(1.0 - errors[1], 0.0)
    return Forecast(sizes, tuple(plain.tolist()), tuple(bursty.tolist()))


def corpus_forecast(model: Model, lengths: Sequence[int] | NDArray[np.int64]) -> tuple[float, float]:
    """Expected accuracy over the documents of a corpus (multinomial, dcm): the average over their lengths."""
    sizes, repeats = np.unique(np.asarray(lengths, dtype=np.int64), return_counts=True)
    if not len(sizes):
        raise ProblexError("no document lengths were given, expected at least one")
    found = forecast(model, sizes.tolist())
    weights = repeats / repeats.sum()
    return float(weights @ np.array(found.multinomial)), float(weights @ np.array(found.dcm))


def margin_moments(model: Model, label: int, rival: int) -> tuple[float, float]:
    """Mean and variance, per token, of the score of `label` over `rival` in documents of `label`."""
    own, others = model.evidence.list_index == label, model.evidence.list_index == rival
    rates = np.where(own, model.lift, 1.0 - model.predictiveness) * model.evidence.base_rates
    signed = np.where(own, model.weights, np.where(others, -model.weights, 0.0))
    mean = float(np.sum(rates * signed))
    return mean, float(np.sum(rates * signed**2)) - mean**2


def _standard(mean: FloatArray, variance: FloatArray) -> FloatArray:
    spread = np.sqrt(np.maximum(variance, 1e-300))
    return np.where(variance > 0, mean / spread, np.where(mean > 0, np.inf, 0.0))


def effective_counts(
    concentrations: Iterable[float],
    counts: Iterable[int] = range(11),
    *,
    base_rate: float = 1e-3,
    predictiveness: float = 0.5,
) -> list[dict[str, float]]:
    """What x repeats of a word are worth, in single occurrences: the figure of the paper, as records.

    >>> rows = effective_counts([1.0, float("inf")], [1, 10])
    >>> [(row["concentration"], row["count"], round(row["effective_count"], 2)) for row in rows]
    [(1.0, 1, 1.0), (1.0, 10, 1.0), (inf, 1, 1.0), (inf, 10, 10.0)]
    """
    sizes = np.array(list(counts), dtype=np.int64)
    one = np.log1p(predictiveness) - np.log1p(-predictiveness)
    rows: list[dict[str, float]] = []
    for tau in concentrations:
        if np.isfinite(tau):
            high = np.full(len(sizes), tau * base_rate * (1 + predictiveness))
            low = np.full(len(sizes), tau * base_rate * (1 - predictiveness))
            worth = (log_rising(high, sizes) - log_rising(low, sizes)) / one
        else:
            worth = sizes.astype(np.float64)
        pairs = zip(sizes.tolist(), worth.tolist(), strict=True)
        rows += [{"concentration": tau, "count": x, "effective_count": value} for x, value in pairs]
    return rows
