"""Intervals are right when they have the truth in them as often as they say: that is simulated here.

`proof/accuracy/audit_coverage.py` does the same at length.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from problex.audit.intervals import area_interval, area_variance, weighted_area_interval
from problex.audit.results import audit
from problex.audit.sample import draw
from problex.evaluation.metrics import weighted_area
from tests.populations import Population, coverage, populations, small

TIMES = 100
CASES = [(population, size) for size in (40, 100) for population in populations()[: 10 if size == 40 else 3]]


@pytest.mark.parametrize(("population", "size"), CASES, ids=lambda part: str(getattr(part, "name", part)))
def test_intervals_hold_their_coverage(population: Population, size: int) -> None:
    """Of 100 intervals at 95 %, fewer than 86 with the truth in them has a chance of two in 10,000."""
    found = coverage(population, size, TIMES)
    assert set(found) == set(population.truth)
    assert not {name: share for name, (share, _) in found.items() if share < 86 / TIMES}
    assert np.mean([share for share, _ in found.values()]) > 0.93


def test_intervals_are_not_wide_for_nothing() -> None:
    """A hundred labels drawn at random would give accuracy .80 +- .078, and prevalence .5 +- .098."""
    even = populations()[0]
    found = coverage(even, 100, 40)
    assert found["accuracy", ""][1] / 2 < 0.08
    assert found["prevalence", "b"][1] / 2 < 0.085


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.floats(0.1, 5)), min_size=2, max_size=30))
def test_the_weighted_area_is_scikit_learn_s(documents: list[tuple[int, bool, float]]) -> None:
    margin, inside, weights = (np.array(part) for part in zip(*documents, strict=True))
    if inside.all() or not inside.any():
        return
    expected = roc_auc_score(inside, margin, sample_weight=weights)
    found = weighted_area(margin.astype(float), weights * inside, weights * ~inside)
    assert found == pytest.approx(expected, abs=1e-12)
    low, high = weighted_area_interval(margin.astype(float), weights * inside, weights * ~inside)
    assert 0 <= low <= found <= high <= 1


@pytest.mark.parametrize("area", [0.0, 0.3, 0.5, 0.9, 0.999, 1.0])
def test_the_ends_of_a_score_interval_are_just_not_surprised(area: float) -> None:
    low, high = area_interval(area, 15, 25)
    for end in {low, high} - {0.0, 1.0}:
        assert (end - area) ** 2 == pytest.approx(1.959964**2 * area_variance(end, 15, 25), rel=1e-5)
    assert low <= area <= high
    mirrored = area_interval(1 - area, 25, 15)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-6)
    wider = area_interval(area, 15, 25, inflation=2.0)
    assert wider[1] - wider[0] > high - low


SMALL = [(100, 30), (100, 60), (100, 85), (300, 100), (300, 250)]
"""Documents and labels: 30 to 85 % of the documents are labelled."""


@pytest.mark.parametrize(
    ("classes", "documents", "labels"), [*((2, *sizes) for sizes in SMALL), (4, 100, 30), (3, 300, 60)]
)
def test_intervals_hold_where_most_documents_are_labelled(classes: int, documents: int, labels: int) -> None:
    """Eight corpora with forty audits each; with the continuous share of before, .77 to .93 of the intervals held."""
    found: dict[str, list[float]] = {}
    for seed in range(8):
        for (measure, _), (share, _) in coverage(small(classes, documents, seed), labels, 40).items():
            found.setdefault(measure, []).append(share)
    shares = {measure: np.mean(parts) for measure, parts in found.items() if measure != "auc"}
    assert set(shares) == {"accuracy", "precision", "recall", "prevalence"}
    assert min(shares.values()) > 0.92


def test_a_corpus_that_is_labelled_completely_has_no_intervals() -> None:
    population = small(3, 60, 0)
    sample = draw(population.scores, 60)
    found = audit(sample, [population.scores.classes[code] for code in population.codes[sample.rows]])
    for one in found.estimates:
        truth = population.truth[one.measure, one.label]
        assert (one.value, one.low, one.high) == pytest.approx((truth, truth, truth))
    assert found.notes()[0] == "60 labels for 60 documents; all labelled, so nothing is estimated"
