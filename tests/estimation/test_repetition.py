"""The discount for words that repeat, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from problex.estimation.weight_checks import chance_repetition, discounts, repetition


def test_repetition_by_hand() -> None:
    """(28 + 2) / (8 + 2) = 3."""
    assert repetition(np.array([28]), np.array([8])) == pytest.approx([np.log(3.0)])


def test_a_word_of_half_the_documents_meets_itself_by_chance() -> None:
    """Poisson with a share p of documents: -log(1 - p) tokens a document, over p. Here p = 50 / 100."""
    assert chance_repetition(np.array([50]), 99) == pytest.approx([np.log(-np.log(0.5) / 0.5)])
    assert chance_repetition(np.array([1]), 10**9) == pytest.approx([0.0], abs=1e-8)


def test_the_factor_is_exp_of_minus_three_times_the_excess() -> None:
    """Words of one frequency: the line is their mean, the excess of each its difference from it; -.3 at least."""
    occurrences, documents = np.array([100, 110, 150]), np.array([100, 100, 100])
    values = repetition(occurrences, documents)
    excess = values - values.mean()
    expected = np.exp(-3.0 * np.maximum(excess, -0.3))
    assert discounts(occurrences, documents, 10**6, 10) == pytest.approx(expected)
    assert discounts(occurrences, documents, 10**6, 101).tolist() == [1.0, 1.0, 1.0]


def test_a_word_that_never_repeats_gets_no_more_than_exp_of_nine_tenths() -> None:
    occurrences, documents = np.array([100, 1000, 1000]), np.array([100, 100, 100])
    assert discounts(occurrences, documents, 10**6, 10)[0] == pytest.approx(np.exp(0.9))


def test_two_words_are_too_few_for_a_line() -> None:
    assert discounts(np.array([10, 90]), np.array([10, 20]), 1000, 5).tolist() == [1.0, 1.0]
