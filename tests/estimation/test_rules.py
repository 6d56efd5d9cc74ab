"""The rules by themselves; what they do to texts is in test_scoring."""

from __future__ import annotations

import numpy as np
import pytest

from problex import Lexicon, count, estimate
from problex.errors import ModelError
from problex.estimation.rules import RULES, TEMPERS
from problex.estimation.settings import RULE_NAMES, TEMPER_NAMES


def test_settings_know_every_rule_and_tempering() -> None:
    assert tuple(RULES) == RULE_NAMES
    assert tuple(TEMPERS) == TEMPER_NAMES


def test_a_word_speaks_for_its_own_list_only(lexicon: Lexicon, texts: list[str]) -> None:
    model = estimate(count(texts, lexicon), lexicon)
    columns = np.arange(len(model.evidence.entries))
    for name in ("count", "presence", "multinomial", "dcm"):
        table = RULES[name].contribution(model, columns, np.full(len(columns), 2))
        others = table[columns, 1 - model.evidence.list_index]
        assert np.all(others == 0)
        assert np.all(table[columns, model.evidence.list_index] >= 0)


def test_pmi_needs_its_table(lexicon: Lexicon, texts: list[str]) -> None:
    model = estimate(count(texts, lexicon), lexicon)
    with pytest.raises(ModelError, match="not estimated with rule='pmi'"):
        RULES["pmi"].contribution(model, np.array([0]), np.array([1]))
