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

from problex._util.arrays import FloatArray
from problex.errors import ProblexError
from problex.estimation.model import Model
from problex.estimation.rules import RULES, log_rising
from problex.scoring.scorer import make_scorer

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


def accuracy_bound(length: float, predictiveness: float, coverage: float, concentration: float = float("inf")) -> float:
    """The paper's bound for counting: every word with the same predictiveness, each list with the same coverage.

    .. math:: \\Phi\\left(\\gamma \\sqrt{2 N s_\\mu}\\right)

    With a concentration, the variance is that of the Dirichlet compound multinomial.

    >>> round(accuracy_bound(100, 0.3, 0.04), 4), round(accuracy_bound(100, 0.3, 0.04, concentration=50), 4)
    (0.8019, 0.6896)
    """
    if not (length >= 0 and 0 <= predictiveness <= 1 and 0 <= coverage <= 0.5 and concentration > 0):
        raise ProblexError(
            f"length={length}, predictiveness={predictiveness}, coverage={coverage}, concentration={concentration} was "
            "given, expected a length of 0 or more, a predictiveness from 0 to 1, the coverage of one list from 0 to "
            "0.5 and a positive concentration"
        )
    return float(ndtr(predictiveness * np.sqrt(2.0 * length * coverage / _inflation(np.array(length), concentration))))


def corpus_accuracy_bound(
    lengths: Sequence[int] | NDArray[np.int64],
    predictiveness: float,
    coverage: float,
    concentration: float = float("inf"),
) -> float:
    """The same for a corpus: the average over the lengths of its documents."""
    sizes, shares = _lengths(lengths)
    bounds = [accuracy_bound(size, predictiveness, coverage, concentration) for size in sizes]
    return float(shares @ np.array(bounds))


def forecast(model: Model, lengths: Iterable[int] = (10, 20, 50, 100, 200, 500, 1000)) -> Forecast:
    """Expected accuracy of a model's decisions for documents of given lengths, averaged over the labels.

    What the model believes of texts is what it was estimated under: labels as frequent as the shares of the lists,
    own words (1 + gamma (1 - pi) / pi) times as frequent as on average, others (1 - gamma) times. The margins between
    a label and its rivals are then about normal, with mean N sum_i theta_i w_i and covariances N (sum_i theta_i w_i
    w'_i - ...), under the DCM times (N + tau) / (1 + tau).
    """
    sizes = tuple(int(length) for length in lengths)
    if any(size < 1 for size in sizes):
        raise ProblexError(f"document lengths {list(sizes)} were given, expected 1 or more each")
    n = np.array(sizes, dtype=np.float64)
    scorer = make_scorer(model)
    factor, offsets = scorer.factors(np.array(sizes)), scorer.offsets
    found = []
    for tau in (float("inf"), model.evidence.concentration):
        accuracy = np.zeros_like(n)
        for label, share in enumerate(model.shares):
            mean, covariance = margin_moments(model, label)
            ahead = np.delete(offsets[label] - offsets, label)
            for at, size in enumerate(n):
                bar = size * mean + ahead / factor[at]
                accuracy[at] += share * _all_positive(bar, covariance * size * float(_inflation(size, tau)))
        found.append(tuple(accuracy.tolist()))
    return Forecast(sizes, found[0], found[1])


def corpus_forecast(model: Model, lengths: Sequence[int] | NDArray[np.int64]) -> tuple[float, float]:
    """Expected accuracy over the documents of a corpus (multinomial, dcm): the average over their lengths.

    Documents without a token are undecided, and wrong.
    """
    sizes, shares = _lengths(lengths)
    some = sizes > 0
    found = forecast(model, sizes[some].tolist())
    return float(shares[some] @ np.array(found.multinomial)), float(shares[some] @ np.array(found.dcm))


def margin_moments(model: Model, label: int) -> tuple[FloatArray, FloatArray]:
    """Means and covariances, per token, of the score of `label` over each rival in documents of `label`."""
    own = model.evidence.list_index == label
    share = model.shares[model.evidence.list_index]
    lift = np.where(own, 1.0 + model.predictiveness * (1.0 - share) / share, 1.0 - model.predictiveness)
    rates = lift * model.evidence.base_rates
    worth = _worth(model)
    rivals = [rival for rival in range(len(model.classes)) if rival != label]
    signed = np.stack(
        [np.where(own, worth, np.where(model.evidence.list_index == rival, -worth, 0.0)) for rival in rivals]
    )
    mean = signed @ rates
    return mean, (signed * rates) @ signed.T - np.outer(mean, mean)


def _worth(model: Model) -> FloatArray:
    """What one occurrence of each entry adds to its own label, under the model's rule."""
    rule = RULES[model.settings.rule]
    if rule.all_words:
        name = model.settings.rule
        raise ProblexError(f"the accuracy of the rule {name!r} cannot be forecast, expected a model with another rule")
    return rule.entry_weights(model.entry_weights)


def _all_positive(mean: FloatArray, covariance: FloatArray) -> float:
    """The chance that normal margins are all positive."""
    if not np.any(covariance):
        return float(np.all(mean > 0)) if np.any(mean) else 1.0 / (len(mean) + 1)
    if len(mean) == 1:
        return float(ndtr(mean[0] / np.sqrt(covariance[0, 0])))
    from scipy.stats import multivariate_normal

    chance = multivariate_normal(cov=covariance, allow_singular=True, seed=0).cdf(mean)
    return float(np.clip(chance, 0.0, 1.0))


def _inflation(length: FloatArray | float, tau: float) -> FloatArray:
    """How much burstiness adds to the variance of a document's counts."""
    size = np.asarray(length, dtype=np.float64)
    return (np.maximum(size, 1.0) + tau) / (1.0 + tau) if np.isfinite(tau) else np.ones_like(size)


def _lengths(lengths: Sequence[int] | NDArray[np.int64]) -> tuple[NDArray[np.int64], FloatArray]:
    sizes, repeats = np.unique(np.asarray(lengths, dtype=np.int64), return_counts=True)
    if not len(sizes):
        raise ProblexError("no document lengths were given, expected at least one")
    return sizes, np.asarray(repeats / repeats.sum(), dtype=np.float64)


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
