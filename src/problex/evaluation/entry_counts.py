"""How many of the entries that a user has written occur and have a weight; negated forms are counted apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from problex.matching.items import item_of
from problex.matching.negation import NEGATED
from problex.model.evidence import coverage
from problex.model.model import Model


@dataclass(frozen=True)
class EntryCounts:
    """Numbers of entries of a list, as they were written, in the texts from which the weights were learned.

    `weighted` and `discordant` entries are among those that are `found`. Of a wildcard, one word with a weight is
    enough; it is discordant if most of its occurrences are of discordant words. `negated` forms such as `NOT good` are
    those of the other list that occur and have a weight. `share` is that of all tokens, `negated` forms
    included.
    """

    list: str
    entries: int
    found: int
    weighted: int
    discordant: int
    negated: int
    share: float


def entry_counts(model: Model) -> list[EntryCounts]:
    """The numbers of entries of each list.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"positive": ["good", "fine", "super"], "negative": ["bad", "poor*"]})
    >>> texts = ["good fine day", "not good", "bad poor film", "poorly bad", "good bad", "fine film"] * 20
    >>> counts = entry_counts(estimate(count(texts, lexicon), lexicon))
    >>> [(row.list, row.entries, row.found, row.negated) for row in counts]
    [('negative', 2, 2, 1), ('positive', 3, 2, 0)]
    """
    evidence = model.evidence
    sums = _sums_of_items(model)
    shares = coverage(evidence, np.ones(len(evidence.entries), dtype=bool))
    negated = np.array([entry.startswith(NEGATED) for entry in evidence.entries], dtype=bool)
    forms = negated & (evidence.occurrences > 0) & (model.predictiveness != 0)
    rows = []
    for label, name in enumerate(model.classes):
        entries = model.lexicon.lists[name]
        found = [sums[item] for item in (item_of(entry, model.tokenizer)[0] for entry in entries) if item in sums]
        rows.append(
            EntryCounts(
                name,
                len(entries),
                len(found),
                sum(weighted for _, weighted, _ in found),
                sum(2 * discordant > occurrences for occurrences, _, discordant in found),
                int((forms & (evidence.list_index == label)).sum()),
                float(shares[label]),
            )
        )
    return rows


def _sums_of_items(model: Model) -> dict[str, tuple[int, bool, int]]:
    """Occurrences, whether a word has a weight, and discordant occurrences, of each item of the lexicon that occurs."""
    evidence, items = model.evidence, model.items
    sums: dict[str, tuple[int, bool, int]] = {}
    numbers = zip(evidence.occurrences.tolist(), model.predictiveness > 0, evidence.discordant.tolist(), strict=True)
    for entry, (occurrences, weighted, discordant) in zip(evidence.entries, numbers, strict=True):
        if not occurrences or entry.startswith(NEGATED):
            continue
        wildcard = None if entry in items.list_of else items.matching_wildcard(entry)
        name = wildcard.pattern if wildcard is not None else entry
        before = sums.get(name, (0, False, 0))
        sums[name] = (
            before[0] + occurrences,
            before[1] or bool(weighted),
            before[2] + (occurrences if discordant else 0),
        )
    return sums
