"""The company that words keep: which list's words stand around a word, against what chance would put there.

A word that belongs to a list is met by that list's words more often than other words are. Looking at the *share* of
each list among the list words around it takes out what long or opinionated texts do to all lists alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.special import ndtr

from problex._util.arrays import FloatArray, IntArray
from problex.counting.counts import Counts, alphabetical
from problex.errors import EstimationError

OUTSIDE = -1
"""The list of a word that is in none."""
CAUTION = 2.0
"""A word is put into a list by what it is worth at least, so many standard deviations below the estimate."""


class Change(NamedTuple):
    """A word (its place) that leaves a list and goes to another; `kin`: a form of words that are there already."""

    word: int
    old: int
    new: int
    kin: bool = False


@dataclass(frozen=True, eq=False)
class Company:
    """Per word and list: the `share` of the list around the word, by `chance`, and what the difference is worth.

    `errors` are standard errors of the shares; `leaning` is the difference shrunk towards what is usual (for an entry
    the average of its list, for other words nothing), with standard deviation `doubt`. `rates` are the words' shares
    of all tokens, `spread` their sums of squares around what length explains: the noise that they bring into a count.
    """

    lists: tuple[str, ...]
    words: tuple[str, ...]
    list_index: IntArray
    occurrences: IntArray
    rates: FloatArray
    spread: FloatArray
    share: FloatArray
    chance: FloatArray
    errors: FloatArray
    leaning: FloatArray
    doubt: FloatArray
    average: FloatArray
    variance: float
    scale: float

    @cached_property
    def place(self) -> dict[str, int]:
        """Where each word stands."""
        return {word: at for at, word in enumerate(self.words)}

    @cached_property
    def entries(self) -> IntArray:
        """The places of words that are in a list."""
        return np.flatnonzero(self.list_index != OUTSIDE)

    @cached_property
    def _totals(self) -> tuple[float, float]:
        at = self.entries
        signal = self.rates[at] * self.leaning[at, self.list_index[at]]
        return float(signal.sum()), float(self.spread[at].sum())

    def forecast(self, changes: Iterable[Change] = ()) -> float:
        """Expected AUC of counting, after changes to the lists: what the company of words lets one believe.

        A word in list y adds its rate times its leaning to y to the distance between labels, and its spread to the
        noise. Words that come new into a list are taken at the lower end of what they may be worth.
        """
        signal, noise = self._totals
        for change in changes:
            word, old, new, _ = change
            if old != OUTSIDE:
                signal -= self.rates[word] * self.leaning[word, old]
                noise -= self.spread[word]
            if new != OUTSIDE:
                signal += self.rates[word] * self._worth(change)
                noise += self.spread[word]
        whole = self._totals[0]
        if min(whole, signal, noise) <= 0:
            return 0.5
        # a leaning is measured against the lists as they are: sum of rate times leaning is the square of the distance
        return float(ndtr(np.sqrt(self.scale * whole / noise) * signal / whole))

    def _worth(self, change: Change) -> float:
        """The leaning that a word is credited with in its new list: a stranger with caution."""
        if change.kin:
            return self.as_entry(change.word, change.new)[0]
        leaning = float(self.leaning[change.word, change.new])
        return leaning - CAUTION * float(self.doubt[change.word, change.new]) if change.old == OUTSIDE else leaning

    def bar(self, word: int) -> float:
        """The leaning below which a word brings more noise into a count than it tells.

        Counting gives every word the same weight. Without a word of rate m, leaning k and spread v, the distance
        between labels is (1 - m k / sum of m k) times as large and the noise sqrt(1 - v / sum of v) times: worth it
        when k is less than half of the average leaning, for a word that is spread like the average one; a word that
        is repeated in few texts must tell more.
        """
        signal, noise = self._totals
        return float(signal * self.spread[word] / max(2.0 * noise * self.rates[word], 1e-300))

    def as_entry(self, word: int, label: int) -> tuple[float, float]:
        """Leaning and doubt of a word that is taken for one of a list, as its forms and what a wildcard catches are."""
        error = float(self.errors[word, label])
        if not np.isfinite(error):
            return float(self.average[label]), float(np.sqrt(self.variance))
        kept = self.variance / (self.variance + error**2)
        excess = float(self.share[word, label] - self.chance[word, label])
        leaning = float(self.average[label]) * (1.0 - kept) + excess * kept
        return leaning, float(np.sqrt(self.variance * (1.0 - kept)))

    def earns_a_place(self, word: int, label: int) -> bool:
        """Whether a word that nobody has put into a list surely tells as much as the average of that list.

        This is stricter than `bar`, because what a word leans to may also be a theme that it shares with the list.
        """
        return bool(self.leaning[word, label] - CAUTION * self.doubt[word, label] > max(self.average[label], 0.0))


def company_of(counts: Counts) -> Company:
    """The company of every word that was counted.

    >>> from problex import Lexicon, count
    >>> lexicon = Lexicon({"positive": ["good", "fine", "odd"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "bad poor odd film", "poor bad odd day", "fine good film"] * 10
    >>> found = company_of(count(texts, lexicon, associations=True))
    >>> odd = found.place["odd"]
    >>> found.lists, found.share[odd].tolist(), found.chance[odd].round(2).tolist()
    (('negative', 'positive'), [1.0, 0.0], [0.55, 0.45])
    """
    if counts.list_products is None:
        raise EstimationError(
            "these counts do not know how often every word meets each list: count the texts with associations=True"
        )
    counts = alphabetical(counts)
    lists = len(counts.lists)
    list_index = _list_index(counts)
    inside = np.flatnonzero(list_index != OUTSIDE)
    own = list_index[inside]
    rates = counts.occurrences / max(counts.tokens, 1)
    # sum_t x_ti m_ty: all that is needed of words outside the lexicon, here and nowhere else
    meetings = np.asarray(counts.list_products, dtype=np.float64)
    together = np.stack([meetings[list_index == label].sum(axis=0) for label in range(lists)])
    usual = _shares(meetings.sum(axis=0))
    around = meetings.copy()
    around[inside, own] -= counts.squares[inside]  # a word is not its own company
    met = around.sum(axis=1)
    chance = np.tile(usual, (len(rates), 1))
    covered = np.bincount(own, weights=rates[inside], minlength=lists)
    chance[inside, own] *= 1.0 - rates[inside] / np.maximum(covered[own], 1e-300)
    chance /= np.maximum(chance.sum(axis=1, keepdims=True), 1e-300)
    share = np.where(met[:, None] > 0, around / np.maximum(met, 1.0)[:, None], chance)
    spread = np.maximum(counts.squares - rates**2 * counts.squared_lengths, 0.0)
    errors = _errors(counts, together, usual, met, spread)
    leaning, doubt, average, variance = _shrink(share - chance, errors, list_index, rates, lists)
    # sum_i rate_i leaning_i is the squared distance of labels, see docs/doctor.md
    density = meetings.sum() / max(counts.squared_lengths, 1)
    scale = counts.squared_lengths * density * lists**2 / max(lists - 1, 1)
    words = tuple(counts.words.to_pylist())
    return Company(
        counts.lists, words, list_index, counts.occurrences, rates, spread, share, chance, errors, leaning, doubt,
        average, variance, scale,
    )  # fmt: skip


def _list_index(counts: Counts) -> IntArray:
    """The list of each counted word, `OUTSIDE` for most."""
    found = np.full(len(counts.words), OUTSIDE, dtype=np.int64)
    place = pc.index_in(pa.array(counts.entries, counts.words.type), counts.words).fill_null(-1).to_numpy()
    found[place[place >= 0]] = counts.list_index[place >= 0]
    return found


def _shares(totals: FloatArray) -> FloatArray:
    whole = totals.sum()
    return np.asarray(totals / whole if whole > 0 else np.full(len(totals), 1.0 / len(totals)), dtype=np.float64)


def _errors(counts: Counts, together: FloatArray, usual: FloatArray, met: FloatArray, spread: FloatArray) -> FloatArray:
    """Standard errors of the shares, with documents as the units that vary.

    The lean of a document, r = m_y - share_y (sum of m), has a variance that grows with its length, and sum N r is 0;
    the sum over the documents of a word, x r, has then about sum (x - rate N)^2 times the variance that r has at a
    token's document.
    """
    contrasts = np.eye(len(usual)) - usual[:, None]
    leans = np.maximum(np.einsum("ya,ab,yb->y", contrasts, together, contrasts), 0.0)
    per_token = leans * counts.squared_lengths / max(counts.tokens, 1) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.sqrt(spread[:, None] * per_token) / met[:, None]
    return np.where(met[:, None] > 0, errors, np.inf)


def _shrink(
    excess: FloatArray, errors: FloatArray, list_index: IntArray, rates: FloatArray, lists: int
) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Empirical Bayes: towards the average of the list for entries, towards nothing for other words."""
    average = np.zeros(lists)
    usual = np.zeros_like(excess)
    for label in range(lists):
        mine = list_index == label
        average[label] = np.sum(rates[mine] * excess[mine, label]) / max(float(rates[mine].sum()), 1e-300)
        usual[mine] = -average[label] / max(lists - 1, 1)
        usual[mine, label] = average[label]
    inside = list_index != OUTSIDE
    own = np.where(inside, list_index, 0)[:, None]
    groups = [list_index == label for label in range(lists)]
    mine, errs = (np.take_along_axis(values, own, axis=1)[:, 0] for values in (excess, errors))
    # entries may always differ by half of their average, else lists of much the same words could have no misfit
    between = max(_between(mine, errs, groups), float(np.mean(average / 2.0) ** 2))
    variance = np.where(inside, between, _between(excess[:, 0], errors[:, 0], [~inside]))[:, None]
    with np.errstate(invalid="ignore"):
        kept = variance / (variance + errors**2)  # none where the error is infinite
        doubt = np.sqrt(np.where(np.isfinite(errors), variance * (1.0 - kept), variance))
    return usual + (excess - usual) * kept, doubt, average, between


def _between(values: FloatArray, errors: FloatArray, groups: list[NDArray[np.bool_]]) -> float:
    """The variance of true values around the mean of their group (DerSimonian and Laird's moments, pooled)."""
    above = precision = 0.0
    for group in groups:
        known = group & np.isfinite(errors) & (errors > 0)
        if known.sum() < 2:
            continue
        weights = errors[known] ** -2
        mean = np.average(values[known], weights=weights)
        above += float(np.sum(weights * (values[known] - mean) ** 2)) - float(known.sum() - 1)
        precision += float(weights.sum() - (weights**2).sum() / weights.sum())
    return max(above / precision, 1e-12) if precision > 0 else 1e-12
