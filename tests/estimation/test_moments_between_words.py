"""Moments between different words, threshold and sharpness: against sums over all pairs and triples of words."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from scipy import sparse

from problex import estimate
from problex.estimation.calibration import (
    calibrate,
    coherence,
    label_share,
    prevalence,
    sharpness,
    skewed_share,
    threshold_at,
    word_sharpness,
)
from problex.model import RULES, TEMPERS
from problex.model.calibration import Calibration
from tests.synthetic import draw

SIGNED = sparse.csr_array(
    np.array([[-1.0, -2.0, 0, 0.5], [0, -1.0, 2.0, 0], [0, 0, 1.5, 1.0], [-1.0, 0, 3.0, 1.0], [-2.0, -1.0, 0, 0]])
)
REPEATS = np.array([1.0, 2.0, 4.0, 3.0, 2.0])
FACTOR = np.array([0.5, 1.0, 0.25, 2.0, 1.0])
LISTS = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])


def test_the_skew_is_that_of_all_pairs_and_triples_of_different_words() -> None:
    """third = sum of E[(x_i - m_i)(x_j - m_j)(x_k - m_k)], second = sum of E[(x_i - m_i)(x_j - m_j)].

    skew = (1 - 2 pi) / sqrt(pi (1 - pi)).
    """
    values = SIGNED.toarray() * FACTOR[:, None]
    centred = values - np.average(values, axis=0, weights=REPEATS)
    second, third = (
        sum(np.average(centred[:, list(words)].prod(axis=1), weights=REPEATS) for words in permutations(range(4), size))
        for size in (2, 3)
    )
    share = skewed_share(SIGNED, FACTOR, REPEATS)
    assert second > 0
    assert (1 - 2 * share) / np.sqrt(share * (1 - share)) == pytest.approx(third / second**1.5, rel=1e-9)
    assert abs(share - 0.5) > 0.05


def test_words_without_covariance_have_no_skew() -> None:
    assert skewed_share(sparse.csr_array(np.array([[1.0, 0.0], [0.0, 1.0]])), np.ones(2), np.ones(2)) == 0.5


def test_ties_count_half() -> None:
    """Of weights 1, 2, 4 and 1 the second list leads in 4, and 2 are a tie: (4 + 1) / 8."""
    totals = np.array([[2.0, 1.0], [1.0, 1.0], [0.0, 1.0], [3.0, 0.0]])
    repeats, size = np.array([1.0, 2.0, 4.0, 1.0]), np.full(4, 10.0)
    found = prevalence(sparse.csr_array(totals * [-1.0, 1.0]), totals, totals, size, repeats)
    assert found.counted == pytest.approx(5 / 8)


def test_scores_of_the_prevalence_are_divided_by_one_more_than_the_words() -> None:
    totals = (SIGNED.toarray() != 0).astype(np.float64) @ LISTS
    result = prevalence(SIGNED, totals, totals, np.full(5, 10.0), REPEATS)
    assert result.skewed == pytest.approx(skewed_share(SIGNED, 1 / np.array([4.0, 3.0, 3.0, 4.0, 3.0]), REPEATS))


def test_lists_that_move_together_have_no_coherence() -> None:
    """Two kinds of documents, with four words of each list and with none: covariances 2^2 between, 2^2 - 2 within."""
    both = np.array([[4.0, 4.0], [0.0, 0.0]])
    assert coherence(both, both, np.ones(2), np.ones(2)) == 0.0
    single = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert np.isnan(coherence(single, single, np.ones(2), np.ones(2)))


def test_the_coherence_of_opposite_lists() -> None:
    """(4, 0) and (0, 4) of length 2: means 1 and 1, between -1, within (16 - 4) / 4 / 2 - 1 = 1/2 each: k = 2, 1 / k.

    With squares 8 instead of 4 within is (16 - 8) / 4 / 2 - 1 = 0, which is not positive.
    """
    sums = np.array([[4.0, 0.0], [0.0, 4.0]])
    assert coherence(sums, sums, np.full(2, 2.0), np.ones(2)) == pytest.approx(0.5)
    assert coherence(sums, sums, np.full(2, 2.0), np.full(2, 7.0)) == pytest.approx(0.5)
    assert np.isnan(coherence(sums, 2 * sums, np.full(2, 2.0), np.ones(2)))
    # Without a length a document counts as one token: means 2, between -4, within 6 - 4 = 2.
    assert coherence(sums, sums, np.zeros(2), np.ones(2)) == pytest.approx(0.5)


def test_the_sharpness_is_the_distance_of_the_means_over_the_variance_within() -> None:
    values = SIGNED.toarray() * FACTOR[:, None]
    covariance = np.cov(values.T, aweights=REPEATS, ddof=0)
    variance = covariance.sum()
    between = 0.75 * (variance - np.trace(covariance))
    assert 0 < between < variance
    expected = np.sqrt(between / (0.3 * 0.7)) / (variance - between)
    assert sharpness(SIGNED, FACTOR, REPEATS, 0.3, 0.75) == pytest.approx(expected, rel=1e-9)


def test_the_share_is_limited_in_the_sharpness() -> None:
    extreme, limit = (sharpness(SIGNED, FACTOR, REPEATS, share, 0.75) for share in (0.01, 0.2))
    assert extreme == limit
    assert sharpness(SIGNED, FACTOR, REPEATS, 0.99, 0.75) == sharpness(SIGNED, FACTOR, REPEATS, 0.8, 0.75)


PAIRS = sparse.csr_array(np.array([[1, 1, 0, 0], [0, 0, 1, 1]]))
SIDES = np.array([1.0, 1.0, -1.0, -1.0])


def test_the_sharpness_of_words_is_that_of_two_words_of_a_document() -> None:
    """Two documents of 4 tokens, one with two words of the second list, one with two of the first, all of weight 1.

    Pairs: (2^2 - 2) / (4 * 3) = 1/6 in both. Means 1/8 and -1/8, which add up to 0, and their squares to 1/16. So
    C = 1/6 + 1/16 = 11/48, v = 2/4, and the slope is sqrt(11/48 / (1/4)) / (1/2) = sqrt(11/3).
    """
    lengths, once = np.full(2, 4.0), np.ones(2)
    assert word_sharpness(PAIRS, SIDES, lengths, once, 0.5, 1.0) == pytest.approx(np.sqrt(11 / 3))
    # A quarter of the covariance is due to the label; and the share is at its limit, 0.2 * 0.8 = 0.16.
    assert word_sharpness(PAIRS, SIDES, lengths, once, 0.5, 0.25) == pytest.approx(np.sqrt(11 / 3) / 2)
    assert word_sharpness(PAIRS, SIDES, lengths, once, 0.05, 1.0) == pytest.approx(np.sqrt(11 / 48 / 0.16) * 2)
    # A document of one token has no pairs and is left out, as often as it may occur.
    more = sparse.csr_array(np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 0, 0]]))
    found = word_sharpness(more, SIDES, np.array([4.0, 4.0, 1.0]), np.array([1.0, 1.0, 9.0]), 0.5, 1.0)
    assert found == pytest.approx(np.sqrt(11 / 3))


def test_words_that_do_not_keep_company_have_the_usual_sharpness() -> None:
    """Documents with a word of each list: pairs (0^2 - 2) / 12 < 0."""
    mixed = sparse.csr_array(np.array([[1, 0, 1, 0], [0, 1, 0, 1]]))
    assert word_sharpness(mixed, SIDES, np.full(2, 4.0), np.ones(2), 0.5, 1.0) == 0.6
    assert word_sharpness(PAIRS, SIDES, np.ones(2), np.ones(2), 0.5, 1.0) == 0.6
    assert word_sharpness(PAIRS, 0.0 * SIDES, np.full(2, 4.0), np.ones(2), 0.5, 1.0) == 0.6


def test_words_that_exclude_each_other_have_no_sharpness() -> None:
    signed = sparse.csr_array(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]))
    assert sharpness(signed, np.ones(3), np.ones(3), 0.5, 1.0) == 0.0


def test_the_share_of_the_label_follows_from_the_coherence() -> None:
    """A coherence of 1/2 gives 2 * 1/2 / (3/2) = 2/3."""
    signed = sparse.csr_array(np.array([[-1.0, -1, -1, -1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1]]))
    lists, distinct = np.repeat(np.eye(2), 4, axis=0), np.array([[4.0, 0.0], [0.0, 4.0]])
    assert label_share(signed, lists, distinct, np.full(2, 2.0), np.ones(2)) == pytest.approx(2 / 3)
    # Where the numbers of words have none, that of what they add; where this has none either, all of it.
    none = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert label_share(signed, lists, none, np.full(2, 2.0), np.ones(2)) == pytest.approx(2 / 3)
    together = np.array([[4.0, 4.0], [0.0, 0.0]])
    assert label_share(signed, lists, together, np.full(2, 2.0), np.ones(2)) == pytest.approx(2 / 3)
    assert label_share(signed[:, [0, 4]], np.eye(2), none, np.full(2, 2.0), np.ones(2)) == 1.0


def test_the_threshold_lies_midway_between_the_scores_around_the_share() -> None:
    """Above -1, 0, 2 are 7/8, 5/8 and 1/8 of the documents with weights 1, 2, 4, 1; a half is nearest to 5/8."""
    scores, repeats = np.array([2.0, -1.0, 5.0, 0.0]), np.array([4.0, 1.0, 1.0, 2.0])
    assert threshold_at(scores, repeats, 0.5) == 1.0
    assert threshold_at(scores, repeats, 0.9) == -0.5
    assert threshold_at(scores, repeats, 0.2) == 3.5
    assert threshold_at(np.array([2.0, 2.0]), np.ones(2), 0.2) == 0.0
    assert threshold_at(np.array([2.0, 3.0]), np.ones(2), 0.2) == 2.5


def test_documents_that_say_one_thing_have_their_side_whatever_the_threshold() -> None:
    """Of -1, 1, 2, 3 a quarter is to be above. 2 is all of its evidence, and stays above as 3 does, at any threshold.

    With 3 of an evidence of 9, the threshold must be above 3 to leave one above: midway to the largest score.
    """
    scores, once = np.array([-1.0, 1.0, 2.0, 3.0]), np.ones(4)
    assert threshold_at(scores, once, 0.25, np.full(4, 9.0)) == 2.5
    assert threshold_at(scores, once, 0.5, np.array([9.0, 9.0, 2.0, 9.0])) == 2.0  # 1 | 3, where 2 and 3 are at the end
    assert threshold_at(-scores, once, 0.5, np.array([9.0, 9.0, 2.0, 9.0])) == -2.0
    assert threshold_at(scores, once, 0.25, np.array([9.0, 9.0, 4.0, 9.0])) == 2.0  # half of the evidence is enough


def test_a_share_that_no_threshold_gives_does_not_move_it_past_the_evidence_of_most_documents() -> None:
    """A fifth is to be above, but 1, 2 and 3 say one thing each and stay above: every threshold above -1 is as near.

    Half of the evidence is 0.5, 1, 1.5, 5 and 50. A threshold of 1 is capped for one document of five, one of 1.5 for
    two; documents that occur twice count twice.
    """
    scores, once = np.array([-1.0, 1.0, 2.0, 3.0, -100.0]), np.ones(5)
    evidence = np.array([10.0, 1.0, 2.0, 3.0, 100.0])
    assert threshold_at(scores, once, 0.2, evidence) == 49.5
    assert threshold_at(scores, once, 0.2, evidence, 0.39) == 1.0
    assert threshold_at(scores, once, 0.2, evidence, 0.41) == 1.5
    assert threshold_at(-scores, once, 0.8, evidence, 0.41) == -1.5
    assert threshold_at(scores, np.array([1.0, 2.0, 1.0, 1.0, 1.0]), 0.2, evidence, 0.3) == 0.5
    assert threshold_at(scores, once, 0.2, np.full(5, 9.0), 0.41) == threshold_at(scores, once, 0.2, np.full(5, 9.0))


def test_a_calibration_is_made_of_these_parts() -> None:
    truth = draw(300, [0.4, 0.6], seed=1, length=20, concentration=100.0)
    model = estimate(truth.counts, truth.lexicon, sample=truth.sample)
    weights, sample = model.entry_weights, replace(truth.sample, repeats=np.arange(300) % 3 + 1)
    rows = np.diff(sample.matrix.indptr) > 0
    matrix = sample.matrix[rows]
    lengths, repeats = sample.lengths[rows].astype(np.float64), sample.repeats[rows].astype(np.float64)
    parts = RULES["dcm"].contribution(weights, matrix.indices.astype(np.int64), matrix.data)
    signed = sparse.csr_array((parts[:, 1] - parts[:, 0], matrix.indices, matrix.indptr), shape=matrix.shape)
    lists = np.eye(2)[weights.list_index]
    totals, distinct = matrix @ lists, (matrix.toarray() > 0) @ lists
    shares = prevalence(signed, totals, distinct, lengths, repeats)
    factor = 1 / np.sqrt(lengths)
    part = label_share(signed, lists, distinct, lengths, repeats)
    slope = sharpness(signed, factor, repeats, shares.share, part)
    dense = signed.toarray()
    middle = threshold_at(dense.sum(axis=1) * factor, repeats, shares.share, abs(dense).sum(axis=1) * factor)
    result = calibrate(weights, sample, "dcm", "root")
    assert (result.sharpness, result.threshold) == pytest.approx((slope, middle), rel=1e-9)
    sides = np.where(weights.list_index == 1, 1, -1) * weights.log_odds
    size, times = sample.lengths.astype(np.float64), sample.repeats.astype(np.float64)
    short = word_sharpness(sample.matrix, sides, size, times, shares.share, part)
    assert result.half_length == pytest.approx((slope / short) ** 2, rel=1e-9)
    assert calibrate(weights, sample, "dcm", "none").half_length == 0
    assert result.prevalence == shares
    assert calibrate(weights, sample, "dcm", "root", threshold=False) == replace(result, threshold=0.0)


def test_more_than_two_lists_have_the_sharpness_of_burstiness_without_the_root() -> None:
    truth = draw(300, [0.3, 0.3, 0.4], seed=1, length=20, concentration=100.0)
    model = estimate(truth.counts, truth.lexicon, sample=truth.sample)
    weights, sample = model.entry_weights, replace(truth.sample, repeats=np.arange(300) % 3 + 1)
    rows = np.diff(sample.matrix.indptr) > 0
    lengths, tau = sample.lengths[rows] * 1.0, weights.concentration
    ratio = (1 + tau) / (lengths + tau)
    expected = Calibration(float(np.average(ratio, weights=sample.repeats[rows])))
    assert calibrate(weights, sample, "dcm", "none").sharpness == pytest.approx(expected.sharpness, rel=1e-9)
    assert TEMPERS["root"].factor(np.array([0.0, 4.0]), 1.0).tolist() == [1.0, 0.5]
    assert expected.offsets(3).tolist() == [0, 0, 0]
    assert Calibration(2.0, 0.6).offsets(2).tolist() == [0.6, -0.6]
