"""Three lists or more: how much the share of a list depends on the balance, which no text can settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from problex._util._rows import winners
from problex._util.arrays import TIE, BoolArray, FloatArray, IntArray
from problex._util.formatting import format_percent, quote_all
from problex.counting.sample import Sample
from problex.estimation.shrinkage import estimate_by_posterior
from problex.model.evidence import Evidence, coverage
from problex.model.rules import RULES, Rule, make_weights
from problex.model.settings import Settings, Shares, make_shares

NAME = "balance_shift"
"""Where a solution has the shift."""
OTHER = {"coverage": "equal", "equal": "coverage"}
"""The balance that each is compared with."""
MIN_SHIFT = 0.1
"""The difference between two shares of a list from which on it is said."""
MIN_TEXTS = 200
"""Texts that the shares need: of fewer, they differ by chance."""
MAX_WORDS = 3
MOST = 0.5
"""Words are named until they occur in this share of the texts whose label changes."""


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


def find_shift(
    evidence: Evidence, settings: Settings, predictiveness: FloatArray, included: BoolArray, sample: Sample
) -> list[float] | None:
    """The place of the list, its shares under both balances, and the places of its words, as `read_shift` reads them.

    None if no share differs by `MIN_SHIFT`.
    """
    if len(evidence.lists) < 3 or sample.repeats.sum() < MIN_TEXTS or RULES[settings.rule].all_words:
        return None
    shares = shares_of(OTHER[str(settings.balance)], evidence, included)
    other, _ = estimate_by_posterior(evidence, shares, settings.max_predictiveness)
    labels = [_labels(RULES[settings.rule], sample, evidence, found) for found in (predictiveness, other)]
    repeats = sample.repeats / sample.repeats.sum()
    size = len(evidence.lists) + 1
    both = np.array([np.bincount(found + 1, repeats, size)[1:] for found in labels])
    more = (both[0] - both[1]) * (1.0 if settings.balance == "coverage" else -1.0)
    # a list that gets more with "coverage" has the words that decide; else one that gets less
    place = int(np.argmax(more if more.max() >= MIN_SHIFT else -more))
    if abs(more[place]) < MIN_SHIFT:
        return None
    changed = (labels[0] == place) != (labels[1] == place)
    return [place, *both[:, place].tolist(), *_frequent_words(sample, changed, evidence.list_index == place)]


def read_shift(
    solution: Mapping[str, Any], balance: Shares, lists: Sequence[str], entries: Sequence[str]
) -> BalanceShift | None:
    """The shift that a model has in its solution; None if it has none that fits its lists and entries."""
    match solution.get(NAME):
        case [int(place), float(own), float(other), *words] if 0 <= place < len(lists) and isinstance(balance, str):
            if not all(isinstance(at, int) and 0 <= at < len(entries) for at in words):
                return None
            return BalanceShift(lists[place], tuple(entries[at] for at in words), balance, own, OTHER[balance], other)
    return None


def shares_of(balance: Shares, evidence: Evidence, included: BoolArray) -> FloatArray:
    """The share of each list in the weighted coverage of all lists that a balance assumes."""
    if isinstance(balance, Mapping):
        return make_shares(balance, "balance", evidence.lists)
    covered = coverage(evidence, included) if balance == "coverage" else np.ones(len(evidence.lists))
    return np.asarray(covered / covered.sum(), dtype=np.float64)


def _labels(rule: Rule, sample: Sample, evidence: Evidence, predictiveness: FloatArray) -> IntArray:
    """The list with the highest score of each text of the sample, -1 for undecided ones."""
    weights = make_weights(evidence, predictiveness, np.full(len(evidence.lists), 1.0 / len(evidence.lists)), None)
    ends, columns = (part.astype(np.int64) for part in (sample.matrix.indptr, sample.matrix.indices))
    single, factors = rule.entry_weights(weights), np.ones(len(sample))
    sums = rule.sums(weights, single, ends, columns, sample.matrix.data, factors)
    return winners(sums[0], sums[2], TIE)


def _frequent_words(sample: Sample, texts: BoolArray, own: BoolArray) -> list[int]:
    """The words of a list, the most frequent first, until they occur in most of some texts or are `MAX_WORDS`."""
    present, repeats = (sample.matrix[texts] > 0).astype(np.int64) * own, sample.repeats[texts]
    reached, words = np.zeros(len(repeats), dtype=bool), list[int]()
    while len(words) < MAX_WORDS and repeats[reached].sum() < MOST * repeats.sum():
        new = (repeats * ~reached) @ present
        if not new.any():
            break
        words.append(int(np.argmax(new)))
        reached |= present @ (np.arange(len(own)) == words[-1]) > 0
    return words
