"""The rules by themselves; what they do to texts is in tests/scoring."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon, count, estimate
from problex.errors import EstimationError, ModelError
from problex.model.rules import RULES, TEMPERS, PmiTable, log_rising, make_pmi_table
from problex.model.settings import CHOICES, SOLVERS, Settings


def test_rules_tempers_and_solvers_have_one_table_each() -> None:
    assert list(RULES) == ["count", "presence", "given", "pmi", "multinomial", "log", "dcm"]
    assert list(TEMPERS) == ["burstiness", "root", "tokens", "none"]
    assert list(SOLVERS) == ["exact", "admm"]
    for name, choices in CHOICES.items():
        for choice in choices:
            assert getattr(Settings(**{name: choice}), name) == choice  # type: ignore[arg-type]


def test_what_rules_do_is_said_in_the_table() -> None:
    assert {name for name, rule in RULES.items() if not rule.log_odds} == {"count", "presence", "given"}
    assert {name for name, rule in RULES.items() if rule.uses_weights} == {"multinomial", "log", "dcm"}
    assert {name for name, rule in RULES.items() if rule.all_words} == {"pmi"}
    assert {name for name, rule in RULES.items() if rule.given} == {"given"}


def test_a_word_speaks_for_its_own_list_only(lexicon: Lexicon, texts: list[str]) -> None:
    model = estimate(count(texts, lexicon), lexicon)
    columns = np.arange(len(model.evidence.entries))
    for name in ("count", "presence", "multinomial", "log", "dcm"):
        table = RULES[name].contribution(model.entry_weights, columns, np.full(len(columns), 2))
        others = table[columns, 1 - model.evidence.list_index]
        assert np.all(others == 0)
        assert np.all(table[columns, model.evidence.list_index] >= 0)


def test_the_logarithm_of_repetitions_by_hand(lexicon: Lexicon, texts: list[str]) -> None:
    """An entry that occurs x times adds its log-odds 1 + log x times."""
    weights = estimate(count(texts, lexicon), lexicon).entry_weights
    times = np.array([1, 2, 10])
    table = RULES["log"].contribution(weights, np.zeros(3, np.int64), times)
    assert table[:, weights.list_index[0]] == pytest.approx(weights.log_odds[0] * (1.0 + np.log(times)))


@pytest.mark.parametrize("name", list(RULES))
def test_sums_of_documents_are_sums_of_contributions(name: str) -> None:
    """Bit for bit: those of a document are added in the order of its words. Document 2 has none."""
    lexicon = Lexicon({"a": {"ant": 0.5, "ape": 2}, "b": {"bat": -1, "bee": -3}, "c": {"cat": 1, "cow": -0.5}})
    texts = ["ant ape ant bee", "bat bee cow", "cat cow ant", "ape bat cat cat"] * 5
    model = estimate(count(texts, lexicon, associations=True), lexicon, rule=name)
    documents, ends = np.array([0, 0, 0, 1, 1, 3]), np.array([0, 3, 5, 5, 6])
    columns, factors = np.array([0, 4, 1, 2, 2, 5]), np.array([0.3, 1.0, 0.7, 0.1])
    counts = np.array([3, 1, 2, 1, 4, 1])
    rule, weights = RULES[name], model.entry_weights
    table = rule.contribution(weights, columns, counts)
    sums, lead, matches = rule.sums(weights, rule.entry_weights(weights), ends, columns, counts, factors)
    by_hand = [factors[at] * sum(table[documents == at], start=np.zeros(3)) for at in range(4)]
    assert np.array_equal(sums, by_hand)
    leads = np.array([max(row) - sorted(row)[-2] for row in table.tolist()])
    assert lead.tolist() == [factors[at] * sum(leads[documents == at]) for at in range(4)]
    favours = np.array([len(set(row)) > 1 for row in table.tolist()])
    assert matches.tolist() == [sum((counts * favours)[documents == at]) for at in range(4)]


def test_pmi_needs_its_table(lexicon: Lexicon, texts: list[str]) -> None:
    model = estimate(count(texts, lexicon), lexicon)
    with pytest.raises(ModelError, match='not estimated with rule="pmi"'):
        RULES["pmi"].contribution(model.entry_weights, np.array([0]), np.array([1]))


@given(st.floats(1e-9, 1e12), st.integers(0, 2000))
def test_log_rising_is_a_sum_of_logarithms(start: float, x: int) -> None:
    """Gamma(a + x) / Gamma(a) = a (a + 1) ... (a + x - 1)."""
    found = log_rising(np.array([start]), np.array([x]))[0]
    assert found == pytest.approx(math.fsum(math.log(start + k) for k in range(x)), rel=1e-11, abs=1e-9)


@pytest.mark.parametrize("start", [1e-9, 1e-3, 0.7, 50.0, 1e4, 1e7])
def test_log_rising_for_a_million_repeats(start: float) -> None:
    found = log_rising(np.array([start]), np.array([10**6]))[0]
    assert found == pytest.approx(math.fsum(math.log(start + k) for k in range(10**6)), rel=1e-12)


def test_the_rising_factorial_of_large_and_small_starts_together() -> None:
    """Beyond 10 000 by Stirling's series, whose last term 1 / 12 (1 / (a + x) - 1 / a) is near 1e-5 here."""
    starts, repeats = np.array([10_001.0, 0.5, 40_000.0]), np.array([100_000, 2, 50_000])
    expected = [math.fsum(math.log(a + k) for k in range(x)) for a, x in zip(starts, repeats, strict=True)]
    np.testing.assert_allclose(log_rising(starts, repeats), expected, rtol=0, atol=1e-7)


def test_the_mutual_information_of_a_word_is_smoothed_by_a_thousandth() -> None:
    """A label without documents counts as one."""
    table = PmiTable(("x",), np.array([[6, 0]]), np.array([3, 0]))
    np.testing.assert_allclose(table.weights, [[np.log(6.001 / 3), np.log(0.001)]], rtol=1e-12)


def test_the_weights_of_entries_are_one_where_a_rule_does_not_use_them(lexicon: Lexicon, texts: list[str]) -> None:
    weights = estimate(count(texts, lexicon), lexicon).entry_weights
    assert RULES["dcm"].entry_weights(weights).tolist() == weights.log_odds.tolist()
    assert set(RULES["count"].entry_weights(weights).tolist()) == {1.0}
    with pytest.raises(EstimationError, match="count the texts with associations=True"):
        make_pmi_table(count(texts, lexicon))


def test_without_burstiness_repetitions_count_in_full() -> None:
    assert TEMPERS["burstiness"].factor(np.array([1.0, 16.0]), float("inf")).tolist() == [1.0, 1.0]
    assert TEMPERS["root"].factor(np.array([0.0, 1.0, 2.0, 4.0]), 1.0).tolist() == [1.0, 1.0, 1 / np.sqrt(2), 0.5]
