"""Known parameters come back from corpora drawn from the model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from problex import Lexicon, count, estimate
from problex.estimation.published import cross_counts, evidence_of
from problex.model.evidence import coverage, expected_cross_counts
from problex.model.model import Model
from tests.synthetic import Truth, draw

PLAIN: dict[str, Any] = {"shrinkage": 0.0, "keep_discordant": True, "max_predictiveness": 0.99}


def recovered(truth: Truth, model: Model) -> np.ndarray:
    place = {entry: at for at, entry in enumerate(model.evidence.entries)}
    return model.predictiveness[[place[word] for word in truth.words[: len(truth.predictiveness)]]]


@pytest.mark.parametrize("prior", [[0.5, 0.5], [0.2, 0.8], [0.1, 0.2, 0.3, 0.4], [0.25, 0.25, 0.25, 0.25]])
def test_predictiveness_is_recovered_for_any_lists_and_given_priors(prior: list[float]) -> None:
    truth = draw(20_000, prior, seed=1)
    balance = {f"list{a}": share for a, share in enumerate(prior)}
    model = estimate(truth.counts, truth.lexicon, balance=balance, **PLAIN)
    found = recovered(truth, model)
    assert np.corrcoef(found, truth.predictiveness)[0, 1] > 0.98
    assert np.sqrt(np.mean((found - truth.predictiveness) ** 2)) < 0.06


@pytest.mark.parametrize("prior", [[0.5, 0.5], [0.1, 0.2, 0.3, 0.4]])
def test_the_error_shrinks_with_the_root_of_the_number_of_documents(prior: list[float]) -> None:
    balance = {f"list{a}": share for a, share in enumerate(prior)}
    sizes, errors = [1_000, 4_000, 16_000], []
    for size in sizes:
        per_seed = []
        for seed in range(4):
            truth = draw(size, prior, seed=seed, words_per_list=20)
            found = recovered(truth, estimate(truth.counts, truth.lexicon, balance=balance, **PLAIN))
            per_seed.append(np.mean((found - truth.predictiveness) ** 2))
        errors.append(np.sqrt(np.mean(per_seed)))
    slope = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    assert -0.65 < slope < -0.35


def test_the_concentration_is_recovered() -> None:
    truth = draw(6_000, [0.5, 0.5], seed=2, concentration=300.0)
    assert evidence_of(truth.counts).concentration == pytest.approx(300, rel=0.1)


def test_without_burstiness_the_concentration_is_very_large() -> None:
    assert evidence_of(draw(3_000, [0.5, 0.5], seed=3).counts).concentration > 20_000


def test_moments_by_hand() -> None:
    lexicon = Lexicon({"a": ["p", "q"], "b": ["z"]})
    evidence = evidence_of(count(["p p z x", "q x x", "z z"], lexicon))
    assert evidence.entries == ("p", "q", "z")
    assert evidence.base_rates.tolist() == [2 / 9, 1 / 9, 3 / 9]
    assert evidence.token_pairs == 4 * 3 + 3 * 2 + 2 * 1
    assert evidence.cross_counts.tolist() == [2, 0, 2]
    every = np.ones(3, dtype=bool)
    np.testing.assert_allclose(coverage(evidence, every), [3 / 9, 3 / 9])
    np.testing.assert_allclose(expected_cross_counts(evidence, every), 20 * evidence.base_rates * 3 / 9)
    assert evidence.discordant.tolist() == [True, False, False]
    assert evidence.concordant_cross_counts.tolist() == [2, 0, 0]


def test_dropping_words_from_the_counts_is_counting_without_them(texts: list[str]) -> None:
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    smaller = Lexicon({"positive": ["good", "fine"], "negative": ["poor"]})
    counts = count(texts, lexicon)
    kept = np.array([entry != "bad" for entry in counts.entries])
    assert cross_counts(counts, kept)[kept].tolist() == evidence_of(count(texts, smaller)).cross_counts.tolist()


def test_the_pairs_and_the_list_products_tell_the_same_cross_counts(lexicon: Lexicon, texts: list[str]) -> None:
    counts = count(texts, lexicon, associations=True)
    assert counts.list_products is not None
    evidence = evidence_of(counts)
    words = counts.words.to_pylist()
    for entry, index, crossed in zip(evidence.entries, evidence.list_index, evidence.cross_counts, strict=True):
        if entry in words:
            assert counts.list_products[words.index(entry), 1 - index] == crossed
