"""Statistics of categories: by hand, against scikit-learn's and numpy's, and whatever the batches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex.errors import DocumentError
from problex.lookups import statistics as statistics_module
from problex.lookups.entries import compile_entries
from problex.lookups.matcher import Matcher
from problex.lookups.statistics import GroupSums, LookupStatistics, LookupSums, sum_by_value
from problex.matching import Tokenizer

PLAIN = Tokenizer("en", negation="none")
TEXTS = ["good fine film", "bad film", "good good bad poor", "film film", "fine poor good x", ""]
DICTIONARY = {"pos": ["good", "fine", "nice"], "neg": ["bad", "poor"], "film": ["film"], "all": ["good", "bad", "*ilm"]}


def statistics(texts: Sequence[str], parts: int = 1) -> LookupStatistics:
    matcher = Matcher(compile_entries(DICTIONARY, PLAIN), PLAIN)
    bounds = np.linspace(0, len(texts), parts + 1).astype(int)
    sums = [LookupSums.of(matcher.match(pa.array(texts[a:b]))) for a, b in pairwise(bounds)]
    total = sums[0]
    for part in sums[1:]:
        total = total + part
    return LookupStatistics(matcher.entries, total)


def percents(words: Sequence[str]) -> FloatArray:
    """The percentages of some words in the texts that have words: a column each."""
    tokens = [text.split() for text in TEXTS if text]
    return np.array([[100 * text.count(word) / len(text) for word in words] for text in tokens])


def alpha(items: NDArray[Any]) -> float:
    size = items.shape[1]
    return float(size / (size - 1) * (1 - items.var(axis=0).sum() / items.sum(axis=1).var()))


@pytest.mark.parametrize("parts", [1, 3])
def test_means_deviations_and_correlations_are_those_of_numpy(parts: int) -> None:
    found = statistics(TEXTS, parts)
    expected = np.column_stack(
        [
            percents(words).sum(axis=1)
            for words in (["good", "fine"], ["bad", "poor"], ["film"], ["good", "bad", "film"])
        ]
    )
    assert found.sums.documents == 5
    assert found.sums.empty == 1
    assert found.means == pytest.approx(expected.mean(axis=0))
    assert found.deviations == pytest.approx(expected.std(axis=0))
    assert found.correlations() == pytest.approx(np.corrcoef(expected.T))


@pytest.mark.parametrize("parts", [1, 2])
def test_alpha_and_kr20_by_their_definitions(parts: int) -> None:
    """Entries that never occur (nice) are no items; a category of one entry has no reliability."""
    found = statistics(TEXTS, parts)
    pos, neg, everything = percents(["good", "fine"]), percents(["bad", "poor"]), percents(["good", "bad", "film"])
    assert found.alphas()[[0, 1, 3]] == pytest.approx([alpha(pos), alpha(neg), alpha(everything)])
    assert found.kr20()[[0, 1, 3]] == pytest.approx([alpha(1.0 * (part > 0)) for part in (pos, neg, everything)])
    assert np.isnan(found.alphas()[2])
    assert np.isnan(found.kr20()[2])


def test_kr20_by_hand() -> None:
    """pos in five texts: good in 3, fine in 2, together 2, 0, 1, 0, 2 entries: pq = .24 + .24, variance .8."""
    assert statistics(TEXTS).kr20()[0] == pytest.approx(2 * (1 - 0.48 / 0.8))


def test_words_that_carry_a_category_and_words_never_met() -> None:
    found = statistics(TEXTS)
    assert found.carriers(2)["pos"] == [
        {"entry": "good", "matches": 4, "share": pytest.approx(4 / 6)},
        {"entry": "fine", "matches": 2, "share": pytest.approx(2 / 6)},
    ]
    assert found.carriers()["all"][0]["entry"] in ("good", "*ilm")
    assert found.never_met() == {"pos": ["nice"], "neg": [], "film": [], "all": []}


def test_records_begin_with_what_varies_most() -> None:
    rows = statistics(TEXTS).records()
    deviations = [row["deviation"] for row in rows]
    assert deviations == sorted(deviations, reverse=True)
    pos = next(row for row in rows if row["category"] == "pos")
    assert (pos["entries"], pos["met"], pos["matches"], pos["documents"]) == (3, 2, 6, 0.6)


def test_pairs_of_categories_leave_out_a_category_and_its_parts() -> None:
    matcher = Matcher(compile_entries({"a": ["x"], "a/b": ["good"], "c": ["bad"]}, PLAIN), PLAIN)
    found = LookupStatistics(matcher.entries, LookupSums.of(matcher.match(pa.array(TEXTS))))
    assert {(row["category"], row["other"]) for row in found.correlated_pairs()} == {("a", "c"), ("a/b", "c")}


def test_means_by_group_and_by_period() -> None:
    matcher = Matcher(compile_entries({"pos": ["good"]}, PLAIN), PLAIN)
    found = matcher.match(pa.array(["good film", "film", "good", ""]))
    groups = GroupSums("who", ("pos",))
    groups.add(sum_by_value(["x", "x", "y", "y"], found))
    groups.add(sum_by_value(["y", None, "y", "y"], found))
    assert groups.records() == [
        {"group": "x", "documents": 2, "pos": 25.0},
        {"group": "y", "documents": 3, "pos": pytest.approx(250 / 3)},
        {"group": "(none)", "documents": 1, "pos": 0.0},
    ]
    dates = GroupSums("when", ("pos",), every="year")
    dates.add(sum_by_value(["2020-01-02", "2020-05-06", "2021-01-01", "2021-02-02"], found))
    assert dates.records() == [
        {"group": "2020", "documents": 2, "pos": 25.0},
        {"group": "2021", "documents": 1, "pos": 100.0},
    ]


def test_a_column_of_too_many_values_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics_module, "MAX_CELLS", 4)
    groups = GroupSums("id", ("pos",))
    with pytest.raises(DocumentError, match="column 'id' has more than 4 different values, expected groups"):
        groups.add((list("abcde"), np.ones(5, np.int64), np.zeros((5, 1))))
