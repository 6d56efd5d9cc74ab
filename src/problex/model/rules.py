"""Scoring rules: what the words of a document add to the score of each label, and how length tempers the sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from math import isfinite
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util._rows import sum_rows
from problex._util.arrays import FloatArray, IntArray, leads
from problex._util.late import special
from problex.counting.counts import Counts
from problex.errors import EstimationError, ModelError, opt
from problex.model.evidence import Evidence

PMI_SMOOTHING = 1e-3
PMI_MIN_OCCURRENCES = 5
STIRLING_FROM = 100.0


@dataclass(frozen=True, eq=False)
class PmiTable:
    """Pointwise mutual information of words and labels (Turney 2002, as in Kiritchenko et al. 2014).

    `imputed` (words x labels) has the occurrences of each word in the documents that counting assigns to each label,
    `imputed_documents` the number of these documents.
    """

    words: tuple[str, ...]
    imputed: IntArray
    imputed_documents: IntArray

    @cached_property
    def weights(self) -> FloatArray:
        """log p(word | label) up to a constant per word: differences between labels are differences of the PMI.

        >>> table = PmiTable(("good",), np.array([[5, 20]]), np.array([10, 10]))
        >>> table.weights.round(2).tolist()    # log(5 / 10), log(20 / 10)
        [[-0.69, 0.69]]
        """
        documents = np.maximum(self.imputed_documents, 1)
        return np.asarray(np.log(self.imputed + PMI_SMOOTHING) - np.log(documents), dtype=np.float64)


def make_pmi_table(counts: Counts) -> PmiTable:
    """The words of a corpus with at least five occurrences in documents that have an imputed label."""
    if counts.imputed is None:
        raise EstimationError(
            "the rule 'pmi' needs how often every word occurs together with each list, which these counts do not "
            "include: count the texts with associations=True"
        )
    frequent = counts.imputed.sum(axis=1) >= PMI_MIN_OCCURRENCES
    words = counts.words.filter(pa.array(frequent)).to_pylist()
    order = sorted(range(len(words)), key=words.__getitem__)
    return PmiTable(tuple(words[at] for at in order), counts.imputed[frequent][order], counts.imputed_documents)


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of all entries, as scoring rules read them; entry i is of list a, whose label has the prior pi_a.

    lift_i = 1 + gamma_i (1 - pi_a) / pi_a is how much more frequent the entry is under its own label, and
    log_odds_i = log lift_i - log(1 - gamma_i) is what one occurrence adds to the score of that label.
    `base_rates` are mu_i, with half an occurrence for an entry that does not occur in the corpus. `given` are the
    weights of the lexicon's author, for the rule that needs them.
    """

    classes: tuple[str, ...]
    list_index: IntArray
    predictiveness: FloatArray
    base_rates: FloatArray
    lift: FloatArray
    log_odds: FloatArray
    concentration: float
    pmi: PmiTable | None = None
    given: FloatArray | None = None


def make_weights(
    evidence: Evidence,
    predictiveness: FloatArray,
    prior: FloatArray,
    pmi: PmiTable | None = None,
    given: FloatArray | None = None,
) -> Weights:
    """The weights that follow from a predictiveness per entry and a prior per label.

    An entry of negative predictiveness -g favours the other of two labels: it is 1 - g as frequent under its own one,
    and 1 + g pi_a / (1 - pi_a) as frequent under the other, as if it were an entry of the other list.

    >>> from problex import Lexicon, count
    >>> from problex.estimation.published import evidence_of
    >>> evidence = evidence_of(count(["good film", "bad film"], Lexicon({"up": ["good"], "down": ["bad"]})))
    >>> weights = make_weights(evidence, np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    >>> weights.lift.tolist(), weights.log_odds.round(2).tolist()    # log(1.5 / 0.5)
    ([1.5, 1.5], [1.1, 1.1])
    """
    predictiveness, more = _towards_own_label(predictiveness, prior[evidence.list_index])
    return Weights(
        evidence.lists,
        evidence.list_index,
        predictiveness,
        np.maximum(evidence.occurrences, 0.5) / max(evidence.tokens, 1),
        1.0 + more,
        np.asarray(np.log1p(more) - np.log1p(-predictiveness), dtype=np.float64),
        evidence.concentration,
        pmi,
        given,
    )


def _towards_own_label(predictiveness: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The predictiveness of entries of lists with the priors `own`, if negative as for the other, and the lift - 1.

    >>> values, more = _towards_own_label(np.array([0.5, -0.5]), np.array([0.5, 0.75]))
    >>> values.tolist(), more.tolist()    # the second is half as frequent under its own label
    ([0.5, -1.5], [0.5, -0.5])
    """
    predictiveness = np.where(predictiveness < 0, predictiveness * own / (1.0 - own), predictiveness)
    return predictiveness, predictiveness * (1.0 - own) / own


def are_weights_finite(list_index: IntArray, predictiveness: FloatArray, prior: FloatArray) -> bool:
    """Whether the log-odds of all entries are finite; entries are in the order of their lists.

    Log-odds ascend with the predictiveness, so the least and the largest of each list tell for all.

    >>> are_weights_finite(np.array([0, 0, 1]), np.array([0.1, 0.9, 0.5]), np.array([0.5, 0.5]))
    True
    """
    starts = np.flatnonzero(np.diff(list_index, prepend=-1))
    ends = np.array([np.minimum.reduceat(predictiveness, starts), np.maximum.reduceat(predictiveness, starts)])
    values, more = _towards_own_label(ends, prior[list_index[starts]])
    return bool(np.all(np.isfinite(np.log1p(more) - np.log1p(-values))))


def count_rule(weights: Weights, columns: IntArray, counts: IntArray) -> FloatArray:
    """x_i for the list of entry i."""
    return counts.astype(np.float64)


def presence_rule(weights: Weights, columns: IntArray, counts: IntArray) -> FloatArray:
    """1 for the list of entry i, however often it occurs."""
    return np.ones(len(columns))


def given_rule(weights: Weights, columns: IntArray, counts: IntArray) -> FloatArray:
    """x_i times the weight that the lexicon gives entry i, for its list."""
    if weights.given is None:
        raise ModelError(
            f"these weights are without those of the lexicon, expected a model with {opt('rule', 'given')}"
        )
    return np.asarray(counts * weights.given[columns], dtype=np.float64)


def pmi_rule(weights: Weights, columns: IntArray, counts: IntArray) -> FloatArray:
    """x_i log p(i | y), with the labels that counting imputes."""
    if weights.pmi is None:
        raise ModelError(
            f"the model was not estimated with {opt('rule', 'pmi')}, so it has no weights for this rule: fit it "
            f"with {opt('rule', 'pmi')}"
        )
    return np.asarray(counts[:, None] * weights.pmi.weights[columns], dtype=np.float64)


def multinomial_rule(weights: Weights, columns: IntArray, counts: IntArray) -> FloatArray:
    """x_i times the log-odds of entry i: for two lists and a uniform prior, x_i log((1 + gamma_i) / (1 - gamma_i))."""
    return np.asarray(counts * weights.log_odds[columns], dtype=np.float64)


def log_rule(weights: Weights, columns: IntArray, counts: IntArray) -> FloatArray:
    """(1 + log x_i) times the log-odds of entry i."""
    return np.asarray((1.0 + np.log(counts)) * weights.log_odds[columns], dtype=np.float64)


def dcm_rule(weights: Weights, columns: IntArray, counts: IntArray) -> FloatArray:
    """The Dirichlet compound multinomial, with the rising factorial (a)_x = Gamma(a + x) / Gamma(a):

    .. math:: \\log (\\tau \\mu_i lift_i)_{x_i} - \\log (\\tau \\mu_i (1 - \\gamma_i))_{x_i}

    For x_i = 1 this is the log-odds of entry i. The smaller tau, the less repetitions add.

    >>> from dataclasses import replace
    >>> from problex import Lexicon, count
    >>> from problex.estimation.published import evidence_of
    >>> evidence = evidence_of(count(["good", "bad"], Lexicon({"up": ["good"], "down": ["bad"]})))
    >>> weights = make_weights(replace(evidence, concentration=4.0), np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    >>> dcm_rule(weights, np.array([1, 1]), np.array([1, 2])).round(2).tolist()    # log(3 / 1), log(3 4 / (1 2))
    [1.1, 1.79]
    >>> multinomial_rule(weights, np.array([1, 1]), np.array([1, 2])).round(2).tolist()    # log 3, 2 log 3
    [1.1, 2.2]
    """
    tau = weights.concentration
    if not isfinite(tau):
        return multinomial_rule(weights, columns, counts)
    values = weights.log_odds[columns]
    repeated = (counts != 1).nonzero()[0]  # most words occur once, which needs no gamma function
    if len(repeated):
        entries, times = columns[repeated], counts[repeated]
        alpha = tau * weights.base_rates[entries]
        own, other = alpha * weights.lift[entries], alpha * (1.0 - weights.predictiveness[entries])
        values[repeated] = log_rising_ratio(own, other, times)
    return values


def log_rising_ratio(own: FloatArray, other: FloatArray, counts: IntArray) -> FloatArray:
    """log (own)_x - log (other)_x, to 1e-9 or better also for a word that occurs ten million times.

    With a the smaller of the two and d their distance, it is +-(log Gamma(a + d + x) - log Gamma(a + d)
    - log Gamma(a + x) + log Gamma(a)), in which d and x can be exchanged: the smaller of them is the better step.

    >>> log_rising_ratio(np.array([2.0]), np.array([1.0]), np.array([3])).round(6).tolist()   # log(2 3 4 / (1 2 3))
    [1.386294]
    """
    low, gap = np.minimum(own, other), np.abs(own - other)
    step, far = np.minimum(gap, counts), low + np.maximum(gap, counts)
    return np.asarray(np.sign(own - other) * (log_rising(far, step) - log_rising(low, step)), dtype=np.float64)


def log_rising(start: FloatArray, counts: FloatArray | IntArray) -> FloatArray:
    """log Gamma(start + x) - log Gamma(start), without cancellation for large starts.

    >>> np.round(log_rising(np.array([0.5, 1e9]), np.array([2, 3])), 6).tolist()   # log(.5 * 1.5), 3 log(1e9)
    [-0.287682, 62.169798]
    """
    counts = np.asarray(counts, dtype=np.float64)
    result = np.asarray(special.gammaln(start + counts) - special.gammaln(start), dtype=np.float64)
    large = start > STIRLING_FROM  # the difference of two large numbers loses digits: Stirling's series does not
    if np.any(large):
        a, x = start[large], counts[large]
        result[large] = (a + x - 0.5) * np.log1p(x / a) + x * (np.log(a) - 1.0) + _remainder(a + x) - _remainder(a)
    return result


def _remainder(a: FloatArray) -> FloatArray:
    """The rest of Stirling's series for log Gamma, to 1e-17 for a > 100."""
    square = 1.0 / (a * a)
    return np.asarray((1.0 / 12.0 - square * (1.0 / 360.0 - square / 1260.0)) / a, dtype=np.float64)


@dataclass(frozen=True)
class Rule:
    """How counts become scores: `amounts(weights, columns, counts)` is what each word adds to the label of its list.

    `log_odds` is whether the sums are log-odds, which are tempered for length and added to the prior. `all_words` is
    whether words outside the lexicon count; then `amounts` has a column per label. With `log_odds` and without
    `all_words`, a word that occurs once must add its learned weight: `amounts` is not called for it (`entry_weights`).
    `given` is whether entries have the weights of the lexicon's author. `description` is a sentence for the methods
    section of a report, with `{tau}` for the concentration.
    """

    amounts: Callable[[Weights, IntArray, IntArray], FloatArray]
    description: str
    log_odds: bool = True
    all_words: bool = False
    given: bool = False

    def contribution(self, weights: Weights, columns: IntArray, counts: IntArray) -> FloatArray:
        """What words add to the scores, with a row per word and a column per label."""
        amounts = self.amounts(weights, columns, counts)
        if self.all_words:
            return amounts
        table = np.zeros((len(columns), len(weights.classes)))
        table[np.arange(len(columns)), weights.list_index[columns]] = amounts
        return table

    def sums(
        self,
        weights: Weights,
        single: FloatArray,
        ends: IntArray,
        columns: IntArray,
        counts: IntArray,
        factors: FloatArray,
        scale: float = 1.0,
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        """The contributions of words, summed over documents; their leads; and how many tokens favour a label.

        Document t has the words from `ends[t]` to `ends[t + 1]`, and its sums are multiplied by `scale * factors[t]`. A
        lead is how much a word favours one label over the next. `single` are the `entry_weights`. The time does not
        grow with the labels, except for the sums themselves.
        """
        if not self.all_words:
            rows = np.asarray(ends, np.int64), np.asarray(columns, np.int32), np.asarray(counts, np.int32)
            repeated, labels = partial(self.amounts, weights), len(weights.classes)
            return sum_rows(*rows, single, repeated, weights.list_index, labels, factors, scale)
        amounts, factors = self.amounts(weights, columns, counts), scale * factors
        size = len(ends) - 1
        documents = np.arange(size).repeat(np.diff(ends))
        parts = [np.bincount(documents, weights=part, minlength=size) for part in amounts.T]
        matches = np.bincount(documents, weights=counts * np.any(amounts != amounts[:, :1], axis=1), minlength=size)
        lead = np.bincount(documents, weights=leads(amounts), minlength=size)
        return np.stack(parts, axis=1) * factors[:, None], lead * factors, matches.astype(np.int64)

    @property
    def uses_weights(self) -> bool:
        """Whether entries add their learned weights."""
        return self.log_odds and not self.all_words

    def entry_weights(self, weights: Weights) -> FloatArray:
        """What one occurrence of each entry adds to its own label."""
        if self.uses_weights:
            return weights.log_odds
        every = np.arange(len(weights.log_odds))
        return self.amounts(weights, every, np.ones_like(every))


RULES: dict[str, Rule] = {
    "count": Rule(count_rule, "Each occurrence of a word counted one for its list.", log_odds=False),
    "presence": Rule(presence_rule, "Each word counted once for its list, however often it occurred.", log_odds=False),
    "given": Rule(
        given_rule,
        "Each occurrence of a word counted for its list by the weight of the word in the lexicon.",
        log_odds=False,
        given=True,
    ),
    "pmi": Rule(
        pmi_rule,
        "Words were weighted by their pointwise mutual information with the labels that counting gives.",
        all_words=True,
    ),
    "multinomial": Rule(
        multinomial_rule, "Each occurrence of a word added its weight, in log-odds, to the score of its list."
    ),
    "log": Rule(
        log_rule,
        "Words added their weight, in log-odds, to the score of their list; a word that occurs x times added it "
        "1 + log x times.",
    ),
    "dcm": Rule(
        dcm_rule,
        "Words added their weight, in log-odds, to the score of their list; repetitions of a word were discounted "
        "under a Dirichlet compound multinomial (concentration {tau}).",
    ),
}


@dataclass(frozen=True)
class Temper:
    """What the log-odds of a document are multiplied by: `factor(lengths, concentration)`; `description` as in `Rule`.

    >>> TEMPERS["root"].factor(np.array([4.0, 100.0]), 50.0).tolist()
    [0.5, 0.1]
    """

    factor: Callable[[NDArray[Any], float], FloatArray]
    description: str


TEMPERS: dict[str, Temper] = {
    # Under the DCM the variance of a margin grows like N (N + tau) / (1 + tau): beyond tau tokens, text adds little.
    "burstiness": Temper(
        lambda lengths, tau: (1.0 + tau) / (lengths + tau) if isfinite(tau) else np.ones(len(lengths)),
        "Scores of long documents were tempered for burstiness, because the words of a long text repeat each other's "
        "information.",
    ),
    "root": Temper(
        lambda lengths, tau: 1.0 / np.sqrt(np.maximum(lengths, 1.0)),
        "Scores were divided by the square root of a document's length in words.",
    ),
    "tokens": Temper(
        lambda lengths, tau: 1.0 / (lengths + 0.1), "Scores were divided by a document's length in words."
    ),
    "none": Temper(lambda lengths, tau: np.ones(len(lengths)), ""),
}
