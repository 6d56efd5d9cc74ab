"""Shrinkage from the data: how far single words may be trusted, learned from all of them (empirical Bayes).

Word *i* meets the other lists :math:`c_i` times where chance has :math:`e_i`. Its deficit :math:`1 - c_i / e_i` is its
predictiveness times that of the words it meets. Around the mean of their list, deficits have the variance
:math:`A + \\phi / e_i`: a true spread *A*, and noise that falls with the evidence. So a word keeps
:math:`e_i / (e_i + \\kappa)` of its own deficit, :math:`\\kappa = \\phi / A`, and takes the rest from its list. Where
words differ no more than noise, all weigh the same, which is counting.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from problex._util.arrays import FloatArray, IntArray
from problex.counting.sample import Sample
from problex.estimation.moments import Evidence, of_others, per_list

ROUNDS = 2
"""How often the words that are met are weighed by their own predictiveness; more rounds drift on uneven corpora."""
GUESS = 5
"""How many words the guess is worth that predictiveness lies evenly between none and twice the mean of its list."""
LEAST_DISPERSION, LEAST_SPREAD = 0.5, 1e-6


@dataclass(frozen=True, eq=False)
class Posterior:
    """What is known of each entry's deficit: mean and standard error, and what they were shrunk by.

    `strength` is kappa, `spread` is A, `dispersion` is phi; `centre` has the mean deficit of each list, `own` the share
    of each entry's mean that is its own, `kept` the same over all tokens.
    """

    mean: FloatArray
    error: FloatArray
    own: FloatArray
    centre: FloatArray
    strength: float
    spread: float
    dispersion: float
    kept: float


def deficits(evidence: Evidence) -> tuple[FloatArray, FloatArray]:
    """How much less than by chance each entry meets the other lists, and the effective number of meetings expected.

    Partners are weighed by `partner_weights`; as those differ, fewer meetings count: (sum w mu)^2 / sum w^2 mu of them.
    """
    rates, weights = evidence.base_rates, evidence.partner_weights
    met = of_others(evidence, weights * rates)
    expected = evidence.token_pairs * rates * met
    deficit = 1.0 - np.divide(evidence.weighted_cross_counts, expected, out=np.ones_like(expected), where=expected > 0)
    squared = of_others(evidence, weights**2 * rates)
    effective = np.divide(expected * met, squared, out=np.zeros_like(expected), where=squared > 0)
    return deficit, effective


def posterior(evidence: Evidence) -> Posterior:
    """Shrink the deficits of all entries towards the mean of their list, by what the data say of spread and noise.

    >>> from problex import Lexicon, count
    >>> from problex.estimation.moments import evidence_of
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> found = posterior(evidence_of(count(texts, lexicon)))
    >>> bool(found.mean[1] > found.mean[0] > 0)   # poor says more than bad
    True
    """
    deficit, effective = deficits(evidence)
    rates = evidence.base_rates
    covered = per_list(evidence, rates)
    centre = np.divide(per_list(evidence, rates * deficit), covered, out=np.zeros_like(covered), where=covered > 0)
    middle = centre[evidence.list_index]
    seen = effective > 0
    spread, dispersion = variances(deficit[seen] - middle[seen], effective[seen])
    if evidence.dispersion < dispersion:  # few words: what documents show of the noise is the better bound
        dispersion = evidence.dispersion
        spread = spread_given(deficit[seen] - middle[seen], effective[seen], dispersion)
    words = int(seen.sum())
    spread = (words * spread + GUESS * float(np.mean(centre**2)) / 3.0) / (words + GUESS)
    strength = dispersion / max(spread, LEAST_SPREAD)
    own = effective / (effective + strength)
    mean = own * deficit + (1.0 - own) * middle
    error = np.sqrt(1.0 / (1.0 / max(spread, LEAST_SPREAD) + effective / dispersion))
    kept = float(np.sum(rates * own) / max(rates.sum(), 1e-300))
    return Posterior(mean, error, own, centre, strength, spread, dispersion, kept)


def variances(deviations: FloatArray, effective: FloatArray, rounds: int = 20) -> tuple[float, float]:
    """The spread A and the dispersion phi, by weighted least squares of e d^2 = phi + A e.

    >>> random = np.random.default_rng(0)
    >>> e = random.uniform(1, 2000, 5000)
    >>> d = random.normal(0, np.sqrt(0.04 + 3.0 / e))
    >>> spread, dispersion = variances(d, e)
    >>> round(spread, 2), round(dispersion)
    (0.04, 3)
    """
    squares = effective * deviations**2
    spread, dispersion = 0.01, 1.0
    for _ in range(rounds if len(squares) else 0):
        weights = 1.0 / (dispersion + spread * effective) ** 2
        s0, s1, s2 = weights.sum(), (weights * effective).sum(), (weights * effective**2).sum()
        y0, y1 = (weights * squares).sum(), (weights * effective * squares).sum()
        determinant = s0 * s2 - s1 * s1
        if determinant > 1e-12 * s0 * s2:
            spread, dispersion = (s0 * y1 - s1 * y0) / determinant, (y0 * s2 - y1 * s1) / determinant
        else:  # all words have the same evidence: it is all noise, for all one can say
            spread, dispersion = 0.0, y0 / s0
        if dispersion <= LEAST_DISPERSION:
            dispersion, spread = LEAST_DISPERSION, (y1 - LEAST_DISPERSION * s1) / s2
        if spread <= LEAST_SPREAD:
            spread, dispersion = LEAST_SPREAD, max(y0 / s0, LEAST_DISPERSION)
    return float(spread), float(dispersion)


def spread_given(deviations: FloatArray, effective: FloatArray, dispersion: float, rounds: int = 20) -> float:
    """The spread A when the dispersion is known."""
    squares = effective * deviations**2
    spread = 0.01
    for _ in range(rounds if len(squares) else 0):
        weights = effective / (dispersion + spread * effective) ** 2
        spread = max(float((weights * (squares - dispersion)).sum() / (weights * effective).sum()), LEAST_SPREAD)
    return spread


def dispersion_of(sample: Sample, list_index: IntArray, weights: FloatArray, lists: int) -> float:
    """How much more a word's meetings vary than if they were independent: variance over mean, seen in documents.

    What a token of the lexicon meets in its document has the mean sum m_a m_other / sum m_a; its variance about that,
    with everything that documents share, bounds the noise of a cross count from above.
    """
    chosen = np.eye(lists)[list_index]
    own = sample.matrix @ chosen
    weighed = sample.matrix @ (chosen * weights[:, None])
    met = weighed.sum(axis=1, keepdims=True) - weighed
    times = sample.repeats[:, None] * own
    tokens, first, second = times.sum(axis=0), (times * met).sum(axis=0), (times * met**2).sum(axis=0)
    if not first.sum() > 0:
        return float("inf")
    scatter = float(np.sum(second - np.divide(first**2, tokens, out=np.zeros_like(first), where=tokens > 0)))
    unit = float((times * (sample.matrix @ (chosen * weights[:, None] ** 2) @ (1.0 - np.eye(lists)))).sum())
    return max(scatter / unit, LEAST_DISPERSION) if unit > 0 else float("inf")


def relative_weights(evidence: Evidence, mean: FloatArray) -> FloatArray | None:
    """Posterior deficits as weights with the mean one in each list; None if a list has nothing to say."""
    weights = np.maximum(mean, 0.0)
    covered, weighed = (per_list(evidence, evidence.base_rates * part) for part in (np.ones_like(mean), weights))
    if np.any(weighed <= 0):
        return None
    return np.asarray(weights * (covered / weighed)[evidence.list_index], dtype=np.float64)


def weigh_partners(
    evidence: Evidence, pairs: sparse.csr_array, sample: Sample | None, rounds: int = ROUNDS
) -> Evidence:
    """Count meetings with telling words for more: each round weighs the words that are met by their own posterior.

    Meetings with a word that says nothing are noise. The new weights are averaged with the old, which keeps the rounds
    from following whatever else divides the corpus. Everything is in the pairs: no text is looked at again.
    """
    lists = len(evidence.lists)
    for at in range(rounds + 1):
        if sample is not None and len(sample.lengths):
            weights = evidence.partner_weights
            evidence = replace(evidence, dispersion=dispersion_of(sample, evidence.list_index, weights, lists))
        if at == rounds:
            break
        better = relative_weights(evidence, posterior(evidence).mean)
        if better is None:
            break
        weights = (evidence.partner_weights + better) / 2.0
        counts = np.asarray(pairs @ weights + pairs.T @ weights, dtype=np.float64)
        evidence = replace(evidence, partner_weights=weights, weighted_cross_counts=counts)
    return evidence
