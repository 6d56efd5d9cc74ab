"""Weights of items that can occur in new texts although they did not occur in the texts of an estimate.

An entry of the lexicon always has a weight, but words that match a wildcard and negated words become items when they
occur. Without a weight they would be lost in new texts, where counting counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import compress

import numpy as np

from problex._util.arrays import FloatArray
from problex.estimation.reversal import means_of_words, negated_entries, part_of_word
from problex.estimation.shrinkage import given_scales
from problex.matching.items import Items
from problex.matching.negation import NEGATED, opposite_lists
from problex.model.evidence import Evidence
from problex.model.solution import Reversal


def with_unseen_items(
    evidence: Evidence,
    predictiveness: FloatArray,
    items: Items,
    reversal: Reversal | None,
    given_weights: Callable[[Iterable[str]], FloatArray] | None = None,
) -> tuple[Evidence, FloatArray]:
    """The evidence with unseen items behind the entries, and the predictiveness of all.

    A wildcard stands for the words that match it and have no weight: it has the mean predictiveness of its list, and
    where estimates are shrunk to `given_weights`, as much more or less as these say. A negated item has the
    `part_of_word` of the item that is negated.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"negative": ["bad"], "positive": ["good", "happ*"]})
    >>> texts = ["a good day, happy", "a bad day", "good and happy", "bad"] * 9
    >>> model = estimate(count(texts, lexicon), lexicon)
    >>> names = with_unseen_items(model.evidence, model.predictiveness, model.items, None)[0].entries
    >>> names[len(model.evidence.entries) :]
    ('NOT bad', 'NOT good', 'NOT happy', 'happ*', 'NOT happ*')
    """
    names, lists, values = _unseen_negated(evidence, predictiveness, items, reversal)
    opposite = opposite_lists(items.lists)
    means = _means_of_wildcards(evidence, predictiveness, items, given_weights)
    parts = [0.0 if other is None else part_of_word(reversal, own) for own, other in enumerate(opposite)]
    for wildcard, mean in zip(items.wildcards, means, strict=True):
        other = opposite[wildcard.list]
        names.append(wildcard.pattern)
        lists.append(wildcard.list)
        values.append(mean)
        if items.negation is not None and other is not None:
            names.append(NEGATED + wildcard.pattern)
            lists.append(other)
            values.append(parts[wildcard.list] * mean)
    extended = replace(
        evidence,
        entries=(*evidence.entries, *names),
        list_index=np.concatenate([evidence.list_index, np.array(lists, dtype=np.int64)]),
        occurrences=np.concatenate([evidence.occurrences, np.zeros(len(names), dtype=np.int64)]),
    )
    return extended, np.concatenate([predictiveness, np.array(values, dtype=np.float64)])


def _means_of_wildcards(
    evidence: Evidence,
    predictiveness: FloatArray,
    items: Items,
    given_weights: Callable[[Iterable[str]], FloatArray] | None,
) -> list[float]:
    """The predictiveness of each wildcard: the mean of its list, or as much more or less as the given weights say."""
    figures = (evidence.entries, evidence.list_index, evidence.occurrences)
    means = means_of_words(predictiveness, *figures, lists=len(items.lists))
    lists = np.array([wildcard.list for wildcard in items.wildcards], dtype=np.int64)
    if evidence.given is None or given_weights is None:
        return list(means[lists].tolist())
    strength = np.maximum(given_weights(wildcard.pattern for wildcard in items.wildcards), 0.0)
    factors = strength * given_scales(evidence)[lists]
    return list(np.minimum(means[lists] * factors, predictiveness.max(initial=0.0)).tolist())


def _unseen_negated(
    evidence: Evidence, predictiveness: FloatArray, items: Items, reversal: Reversal | None
) -> tuple[list[str], list[int], list[float]]:
    """The names, lists and predictiveness of negated items of known words."""
    opposite = opposite_lists(items.lists)
    if items.negation is None or None in opposite:
        return [], [], []
    parts, entries = np.array([part_of_word(reversal, own) for own in range(len(opposite))]), evidence.entries
    negated = negated_entries(entries)
    seen = set(compress(entries, negated.tolist()))
    names = {NEGATED + entries[at]: at for at in np.flatnonzero(~negated).tolist()}
    unseen = np.array([at for name, at in names.items() if name not in seen], dtype=np.int64)
    own = evidence.list_index[unseen]
    values = parts[own] * predictiveness[unseen]
    return [name for name in names if name not in seen], (1 - own).tolist(), values.tolist()
