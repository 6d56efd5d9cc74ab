"""Weights of items that can occur in new texts although they did not occur in the texts of an estimate.

An entry of the lexicon always has a weight, but words that match a wildcard and negated words become items when they
occur. Without a weight they would be lost in new texts, where counting counts them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import compress

import numpy as np

from problex._util.arrays import FloatArray
from problex.estimation.moments import Evidence
from problex.estimation.negated_items import Turns, means_of_words, negated_entries, part_of_word
from problex.matching.items import Items
from problex.matching.negation import NEGATED, opposite_lists


def with_unseen_items(
    evidence: Evidence, predictiveness: FloatArray, items: Items, turns: Turns | None
) -> tuple[Evidence, FloatArray]:
    """The evidence with unseen items behind the entries, and the predictiveness of all.

    A wildcard stands for the words that match it and have no weight: it has the mean predictiveness of its list. A
    negated item has the `part_of_word` of the item that is negated.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"negative": ["bad"], "positive": ["good", "happ*"]})
    >>> texts = ["a good day, happy", "a bad day", "good and happy", "bad"] * 9
    >>> model = estimate(count(texts, lexicon), lexicon)
    >>> names = with_unseen_items(model.evidence, model.predictiveness, model.items, None)[0].entries
    >>> names[len(model.evidence.entries) :]
    ('NOT bad', 'NOT good', 'NOT happy', 'happ*', 'NOT happ*')
    """
    names, lists, values = _unseen_negated(evidence, predictiveness, items, turns)
    opposite, figures = opposite_lists(items.lists), (evidence.entries, evidence.list_index, evidence.occurrences)
    means = means_of_words(predictiveness, *figures, lists=len(items.lists)).tolist()
    for wildcard in items.wildcards:
        mean, other = means[wildcard.list], opposite[wildcard.list]
        names.append(wildcard.pattern)
        lists.append(wildcard.list)
        values.append(mean)
        if items.negation is not None and other is not None:
            names.append(NEGATED + wildcard.pattern)
            lists.append(other)
            values.append(part_of_word(turns, wildcard.list) * mean)
    extended = replace(
        evidence,
        entries=(*evidence.entries, *names),
        list_index=np.concatenate([evidence.list_index, np.array(lists, dtype=np.int64)]),
        occurrences=np.concatenate([evidence.occurrences, np.zeros(len(names), dtype=np.int64)]),
    )
    return extended, np.concatenate([predictiveness, np.array(values, dtype=np.float64)])


def _unseen_negated(
    evidence: Evidence, predictiveness: FloatArray, items: Items, turns: Turns | None
) -> tuple[list[str], list[int], list[float]]:
    """The names, lists and predictiveness of negated items of known words."""
    opposite = opposite_lists(items.lists)
    if items.negation is None or None in opposite:
        return [], [], []
    parts, entries = np.array([part_of_word(turns, own) for own in range(len(opposite))]), evidence.entries
    negated = negated_entries(entries)
    seen = set(compress(entries, negated.tolist()))
    names = {NEGATED + entries[at]: at for at in np.flatnonzero(~negated).tolist()}
    unseen = np.array([at for name, at in names.items() if name not in seen], dtype=np.int64)
    own = evidence.list_index[unseen]
    values = parts[own] * predictiveness[unseen]
    return [name for name in names if name not in seen], (1 - own).tolist(), values.tolist()
