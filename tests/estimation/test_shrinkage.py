"""Shrinkage from the data: it finds the noise and the spread, and what it shrinks is closer to the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from problex import Lexicon, count, estimate
from problex.estimation.moments import evidence_of, per_list
from problex.estimation.shrinkage import deficits, dispersion_of, posterior, spread_given, variances, weigh_partners
from tests.estimation.test_moments import recovered
from tests.synthetic import Truth, draw

GIVEN = {"list0": 0.5, "list1": 0.5}


@pytest.mark.parametrize("spread", [0.002, 0.05])
@pytest.mark.parametrize("dispersion", [1.0, 12.0])
def test_spread_and_dispersion_are_recovered(spread: float, dispersion: float) -> None:
    random = np.random.default_rng(1)
    effective = np.exp(random.uniform(0, 9, 6_000))
    deviations = random.normal(0, np.sqrt(spread + dispersion / effective))
    found = variances(deviations, effective)
    assert found == pytest.approx((spread, dispersion), rel=0.25)
    assert spread_given(deviations, effective, dispersion) == pytest.approx(spread, rel=0.25)


def test_noise_alone_has_no_spread() -> None:
    random = np.random.default_rng(2)
    effective = np.exp(random.uniform(0, 6, 4_000))
    spread, dispersion = variances(random.normal(0, np.sqrt(3.0 / effective)), effective)
    assert spread < 0.005
    assert dispersion == pytest.approx(3.0, rel=0.15)


def test_documents_show_the_dispersion_that_the_words_show() -> None:
    """Where words do not differ, the scatter of their deficits is all noise."""
    truth = draw(4_000, [0.5, 0.5], words_per_list=200, length=60, seed=3, even=0.3)
    evidence = evidence_of(truth.counts)
    deficit, effective = deficits(evidence)
    by_words = float(np.mean(effective * (deficit - np.average(deficit, weights=effective)) ** 2))
    by_documents = dispersion_of(truth.sample, evidence.list_index, evidence.partner_weights, 2)
    assert by_words <= by_documents <= 2 * by_words


def errors(truth: Truth, **settings: Any) -> float:
    model = estimate(
        truth.counts, truth.lexicon, sample=truth.sample, balance=GIVEN, max_predictiveness=0.99, **settings
    )
    return float(np.sqrt(np.mean((recovered(truth, model) - truth.predictiveness) ** 2)))


def test_what_is_shrunk_is_closer_to_the_truth_than_what_is_not() -> None:
    small = [draw(300, [0.5, 0.5], seed=seed, length=20, words_per_list=60) for seed in range(4)]
    learned = np.mean([errors(truth) for truth in small])
    plain = np.mean([errors(truth, shrinkage=0.0, keep_discordant=True) for truth in small])
    assert learned < 0.9 * plain
    large = draw(20_000, [0.5, 0.5], seed=5)
    assert errors(large) < 0.06


def test_intervals_hold_what_they_promise() -> None:
    covered = []
    for seed in range(6):
        truth = draw(1_000, [0.5, 0.5], seed=seed, length=60)
        model = estimate(truth.counts, truth.lexicon, sample=truth.sample, balance=GIVEN)
        rows = {row["entry"]: row for row in model.records()}
        known = zip(truth.words, truth.predictiveness, strict=False)
        covered += [rows[word]["low"] <= gamma <= rows[word]["high"] for word, gamma in known]
    assert 0.88 <= np.mean(covered) <= 1.0


def test_partners_are_weighed_from_the_pairs_alone() -> None:
    truth = draw(2_000, [0.3, 0.7], seed=6)
    counts = truth.counts
    first = evidence_of(counts)
    found = weigh_partners(first, counts.pairs, None)
    np.testing.assert_allclose(
        per_list(found, found.base_rates * found.partner_weights), per_list(first, first.base_rates), rtol=1e-9
    )
    expected = counts.pairs @ found.partner_weights + counts.pairs.T @ found.partner_weights
    np.testing.assert_allclose(found.weighted_cross_counts, expected)
    assert np.corrcoef(found.partner_weights, recovered(truth, estimate(counts, truth.lexicon)))[0, 1] > 0.5


def test_weighing_partners_helps_when_most_words_say_nothing() -> None:
    gains = []
    for seed in range(3):
        truth = draw(3_000, [0.5, 0.5], seed=seed, length=80, words_per_list=100, silent=0.8)
        counts = truth.counts
        once = posterior(evidence_of(counts)).mean
        twice = posterior(weigh_partners(evidence_of(counts), counts.pairs, truth.sample)).mean
        gains.append([np.corrcoef(mean, truth.predictiveness)[0, 1] for mean in (once, twice)])
    once, twice = np.mean(gains, axis=0)
    assert twice > once + 0.01


def test_few_texts_keep_the_words_of_a_list_together() -> None:
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"]
    few, many = (posterior(evidence_of(count(texts * times, lexicon))) for times in (2, 200))
    assert few.kept < many.kept
    assert few.mean[0] == pytest.approx(few.mean[1], abs=0.2)
    assert np.all(few.error > many.error)
