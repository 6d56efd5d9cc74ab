from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from problex import Lexicon, count, estimate
from problex.evaluation.forecasts import ORDERS, forecast, restrict, size_forecast
from problex.model.model import Model
from tests.synthetic import draw


@pytest.fixture(scope="module")
def model() -> Model:
    truth = draw(2000, [0.5, 0.5], seed=7, concentration=300.0)
    found = estimate(truth.counts, truth.lexicon)
    half = np.arange(len(found.predictiveness)) % 2 == 0  # every second word is predictive, the others are not
    return replace(found, predictiveness=np.where(half, 0.5, 0.0))


def best(model: Model, rule: str) -> dict[str, float]:
    rows = [row for row in size_forecast(model, 80) if row["rule"] == rule and row["order"] == "heaviest first"]
    return max(rows, key=lambda row: (round(row["accuracy"], 9), -row["entries"]))


def test_words_without_predictiveness_harm_counting_but_not_learned_weights(model: Model) -> None:
    predictive, every = int((model.predictiveness > 0).sum()), len(model.predictiveness)
    counting, learned = best(model, "counting"), best(model, "learned weights")
    assert predictive * 0.8 <= counting["entries"] <= predictive
    whole = {row["rule"]: row["accuracy"] for row in size_forecast(model, 80) if row["entries"] == every}
    assert whole["counting"] < counting["accuracy"] - 0.01
    assert whole["learned weights"] == pytest.approx(learned["accuracy"], abs=1e-9)


def test_the_whole_lexicon_is_the_model_itself(model: Model) -> None:
    rows = [row for row in size_forecast(model, 80) if row["entries"] == len(model.predictiveness)]
    assert {row["order"] for row in rows} == set(ORDERS)
    learned = [row["accuracy"] for row in rows if row["rule"] == "learned weights"]
    assert learned == pytest.approx([forecast(model, [80]).dcm[0]] * 2)


def test_parts_have_the_same_share_of_a_long_and_of_a_short_list(model: Model) -> None:
    sizes = {row["entries"] for row in size_forecast(model, 80, steps=4)}
    assert all(size % 2 == 0 for size in sizes)  # the lists are equally long here
    nothing = restrict(model, np.zeros(len(model.predictiveness), dtype=bool))
    assert forecast(nothing, [80]).dcm[0] == 0.5


def test_other_rules_and_more_lists() -> None:
    truth = draw(600, [0.4, 0.3, 0.3], seed=3)
    found = estimate(truth.counts, truth.lexicon, rule="presence")
    rows = size_forecast(found, 50, steps=3)
    assert {row["rule"] for row in rows} == {"learned weights", "counting"}
    assert all(1 / 3 - 0.05 < row["accuracy"] < 1 for row in rows)
    weighted = replace(found, settings=replace(found.settings, rule="dcm"))
    assert [row for row in rows if row["rule"] == "learned weights"] == [
        row for row in size_forecast(weighted, 50, steps=3) if row["rule"] == "learned weights"
    ]


def test_relative_ranks_leave_out_what_was_not_seen() -> None:
    """Two of three words of a were seen, so that half of the list is one word; the third never counts."""
    lexicon = Lexicon({"a": ["p", "q", "never"], "b": ["z", "y"]})
    found = estimate(count(["p p q x", "z z y x", "p x", "z x", "p z x"] * 9, lexicon), lexicon)
    rows = size_forecast(found, 40, steps=2)
    assert {row["entries"] for row in rows} == {2, 4}
    assert len(size_forecast(found, 40)) == 2 * 2 * 2


def test_entries_come_by_frequency_or_by_weight() -> None:
    lexicon = Lexicon({"a": ["p", "q"], "b": ["z", "y"]})
    found = estimate(count(["p p q x", "z z y x", "p x", "z x", "p z x"] * 9, lexicon), lexicon)
    frequent = found.evidence.occurrences == 27 + 9
    light = replace(found, predictiveness=np.where(frequent, 0.2, 0.8))
    half = {
        (row["order"], row["rule"]): row["accuracy"] for row in size_forecast(light, 40, steps=2) if row["entries"] == 2
    }
    assert half["most frequent first", "learned weights"] == forecast(restrict(light, frequent), [40]).dcm[0]
    assert half["heaviest first", "learned weights"] == forecast(restrict(light, ~frequent), [40]).dcm[0]


def test_sizes_are_24_steps_of_equal_ratio(model: Model) -> None:
    lists = len(model.predictiveness) // 2
    steps = np.geomspace(1 / lists, 1.0, 24)
    expected = {2 * int(share * lists * (1 + 1e-9)) for share in steps}
    assert {row["entries"] for row in size_forecast(model, 80)} == expected
    assert len(expected) > 12


def test_negated_forms_are_used_but_not_counted() -> None:
    lexicon = Lexicon({"a": ["good", "fine"], "b": ["bad", "poor"]})
    texts = ["good fine x", "bad poor x", "not bad x fine", "not good x poor", "good x bad"] * 20
    found = estimate(count(texts, lexicon), lexicon)
    assert len(found.evidence.entries) > 4
    rows = size_forecast(found, 40)
    assert max(row["entries"] for row in rows) == 4
    assert min(row["entries"] for row in rows) >= 1
    whole = {row["accuracy"] for row in rows if row["entries"] == 4 and row["rule"] == "learned weights"}
    assert forecast(found, [40]).dcm[0] == pytest.approx(max(whole), abs=1e-9)


def test_five_lists_of_which_some_have_no_weight() -> None:
    """With one entry per list, several lists are without weight: their forecast was not a number."""
    truth = draw(600, [0.2] * 5, seed=4, words_per_list=12)
    found = estimate(truth.counts, truth.lexicon)
    silent = np.where(found.evidence.list_index >= 3, 0.0, found.predictiveness)
    rows = size_forecast(replace(found, predictiveness=silent), 60)
    assert all(0 < row["accuracy"] < 1 for row in rows)
