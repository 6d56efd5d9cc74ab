"""The share of each label comes back from documents whose labels nobody looks at."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from problex.estimation.calibration import coherence, prevalence, skewed_share


def corpus(
    share: float, documents: int = 4_000, words: int = 60, seed: int = 0, intensity: float = 0.0, lean: float = 1.0
) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
    """Words of two lists, independent given the label; `intensity` moves both lists, `lean` favours the second."""
    random = np.random.default_rng(seed)
    second = random.random(documents) < share
    sides = np.repeat([-1.0, 1.0], words)
    rates = 0.06 * np.where((sides > 0) == second[:, None], 1.6, 0.4) * np.where(sides > 0, lean, 1.0)
    rates = rates * np.exp(random.normal(0, intensity, documents))[:, None] if intensity else rates
    present = random.random(rates.shape) < rates
    return (
        sparse.csr_array(present * sides),
        second,
        np.stack([present[:, :words].sum(1), present[:, words:].sum(1)], 1),
    )


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.75, 0.9])
@pytest.mark.parametrize("lean", [1.0, 1.5])
def test_the_skew_finds_the_share_where_counting_leans(share: float, lean: float) -> None:
    signed, _, totals = corpus(share, lean=lean)
    found = skewed_share(signed, 1.0 / (totals.sum(axis=1) + 1.0), np.ones(len(totals)))
    assert found == pytest.approx(share, abs=0.08)


def test_repeats_are_documents() -> None:
    signed, _, totals = corpus(0.8, documents=500)
    factor, times = 1.0 / (totals.sum(axis=1) + 1.0), np.arange(500) % 3 + 1
    once = skewed_share(signed, factor, times.astype(float))
    rows = np.repeat(np.arange(500), times)
    assert once == pytest.approx(skewed_share(signed[rows], factor[rows], np.ones(len(rows))))


def test_the_closed_form_is_the_mean_over_random_parts() -> None:
    signed, _, totals = corpus(0.85, documents=800, words=12)
    factor = 1.0 / (totals.sum(axis=1) + 1.0)
    scores = signed.toarray() * factor[:, None]
    random = np.random.default_rng(0)
    second, third = [], []
    for _ in range(4_000):
        parts = scores @ np.eye(3)[random.integers(0, 3, scores.shape[1])]
        parts -= parts.mean(axis=0)
        third.append(parts.prod(axis=1).mean())
        second.append(np.mean([(parts[:, a] * parts[:, b]).mean() for a, b in ((0, 1), (0, 2), (1, 2))]))
    skew = np.mean(third) / np.mean(second) ** 1.5
    expected = (1 - skew / np.sqrt(4 + skew**2)) / 2
    assert skewed_share(signed, factor, np.ones(800)) == pytest.approx(expected, abs=0.02)


def test_one_thing_is_coherent_and_two_are_not() -> None:
    size, times = np.full(4_000, 100.0), np.ones(4_000)
    found = []
    for intensity in (0.0, 0.5):
        totals = corpus(0.5, intensity=intensity)[2].astype(float)
        found.append(coherence(totals, totals, size, times))
        assert coherence(3 * totals, 9 * totals, size, times) == pytest.approx(found[-1])  # what words add has no unit
    assert found[0] > 0.9
    assert found[1] < 0.5


def test_lists_that_do_not_cluster_leave_counting_its_share() -> None:
    random = np.random.default_rng(1)
    signed = sparse.csr_array((random.random((2_000, 40)) < 0.1) * np.repeat([-1.0, 1.0], 20))
    totals = np.stack([(signed.toarray() == side).sum(axis=1) for side in (-1, 1)], axis=1).astype(float)
    found = prevalence(signed, totals, totals, np.full(2_000, 50.0), np.ones(2_000))
    assert found.share == pytest.approx(found.counted, abs=0.03)


def test_both_together_are_between_the_two() -> None:
    for share in (0.15, 0.5, 0.9):
        signed, second, totals = corpus(share, lean=1.4)
        found = prevalence(signed, totals.astype(float), totals.astype(float), np.full(4_000, 100.0), np.ones(4_000))
        more = totals[:, 1] - totals[:, 0]
        assert found.counted == pytest.approx(np.mean(more > 0) + np.mean(more == 0) / 2)
        assert abs(found.share - second.mean()) <= max(abs(found.counted - second.mean()), 0.05)
        assert min(found.counted, found.skewed) - 1e-9 <= found.share <= max(found.counted, found.skewed) + 1e-9


def test_exchanging_the_lists_exchanges_the_shares() -> None:
    signed, _, totals = corpus(0.8)
    size, times = np.full(4_000, 100.0), np.ones(4_000)
    one = prevalence(signed, totals.astype(float), totals.astype(float), size, times)
    two = prevalence(-signed, totals[:, ::-1].astype(float), totals[:, ::-1].astype(float), size, times)
    assert one.share == pytest.approx(1 - two.share)


def test_without_coherence_the_share_is_between_that_of_counting_and_that_of_the_weights() -> None:
    """By counting 3 of 4 documents are of the second label, by weight 1 of 4: the mean of their logits is zero."""
    signed = sparse.csr_array(np.array([[0.0, 3.0], [-2.0, 1.0], [-2.0, 1.0], [-3.0, 0.0]]))
    totals = np.array([[0.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 0.0]])
    even = np.ones((4, 2))  # both lists in every document: a positive covariance, and no coherence
    found = prevalence(signed, totals, even, np.full(4, 10.0), np.ones(4))
    assert found.counted == 0.75
    assert found.coherence == 0.0
    assert found.share == pytest.approx(0.5)
