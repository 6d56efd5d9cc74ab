"""The rules by themselves; what they do to texts is in test_scoring."""

from __future__ import annotations

import numpy as np
import pytest

from problex import Lexicon, count, estimate
from problex.errors import ModelError
from problex.estimation.rules import RULES, TEMPERS
from problex.estimation.settings import CHOICES, SOLVERS, Settings


def test_rules_tempers_and_solvers_have_one_table_each() -> None:
    assert list(RULES) == ["count", "presence", "pmi", "multinomial", "dcm"]
    assert list(TEMPERS) == ["burstiness", "root", "tokens", "none"]
    assert list(SOLVERS) == ["exact", "admm"]
    for name, choices in CHOICES.items():
        for choice in choices:
            assert getattr(Settings(**{name: choice}), name) == choice  # type: ignore[arg-type]


def test_what_rules_do_is_said_in_the_table() -> None:
    assert {name for name, rule in RULES.items() if not rule.log_odds} == {"count", "presence"}
    assert {name for name, rule in RULES.items() if rule.uses_weights} == {"multinomial", "dcm"}
    assert {name for name, rule in RULES.items() if rule.all_words} == {"pmi"}


def test_a_word_speaks_for_its_own_list_only(lexicon: Lexicon, texts: list[str]) -> None:
    model = estimate(count(texts, lexicon), lexicon)
    columns = np.arange(len(model.evidence.entries))
    for name in ("count", "presence", "multinomial", "dcm"):
        table = RULES[name].contribution(model.entry_weights, columns, np.full(len(columns), 2))
        others = table[columns, 1 - model.evidence.list_index]
        assert np.all(others == 0)
        assert np.all(table[columns, model.evidence.list_index] >= 0)


def test_pmi_needs_its_table(lexicon: Lexicon, texts: list[str]) -> None:
    model = estimate(count(texts, lexicon), lexicon)
    with pytest.raises(ModelError, match="not estimated with rule='pmi'"):
        RULES["pmi"].contribution(model.entry_weights, np.array([0]), np.array([1]))
