"""`Evidence`: all that estimation reads, and the sums over lists in equations; `Solution`: what an estimate found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex._util.formatting import format_percent, quote_all


@dataclass(frozen=True)
class Reversal:
    """How far negation turns the words of each of two lists round, and how well that is known, from 0 to 1.

    A turn of 1 is wholly; at 0 a negated word says nothing; at -1 negation changes nothing.
    """

    turns: tuple[float, float]
    known: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True)
class BalanceShift:
    """The list whose share of the texts depends most on the balance: that with the model's balance and with the other.

    `words` are those of its words that occur in most of the texts that make the difference.
    """

    label: str
    words: tuple[str, ...]
    balance: str
    share: float
    other_balance: str
    other_share: float

    def describe(
        self,
        compare: str = "compare with problex fit --balance {balance}",
        label: str = "label 40 texts (problex audit sample)",
    ) -> str:
        """What depends on the balance, and how to settle it: two ways, in the words of whoever shows the sentence."""
        return (
            f"By the model, without labels, {format_percent(self.share)} of the texts are {self.label}, but "
            f"{format_percent(self.other_share)} with the balance {self.other_balance!r} of the lists in place of "
            f"{self.balance!r}: {quote_all(self.words)} {'decides' if len(self.words) == 1 else 'decide'}. Which is "
            f"right cannot be known without labels: {compare.format(balance=self.other_balance)}, or {label}"
        )


@dataclass(frozen=True)
class Solution:
    """How the predictiveness was found; None for what the way to it has not.

    A solver has `iterations`, the `objective` and the last `residuals` (primal, dual). Shrinkage by the data has its
    strength kappa (`shrinkage`), `spread`, `dispersion` and `own_evidence`, the share of the weights that comes from
    the entries themselves: near 0 is near counting. `fallback` is whether nothing could be learned, so that all weights
    are equal.
    """

    converged: bool = True
    iterations: int | None = None
    objective: float | None = None
    residuals: tuple[float, float] | None = None
    shrinkage: float | None = None
    spread: float | None = None
    dispersion: float | None = None
    own_evidence: float | None = None
    fallback: bool | None = None
    balance_shift: BalanceShift | None = None


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that estimation reads: sums for the lexicon's entries, and the concentration of the other words.

    `cross_counts` are with all entries of the other lists, `concordant_cross_counts` with those that are not
    discordant, `weighted_cross_counts` with every partner multiplied by its `partner_weights`. Entries with the weight
    zero are left out of the estimate. `dispersion` is an upper bound of the variance of a cross count over its mean (1
    for independent counts). `kept_differences` is the share of the differences between words that their agreement in
    documents supports, `discounts` the factors of the entries' log-odds for repetition (None: 1). `given` are the
    weights of the lexicon's author, if estimates are shrunk to them; `reversal` is what negation does to two lists.
    """

    lists: tuple[str, ...]
    entries: tuple[str, ...]
    list_index: IntArray
    occurrences: IntArray
    cross_counts: IntArray
    concordant_cross_counts: IntArray
    documents: int
    tokens: int
    squared_lengths: int
    concentration: float
    partner_weights: FloatArray
    weighted_cross_counts: FloatArray
    dispersion: float = float("inf")
    kept_differences: float = 1.0
    discounts: FloatArray | None = None
    given: FloatArray | None = None
    reversal: Reversal | None = None

    @property
    def token_pairs(self) -> int:
        """s = sum_t N_t (N_t - 1)."""
        return self.squared_lengths - self.tokens

    @property
    def base_rates(self) -> FloatArray:
        """mu_i: the share of entry i in all tokens."""
        return self.occurrences / max(self.tokens, 1)

    @property
    def included_rates(self) -> FloatArray:
        """mu_i of the entries that the estimate is made from; 0 for the others."""
        return np.asarray(np.where(self.partner_weights > 0, self.base_rates, 0.0), dtype=np.float64)

    @property
    def discordant(self) -> BoolArray:
        """c_i > e_i: which entries occur together with the other lists more often than by chance."""
        every = np.ones(len(self.entries), dtype=bool)
        return np.asarray(self.cross_counts > expected_cross_counts(self, every), dtype=bool)


def per_list(evidence: Evidence, values: FloatArray) -> FloatArray:
    """The sum of a value over the entries of each list."""
    return np.bincount(evidence.list_index, weights=values, minlength=len(evidence.lists)).astype(np.float64)


def of_others(evidence: Evidence, values: FloatArray) -> FloatArray:
    """For each entry the sum of a value over all entries of the other lists.

    >>> from problex import Lexicon, count
    >>> from problex.estimation.published import evidence_of
    >>> evidence = evidence_of(count(["good fine bad"], Lexicon({"up": ["good", "fine"], "down": ["bad"]})))
    >>> of_others(evidence, np.array([1.0, 2.0, 4.0])).tolist()    # bad, fine, good
    [6.0, 1.0, 1.0]
    """
    total = per_list(evidence, values)
    return np.asarray((total.sum() - total)[evidence.list_index], dtype=np.float64)


def coverage(evidence: Evidence, included: BoolArray) -> FloatArray:
    """M_y: the share of tokens that are included entries of list y."""
    return per_list(evidence, np.where(included, evidence.base_rates, 0.0))


def expected_cross_counts(evidence: Evidence, included: BoolArray) -> FloatArray:
    """e_i = s mu_i M_other: the cross count of an entry that is independent of the labels.

    >>> from problex import Lexicon, count
    >>> from problex.estimation.published import evidence_of
    >>> evidence = evidence_of(count(["good bad film film"], Lexicon({"up": ["good"], "down": ["bad"]})))
    >>> expected_cross_counts(evidence, np.array([True, True])).tolist()    # s = 4 3 and rates of 1/4: 12 / 16
    [0.75, 0.75]
    >>> expected_cross_counts(evidence, np.array([True, False])).tolist()    # beside "bad" there is nothing included
    [0.0, 0.75]
    """
    rates = evidence.base_rates
    covered = per_list(evidence, np.where(included, rates, 0.0))
    others = (covered.sum() - covered)[evidence.list_index]
    return np.asarray(evidence.token_pairs * rates * others, dtype=np.float64)
