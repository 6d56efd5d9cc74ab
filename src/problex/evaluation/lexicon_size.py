"""Expected accuracy against the size of a lexicon: few predictive words, or many less predictive ones.

The paper shows that with counting every weakly predictive word adds noise; with learned weights it adds little,
because its weight is small. Here a model forecasts the accuracy of parts of its own lexicon.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex._util.records import Record
from problex.evaluation.forecasts import forecast
from problex.matching.negation import NEGATED
from problex.model.model import Model
from problex.model.rules import RULES

ORDERS = ("most frequent first", "heaviest first")
WEIGHTED, COUNTING = "learned weights", "counting"
STEPS = 24


def size_forecast(model: Model, length: int, *, steps: int = STEPS) -> list[Record]:
    """Expected accuracy with only the most frequent entries of every list, or those with the largest weights.

    There is a record per size: `entries` is the number of entries in use, the same share of each list; their negated
    forms are used, but not counted. Documents have `length` tokens; the variance is that of the DCM.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> rows = size_forecast(estimate(count(texts, lexicon), lexicon), 20)
    >>> sorted({(row["entries"], row["rule"]) for row in rows})
    [(2, 'counting'), (2, 'learned weights'), (4, 'counting'), (4, 'learned weights')]
    """
    weighted = model.settings.rule if RULES[model.settings.rule].uses_weights else "dcm"
    rules = {WEIGHTED: weighted, COUNTING: "count"}
    orders = dict(zip(ORDERS, (model.evidence.occurrences, model.weights), strict=True))
    negated = np.array([entry.startswith(NEGATED) for entry in model.evidence.entries])
    records: list[Record] = []
    for order, values in orders.items():
        ranks = _relative_ranks(model, values)
        for share in np.geomspace(ranks[ranks > 0].min(), 1.0, steps):
            selection = (ranks > 0) & (ranks <= share * (1 + 1e-9))
            part, entries = restrict(model, selection), int((selection & ~negated).sum())
            for name, rule in rules.items() if entries else ():
                accuracy = forecast(replace(part, settings=replace(part.settings, rule=rule)), [length]).dcm[0]
                records.append({"entries": entries, "order": order, "rule": name, "accuracy": accuracy})
    return list({(record["entries"], record["order"], record["rule"]): record for record in records}.values())


def restrict(model: Model, selection: NDArray[np.bool_]) -> Model:
    """The model as if only the selected entries occurred.

    It keeps the prior of the whole model, because the threshold of the whole lexicon does not fit a part of it.
    """
    occurrences = np.where(selection, model.evidence.occurrences, 0)
    prior = dict(zip(model.classes, model.prior.tolist(), strict=True))
    evidence, settings = replace(model.evidence, occurrences=occurrences), replace(model.settings, prior=prior)
    return replace(model, evidence=evidence, settings=settings)


def _relative_ranks(model: Model, values: NDArray[Any]) -> FloatArray:
    """The rank of each entry in its list, the largest value first, divided by the length of the list; 0 if unseen.

    Relative ranks, so that a part has the same share of a long list as of a short one, and the lists stay in balance.
    """
    occurrences = model.evidence.occurrences
    ranks = np.zeros(len(occurrences))
    for label in range(len(model.classes)):
        entries = np.flatnonzero((occurrences > 0) & (model.evidence.list_index == label))
        ordered = entries[np.lexsort((-occurrences[entries], -values[entries].astype(np.float64)))]
        ranks[ordered] = np.arange(1, len(ordered) + 1) / max(len(ordered), 1)
    return ranks
