"""Widths that are promised before an audit, against audits of known populations."""

from __future__ import annotations

import numpy as np
import pytest

from problex.audit import Groups, draw
from problex.audit.planning import SIZES, plan
from problex.errors import ProblexError
from problex.scoring.scores import Scores
from tests.populations import Population, coverage, of_values


def calibrated(documents: int = 4000, classes: int = 2, seed: int = 0, spread: float = 1.5) -> Population:
    """Labels drawn with the model's probabilities."""
    random = np.random.default_rng(seed)
    values = random.normal(0, spread, (documents, classes))
    probabilities = np.exp(values) / np.exp(values).sum(axis=1, keepdims=True)
    codes = (random.random(documents)[:, None] > np.cumsum(probabilities, axis=1)).sum(axis=1)
    return of_values("calibrated", values, codes.astype(np.int64))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("size", [40, 200])
def test_widths_are_those_of_audits(classes: int, size: int) -> None:
    """Over sixty audits, the mean half width is within a tenth of the planned one."""
    population = calibrated(classes=classes)
    found = coverage(population, size, 60)
    (planned,) = plan(population.scores, [size]).widths
    share = max(width for (measure, _), (_, width) in found.items() if measure == "prevalence") / 2
    assert planned.share == pytest.approx(share, rel=0.1)
    assert planned.accuracy == pytest.approx(found["accuracy", ""][1] / 2, rel=0.1)


def test_the_width_of_a_group_is_that_of_the_difference_estimator() -> None:
    """Twice the standard deviation of mean probability + mean (label - probability), over 400 samples."""
    population = calibrated(1200, seed=3)
    names = np.array(["a", "b", "c", "c"], dtype=object)[np.arange(1200) % 4]
    groups, probabilities = Groups("g", names), population.scores.probabilities[:, 1]
    errors = []
    for seed in range(400):
        sample = draw(population.scores, 45, seed=seed, groups=groups)
        for name in "abc":
            own = sample.rows[sample.groups == name]
            estimate = probabilities[names == name].mean() + np.mean((population.codes - probabilities)[own])
            errors.append(estimate - population.codes[names == name].mean())
    (planned,) = plan(population.scores, [45], groups).widths
    assert planned.group_labels == 15
    assert planned.group == pytest.approx(1.96 * np.std(errors), rel=0.1)


def test_by_hand() -> None:
    """Half the documents have p = .8, half .2: 100 labels, 50 for each prediction in strata of equal size, so each has
    49 observations; mean (49 * .8 + .5) / 50. The 950 others are a beta-binomial draw: 950 (950 + 50) / (50 + 1)."""
    margin = np.log(4) * np.where(np.arange(2000) % 2, 1.0, -1.0)
    scores = Scores(("a", "b"), np.stack([0 * margin, margin], axis=1), np.full(2000, 5), np.ones(2000, np.int64))
    (width,) = plan(scores, [100]).widths
    mean = (49 * 0.8 + 0.5) / 50
    variance = 2 * 950 * (950 + 50) / 51 / 2000**2
    assert width.share == pytest.approx(1.96 * np.sqrt(variance * mean * (1 - mean)), rel=1e-4)
    assert width.accuracy == pytest.approx(width.share)
    assert width.largest_share == pytest.approx(1.96 * np.sqrt(variance / 4), rel=1e-4)
    groups = Groups("party", np.array(["x", "y"], dtype=object)[np.arange(2000) // 1000])
    (width,) = plan(scores, [100], groups).widths
    assert width.group_labels == 50
    assert width.group == pytest.approx(1.96 * np.sqrt(0.95 * 0.16 / 50), rel=1e-4)
    assert width.largest_group == pytest.approx(1.96 * np.sqrt(0.95 * 0.25 / 50), rel=1e-4)


def test_the_width_of_a_group_is_that_of_the_widest_and_complete_groups_are_named() -> None:
    """Of 60 labels, 12 are all of two small groups; the others have 24 each, of 2,000 and of 60 documents."""
    margin = np.log(4) * np.where(np.arange(2072) % 2, 1.0, -1.0)
    scores = Scores(("a", "b"), np.stack([0 * margin, margin], axis=1), np.full(2072, 5), np.ones(2072, np.int64))
    names = np.repeat(np.array(["large", "10", "2", "small"], dtype=object), [2000, 8, 4, 60])
    planned = plan(scores, [60], Groups("party", names))
    (width,) = planned.widths
    assert width.group == pytest.approx(1.96 * np.sqrt((1 - 24 / 2000) * 0.16 / 24), rel=1e-4)
    assert width.largest_group == pytest.approx(1.96 * np.sqrt((1 - 24 / 2000) * 0.25 / 24), rel=1e-4)
    assert (width.widest, width.group_labels, width.complete) == ("large", 24, ("10", "2"))
    assert width.group is not None
    assert width.group > width.share
    assert planned.notes()[-3:-1] == [
        f"the share in 'large', widest of 4 groups by 'party', from 24 labels: ±{100 * width.group:.1f} points",
        "labelled completely, so that the share is known: '10', '2'",
    ]


def test_groups_that_are_all_labelled_completely_have_no_width() -> None:
    population = calibrated(20)
    planned = plan(population.scores, [20], Groups("party", np.array(["x", "y"] * 10, dtype=object)))
    assert planned.records()[0]["group"] is None
    assert planned.as_shown()[0]["share in_widest group"] == "-"
    assert "labelled completely, so that the share is known: 'x', 'y'" in planned.notes()


def test_more_labels_never_widen() -> None:
    population = calibrated()
    widths = plan(population.scores).widths
    assert [width.labels for width in widths] == list(SIZES)
    for name in ("accuracy", "share", "largest_share"):
        values = [getattr(width, name) for width in widths]
        assert values == sorted(values, reverse=True)
    assert all(width.share <= width.largest_share for width in widths)


def test_words() -> None:
    population = calibrated(600)
    planned = plan(population.scores, [50, 100], Groups("party", np.array(["x", "y"] * 300, dtype=object)))
    assert planned.records()[0].keys() == {
        *("labels", "accuracy", "share", "share_at_most", "labels_per_group", "group", "group_at_most")
    }
    width = planned.widths[1]
    assert width.group is not None
    assert planned.notes() == [
        "600 documents; half the width of 95% intervals, in percentage points",
        f"with 100 labels, the share of a label in all documents is known to ±{100 * width.share:.1f} points",
        "this assumes that the model's probabilities are right, which is optimistic",
        f"worst case (±{100 * width.largest_share:.1f} points): its predictions say nothing about the labels",
        f"the share in '{width.widest}', widest of 2 groups by 'party', from 50 labels: "
        f"±{100 * width.group:.1f} points",
        "an interval half as wide needs about four times as many labels",
    ]
    shown = planned.as_shown()[1]
    assert (shown["labels"], shown["labels_per group"]) == (100, 50)
    assert (shown["share of_a label"], shown["share in_widest group"]) == (
        f"±{100 * width.share:.1f}",
        f"±{100 * width.group:.1f}",
    )


def test_errors() -> None:
    with pytest.raises(ProblexError, match="there are 10 documents with words, and a sample of 20 was planned"):
        plan(calibrated(10).scores)
    names = np.array([f"g{at}" for at in range(600)], dtype=object)
    with pytest.raises(ProblexError, match="600 documents with words, and a sample of 600 was planned: give more"):
        plan(calibrated(600).scores, groups=Groups("id", names))
    with pytest.raises(ProblexError, match="a sample of 30 was requested, but there are only 10 documents"):
        plan(calibrated(10).scores, [30])
