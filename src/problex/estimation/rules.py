"""Scoring rules: what each word of a document adds to each label, and how length tempers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import gammaln

from problex._util.arrays import FloatArray, IntArray
from problex.errors import ModelError
from problex.estimation.moments import Evidence
from problex.estimation.pmi import PmiTable


class Weighted(Protocol):
    """What a rule asks of a model."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels."""

    @property
    def evidence(self) -> Evidence:
        """What was counted."""

    @property
    def predictiveness(self) -> FloatArray:
        """gamma_i."""

    @property
    def base_rates(self) -> FloatArray:
        """mu_i."""

    @property
    def lift(self) -> FloatArray:
        """How much more frequent an entry is under its own label."""

    @property
    def weights(self) -> FloatArray:
        """The log-odds of one occurrence."""

    @property
    def pmi(self) -> PmiTable | None:
        """What counting teaches about all words."""


Contribution = Callable[[Weighted, IntArray, IntArray], FloatArray]


@dataclass(frozen=True)
class Rule:
    """How counts become evidence: `contribution(model, columns, counts)` has a row per word and a column per label.

    `log_odds` says whether the sums are log-odds, which are tempered for length and joined with the prior.
    """

    contribution: Contribution
    log_odds: bool
    all_words: bool = False


def _to_own_label(model: Weighted, columns: IntArray, values: FloatArray) -> FloatArray:
    table = np.zeros((len(columns), len(model.classes)))
    table[np.arange(len(columns)), model.evidence.list_index[columns]] = values
    return table


def count_rule(model: Weighted, columns: IntArray, counts: IntArray) -> FloatArray:
    """m_y: every occurrence counts one for its list."""
    return _to_own_label(model, columns, counts.astype(np.float64))


def presence_rule(model: Weighted, columns: IntArray, counts: IntArray) -> FloatArray:
    """Every word counts one for its list, however often it is said."""
    return _to_own_label(model, columns, np.ones(len(columns)))


def pmi_rule(model: Weighted, columns: IntArray, counts: IntArray) -> FloatArray:
    """x_i log p(i | y), with the labels that counting imputes."""
    if model.pmi is None:
        raise ModelError("this model was not estimated with rule='pmi' and knows no words outside the lexicon")
    return np.asarray(counts[:, None] * model.pmi.weights[columns], dtype=np.float64)


def multinomial_rule(model: Weighted, columns: IntArray, counts: IntArray) -> FloatArray:
    """x_i times the word's weight, for two lists and a uniform prior log((1 + gamma_i) / (1 - gamma_i))."""
    return _to_own_label(model, columns, counts * model.weights[columns])


def dcm_rule(model: Weighted, columns: IntArray, counts: IntArray) -> FloatArray:
    """The Dirichlet compound multinomial: repeats count less, the less the burstier the corpus."""
    tau = model.evidence.concentration
    if not np.isfinite(tau):
        return multinomial_rule(model, columns, counts)
    values = model.weights[columns]
    repeated = np.flatnonzero(counts != 1)  # what occurs once, as most words do, needs no gamma function
    those, times = columns[repeated], counts[repeated]
    alpha = tau * model.base_rates[those]
    inside, outside = alpha * model.lift[those], alpha * (1.0 - model.predictiveness[those])
    values[repeated] = log_rising(inside, times) - log_rising(outside, times)
    return _to_own_label(model, columns, values)


def log_rising(start: FloatArray, counts: IntArray) -> FloatArray:
    """log Gamma(start + x) - log Gamma(start), without loss for large starts.

    >>> np.round(log_rising(np.array([0.5, 1e9]), np.array([2, 3])), 6).tolist()   # log(.5 * 1.5), 3 log(1e9)
    [-0.287682, 62.169798]
    """
    counts = np.asarray(counts, dtype=np.float64)
    plain = gammaln(start + counts) - gammaln(start)
    large = start > 1e4  # the difference of two large numbers loses digits: Stirling's series does not
    if not np.any(large):
        return np.asarray(plain, dtype=np.float64)
    a, x = start[large], counts[large]
    series = (a + x - 0.5) * np.log1p(x / a) + x * (np.log(a) - 1.0) + (1.0 / (a + x) - 1.0 / a) / 12.0
    plain[large] = series
    return np.asarray(plain, dtype=np.float64)


RULES: dict[str, Rule] = {
    "count": Rule(count_rule, log_odds=False),
    "presence": Rule(presence_rule, log_odds=False),
    "pmi": Rule(pmi_rule, log_odds=True, all_words=True),
    "multinomial": Rule(multinomial_rule, log_odds=True),
    "dcm": Rule(dcm_rule, log_odds=True),
}

TEMPERS: dict[str, Callable[[FloatArray, float], FloatArray]] = {
    # Under the DCM the variance of a margin grows like N (N + tau) / (1 + tau): beyond tau tokens, text adds little.
    "burstiness": lambda lengths, tau: (1.0 + tau) / (lengths + tau) if np.isfinite(tau) else np.ones_like(lengths),
    "root": lambda lengths, tau: 1.0 / np.sqrt(np.maximum(lengths, 1.0)),
    "tokens": lambda lengths, tau: 1.0 / (lengths + 0.1),
    "none": lambda lengths, tau: np.ones_like(lengths),
}
"""What the log-odds of a document of some length are multiplied by."""
