"""What negation does to the words of two lists in a corpus: learned from whom negated words meet, not decreed.

Negation turns some evaluations round ("not good"), but hardly negative words, insults, topics or positions. A negated
word is counted as an item of the opposite list. If the negated words of a list keep the company of their own list
instead, they have a negative predictiveness: they are evidence for the list of their word.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex.counting.sample import Sample
from problex.matching.negation import NEGATED

PRIOR_TURN, PRIOR_VARIANCE = 0.3, 0.1
"""How far negation is expected to turn words round, before a corpus is seen."""
MIN_OPPOSITION = 0.003
"""How much rarer than by chance words of the other list must be beside a list, for it to show what negation does."""
UNOPPOSED_TURN, UNOPPOSED_PAIRS = -1.0, 100.0
"""Where the lists do not oppose each other, negated words count as their words do, as in plain counting.

The pairs of a negated and a listed word from which on this is believed as much as the prior.
"""
MIN_DIFFERENCE, MAX_MEAN = 0.35, -0.25
"""Negation does not turn a list round if its turn is negative, and lower than the other's by this or both low."""


def negated_entries(entries: Sequence[str]) -> BoolArray:
    """Which entries are negated items."""
    return np.array([entry.startswith(NEGATED) for entry in entries], dtype=bool)


def turns_of_negation(sample: Sample | None, entries: Sequence[str], list_index: IntArray) -> tuple[float, float]:
    """How far negation turns the words of each of two lists round.

    1 is wholly; at 0 a negated word says nothing; at -1 negation changes nothing.
    """
    negated = negated_entries(entries)
    if sample is None or not len(sample.lengths) or not negated.any():
        return PRIOR_TURN, PRIOR_TURN
    lists = np.eye(2)[list_index]
    plain = np.asarray(sample.matrix @ (lists * ~negated[:, None]), dtype=np.float64)
    turned = np.asarray(sample.matrix @ (lists[:, ::-1] * negated[:, None]), dtype=np.float64)  # by their own list
    lengths, repeats = sample.lengths.astype(np.float64), sample.repeats.astype(np.float64)
    first, second = (turn_of_list(plain[:, [at, 1 - at]], turned[:, at], lengths, repeats) for at in (0, 1))
    return first, second


def turn_of_list(plain: FloatArray, negated: FloatArray, lengths: FloatArray, repeats: FloatArray) -> float:
    """How far negation turns the words of a list round, from its own and the other list's plain tokens in documents.

    With A the plain and B the negated tokens of the list in a document of N tokens, A_o those of the other list, and
    chance = sum N A_o / sum N (A + A_o): a = sum A A_o / sum A (A + A_o - 1) - chance is how rare the other list is
    beside plain words, b = sum B A_o / sum B (A + A_o) - chance beside negated ones, and the turn is -b / a. It is
    shrunk towards 0.3, with a prior variance of 0.1, by its sampling variance.
    """
    own, other = plain.T
    both = own + other
    met, plain_pairs, negated_pairs = (
        float(repeats @ products) for products in (lengths * both, own * (both - 1.0), negated * both)
    )
    if min(met, plain_pairs, negated_pairs) <= 0:
        return PRIOR_TURN
    chance = float(repeats @ (lengths * other)) / met
    beside_plain = float(repeats @ (own * other)) / plain_pairs - chance
    rate = float(repeats @ (negated * other)) / negated_pairs
    scatter = float(repeats @ (negated * (other - rate * both)) ** 2) / negated_pairs**2
    variance = max(scatter, chance * (1.0 - chance) / negated_pairs)  # a few documents may all be alike
    if beside_plain > -MIN_OPPOSITION:
        trust = negated_pairs / (negated_pairs + UNOPPOSED_PAIRS)
        return PRIOR_TURN + trust * (UNOPPOSED_TURN - PRIOR_TURN)
    trust = PRIOR_VARIANCE / (PRIOR_VARIANCE + variance / beside_plain**2)
    return PRIOR_TURN + trust * (-(rate - chance) / beside_plain - PRIOR_TURN)


def unturned_entries(entries: Sequence[str], list_index: IntArray, turns: tuple[float, float]) -> BoolArray:
    """Which entries are negated items of a list that negation does not turn round."""
    unturned = np.array([turns_nothing(turns[at], turns[1 - at]) for at in (0, 1)])
    return np.asarray(negated_entries(entries) & unturned[1 - list_index], dtype=bool)  # of the opposite list


def turns_nothing(own: float, other: float) -> bool:
    """Whether negation does not turn a list with this turn round, beside a list with the other turn.

    >>> turns_nothing(-0.1, 0.4), turns_nothing(-0.1, 0.1), turns_nothing(-0.3, -0.3), turns_nothing(0.1, 0.9)
    (True, False, True, False)
    """
    return own < 0 and (own < other - MIN_DIFFERENCE or (own + other) / 2 < MAX_MEAN)


def to_side_of_word(
    predictiveness: FloatArray,
    entries: Sequence[str],
    list_index: IntArray,
    occurrences: IntArray,
    turns: tuple[float, float],
) -> FloatArray:
    """The predictiveness, with unturned items on the side of their word: the turn times that of the word, -1 at least.

    It is negative, because the item is of the opposite list. A word without an entry counts as the mean of its list.
    """
    place, result = {entry: at for at, entry in enumerate(entries)}, predictiveness.copy()
    plain = ~negated_entries(entries)
    means = [_mean(predictiveness, occurrences, plain & (list_index == at)) for at in (0, 1)]
    for at in np.flatnonzero(unturned_entries(entries, list_index, turns)).tolist():
        own = 1 - int(list_index[at])
        word = place.get(entries[at].removeprefix(NEGATED))
        result[at] = max(turns[own], -1.0) * (means[own] if word is None else predictiveness[word])
    return result


def _mean(values: FloatArray, weights: IntArray, chosen: BoolArray) -> float:
    total = float(weights[chosen].sum())
    return float(values[chosen] @ weights[chosen]) / total if total > 0 else 0.0
