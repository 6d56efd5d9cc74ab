"""Topics or tone: words of topics repeat, and words of a list have similar contexts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from problex.expansion import texts
from problex.expansion.texts import are_topics, context_difference, list_repetition
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


@pytest.mark.parametrize(
    ("repeats", "difference", "topics"),
    [
        (0.11, 0.29, True),  # the least repetition of a pair of topics
        (0.55, 0.056, True),  # the least difference
        (0.38, 0.02, False),  # words of tone in tweets: they repeat, but contexts are the same
        (-0.01, 0.14, False),  # spam: contexts differ, words do not repeat
        (0.06, 0.05, False),  # too little of both
    ],
)
def test_topics_repeat_and_differ_in_their_contexts(
    repeats: float, difference: float, topics: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "list_repetition", lambda *_: repeats)
    monkeypatch.setattr(texts, "context_difference", lambda *_: difference)
    words, none = listed_words([[1, 1]], [0, 1]), np.zeros(0, dtype=np.int64)
    assert are_topics(sparse.csr_array((1, 2)), words, none, none) is topics
