"""Differences between groups without labels: by hand, and how often they are right."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy.special import logit

from problex.counting.tables import Rows
from problex.grouping.grouping import Grouping
from problex.scoring.scores import Scores
from problex.shares.differences import (
    INDEPENDENCE,
    ClusteredMeans,
    critical_value,
    describe_differences,
    share_differences,
    word_excess,
)
from problex.shares.grid import BUCKETS, GridCounter, GridCounts, buckets_of
from tests.simulated import Corpus, made_up

CLASSES = ("bad", "good")
WORDS = 40
LEADS = np.repeat([[1.0, -1.0], [-1.0, 1.0]], WORDS // 2, axis=0)
"""Weights of the words: the first half are those of bad."""


def scored(
    probabilities: Sequence[float], words: Any, lengths: int | Sequence[int] = 9, keys: Sequence[int] | None = None
) -> Scores:
    """Documents with these probabilities of good; `words` has for each document which of the words it has."""
    documents, columns = np.nonzero(words)
    size = len(probabilities)
    rows = Rows(np.searchsorted(documents, np.arange(size + 1)), columns, np.ones_like(columns), np.full(size, 9))
    values = np.stack([np.zeros(size), logit(np.array(probabilities))], axis=1)
    own = None if keys is None else np.array(keys, np.uint64)
    return Scores(CLASSES, values, np.full(size, lengths), np.ones(size, np.int64), keys=own, rows=rows)


def counts(groups: Sequence[str], scores: Scores, leftover: Sequence[str] = ()) -> GridCounts:
    counter = GridCounter(2, Grouping("group"), "all", compared=True)
    counter.add(scores, list(groups))
    found = counter.counts()
    return found.joined({}, sorted(found.groups), leftover)


def evident(sizes: dict[str, tuple[int, int]], length: dict[str, int] | None = None) -> GridCounts:
    """Groups of so many documents with p = .88 and a word of good, and of so many with p = .12 and a word of bad. The
    words take turns, so that they all show the difference."""
    groups, probabilities, words, lengths = [], [], [], []
    for name, (good, bad) in sizes.items():
        for at in range(good + bad):
            groups.append(name)
            probabilities.append(0.88 if at < good else 0.12)
            words.append(np.arange(WORDS) == at % (WORDS // 2) + (WORDS // 2 if at < good else 0))
            lengths.append((length or {}).get(name, 9))
    return counts(groups, scored(probabilities, np.array(words), lengths))


def test_the_mean_of_clusters_by_hand() -> None:
    """Group g: clusters of 1, 1 and 2 documents with sums 1, 0, 2; mean .75, a = (1/16, -3/16, 2/16), G = 16/6. Group h
    has 2 documents in each of the first two, with sums 1 and 0: mean .25, b = (1/8, -1/8, 0), G = 2."""
    found = ClusteredMeans.of(np.array([[1.0, 1, 2], [2, 2, 0]]), np.array([[1.0, 0, 2], [1, 0, 0]]))
    assert found.parts.tolist() == [[0.0625, -0.1875, 0.125], [0.125, -0.125, 0.0]]
    first, second = (14 / 256) * (16 / 6) / (10 / 6), (2 / 64) * 2 / 1
    variance = first + second - 2 * (0.0625 * 0.125 + 0.1875 * 0.125)
    difference, error, degrees = found.difference(0, 1)
    assert difference == 0.5
    assert error == pytest.approx(sqrt(variance))
    welch = (first + second) ** 2 / (first**2 / (10 / 6) + second**2 / 1)
    squares = np.array([-0.0625, -0.0625, 0.125]) ** 2
    assert degrees == pytest.approx(max(1.0, min(welch, 3 * squares.sum() ** 2 / (squares @ squares) - 2)))


def test_without_copies_it_is_welch_s_test() -> None:
    """Each document is a cluster of its own: the variance of a mean is s^2 / n, with n - 1 in s^2."""
    random = np.random.default_rng(0)
    x, y = random.random(50), random.random(80)
    documents = np.zeros((2, 130))
    documents[0, :50], documents[1, 50:] = 1, 1
    difference, error, degrees = ClusteredMeans.of(documents, documents * np.concatenate([x, y])).difference(0, 1)
    assert difference == pytest.approx(x.mean() - y.mean())
    assert error == pytest.approx(sqrt(x.var(ddof=1) / 50 + y.var(ddof=1) / 80))
    a, b = x.var(ddof=1) / 50, y.var(ddof=1) / 80
    assert degrees == pytest.approx((a + b) ** 2 / (a**2 / 49 + b**2 / 79), rel=1e-6)


def test_words_by_hand() -> None:
    """d = .25, .25, and -1 * (.25 - .5) = .25: sum .75, root of the sum of squares sqrt(3) / 4."""
    excess, in_use = word_excess(
        np.array([0.5, 0.5, 0.25, 0]), np.array([0.25, 0.25, 0.5, 0]), np.array([1.0, 1, -1, 1])
    )
    assert excess == pytest.approx(sqrt(3))
    assert in_use == 3
    excess, in_use = word_excess(np.array([0.9, 0.5]), np.array([0.1, 0.5]), np.ones(2))
    assert excess == pytest.approx(1.0)  # a topic: however large, it is one word
    assert in_use == 2


def test_a_difference_by_hand() -> None:
    """Of 100 documents of a, 80 are predicted good, of b 20: .6 more, with an error of sqrt(2 * .16 / 99); less two
    errors this is .48629, in whole points 48."""
    found = evident({"a": (80, 20), "b": (20, 80)})
    (row,) = share_differences(found, CLASSES, LEADS)
    assert (row["label"], row["group"], row["direction"], row["other"]) == ("good", "a", "higher", "b")
    assert row["at_least"] == 0.48
    (row,) = share_differences(evident({"a": (20, 80), "b": (80, 20)}), CLASSES, LEADS)
    assert (row["direction"], row["at_least"]) == ("lower", 0.48)


def test_undecided_documents_count_half() -> None:
    """Of a, 60 are predicted good, 20 undecided and 20 bad, which is .7; of b, .2: .5 less two errors."""
    words = np.arange(WORDS) == np.arange(200)[:, None] % (WORDS // 2) + (WORDS // 2) * (np.arange(200) < 100)[:, None]
    probabilities = [0.88] * 60 + [0.5] * 20 + [0.12] * 20 + [0.88] * 20 + [0.12] * 80
    (row,) = share_differences(counts(["a"] * 100 + ["b"] * 100, scored(probabilities, words)), CLASSES, LEADS)
    first = (60 * 0.3**2 + 20 * 0.2**2 + 20 * 0.7**2) / 100 / 99
    assert row["at_least"] == np.floor(100 * (0.5 - 2 * sqrt(first + 0.16 / 99))) / 100


def test_copies_are_one_observation() -> None:
    """Forty documents of a are five texts, eight times each: clear if they were independent."""
    words = np.arange(WORDS) == np.arange(80)[:, None] % (WORDS // 2) + (WORDS // 2) * (np.arange(80) < 40)[:, None]
    probabilities, groups = [0.88] * 30 + [0.12] * 10 + [0.88, 0.12] * 20, ["a"] * 40 + ["b"] * 40
    apart = scored(probabilities, words, keys=range(80))
    copies = scored(probabilities, words, keys=[*np.repeat([1, 2, 3, 4, 5], 8), *range(40, 80)])
    assert share_differences(counts(groups, apart), CLASSES, LEADS)[0]["direction"] == "higher"
    assert share_differences(counts(groups, copies), CLASSES, LEADS)[0]["direction"] == "unclear"


def test_a_single_text_says_nothing() -> None:
    words = np.arange(WORDS) == np.arange(80)[:, None] % (WORDS // 2) + (WORDS // 2) * (np.arange(80) < 40)[:, None]
    scores = scored([0.88] * 40 + [0.12] * 40, words, keys=[1] * 40 + [2] * 40)
    assert share_differences(counts(["a"] * 40 + ["b"] * 40, scores), CLASSES, LEADS)[0]["direction"] == "unclear"


def test_the_words_must_differ_too() -> None:
    """The same probabilities, but one word of good makes all the difference: a topic, not a share."""
    groups, probabilities = ["a"] * 100 + ["b"] * 100, [0.88] * 80 + [0.12] * 20 + [0.88] * 20 + [0.12] * 80
    words = np.arange(WORDS) == np.arange(200)[:, None] % WORDS
    words[:80, -1] = True
    (row,) = share_differences(counts(groups, scored(probabilities, words)), CLASSES, LEADS)
    assert row["direction"] == "unclear"
    three = np.isin(np.arange(WORDS), [0, WORDS - 2, WORDS - 1]) & (np.arange(200) % 2 == 0)[:, None]
    (row,) = share_differences(counts(groups, scored(probabilities, three)), CLASSES, LEADS)
    assert row["direction"] == "too few words"  # three words are never two standard errors from none


def test_several_comparisons_need_larger_differences() -> None:
    """Three pairs: a probability of .02275 / 3 in either tail is beyond 2.428 standard errors."""
    assert critical_value(3) == pytest.approx(2.428, abs=5e-4)
    (alone,) = share_differences(evident({"a": (60, 40), "b": (45, 55)}), CLASSES, LEADS)  # 2.14 standard errors
    assert alone["direction"] == "higher"
    rows = share_differences(evident({"a": (60, 40), "b": (45, 55), "c": (52, 48)}), CLASSES, LEADS)
    assert [row["direction"] for row in rows] == ["unclear"] * 3
    rows = share_differences(evident({"a": (60, 40), "b": (45, 55), "few": (9, 0)}), CLASSES, LEADS)
    assert [row["direction"] for row in rows] == ["higher", "too few documents", "too few documents"]


def test_what_is_not_compared() -> None:
    high, low = (80, 20), (20, 80)
    assert share_differences(evident({"a": high, "b": (75, 25)}), CLASSES, LEADS)[0]["direction"] == "unclear"
    found = share_differences(evident({"a": high, "b": low}, {"a": 54, "b": 78}), CLASSES, LEADS)[0]
    assert (found["direction"], found["at_least"]) == ("texts of another length", None)
    found = share_differences(evident({"a": high, "b": low}, {"a": 54, "b": 70}), CLASSES, LEADS)[0]
    assert found["direction"] == "higher"
    assert share_differences(evident({"a": high, "b": (0, 19)}), CLASSES, LEADS)[0]["direction"] == "too few documents"
    assert share_differences(evident({"a": high, "b": (0, 20)}), CLASSES, LEADS)[0]["direction"] == "higher"


def test_groups_are_left_out_by_a_flag_not_by_their_name() -> None:
    """Groups called (draft) and (final) were left out as if they were documents without a group."""
    found = evident({"(draft)": (80, 20), "(final)": (20, 80), "(none)": (50, 50)})
    flagged = found.joined({}, found.groups, {"(none)"})
    (row,) = share_differences(flagged, CLASSES, LEADS)
    assert (row["group"], row["direction"], row["other"]) == ("(draft)", "higher", "(final)")
    assert len(share_differences(found, CLASSES, LEADS)) == 3


def test_sentences() -> None:
    found = evident({"a": (80, 20), "b": (20, 80), "c": (79, 21), "d": (9, 0)})
    rows = share_differences(found, CLASSES, LEADS)
    sizes = [round(100 * row["at_least"]) for row in rows if row["at_least"] is not None]
    assert 42 < sizes[1] < sizes[0] < 50
    assert describe_differences(rows) == [
        f"the share of good is higher in a than in b, by at least {sizes[0]} points",
        f"the share of good is higher in c than in b, by at least {sizes[1]} points",
        "each holds if the model errs equally often in both groups",
        "error rates that differ by as many points would explain it",
        *INDEPENDENCE,
        "1 of 6 pairs of groups does not differ clearly",
        "3 of 6 pairs of groups were not compared: a group has fewer than 20 documents",
    ]
    assert describe_differences(rows, most=1)[1] == "1 more difference is clear"
    assert describe_differences(rows, most=0)[0] == "2 more differences are clear"
    tiny = [{"label": "good", "group": "a", "direction": "higher", "other": "b", "at_least": 0.0}]
    assert describe_differences(tiny) == [
        "the share of good is higher in a than in b, by how much is not known",
        "this holds if the model errs equally often in both groups",
        *INDEPENDENCE,
    ]
    said = describe_differences([tiny[0] | {"at_least": 0.01}])
    assert said[2] == "error rates that differ by 1 point would explain it"


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
    assert describe_differences(rows)[6:] == ["1 of 2 pairs of groups does not differ clearly"]


def test_buckets_are_even() -> None:
    found = np.bincount(buckets_of(np.arange(100 * BUCKETS, dtype=np.uint64)), minlength=BUCKETS)
    assert 80 < found.min() <= found.max() < 120


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return made_up(2500, seed=1)


@pytest.mark.parametrize(("copies", "most"), [("none", 0.06), ("five", 0.06), ("retweets", 0.09)])
def test_random_groups_rarely_differ(corpus: Corpus, copies: str, most: float) -> None:
    """Two random groups of 800 texts, each with its copies: as independent texts, they were clear in .38 and .81."""
    random, times = np.random.default_rng(5), 200
    clear = 0
    for _ in range(times):
        rows = corpus.sample_with_copies(copies, 800, random)
        (row,) = corpus.differences(rows, random.integers(2, size=len(corpus.codes))[rows])
        clear += row["at_least"] is not None
    assert clear / times <= most


@pytest.mark.parametrize("shares", [(0.02, 0.3), (0.1, 0.9), (0.3, 0.7), (0.5, 0.6), (0.7, 0.98)])
def test_the_least_size_holds_if_the_model_errs_in_both_groups_alike(
    corpus: Corpus, shares: tuple[float, float]
) -> None:
    random, clear = np.random.default_rng(6), []
    for _ in range(20):
        rows, groups = corpus.recomposed(shares, 500, random)
        (row,) = corpus.differences(rows, groups)
        clear += [row] if row["at_least"] is not None else []
    assert {row["direction"] for row in clear} <= {"lower"}  # the first group has the lower share
    assert all(row["at_least"] <= shares[1] - shares[0] for row in clear)
    if shares[1] - shares[0] > 0.2:
        assert len(clear) >= 18
