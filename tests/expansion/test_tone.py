"""The guard of small and uneven corpora, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from problex.expansion.contrast import Training
from problex.expansion.tone import guard, lexicon_of_weak_agreement
from tests.expansion.arrays import listed_words


def test_the_guard_by_hand() -> None:
    """Three documents, a share of one half: 0.25 + 750 / 3 = 250.25 times the simple expansion, none of the lexicon's.

    Rows 1, 0, -1 with the weight 2 and a lexicon share of zero: the deviation is 2 sqrt(2 / 3), so that the weight
    becomes 250.25 / sqrt(2 / 3).
    """
    rows = sparse.csr_array(np.array([[1.0], [0.0], [-1.0]], dtype=np.float32))
    words = listed_words([[1, 0], [0, 0], [0, 1]], [0, 1])
    simple = Training(np.array([[2.0]]), np.zeros((3, 1)), 0.5, 0.0, 1)
    features, lexicon = guard(rows, words, simple, 0.5)
    assert features == pytest.approx([250.25 / np.sqrt(2 / 3)])
    assert lexicon == pytest.approx(0.0)


def test_an_uneven_corpus_leans_on_the_lexicon() -> None:
    """A share of nine tenths: e = 4 * 0.9 * 0.1 = 0.36. Scores of the lexicon -0.1, 0, 0.1: 0.1 sqrt(2 / 3)."""
    rows = sparse.csr_array(np.array([[1.0], [0.0], [-1.0]], dtype=np.float32))
    words = listed_words([[1, 0], [0, 0], [0, 1]], [0, 1])
    simple = Training(np.array([[2.0]]), np.zeros((3, 1)), 0.5, 0.0, 1)
    features, lexicon = guard(rows, words, simple, 0.9)
    assert features == pytest.approx([0.36 * 250.25 / np.sqrt(2 / 3)])
    assert lexicon == pytest.approx(0.64 * 250.25 / (0.1 * np.sqrt(2 / 3)))


def test_the_lexicon_model_counts_more_where_other_words_hardly_agree_with_it() -> None:
    """Scores of the lexicon -0.1, 0, 0.1, deviation 0.1 sqrt(2 / 3). At an agreement of .2 the weight is 1.5 / 2^3."""
    words = listed_words([[1, 0], [0, 0], [0, 1]], [0, 1])
    unit = 0.1 * np.sqrt(2 / 3)
    for agreement, weight in ((0.2, 1.5 / 8), (0.0, 1.5), (-0.3, 1.5), (0.6, 1.5 / 1000)):
        found = lexicon_of_weak_agreement(words, agreement)
        assert found.entries == pytest.approx(weight / unit * words.log_odds), agreement
        assert not found.features.any()
