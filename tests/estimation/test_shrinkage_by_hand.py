"""Shrinkage of four entries, worked out on paper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from problex._util.arrays import FloatArray
from problex.counting.counts import draw_sample
from problex.estimation.shrinkage import (
    FALLBACK_PREDICTIVENESS,
    balance_lists,
    deficits,
    dispersion_bound,
    estimate_by_posterior,
    posterior,
    relative_weights,
    standard_errors,
    variances,
    weight_partners,
    weighted_coverage,
)
from problex.model.evidence import Evidence

HALF = np.array([0.5, 0.5])


def four(cross: list[float], weights: list[float] | None = None, dispersion: float = float("inf")) -> Evidence:
    """mu = (0.1, 0.1 | 0.2, 0.2) and s = 1100 - 100 = 1000: every e_i is 1000 * 0.1 * 0.4 = 1000 * 0.2 * 0.2 = 40."""
    crossed = np.array(cross)
    return Evidence(
        ("a", "b"), ("p", "q", "x", "y"), np.array([0, 0, 1, 1]), np.array([10, 10, 20, 20]), crossed.astype(np.int64),
        crossed.astype(np.int64), 50, 100, 1100, 8.0, np.array(weights or [1.0] * 4), crossed, dispersion,
    )  # fmt: skip


CROSS = [10.0, 30.0, 20.0, 28.0]
"""The deficits are 3/4 and 1/4 around 1/2, and 1/2 and 3/10 around 2/5."""


def test_deficits_are_what_is_missing_to_the_expected_count() -> None:
    deficit, effective = deficits(four(CROSS))
    np.testing.assert_allclose(deficit, [0.75, 0.25, 0.5, 0.3], rtol=1e-12)
    np.testing.assert_allclose(effective, 40.0, rtol=1e-12)


def test_partner_weights_change_the_expected_and_the_effective_count() -> None:
    """Weights 3/2 and 1/2 of x and y leave e_p = 1000 * 0.1 * (0.3 + 0.1) = 40.

    The effective count is 40 * 0.4 / (2.25 * 0.2 + 0.25 * 0.2) = 32. With weights 1 and 0 of p and q, e_x is
    1000 * 0.2 * 0.1 = 20 and so is its effective count.
    """
    deficit, effective = deficits(four([10, 30, 15, 25], [1.0, 0.0, 1.5, 0.5]))
    np.testing.assert_allclose(deficit, [0.75, 0.25, 0.25, -0.25], rtol=1e-12)
    np.testing.assert_allclose(effective, [32, 32, 20, 20], rtol=1e-12)


def expected_posterior(spread: float, dispersion: float) -> tuple[FloatArray, float]:
    """The means for a spread and a dispersion, and the share of own evidence: e / (e + phi / A)."""
    own = 40 / (40 + dispersion / spread)
    centre = np.array([0.5, 0.5, 0.4, 0.4])
    return own * np.array([0.75, 0.25, 0.5, 0.3]) + (1 - own) * centre, own


def test_entries_with_equal_evidence_show_noise_only_and_the_prior_gives_the_spread() -> None:
    """phi is the mean of 40 d^2 = 40 (2 / 16 + 2 / 100) / 4 = 1.45, and A of the entries the least, 1e-6.

    Five words of the prior have the variance of a uniform between 0 and twice the mean: (1/4 + 4/25) / 2 / 3.
    """
    result = posterior(four(CROSS))
    spread = (4 * 1e-6 + 5 * (0.25 + 0.16) / 2 / 3) / 9
    mean, own = expected_posterior(spread, 1.45)
    assert (result.spread, result.dispersion) == pytest.approx((spread, 1.45), rel=1e-12)
    assert result.strength == pytest.approx(1.45 / spread, rel=1e-12)
    np.testing.assert_allclose(result.mean, mean, rtol=1e-12)
    np.testing.assert_allclose(result.own_share, own, rtol=1e-12)
    np.testing.assert_allclose(result.centre, [0.5, 0.4], rtol=1e-12)
    np.testing.assert_allclose(result.std_error, (1 / spread + 40 / 1.45) ** -0.5, rtol=1e-12)
    assert result.own_evidence == pytest.approx(own, rel=1e-12)


def test_beyond_the_bound_of_the_dispersion_the_rest_of_the_variance_is_spread() -> None:
    """With phi at most 1, A = (1.45 - 1) / 40 = 0.01125."""
    result = posterior(four(CROSS, dispersion=1.0))
    spread = (4 * 0.01125 + 5 * (0.25 + 0.16) / 2 / 3) / 9
    assert (result.spread, result.dispersion) == pytest.approx((spread, 1.0), rel=1e-9)
    np.testing.assert_allclose(result.mean, expected_posterior(spread, 1.0)[0], rtol=1e-9)


def at(evidence: list[float], levels: list[float]) -> tuple[FloatArray, FloatArray]:
    """Two words with each e, whose e d^2 is the level."""
    effective = np.repeat(evidence, 2)
    return np.sqrt(np.repeat(levels, 2) / effective) * np.tile([1, -1], len(evidence)), effective


def test_two_levels_of_evidence_separate_spread_and_dispersion() -> None:
    """phi + A e is 3 + 0.2 and 3 + 20 at e = 10 and 1000."""
    assert variances(*at([10, 1000], [3.2, 23.0])) == pytest.approx((0.02, 3.0), rel=1e-9)
    assert variances(*at([10, 1000], [3.2, 23.0]), 3.01) == pytest.approx((0.02, 3.0), rel=1e-9)


def test_a_bound_on_the_dispersion_solves_the_equation_of_the_spread() -> None:
    """sum w (e d^2 - phi - A e) = 0 with w = e / (phi + A e)^2."""
    deviations, effective = at([10, 1000], [3.2, 23.0])
    spread, dispersion = variances(deviations, effective, 2.0)
    weights = effective / (2.0 + spread * effective) ** 2
    assert dispersion == 2.0
    assert np.sum(weights * (effective * deviations**2 - 2.0 - spread * effective)) == pytest.approx(0, abs=1e-9)
    assert spread > 0.02
    assert variances(*at([10, 1000], [3.2, 3.2]), 3.2)[1] == pytest.approx(3.2)


def test_a_dispersion_below_one_half_counts_as_one_half() -> None:
    """phi would be 0.1: instead sum w e (e d^2 - 1/2 - A e) = 0 with w = 1 / (1/2 + A e)^2."""
    deviations, effective = at([10, 1000], [0.3, 20.1])
    spread, dispersion = variances(deviations, effective)
    assert dispersion == 0.5
    weights = effective / (0.5 + spread * effective) ** 2
    assert np.sum(weights * (effective * deviations**2 - 0.5 - spread * effective)) == pytest.approx(0, abs=1e-9)


def test_a_spread_that_would_be_negative_is_one_millionth() -> None:
    """e d^2 falls from 4 to 2: with A = 1e-6 the weights are 1 / (phi + 1e-6 e)^2, nearly equal, and phi is near 3."""
    spread, dispersion = variances(*at([10, 1000], [4.0, 2.0]))
    assert spread == 1e-6
    assert dispersion == pytest.approx(3.0, abs=1e-3)
    assert variances(*at([10, 1000], [0.2, 0.1])) == (1e-6, 0.5)
    assert variances(np.array([]), np.array([])) == (0.01, 1.0)


def test_lists_are_balanced_and_cut_off_alike() -> None:
    """mu u sums to 0.1 and 0.16; with W = 0.3 G is 0.15 each, so u is multiplied by 1.5 and 0.15 / 0.16.

    Below 0.9, p becomes 0.855 + 0.045 (1 - exp(-0.27 / 0.045)) = 0.9 - 0.045 / e^6, and both lists are multiplied by
    what that leaves of G_a = 0.15: 0.1275 / 0.15 = 0.85, less a trace.
    """
    evidence, deficit = four(CROSS), np.array([0.75, 0.25, 0.5, 0.3])
    expected = np.array([1.125, 0.375, 0.46875, 0.28125])
    np.testing.assert_allclose(balance_lists(deficit, evidence, HALF, 0.3, 2.0), expected, rtol=1e-12)
    capped = balance_lists(deficit, evidence, HALF, 0.3, 0.9)
    top = 0.9 - 0.045 * np.exp(-6.0)
    left = (0.1 * top + 0.1 * 0.375) / 0.15
    np.testing.assert_allclose(capped, [top, 0.375, 0.46875 * left, 0.28125 * left], rtol=1e-12)
    skewed = balance_lists(deficit, evidence, np.array([0.25, 0.75]), 0.2, 2.0)
    np.testing.assert_allclose(skewed, deficit * [0.5, 0.5, 0.9375, 0.9375], rtol=1e-12)


def test_the_scale_fits_all_cross_counts_together() -> None:
    """sum u (e - c) = W^2 s sum_i u_i^2 mu_i sum_other w_j mu_j u_j, with mu u summing to pi in both lists."""
    evidence = four(CROSS)
    result = posterior(evidence)
    u = result.mean * np.repeat(HALF / [0.1, 0.16], 2)
    rates = np.array([0.1, 0.1, 0.2, 0.2])
    np.testing.assert_allclose([np.sum((rates * u)[:2]), np.sum((rates * u)[2:])], HALF)
    missing = float(np.sum(u * (40 - np.array(CROSS))))
    unit = 1000 * float(np.sum(u**2 * rates * 0.5))
    width = weighted_coverage(evidence, result, HALF)
    assert width == pytest.approx(np.sqrt(missing / unit), rel=1e-9)
    found, summary = estimate_by_posterior(evidence, HALF, 0.99)
    np.testing.assert_allclose(found, balance_lists(result.mean, evidence, HALF, width, 0.99), rtol=1e-12)
    assert (summary.converged, summary.fallback) == (True, False)
    assert summary.shrinkage == pytest.approx(result.strength)


def test_without_a_deficit_every_entry_has_the_same_predictiveness() -> None:
    """One list without a deficit is enough, and the limit of the predictiveness holds here, too."""
    for cross in ([50.0, 50.0, 50.0, 50.0], [50.0, 50.0, 20.0, 20.0]):
        found, summary = estimate_by_posterior(four(cross), HALF, 0.9)
        assert found.tolist() == [FALLBACK_PREDICTIVENESS] * 4 == [0.1] * 4
        assert summary.fallback is True
    assert estimate_by_posterior(four([50.0] * 4), HALF, 0.05)[0].tolist() == [0.05] * 4


def test_relative_weights_have_the_mean_one_in_each_list() -> None:
    """Of 0.6, -0.2 and 0.4, 0.2: the negative one counts as zero, so 0.6 becomes 2, and 0.4 and 0.2 become 4/3, 2/3."""
    weights = relative_weights(four(CROSS), np.array([0.6, -0.2, 0.4, 0.2]))
    assert weights is not None
    np.testing.assert_allclose(weights, [2, 0, 4 / 3, 2 / 3], rtol=1e-12)
    assert relative_weights(four(CROSS), np.array([0.0, -0.2, 0.4, 0.2])) is None


def test_partners_are_weighed_twice_by_the_mean_of_the_old_and_the_new_weight() -> None:
    pairs = sparse.csr_array(np.array([[0, 0, 4, 6], [0, 0, 16, 14], [0, 0, 0, 0], [0, 0, 0, 0]]))
    evidence = four([10.0, 30.0, 20.0, 20.0])
    expected = evidence
    for _ in range(2):
        better = relative_weights(expected, posterior(expected).mean)
        assert better is not None
        weights = (expected.partner_weights + better) / 2
        crossed = pairs.toarray() @ weights + pairs.toarray().T @ weights
        expected = replace(expected, partner_weights=weights, weighted_cross_counts=crossed)
    result = weight_partners(evidence, pairs, None)
    np.testing.assert_allclose(result.partner_weights, expected.partner_weights, rtol=1e-12)
    np.testing.assert_allclose(result.weighted_cross_counts, expected.weighted_cross_counts, rtol=1e-12)
    assert result.dispersion == float("inf")
    assert abs(result.partner_weights[0] - 1) > 0.05


def test_the_dispersion_of_three_documents() -> None:
    """Tokens of the lists: (1, 1), (1, 3), (2, 0).

    The four tokens of the first list have 1, 3, 0, 0 partners: mean 1, scatter 10 - 16 / 4 = 6. The four of the second
    have 1 each: scatter 4 - 16 / 4 = 0. Of independent counts the scatter would be the sum of partners, 4 + 4 = 8.
    Repeated twice, all sums double. Weights 2 of x and y double the first list's partners: 24 over 8 * 2 + 4 = 20.
    """
    matrix = sparse.csr_array(np.array([[1, 0, 1, 0], [0, 1, 1, 2], [1, 1, 0, 0]]))
    keys, lengths = np.arange(3, dtype=np.uint64), np.array([3, 5, 4])
    sample = draw_sample(keys, lengths, matrix, 10)
    lists = np.array([0, 0, 1, 1])
    assert dispersion_bound(sample, lists, np.ones(4), 2) == pytest.approx(6 / 8)
    twice = replace(sample, repeats=sample.repeats * 2)
    assert dispersion_bound(twice, lists, np.ones(4), 2) == pytest.approx(6 / 8)
    assert dispersion_bound(sample, lists, np.array([1.0, 1.0, 2.0, 2.0]), 2) == pytest.approx(24 / 20)
    even = draw_sample(keys[:1], lengths[:1], matrix[[0]], 10)
    assert dispersion_bound(even, lists, np.ones(4), 2) == 0.5
    alone = draw_sample(keys[:1], lengths[:1], matrix[[2]], 10)
    assert dispersion_bound(alone, lists, np.ones(4), 2) == float("inf")
    weighed = weight_partners(four(CROSS), sparse.csr_array((4, 4), dtype=np.int64), sample)
    assert weighed.dispersion == dispersion_bound(sample, lists, weighed.partner_weights, 2)


def test_standard_errors_are_those_of_the_deficits_in_units_of_predictiveness() -> None:
    """mu gamma sums to 0.05 and 0.04, mu u to 0.1 and 0.16: factors 1/2 and 1/4.

    Under a given kappa of 10, the deviation sqrt(phi / 40) is multiplied by 40 / 50.
    """
    evidence, gamma = four(CROSS), np.array([0.3, 0.2, 0.1, 0.1])
    result = posterior(evidence)
    factor = np.array([0.5, 0.5, 0.25, 0.25])
    np.testing.assert_allclose(standard_errors(evidence, gamma, float("nan")), factor * result.std_error, rtol=1e-9)
    sampling = np.sqrt(1.45 / 40) * 0.8
    np.testing.assert_allclose(standard_errors(evidence, gamma, 10.0), factor * sampling, rtol=1e-9)


def test_an_entry_that_does_not_occur_has_the_spread_as_its_variance() -> None:
    evidence = replace(four(CROSS), occurrences=np.array([20, 0, 20, 20]))
    result = posterior(evidence)
    assert result.own_share[1] == 0
    assert result.mean[1] == pytest.approx(result.centre[0])
    assert result.std_error[1] == pytest.approx(np.sqrt(result.spread))
    gamma = np.array([0.4, 0.4, 0.1, 0.1])
    factor = 0.08 / (0.2 * max(result.mean[0], 0.0))
    assert standard_errors(evidence, gamma, 10.0)[1] == pytest.approx(factor * np.sqrt(result.spread))
