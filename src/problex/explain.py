"""Why this document: every score is a sum over words, so it can be shown exactly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from problex.errors import ProblexError
from problex.model import Model
from problex.scoring import columns_of, expanded, rule_of, score_table, tempering
from problex.tabulate import tabulate, token_ids


@dataclass(frozen=True)
class Contribution:
    """What one word adds, after tempering: one value per class."""

    entry: str
    list: str
    count: int
    weight: float
    values: tuple[float, ...]

    @property
    def decision(self) -> float:
        """The share of the decision function, for two classes."""
        return self.values[1] - self.values[0]


@dataclass(frozen=True)
class Explanation:
    """A document's score, word by word: `contributions` and `prior` add up to `scores`."""

    text: str
    classes: tuple[str, ...]
    label: str
    scores: tuple[float, ...]
    probabilities: tuple[float, ...]
    prior: tuple[float, ...]
    tempering: float
    contributions: tuple[Contribution, ...]

    def records(self) -> list[dict[str, Any]]:
        """A record per word, the strongest first."""
        return [
            {"entry": part.entry, "list": part.list, "count": part.count, "weight": part.weight}
            | dict(zip(self.classes, part.values, strict=True))
            for part in self.contributions
        ]


def explain(text: str, model: Model, *, rule: str | None = None, temper: str | None = None) -> Explanation:
    """Take the score of one text apart.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> why = explain("a fine, fine film, not bad", estimate(count(texts, lexicon), lexicon))
    >>> [(part.entry, part.count, part.list) for part in why.contributions], why.label
    ([('fine', 2, 'positive'), ('bad', 1, 'negative')], 'positive')
    """
    if not isinstance(text, str):
        raise ProblexError(f"a text was given as {type(text).__name__}, expected one string")
    columns = columns_of(model, rule)
    table = tabulate([text], model.items, model.tokenizer, columns)
    scores = score_table(table, model, rule, temper)
    chosen = rule_of(model, rule)
    found = table.matrix.indices.astype(np.int64)
    factor = float(tempering(table.lengths, model, rule, temper)[0])
    parts = chosen.contribution(model, found, table.matrix.data) * factor
    names = list(columns)
    lists = {
        entry: model.classes[at] for entry, at in zip(model.evidence.entries, model.evidence.list_index, strict=True)
    }
    contributions = [
        Contribution(
            names[column],
            lists.get(names[column], ""),
            int(table.matrix.data[at]),
            0.0 if chosen.all_words else float(model.weights[column]),
            tuple(parts[at].tolist()),
        )
        for at, column in enumerate(found)
    ]
    prior = np.log(model.prior) if chosen.log_odds else np.zeros(len(model.classes))
    if rule is None and temper is None and model.expansion is not None:
        scores = expanded([text], scores, model)
        contributions = _join_expansion(contributions, text, model)
        prior = prior + model.expansion.offset
    contributions.sort(key=lambda part: (-(max(part.values) - min(part.values)), part.entry))
    return Explanation(
        text,
        model.classes,
        str(scores.labels()[0]),
        tuple(scores.values[0].tolist()),
        tuple(scores.probabilities[0].tolist()),
        tuple(prior.tolist()),
        factor,
        tuple(contributions),
    )


def _join_expansion(contributions: list[Contribution], text: str, model: Model) -> list[Contribution]:
    """What the lexicon says, in its weight, and what the learned words add: one contribution per word or pair."""
    expansion = model.expansion
    assert expansion is not None
    own = expansion.lexicon_weight
    found = {part.entry: replace(part, values=tuple(own * value for value in part.values)) for part in contributions}
    tokens = token_ids([text], model.items, model.tokenizer, expansion.vocabulary.columns)
    for name, count, weights, values in expansion.parts(tokens):
        best = model.classes[int(np.argmax(weights))]
        part = found.get(name, Contribution(name, best, count, float(np.ptp(weights)), (0.0,) * len(values)))
        joint = tuple(a + b for a, b in zip(part.values, values.tolist(), strict=True))
        found[name] = replace(part, values=joint)
    return list(found.values())
