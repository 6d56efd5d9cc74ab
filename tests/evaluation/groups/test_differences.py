"""Differences between groups without labels: by hand, and how often they are right."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from problex.evaluation.groups.differences import critical_value, describe_differences, share_differences
from problex.evaluation.groups.grid_counts import GridCounts
from problex.evaluation.groups.logit_grid import GRID, GRID_PROBABILITIES, grid_places

CLASSES = ("bad", "good")


def counts(names: list[str], rows: list[dict[int, int]], lengths: list[float] | None = None) -> GridCounts:
    documents = np.zeros((2, len(rows), len(GRID)), dtype=np.int64)
    for at, row in enumerate(rows):
        for place, number in row.items():
            documents[1, at, place] = number
    documents[0] = documents[1, :, ::-1]
    none = np.zeros(0, dtype=np.int64)
    return GridCounts(tuple(names), documents, np.array(lengths or [4.0] * len(rows)), none, np.zeros((2, 0), np.int64))


def test_the_least_size_by_hand() -> None:
    """Of 100 documents of a, 80 have p = .881 and 20 p = .119; of 100 of b it is the other way round."""
    (row,) = share_differences(counts(["a", "b"], [{64: 80, 32: 20}, {64: 20, 32: 80}]), CLASSES)
    p = GRID_PROBABILITIES[64]
    difference = 0.6 * (2 * p - 1)
    error = np.sqrt(2 * 0.16 * (2 * p - 1) ** 2 / 99)
    distance = (2 * p - 1) ** 2  # of the means of documents with and without the label: p^2 + q^2 - 2 p q
    assert (row["label"], row["group"], row["direction"], row["other"]) == ("good", "a", "higher", "b")
    assert row["at_least"] == pytest.approx((difference - 2 * error) / distance)
    (row,) = share_differences(counts(["b", "a"], [{64: 20, 32: 80}, {64: 80, 32: 20}]), CLASSES)
    assert row["direction"] == "lower"


def test_several_comparisons_need_larger_differences() -> None:
    """Three pairs: a probability of .02275 / 3 in either tail is beyond 2.428 standard errors."""
    assert critical_value(3) == pytest.approx(2.428, abs=5e-4)
    high, low = {64: 60, 32: 40}, {64: 45, 32: 55}  # 2.14 standard errors apart
    (alone,) = share_differences(counts(["a", "b"], [high, low]), CLASSES)
    assert alone["direction"] == "higher"
    rows = share_differences(counts(["a", "b", "c"], [high, low, {64: 52, 32: 48}]), CLASSES)
    assert [row["direction"] for row in rows] == ["unclear"] * 3
    rows = share_differences(counts(["a", "b", "few", "none"], [high, low, {64: 9}, {}]), CLASSES)
    assert [row["direction"] for row in rows] == ["higher", "too few documents", "too few documents"]


def test_random_groups_rarely_differ() -> None:
    """Six groups of the same texts: in at most 1 of 20 corpora is any of the 15 differences called clear."""
    random, wrong = np.random.default_rng(1), 0
    for _ in range(200):
        rows = [dict(enumerate(np.bincount(random.integers(0, len(GRID), 100), minlength=len(GRID)))) for _ in "abcdef"]
        found = share_differences(counts(list("abcdef"), rows), CLASSES)
        wrong += any(row["at_least"] is not None for row in found)
    assert wrong <= 10


def test_what_is_not_compared() -> None:
    high, low = {64: 80, 32: 20}, {64: 20, 32: 80}
    close = {64: 75, 32: 25}
    assert share_differences(counts(["a", "b"], [high, close]), CLASSES)[0]["direction"] == "unclear"
    found = share_differences(counts(["a", "b"], [high, low], [4.0, 4.31]), CLASSES)[0]
    assert (found["direction"], found["at_least"]) == ("texts of another length", None)
    assert share_differences(counts(["a", "b"], [high, low], [4.0, 4.29]), CLASSES)[0]["direction"] == "higher"
    assert share_differences(counts(["a", "b"], [high, {32: 19}]), CLASSES)[0]["direction"] == "too few documents"
    assert share_differences(counts(["a", "b"], [high, {32: 20}]), CLASSES)[0]["direction"] == "higher"
    assert share_differences(counts(["a", "(none)"], [high, low]), CLASSES) == []


def test_sentences() -> None:
    rows = share_differences(
        counts(["a", "b", "c", "d"], [{64: 80, 32: 20}, {64: 20, 32: 80}, {64: 79, 32: 21}, {64: 9}]), CLASSES
    )
    sizes = [int(100 * row["at_least"]) for row in rows if row["at_least"] is not None]
    assert 59 < sizes[1] < sizes[0] < 70
    assert describe_differences(rows) == [
        f"the share of good is higher in a than in b, by at least {sizes[0]} points",
        f"the share of good is higher in c than in b, by at least {sizes[1]} points",
        "1 of 6 pairs of groups does not differ clearly",
        "3 of 6 pairs of groups were not compared: a group has fewer than 20 documents",
    ]
    assert describe_differences(rows, most=1)[1] == "1 more difference is clear"
    assert describe_differences(rows, most=0)[0] == "2 more differences are clear"
    tiny = [{"label": "good", "group": "a", "direction": "higher", "other": "b", "at_least": 0.004}]
    assert describe_differences(tiny) == ["the share of good is higher in a than in b, by how much is not known"]


def test_sentences_if_no_pair_differs() -> None:
    row = {"label": "good", "group": "a", "direction": "unclear", "other": "b", "at_least": None}
    rows = [row, row | {"other": "c"}, row | {"group": "b", "other": "c"}]
    assert describe_differences(rows) == ["none of the 3 pairs of groups differs clearly"]
    lengths = [one | {"direction": "texts of another length"} for one in rows]
    assert describe_differences(lengths) == ["none of the 3 pairs of groups was compared: the texts differ in length"]
    assert describe_differences(lengths[:1]) == ["the two groups were not compared: the texts differ in length"]


def test_a_pair_is_counted_once_for_all_labels() -> None:
    """Of three labels, two differ between a and b, and none between a and c."""
    row = {"label": "x", "group": "a", "direction": "higher", "other": "b", "at_least": 0.1}
    unclear = {"direction": "unclear", "at_least": None}
    rows = [row, row | {"label": "y", "direction": "lower"}, row | {"label": "z"} | unclear]
    rows += [{**row, **unclear, "label": label, "other": "c"} for label in "xyz"]
    assert describe_differences(rows)[2:] == ["1 of 2 pairs of groups does not differ clearly"]


def test_directions_are_right_and_sizes_hold_if_the_model_errs_in_all_groups_alike() -> None:
    """The threshold is wrong by 1; groups differ in their shares only."""
    random = np.random.default_rng(0)
    right, least = [], []
    for _ in range(100):
        documents, truth = np.zeros((2, 2, len(GRID)), dtype=np.int64), []
        for group in range(2):
            positive = random.random(500) < random.uniform(0.1, 0.9)
            logits = 2 * (positive - 0.5) + 1.2 * random.standard_normal(500) + 1
            documents[1, group] = np.bincount(grid_places(expit(logits)), minlength=len(GRID))
            truth.append(positive.mean())
        documents[0] = documents[1, :, ::-1]
        none = np.zeros(0, dtype=np.int64)
        found = GridCounts(("a", "b"), documents, np.zeros(2), none, np.zeros((2, 0), np.int64))
        (row,) = share_differences(found, CLASSES)
        if row["at_least"] is not None:
            difference = (truth[0] - truth[1]) * (1 if row["direction"] == "higher" else -1)
            right.append(difference > 0)
            least.append(difference >= row["at_least"])
    assert len(right) > 60
    assert np.mean(right) > 0.98
    assert np.mean(least) > 0.93
