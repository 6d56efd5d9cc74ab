"""Topics or tone: words of topics repeat, and words of a list have similar contexts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from problex.expansion.gate import context_difference, list_repetition
from tests.expansion.arrays import listed_words


def test_context_difference_by_hand() -> None:
    """Entries 0 and 1 are in documents of the first context, 2 and 3 in those of the second: cosines 1 and -1."""
    present = [[1, 1, 0, 0]] * 5 + [[0, 0, 1, 1]] * 5
    rows = sparse.csr_array(np.repeat(np.eye(2), 5, axis=0).astype(np.float32))
    assert context_difference(rows, listed_words(present, [0, 0, 1, 1])) == pytest.approx(2.0)
    # -1 within, (1 - 1) / 2 between
    assert context_difference(rows, listed_words(present, [0, 1, 0, 1])) == pytest.approx(-1.0)
    assert context_difference(rows, listed_words([[1, 0]] * 5 + [[0, 1]] * 5, [0, 1])) == 0.0


def test_repetition_of_the_lists_is_in_deviations_of_all_words() -> None:
    """All words at one frequency, repetition log 1 and log 2 in turn: mean log(2) / 2, deviation log(2) / 2."""
    occurrences, documents = np.array([8, 18, 8, 18]), np.array([8, 8, 8, 8])
    words = listed_words([[2, 1]] * 7 + [[4, 1]], [0, 1])
    assert words.counts.sum(axis=0).tolist() == [18, 8]
    assert list_repetition(words, occurrences, documents) == pytest.approx(0.0)
    repeated = listed_words([[2, 2]] * 7 + [[4, 4]], [0, 1])
    assert list_repetition(repeated, occurrences, documents) == pytest.approx(1.0)
