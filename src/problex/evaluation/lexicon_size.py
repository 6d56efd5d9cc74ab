"""The dilemma of who makes a lexicon: a few words that tell much, or many that tell less.

The paper shows that counting pays for every weak word with noise; learned weights need not, because a word that tells
little weighs little. Here a model says so of itself: what it would expect of parts of its own lexicon.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex.estimation.model import Model
from problex.estimation.rules import RULES as ESTIMATION_RULES
from problex.evaluation.forecasts import forecast

ORDERS = ("most frequent first", "heaviest first")
RULES = {"learned weights": None, "counting": "count"}
STEPS = 24


def size_forecast(model: Model, length: int, *, steps: int = STEPS) -> list[dict[str, Any]]:
    """Expected accuracy with only the most frequent, or the heaviest, entries of every list: a record per size.

    `entries` is how many are left in all, the same share of each list. Documents have `length`
    tokens; the variance is that of burstiness.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> rows = size_forecast(estimate(count(texts, lexicon), lexicon), 20)
    >>> sorted({(row["entries"], row["rule"]) for row in rows})
    [(2, 'counting'), (2, 'learned weights'), (4, 'counting'), (4, 'learned weights')]
    """
    orders = dict(zip(ORDERS, (model.evidence.occurrences, model.weights), strict=True))
    rows = []
    for order, values in orders.items():
        places = _places(model, values)
        for share in np.geomspace(places[places > 0].min(), 1.0, steps):
            kept = (places > 0) & (places <= share * (1 + 1e-9))
            part = only(model, kept)
            for name, rule in RULES.items():
                asked = replace(part, settings=replace(part.settings, rule=rule or _weighted(model)))
                accuracy = forecast(asked, [length]).dcm[0]
                rows.append({"entries": int(kept.sum()), "order": order, "rule": name, "accuracy": accuracy})
    return list({(row["entries"], row["order"], row["rule"]): row for row in rows}.values())


def only(model: Model, kept: NDArray[np.bool_]) -> Model:
    """The model as if the other entries did not occur: what they say and the noise they make are gone.

    The prior is given outright, because a threshold that was found for the whole lexicon is none for a part of it.
    """
    occurrences = np.where(kept, model.evidence.occurrences, 0)
    prior = dict(zip(model.classes, model.prior.tolist(), strict=True))
    evidence, settings = replace(model.evidence, occurrences=occurrences), replace(model.settings, prior=prior)
    return replace(model, evidence=evidence, settings=settings)


def _weighted(model: Model) -> str:
    return model.settings.rule if ESTIMATION_RULES[model.settings.rule].uses_weights else "dcm"


def _places(model: Model, values: NDArray[Any]) -> FloatArray:
    """The place of each entry in its list, from the largest value down, as a share of the list; 0: does not occur.

    Shares, and not numbers, so that a part has as much of a long list as of a short one, and they stay in balance.
    """
    occurrences = model.evidence.occurrences
    places = np.zeros(len(occurrences))
    for label in range(len(model.classes)):
        mine = np.flatnonzero((occurrences > 0) & (model.evidence.list_index == label))
        ordered = mine[np.lexsort((-occurrences[mine], -values[mine].astype(np.float64)))]
        places[ordered] = np.arange(1, len(ordered) + 1) / max(len(ordered), 1)
    return places
