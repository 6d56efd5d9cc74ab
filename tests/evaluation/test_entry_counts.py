"""Entries are counted as the user has written them; negated forms and words of wildcards are not entries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from problex import Lexicon, count, estimate
from problex.evaluation.entry_counts import entry_counts
from problex.model.model import Model

LEXICON = Lexicon({"bad": ["awful", "poor*", "rip off"], "good": ["fine", "great", "super", "Well-made"]})
TEXTS = [
    "a fine and great day",
    "poor and poorly made, awful",
    "poorest of all, a rip off",
    "a rip off, awful",
    "not fine, not great",
    "great but awful",
    "well made and fine",
]


def fitted() -> Model:
    return estimate(count(TEXTS * 10, LEXICON), LEXICON)


def test_the_entries_of_each_list_by_hand() -> None:
    """`poor*` is one entry with three words; `super` does not occur; `not fine` and `not great` are forms for bad."""
    model = fitted()
    assert len(model.evidence.entries) > 7
    model = replace(model, predictiveness=np.full(len(model.predictiveness), 0.4))
    bad, good = entry_counts(model)
    assert (bad.list, bad.entries, bad.found, bad.weighted, bad.negated) == ("bad", 3, 3, 3, 2)
    assert (good.list, good.entries, good.found, good.weighted, good.negated) == ("good", 4, 3, 3, 0)


def test_only_entries_with_a_weight_are_weighted() -> None:
    model = fitted()
    only = np.array([0.4 if entry == "poorly" else 0.0 for entry in model.evidence.entries])
    bad, good = entry_counts(replace(model, predictiveness=only))
    assert (bad.found, bad.weighted, bad.negated) == (3, 1, 0)
    assert (good.found, good.weighted) == (3, 0)


def test_a_wildcard_is_discordant_if_most_of_its_occurrences_are() -> None:
    """`poor` is with the other list in 2 of 3 texts that have it, `poorly` never: 30 occurrences against 10 or 50."""
    lexicon = Lexicon({"bad": ["awful", "poor*"], "good": ["fine", "great"]})
    mixed = ["poor but fine great", "poor and great fine", "poor x", "awful x", "fine x", "great x", "awful y"]
    for others, discordant in ((1, 1), (5, 0)):
        model = estimate(count((mixed + ["poorly x x"] * others) * 10, lexicon), lexicon)
        flags = dict(zip(model.evidence.entries, model.evidence.discordant.tolist(), strict=True))
        assert flags["poor"]
        assert not flags["poorly"]
        assert entry_counts(model)[0].discordant == discordant
