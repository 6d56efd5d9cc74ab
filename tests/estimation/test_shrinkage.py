"""Shrinkage from the data: it finds the noise and the spread, and what it shrinks is closer to the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from problex import Lexicon, count, estimate
from problex.errors import EstimationWarning
from problex.estimation.published import evidence_of
from problex.estimation.shrinkage import (
    FALLBACK_PREDICTIVENESS,
    balance_lists,
    deficits,
    dispersion_bound,
    estimate_by_posterior,
    posterior,
    standard_errors,
    variances,
    weight_partners,
)
from problex.model.evidence import per_list
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
    assert variances(deviations, effective, 0.9 * dispersion) == pytest.approx((spread, 0.9 * dispersion), rel=0.35)


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
    by_documents = dispersion_bound(truth.sample, evidence.list_index, evidence.partner_weights, 2)
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
    found = weight_partners(first, counts.pairs, None)
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
        twice = posterior(weight_partners(evidence_of(counts), counts.pairs, truth.sample)).mean
        gains.append([np.corrcoef(mean, truth.predictiveness)[0, 1] for mean in (once, twice)])
    once, twice = np.mean(gains, axis=0)
    assert twice > once + 0.01


def test_few_texts_keep_the_words_of_a_list_together() -> None:
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"]
    few, many = (posterior(evidence_of(count(texts * times, lexicon))) for times in (2, 200))
    assert few.own_evidence < many.own_evidence
    assert few.mean[0] == pytest.approx(few.mean[1], abs=0.2)
    assert np.all(few.std_error > many.std_error)


@pytest.mark.parametrize("prior", [[0.5, 0.5], [0.2, 0.8], [0.1, 0.2, 0.3, 0.4]])
def test_the_scale_is_recovered(prior: list[float]) -> None:
    truth = draw(20_000, prior, seed=1)
    balance = {f"list{a}": share for a, share in enumerate(prior)}
    model = estimate(truth.counts, truth.lexicon, balance=balance, sample=truth.sample, max_predictiveness=0.99)
    place = {entry: at for at, entry in enumerate(model.evidence.entries)}
    found = model.predictiveness[[place[word] for word in truth.words[: len(truth.predictiveness)]]]
    slope = np.polyfit(truth.predictiveness, found, 1)[0]
    assert slope == pytest.approx(1.0, abs=0.1)
    assert np.corrcoef(found, truth.predictiveness)[0, 1] > 0.97


def test_lists_are_balanced_and_words_keep_their_proportions() -> None:
    evidence = estimate(draw(500, [0.3, 0.7], seed=2).counts, draw(500, [0.3, 0.7], seed=2).lexicon).evidence
    deficits = np.linspace(0.1, 1.0, len(evidence.entries))
    shares = np.array([0.25, 0.75])
    for width in (0.05, 5.0):
        x = balance_lists(deficits, evidence, shares, width, 0.9)
        mass = per_list(evidence, evidence.base_rates * x)
        np.testing.assert_allclose(mass / mass.sum(), shares)
        assert x.max() <= 0.9
    small = balance_lists(deficits, evidence, shares, 0.05, 0.9)
    mine = evidence.list_index == 0
    np.testing.assert_allclose(small[mine] / small[mine][0], deficits[mine] / deficits[mine][0])


def test_words_that_do_not_differ_are_kept_together_and_it_is_said() -> None:
    truth = draw(300, [0.5, 0.5], seed=3, length=20, words_per_list=300, even=0.4)
    with pytest.warns(EstimationWarning, match=r"\d\.\d% of the weights comes from their own evidence"):
        model = estimate(truth.counts, truth.lexicon, sample=truth.sample)
    assert np.std(model.predictiveness) < 0.1 * np.mean(model.predictiveness)


def test_nothing_to_learn_is_counting_and_it_is_said() -> None:
    texts = ["good bad and more words", "fine poor and less words", "good poor", "nothing to see here at all"] * 10
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    with pytest.warns(EstimationWarning, match="as often as expected by chance, so every entry has the same weight"):
        model = estimate(count(texts, lexicon), lexicon)
    assert model.solution.fallback
    assert set(model.predictiveness.tolist()) == {FALLBACK_PREDICTIVENESS}


def test_errors_fall_with_the_evidence_and_with_shrinkage() -> None:
    small, large = (draw(size, [0.5, 0.5], seed=4) for size in (500, 8_000))
    errors = []
    for truth in (small, large):
        model = estimate(truth.counts, truth.lexicon)
        errors.append(standard_errors(model.evidence, model.predictiveness, float("nan")).mean())
    assert errors[1] < 0.6 * errors[0]
    model = estimate(small.counts, small.lexicon, shrinkage=0.0)
    by_kappa = [standard_errors(model.evidence, model.predictiveness, kappa).mean() for kappa in (0.0, 100.0)]
    assert by_kappa[1] < by_kappa[0]


def test_the_summary_says_what_was_done() -> None:
    truth = draw(2_000, [0.5, 0.5], seed=5)
    evidence = estimate(truth.counts, truth.lexicon).evidence
    _, summary = estimate_by_posterior(evidence, np.array([0.5, 0.5]), 0.9)
    assert summary.dispersion == pytest.approx((summary.shrinkage or 0.0) * (summary.spread or 0.0))
    assert 0 < (summary.own_evidence or 0.0) < 1
    assert summary.fallback is False
