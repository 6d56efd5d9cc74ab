"""Shrinkage estimated from the data: how much of each word's own deficit is kept (empirical Bayes).

Entry *i* has the cross count :math:`c_i` where chance has :math:`e_i`. Its deficit :math:`1 - c_i / e_i` is its
predictiveness times the mean predictiveness of its partners. Around the mean of their list, deficits have the variance
:math:`A + \\phi / e_i`: a true spread *A*, and noise that falls with the evidence. The posterior mean of a deficit is
:math:`e_i / (e_i + \\kappa)` of its own value, :math:`\\kappa = \\phi / A`, plus the rest of the list's mean. With
:math:`A = 0` all entries of a list have the same weight, as in counting.

The deficits give the ratios of the predictiveness within a list, the balance those between lists, and all cross counts
together the scale W. With weights of the lexicon's author, the mean of a list is multiplied by the weight of the entry
over the mean weight of the list (`shrink_to="given"`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex._util.late import sparse
from problex.counting.counts import Sample
from problex.estimation._sums import weigh_pairs
from problex.model.evidence import Evidence, Solution, of_others, per_list

PARTNER_ROUNDS = 2
"""Rounds of weighting partners by their own predictiveness: one loses .005 of AUC, more make uneven corpora worse."""
VARIANCE_ROUNDS = 20
"""Rounds of weighted least squares at most: they end when one changes nothing, mostly after ten."""
PRIOR_WORDS = 5
"""The weight, in words, of the prior that predictiveness is uniform between zero and twice the mean of its list."""
MIN_DISPERSION, MIN_SPREAD = 0.5, 1e-6
"""The least noise, where 1 is that of independent counts, and the least variance of deficits beyond it: not zero."""
SOFT_FROM = 0.95
"""The share of the highest predictiveness from which on values approach it, so that strong words keep their order."""
FALLBACK_PREDICTIVENESS = 0.1
"""The predictiveness of every entry where nothing can be learned: it decides as counting does."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """Mean and standard error of each entry's deficit, and the parameters of the shrinkage.

    `strength` is kappa, `spread` is A, `dispersion` is phi; `centre` has the mean deficit of each list; `own_share` is
    e_i / (e_i + kappa) times the share of differences that is kept, `own_evidence` its mean over tokens.
    """

    mean: FloatArray
    std_error: FloatArray
    own_share: FloatArray
    centre: FloatArray
    strength: float
    spread: float
    dispersion: float
    own_evidence: float


def leave_out(evidence: Evidence, entries: BoolArray, pairs: sparse.csr_array) -> Evidence:
    """The evidence without these entries: they are no partners of others, and get no estimate."""
    weights = np.where(entries, 0.0, evidence.partner_weights)
    return replace(evidence, partner_weights=weights, weighted_cross_counts=weigh_pairs(pairs, weights))


def deficits(evidence: Evidence) -> tuple[FloatArray, FloatArray]:
    """The deficit 1 - c_i / e_i of each entry, and its effective expected count.

    With partner weights w_j, c_i and e_i are weighted sums, and the effective count is
    e_i sum_j w_j mu_j / sum_j w_j^2 mu_j over the entries j of the other lists.

    >>> from problex import Lexicon, count
    >>> from problex.estimation.published import evidence_of
    >>> texts = ["good film", "bad film"]    # s = 2 + 2, rates of 1/4: chance is 1/4 of a meeting, and there is none
    >>> deficit, effective = deficits(evidence_of(count(texts, Lexicon({"up": ["good"], "down": ["bad"]}))))
    >>> deficit.tolist(), effective.tolist()
    ([1.0, 1.0], [0.25, 0.25])
    """
    rates, weights = evidence.base_rates, evidence.partner_weights
    partners = of_others(evidence, weights * rates)
    expected = evidence.token_pairs * rates * partners
    deficit = 1.0 - np.divide(evidence.weighted_cross_counts, expected, out=np.ones_like(expected), where=expected > 0)
    squared = of_others(evidence, weights**2 * rates)
    effective = np.divide(expected * partners, squared, out=np.zeros_like(expected), where=squared > 0)
    return deficit, effective


def posterior(evidence: Evidence) -> Posterior:
    """Shrink the deficits of all entries towards the mean of their list, or towards given weights.

    Deficits as they are cost .0115 of AUC on the paper's corpora, and equal weights .057.

    >>> from problex import Lexicon, count
    >>> from problex.estimation.published import evidence_of
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> means = posterior(evidence_of(count(texts, lexicon))).mean    # bad, poor, fine, good
    >>> bool(means[1] > means[0] > 0)
    True
    """
    # the mean deficit of each list, over tokens
    deficit, effective = deficits(evidence)
    rates = evidence.included_rates
    covered = per_list(evidence, rates)
    centre = np.divide(per_list(evidence, rates * deficit), covered, out=np.zeros_like(covered), where=covered > 0)
    middle = centre[evidence.list_index]
    if evidence.given is not None:
        middle = middle * relative_centres(evidence)
    # how much deficits differ beyond noise, of the words that occur
    seen = (effective > 0) & (evidence.partner_weights > 0)
    spread, dispersion = variances(deficit[seen] - middle[seen], effective[seen], evidence.dispersion)
    words = int(seen.sum())
    spread = (words * spread + PRIOR_WORDS * float(np.mean(centre**2)) / 3.0) / (words + PRIOR_WORDS)
    strength = dispersion / max(spread, MIN_SPREAD)
    # each deficit keeps the share that its evidence supports
    own = effective / (effective + strength)
    mean = own * deficit + (1.0 - own) * middle
    if (kept := evidence.kept_differences) < 1.0:
        mean, own = kept * np.maximum(mean, 0.0) + (1.0 - kept) * middle, kept * own
    std_error = np.sqrt(1.0 / (1.0 / max(spread, MIN_SPREAD) + effective / dispersion))
    own_evidence = float(np.sum(rates * own) / max(rates.sum(), 1e-300))
    return Posterior(mean, std_error, own, centre, strength, spread, dispersion, own_evidence)


def relative_centres(evidence: Evidence) -> FloatArray:
    """What the estimate of each entry is shrunk to, in terms of the mean of its list: 1, or as the given weights say.

    Given weights are divided by their mean over the tokens of their list; those against the own list are 0.

    >>> from problex import Lexicon, count
    >>> from problex.estimation.published import evidence_of
    >>> evidence = evidence_of(count(["good fine bad"], Lexicon({"up": ["good", "fine"], "down": ["bad"]})))
    >>> relative_centres(evidence).tolist()    # bad, fine, good
    [1.0, 1.0, 1.0]
    >>> relative_centres(replace(evidence, given=np.array([2.0, 1.0, 3.0]))).tolist()
    [1.0, 0.5, 1.5]
    >>> relative_centres(replace(evidence, given=np.array([2.0, -1.0, 3.0]))).tolist()    # "fine" is against its list
    [1.0, 0.0, 2.0]
    """
    if evidence.given is None:
        return np.ones(len(evidence.entries))
    return np.asarray(given_scales(evidence)[evidence.list_index] * np.maximum(evidence.given, 0.0), dtype=np.float64)


def given_scales(evidence: Evidence) -> FloatArray:
    """For each list 1 over the mean given weight of its tokens, 0 if none speaks for the list."""
    rates, strength = evidence.included_rates, np.zeros(1) if evidence.given is None else evidence.given
    covered, weighted = (per_list(evidence, rates * part) for part in (np.ones(1), np.maximum(strength, 0.0)))
    return np.divide(covered, weighted, out=np.zeros_like(covered), where=weighted > 0)


def variances(
    deviations: FloatArray, effective: FloatArray, max_dispersion: float = float("inf")
) -> tuple[float, float]:
    """The spread A and the dispersion phi, by weighted least squares of e d^2 = phi + A e.

    `max_dispersion` is the bound that documents give: with few words it is better than what the words give.

    >>> random = np.random.default_rng(0)
    >>> e = random.uniform(1, 2000, 5000)
    >>> d = random.normal(0, np.sqrt(0.04 + 3.0 / e))
    >>> spread, dispersion = variances(d, e)
    >>> round(spread, 2), round(dispersion)
    (0.04, 3)
    """
    squares, effective_squares = effective * deviations**2, effective**2
    before, (spread, dispersion) = (np.nan, np.nan), (0.01, 1.0)
    for _ in range(VARIANCE_ROUNDS if len(squares) else 0):
        if (spread, dispersion) == before:  # a round changes nothing any more
            break
        before = spread, dispersion
        weights = 1.0 / (dispersion + spread * effective) ** 2
        weighted = weights * effective
        s0, s1, s2 = weights.sum(), weighted.sum(), (weights * effective_squares).sum()
        y0, y1 = (weights * squares).sum(), (weighted * squares).sum()
        determinant = s0 * s2 - s1 * s1
        if determinant > 1e-12 * s0 * s2:
            spread, dispersion = (s0 * y1 - s1 * y0) / determinant, (y0 * s2 - y1 * s1) / determinant
        else:  # all words have the same evidence, which cannot separate the two: all variance counts as noise
            spread, dispersion = 0.0, y0 / s0
        if dispersion <= MIN_DISPERSION:
            dispersion, spread = MIN_DISPERSION, (y1 - MIN_DISPERSION * s1) / s2
        if spread <= MIN_SPREAD:
            spread, dispersion = MIN_SPREAD, max(y0 / s0, MIN_DISPERSION)
    if dispersion <= max_dispersion:
        return float(spread), float(dispersion)
    # the noise is at its bound: the spread alone, by the same least squares
    beyond, last, spread = squares - max_dispersion, np.nan, 0.01
    for _ in range(VARIANCE_ROUNDS if len(squares) else 0):
        if spread == last:
            break
        weights = effective / (max_dispersion + spread * effective) ** 2
        last, spread = spread, max(float((weights * beyond).sum() / (weights * effective).sum()), MIN_SPREAD)
    return spread, max_dispersion


def dispersion_bound(sample: Sample, list_index: IntArray, weights: FloatArray, lists: int) -> float:
    """Variance over mean of the partners that a token of the lexicon has in its document: 1 if they are independent.

    For a token of list a in document t, the partners are m_t,other; their mean is sum m_a m_other / sum m_a. Their
    variance includes everything that documents share, so it bounds the noise of a cross count from above.
    """
    # the tokens of each list in each document, their weights and squared weights
    powers = np.stack([np.ones(len(weights)), weights, weights**2], axis=1).reshape(-1)
    places = (list_index[:, None] + lists * np.arange(3)).reshape(-1)  # those of each power side by side
    by_list = sparse.csr_array((powers, places, 3 * np.arange(len(weights) + 1)), shape=(len(weights), 3 * lists))
    sums = np.asarray((sample.matrix @ by_list).toarray(), dtype=np.float64)
    own, weighted, squares = np.split(sums, 3, axis=1)
    # the partners that each token has, and their variance around the mean of its list
    partners = weighted.sum(axis=1, keepdims=True) - weighted
    times = sample.repeats[:, None] * own
    tokens, first, second = times.sum(axis=0), (times * partners).sum(axis=0), (times * partners**2).sum(axis=0)
    if not first.sum() > 0:
        return float("inf")
    scatter = float(np.sum(second - np.divide(first**2, tokens, out=np.zeros_like(first), where=tokens > 0)))
    unit = float((times * (squares @ (1.0 - np.eye(lists)))).sum())
    return max(scatter / unit, MIN_DISPERSION) if unit > 0 else float("inf")


def relative_weights(evidence: Evidence, mean: FloatArray) -> FloatArray | None:
    """Positive posterior deficits, scaled to the mean one in each list; None if a list has none.

    >>> from problex import Lexicon, count
    >>> from problex.estimation.published import evidence_of
    >>> evidence = evidence_of(count(["good fine bad"], Lexicon({"up": ["good", "fine"], "down": ["bad"]})))
    >>> relative_weights(evidence, np.array([0.2, 0.1, 0.3])).round(2).tolist()    # bad, fine, good
    [1.0, 0.5, 1.5]
    >>> relative_weights(evidence, np.array([-0.2, 0.1, 0.3])) is None
    True
    """
    weights = np.where(evidence.partner_weights > 0, np.maximum(mean, 0.0), 0.0)
    covered, weighted = (per_list(evidence, evidence.included_rates * part) for part in (np.ones_like(mean), weights))
    if np.any(weighted <= 0):
        return None
    return np.asarray(weights * (covered / weighted)[evidence.list_index], dtype=np.float64)


def weight_partners(evidence: Evidence, pairs: sparse.csr_array, sample: Sample | None) -> Evidence:
    """Weight partners by their own predictiveness: cross counts with words of no predictiveness are noise.

    Each round sets w_j to the mean of its old value and the relative posterior deficit of j; without the old value, the
    rounds would follow other contrasts in the corpus. `pairs` has all that is needed: no text is read again. Without
    it, AUC is .017 lower on the paper's corpora, .005 on held-out ones, and at most .069.
    """
    lists = len(evidence.lists)
    for round_number in range(PARTNER_ROUNDS + 1):
        if sample is not None and len(sample.lengths):
            weights = evidence.partner_weights
            evidence = replace(evidence, dispersion=dispersion_bound(sample, evidence.list_index, weights, lists))
        if round_number == PARTNER_ROUNDS:
            break
        better = relative_weights(evidence, posterior(evidence).mean)
        if better is None:
            break
        weights = (evidence.partner_weights + better) / 2.0
        evidence = replace(evidence, partner_weights=weights, weighted_cross_counts=weigh_pairs(pairs, weights))
    return evidence


def estimate_by_posterior(evidence: Evidence, shares: FloatArray, top: float) -> tuple[FloatArray, Solution]:
    """The predictiveness of every entry, no higher than `top`, and a summary of the estimate."""
    result = posterior(evidence)
    width = weighted_coverage(evidence, result, shares)
    fallback = bool(np.any(result.centre <= 0) or not width > 0)
    if fallback:
        predictiveness = np.minimum(FALLBACK_PREDICTIVENESS * relative_centres(evidence), top)
    else:
        deficit = np.where(evidence.partner_weights > 0, np.maximum(result.mean, 0.0), 0.0)
        predictiveness = balance_lists(deficit, evidence, shares, width, top)
        if evidence.kept_differences == 0:
            predictiveness = equal_weights(predictiveness, evidence, top)
        if evidence.discounts is not None:
            discounted = np.tanh(evidence.discounts * np.arctanh(predictiveness))
            predictiveness = np.where(evidence.discounts > 1.0, soft_limit(discounted, top), discounted)
    return predictiveness, Solution(
        shrinkage=result.strength,
        spread=result.spread,
        dispersion=result.dispersion,
        own_evidence=result.own_evidence,
        fallback=fallback,
    )


def balance_lists(deficit: FloatArray, evidence: Evidence, shares: FloatArray, width: float, top: float) -> FloatArray:
    """The predictiveness in proportion to the deficits within each list, with G_a = pi_a W, and no higher than `top`.

    Entries near the top keep their order, see `soft_limit`. Where they lose by it, all lists are scaled down alike, so
    that their balance stays.

    >>> from problex import Lexicon, count
    >>> from problex.estimation.published import evidence_of
    >>> evidence = evidence_of(count(["good fine bad"], Lexicon({"up": ["good", "fine"], "down": ["bad"]})))
    >>> deficit, shares = np.array([0.2, 0.1, 0.3]), np.array([0.5, 0.5])    # bad, fine, good: rates of 1/3
    >>> balance_lists(deficit, evidence, shares, 0.4, 0.9).round(2).tolist()    # .6 / 3 = (.15 + .45) / 3 = .2
    [0.6, 0.15, 0.45]
    """
    covered = per_list(evidence, evidence.base_rates * deficit)
    x = soft_limit(deficit * (shares * width / covered)[evidence.list_index], top)
    reached = per_list(evidence, evidence.base_rates * x) / shares
    return np.asarray(x * (reached.min() / reached)[evidence.list_index], dtype=np.float64)


def equal_weights(predictiveness: FloatArray, evidence: Evidence, top: float) -> FloatArray:
    """The predictiveness of lists without differences between words; the list of most tokens has 5 % more.

    That decides between texts with a word of each list and texts with none. If words of a list avoid each other, nearly
    every text of its label has one of them, and a text without any is less likely to have this label.

    >>> from problex import Lexicon, count
    >>> from problex.estimation.published import evidence_of
    >>> evidence = evidence_of(count(["good fine bad"], Lexicon({"up": ["good", "fine"], "down": ["bad"]})))
    >>> equal_weights(np.array([0.4, 0.2, 0.2]), evidence, 0.9).round(2).tolist()    # bad, fine, good
    [0.4, 0.21, 0.21]
    """
    most = evidence.list_index == int(np.argmax(per_list(evidence, evidence.included_rates)))
    equal = np.round(predictiveness, 9)  # else rounding errors would decide
    return np.minimum(np.where(most, 1.05 * equal, equal), top)


def soft_limit(values: FloatArray, top: float) -> FloatArray:
    """Values below `top`: the same up to 95 % of it, then nearer and nearer to it, so that they keep their order.

    >>> soft_limit(np.array([0.5, 0.95, 1.0, 2.0]), 1.0).round(3).tolist()    # 1.0: 0.95 + 0.05 (1 - 1 / e)
    [0.5, 0.95, 0.982, 1.0]
    """
    knee = SOFT_FROM * top
    beyond = np.maximum(values - knee, 0.0) / (top - knee)
    return np.asarray(np.minimum(values, knee) - (top - knee) * np.expm1(-beyond), dtype=np.float64)


def weighted_coverage(evidence: Evidence, result: Posterior, shares: FloatArray) -> float:
    """W, so that G_a = pi_a W fits all cross counts together; 0 if they are not fewer than by chance.

    With u the deficits balanced by the shares, E[sum_i u_i (e_i - c_i)] is W^2 times
    s sum_i u_i^2 mu_i sum_other w_j mu_j u_j.
    """
    rates, partners = evidence.included_rates, evidence.partner_weights * evidence.base_rates
    relative = relative_weights(evidence, result.mean)
    if relative is None:
        return 0.0
    # the deficits, balanced by the shares
    fair = relative * (shares / per_list(evidence, rates))[evidence.list_index]
    # how many fewer pairs there are than by chance, and how many fewer with W = 1
    fewer = float(np.sum(fair * rates * of_others(evidence, partners) * deficits(evidence)[0]))
    unit = float(np.sum(fair**2 * rates * of_others(evidence, partners * fair)))
    return float(np.sqrt(fewer / unit)) if fewer > 0 and unit > 0 else 0.0


def standard_errors(evidence: Evidence, predictiveness: FloatArray, kappa: float) -> FloatArray:
    """Standard errors of predictiveness: of the posterior (kappa is NaN), or of the sampling under a given kappa.

    Deficits are predictiveness times a constant for each list, which is the ratio of their sums over tokens.
    """
    result = posterior(evidence)
    discounted = evidence.discounts is not None and np.isnan(kappa)
    discounts = evidence.discounts if discounted else np.ones(len(result.mean))
    positive = np.maximum(result.mean, 0.0) * discounts
    weighted, covered = (per_list(evidence, evidence.included_rates * part) for part in (positive, predictiveness))
    factor = np.divide(covered, weighted, out=np.zeros_like(covered), where=weighted > 0)[evidence.list_index]
    if np.isnan(kappa):
        return np.asarray(factor * discounts * result.std_error, dtype=np.float64)
    _, effective = deficits(evidence)
    sampling = np.sqrt(result.dispersion / np.maximum(effective, 1e-300)) * effective / (effective + kappa)
    return np.asarray(factor * np.where(effective > 0, sampling, np.sqrt(result.spread)), dtype=np.float64)
