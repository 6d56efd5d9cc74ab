"""Associations of words with lists: how often the words of a list occur in the texts of a word, compared with chance.

The measure is the *share* of each list among the list words in the texts of a word. Shares, unlike counts, do not
depend on how long or how opinionated those texts are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.special import ndtr

from problex._util.arrays import FloatArray, IntArray
from problex._util.arrow import pc
from problex.counting.counts import Counts, alphabetical
from problex.errors import EstimationError

OUTSIDE = -1
"""List index of a word that is in no list."""
CAUTION = 2.0
"""Standard errors that are subtracted from the estimate of a word before it is proposed for a list."""


class Change(NamedTuple):
    """A word (its index) that moves from one list to another, as list indices.

    `related` words are forms of entries of the new list, or matches of its wildcards.
    """

    word: int
    old: int
    new: int
    related: bool = False


@dataclass(frozen=True, eq=False)
class Associations:
    """Associations of W words with L lists.

    `share` (W, L) is the share of each list among the list words in the texts of a word, `expected_share` the share by
    chance and `share_error` the standard error of the share. `estimate` (W, L) is the difference between share and
    expected share, shrunk towards `list_mean` for entries and towards zero for other words, with standard error
    `std_error`. `base_rates` are the words' shares of all tokens; `noise` is the sum over documents of
    (count - base rate * length)^2, the variance that the word adds to a count.
    """

    lists: tuple[str, ...]
    words: tuple[str, ...]
    list_index: IntArray
    occurrences: IntArray
    base_rates: FloatArray
    noise: FloatArray
    share: FloatArray
    expected_share: FloatArray
    share_error: FloatArray
    estimate: FloatArray
    std_error: FloatArray
    list_mean: FloatArray
    prior_variance: float
    scale: float

    @cached_property
    def index(self) -> dict[str, int]:
        """The index of each word."""
        return {word: at for at, word in enumerate(self.words)}

    @cached_property
    def entries(self) -> IntArray:
        """The indices of words that are in a list."""
        return np.flatnonzero(self.list_index != OUTSIDE)

    @cached_property
    def noise_share(self) -> FloatArray:
        """The noise of each word divided by that of all entries."""
        return np.asarray(self.noise / max(float(self.noise[self.entries].sum()), 1e-300), dtype=np.float64)

    @cached_property
    def _totals(self) -> tuple[float, float]:
        """Signal (sum of base rate * estimate) and noise of all entries."""
        at = self.entries
        signal = self.base_rates[at] * self.estimate[at, self.list_index[at]]
        return float(signal.sum()), float(self.noise[at].sum())

    def forecast(self, changes: Iterable[Change] = ()) -> float:
        """AUC of counting expected after changes to the lists.

        A word in list y adds base rate * estimate to the distance between labels, and its noise to the variance:
        AUC = Phi(sqrt(scale * S0 / V) * S / S0), with signal S and noise V after the changes and signal S0 before.
        New words of a list count with the lower end of their interval.
        """
        signal, noise = self._totals
        for change in changes:
            word, old, new, _ = change
            if old != OUTSIDE:
                signal -= self.base_rates[word] * self.estimate[word, old]
                noise -= self.noise[word]
            if new != OUTSIDE:
                signal += self.base_rates[word] * self._credited_estimate(change)
                noise += self.noise[word]
        signal_before = self._totals[0]
        if min(signal_before, signal, noise) <= 0:
            return 0.5
        # estimates are relative to the lists as they are: sum of base rate * estimate is the squared distance
        return float(ndtr(np.sqrt(self.scale * signal_before / noise) * signal / signal_before))

    def _credited_estimate(self, change: Change) -> float:
        """The estimate of a word in its new list; for a word from outside, the lower limit."""
        if change.related:
            return self.entry_estimate(change.word, change.new)[0]
        estimate = float(self.estimate[change.word, change.new])
        return (
            estimate - CAUTION * float(self.std_error[change.word, change.new]) if change.old == OUTSIDE else estimate
        )

    def break_even(self, word: int) -> float:
        """The estimate below which an entry adds more noise to a count than signal.

        Without an entry of base rate m, estimate k and noise v, the signal S is multiplied by 1 - m k / S and the
        standard deviation by sqrt(1 - v / V). For small entries removal is an improvement if k < S v / (2 V m): half of
        the average estimate for an entry of average noise, more for a bursty one.
        """
        signal, noise = self._totals
        return float(signal * self.noise[word] / max(2.0 * noise * self.base_rates[word], 1e-300))

    def entry_estimate(self, word: int, label: int) -> tuple[float, float]:
        """Estimate and standard error of a word as if it were an entry of a list: shrunk towards the list's mean."""
        error = float(self.share_error[word, label])
        if not np.isfinite(error):
            return float(self.list_mean[label]), float(np.sqrt(self.prior_variance))
        weight = self.prior_variance / (self.prior_variance + error**2)
        excess = float(self.share[word, label] - self.expected_share[word, label])
        estimate = float(self.list_mean[label]) * (1.0 - weight) + excess * weight
        return estimate, float(np.sqrt(self.prior_variance * (1.0 - weight)))

    def qualifies(self, word: int, label: int) -> bool:
        """Whether a word can be proposed for a list: its lower limit is above the mean of the list's entries.

        This is stricter than `break_even`, because the association may be due to a topic that word and list share.
        """
        lower_limit = self.estimate[word, label] - CAUTION * self.std_error[word, label]
        return bool(lower_limit > max(self.list_mean[label], 0.0))


def measure_associations(counts: Counts) -> Associations:
    """Measure the association of every counted word with every list.

    >>> from problex import Lexicon, count
    >>> lexicon = Lexicon({"positive": ["good", "fine", "odd"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "bad poor odd film", "poor bad odd day", "fine good film"] * 10
    >>> associations = measure_associations(count(texts, lexicon, associations=True))
    >>> odd = associations.index["odd"]
    >>> associations.lists, associations.share[odd].tolist(), associations.expected_share[odd].round(2).tolist()
    (('negative', 'positive'), [1.0, 0.0], [0.55, 0.45])
    """
    counts = alphabetical(counts)
    products = _list_products(counts)
    list_index = _list_index(counts)
    base_rates = counts.occurrences / max(counts.tokens, 1)
    noise = np.maximum(counts.squares - base_rates**2 * counts.squared_lengths, 0.0)
    # How far the share of each list is from chance.
    mean_share = _normalize(products.sum(axis=0))
    share, expected_share, matches = _shares(counts, products, mean_share, list_index, base_rates)
    list_sums = np.stack([products[list_index == label].sum(axis=0) for label in range(len(mean_share))])
    share_error = _share_errors(counts, list_sums, mean_share, matches, noise)
    # Few occurrences say little: shrink to the list's mean.
    excess = share - expected_share
    estimate, std_error, list_mean, variance = _shrink(excess, share_error, list_index, base_rates)
    return Associations(
        lists=counts.lists,
        words=tuple(counts.words.to_pylist()),
        list_index=list_index,
        occurrences=counts.occurrences,
        base_rates=base_rates,
        noise=noise,
        share=share,
        expected_share=expected_share,
        share_error=share_error,
        estimate=estimate,
        std_error=std_error,
        list_mean=list_mean,
        prior_variance=variance,
        scale=_scale(counts, products),
    )


def _list_products(counts: Counts) -> FloatArray:
    """sum_t x_ti m_ty of all words and lists."""
    if counts.list_products is None:
        raise EstimationError(
            "these counts do not include how often every word occurs together with each list: count the texts with "
            "associations=True"
        )
    return np.asarray(counts.list_products, dtype=np.float64)


def _scale(counts: Counts, products: FloatArray) -> float:
    """The factor between sum_i base_rate_i * estimate_i and the squared distance of the labels, see docs/doctor.md."""
    lists = len(counts.lists)
    density = products.sum() / max(counts.squared_lengths, 1)
    return float(counts.squared_lengths * density * lists**2 / max(lists - 1, 1))


def _list_index(counts: Counts) -> IntArray:
    """The list of each counted word, `OUTSIDE` for most."""
    list_index = np.full(len(counts.words), OUTSIDE, dtype=np.int64)
    position = pc.index_in(pa.array(counts.entries, counts.words.type), counts.words).fill_null(-1).to_numpy()
    list_index[position[position >= 0]] = counts.list_index[position >= 0]
    return list_index


def _normalize(totals: FloatArray) -> FloatArray:
    """Totals as shares; equal ones if there is nothing.

    >>> _normalize(np.array([3.0, 1.0])).tolist(), _normalize(np.zeros(2)).tolist()
    ([0.75, 0.25], [0.5, 0.5])
    """
    total = totals.sum()
    return np.asarray(totals / total if total > 0 else np.full(len(totals), 1.0 / len(totals)), dtype=np.float64)


def _shares(
    counts: Counts, products: FloatArray, mean_share: FloatArray, list_index: IntArray, base_rates: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Shares, expected shares, and the number of list words in the texts of each word; a word itself does not count."""
    entries = np.flatnonzero(list_index != OUTSIDE)
    own = list_index[entries]
    others = products.copy()
    others[entries, own] -= counts.squares[entries]
    matches = others.sum(axis=1)
    expected = np.tile(mean_share, (len(base_rates), 1))
    coverage = np.bincount(own, weights=base_rates[entries], minlength=len(mean_share))
    expected[entries, own] *= 1.0 - base_rates[entries] / np.maximum(coverage[own], 1e-300)
    expected /= np.maximum(expected.sum(axis=1, keepdims=True), 1e-300)
    share = np.where(matches[:, None] > 0, others / np.maximum(matches, 1.0)[:, None], expected)
    return share, expected, matches


def _share_errors(
    counts: Counts, list_sums: FloatArray, mean_share: FloatArray, matches: FloatArray, noise: FloatArray
) -> FloatArray:
    """Standard errors of the shares, with documents as the units that vary.

    The contrast of a document, r = m_y - mean_share_y * (sum of m), has a variance that grows with its length, and
    sum N r = 0. The sum over the documents of a word, sum x r, then has a variance of about sum (x - rate N)^2 times
    the variance of r per token.
    """
    contrasts = np.eye(len(mean_share)) - mean_share[:, None]
    variances = np.maximum(np.einsum("ya,ab,yb->y", contrasts, list_sums, contrasts), 0.0)
    per_token = variances * counts.squared_lengths / max(counts.tokens, 1) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.sqrt(noise[:, None] * per_token) / matches[:, None]
    return np.where(matches[:, None] > 0, errors, np.inf)


def _shrink(
    excess: FloatArray, errors: FloatArray, list_index: IntArray, base_rates: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Empirical Bayes: entries are shrunk towards the mean of their list, other words towards zero."""
    lists = excess.shape[1]
    list_mean = np.zeros(lists)
    prior_mean = np.zeros_like(excess)
    for label in range(lists):
        members = list_index == label
        list_mean[label] = np.sum(base_rates[members] * excess[members, label]) / max(
            float(base_rates[members].sum()), 1e-300
        )
        prior_mean[members] = -list_mean[label] / max(lists - 1, 1)
        prior_mean[members, label] = list_mean[label]
    in_list = list_index != OUTSIDE
    own = np.where(in_list, list_index, 0)[:, None]
    groups = [list_index == label for label in range(lists)]
    own_excess, own_errors = (np.take_along_axis(values, own, axis=1)[:, 0] for values in (excess, errors))
    # at least half of the mean: otherwise no entry of a list of similar words could be misplaced
    entry_variance = max(_variance_between(own_excess, own_errors, groups), float(np.mean(list_mean / 2.0) ** 2))
    other_variance = _variance_between(excess[:, 0], errors[:, 0], [~in_list])
    variance = np.where(in_list, entry_variance, other_variance)[:, None]
    with np.errstate(invalid="ignore"):
        weight = variance / (variance + errors**2)  # 0 where the error is infinite
        std_error = np.sqrt(np.where(np.isfinite(errors), variance * (1.0 - weight), variance))
    return prior_mean + (excess - prior_mean) * weight, std_error, list_mean, entry_variance


def _variance_between(values: FloatArray, errors: FloatArray, groups: list[NDArray[np.bool_]]) -> float:
    """The variance of true values around the mean of their group (DerSimonian and Laird's moments, pooled).

    >>> values, everything = np.array([0.0, 0.0, 1.0, 1.0]), [np.ones(4, bool)]
    >>> [round(_variance_between(values, np.full(4, error), everything), 3) for error in (0.1, 0.5)]
    [0.323, 0.083]
    """
    excess = precision = 0.0
    for group in groups:
        known = group & np.isfinite(errors) & (errors > 0)
        if known.sum() < 2:
            continue
        weights = errors[known] ** -2
        mean = np.average(values[known], weights=weights)
        excess += float(np.sum(weights * (values[known] - mean) ** 2)) - float(known.sum() - 1)
        precision += float(weights.sum() - (weights**2).sum() / weights.sum())
    return max(excess / precision, 1e-12) if precision > 0 else 1e-12
