"""Three lists or more: how much the share of a list depends on the balance, which no text can settle."""

from __future__ import annotations

import numpy as np

from problex._util._rows import winners
from problex._util.arrays import TIE, BoolArray, FloatArray, IntArray
from problex.counting.sample import Sample
from problex.estimation.shrinkage import estimate_by_posterior
from problex.model.evidence import Evidence
from problex.model.rules import RULES, Rule, make_weights
from problex.model.settings import OTHER_BALANCE, Settings
from problex.model.solution import BalanceShift

MIN_SHIFT = 0.1
"""The difference between two shares of a list from which on it is said."""
MIN_TEXTS = 200
"""Texts that the shares need: of fewer, they differ by chance."""
MAX_WORDS = 3
MOST = 0.5
"""Words are named until they occur in this share of the texts whose label changes."""


def find_shift(
    evidence: Evidence, settings: Settings, predictiveness: FloatArray, shares: FloatArray, sample: Sample
) -> BalanceShift | None:
    """The list whose share depends most on the balance, with `shares` by the other one; None if none by `MIN_SHIFT`."""
    if len(evidence.lists) < 3 or sample.repeats.sum() < MIN_TEXTS or RULES[settings.rule].all_words:
        return None
    balance = str(settings.balance)
    other, _ = estimate_by_posterior(evidence, shares, settings.max_predictiveness)
    labels = [_labels(RULES[settings.rule], sample, evidence, values) for values in (predictiveness, other)]
    repeats = sample.repeats / sample.repeats.sum()
    size = len(evidence.lists) + 1
    both = np.array([np.bincount(indexes + 1, repeats, size)[1:] for indexes in labels])
    more = (both[0] - both[1]) * (1.0 if balance == "coverage" else -1.0)
    # a list that gets more with "coverage" has the words that decide; else one that gets less
    index = int(np.argmax(more if more.max() >= MIN_SHIFT else -more))
    if abs(more[index]) < MIN_SHIFT:
        return None
    changed = (labels[0] == index) != (labels[1] == index)
    words = [evidence.entries[at] for at in _frequent_words(sample, changed, evidence.list_index == index)]
    here, there = both[:, index].tolist()
    return BalanceShift(evidence.lists[index], tuple(words), balance, here, OTHER_BALANCE[balance], there)


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
