"""Topics or tone: words of topics repeat, and words of a list have similar contexts. Folds depend on content only."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from problex.expansion import texts
from problex.expansion.ridge import folds_of
from problex.expansion.texts import are_topics, content_order, context_difference, list_repetition
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
        (0.04, 0.34, True),  # world news and sport: few words repeat, but contexts differ more than anywhere else
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


def order_of(counts: np.ndarray, keys: np.ndarray) -> np.ndarray:
    return content_order(sparse.csr_array(counts.astype(np.float32)), keys.astype(np.uint64))


def test_places_are_those_of_the_content_however_the_corpus_is_ordered() -> None:
    random = np.random.default_rng(0)
    counts, keys = random.poisson(0.5, (60, 12)), random.integers(1 << 60, size=60)
    counts[30:40], keys[30:40] = counts[20:30], keys[20:30]  # copies
    counts[45:50] = counts[40:45]  # other texts with the same words
    counts[30, 0] += 1  # a word such as "rt", which a copy may have
    shuffle, places = random.permutation(60), order_of(counts, keys)
    assert np.array_equal(places[shuffle], order_of(counts[shuffle], keys[shuffle]))
    assert np.array_equal(places[30:40], places[20:30])
    assert sorted(set(places.tolist())) == list(range(50))


def test_copies_never_judge_each_other() -> None:
    """Ten texts: one occurs 25 times, the others five times, and each half has five of them."""
    texts = np.repeat(np.arange(10), [25] + [5] * 9)
    for number in (2, 3, 5):
        folds = folds_of(order_of(np.eye(10)[texts], texts), number)
        assert sorted(np.concatenate([scored for _, scored in folds]).tolist()) == list(range(70))
        for teachers, scored in folds:
            assert not set(texts[teachers]) & set(texts[scored])
            assert 10 // number <= len(set(texts[scored])) <= 10 // number + 1


def test_fewer_texts_than_folds_are_a_fold_each() -> None:
    folds = folds_of(np.array([0, 1, 0]), 5)
    assert [(teachers.tolist(), scored.tolist()) for teachers, scored in folds] == [([1], [0, 2]), ([0, 2], [1])]


def test_empty_documents_have_a_place() -> None:
    assert sorted(order_of(np.zeros((3, 2)), np.arange(3)).tolist()) == [0, 1, 2]


def test_every_document_is_scored_once_and_never_by_itself() -> None:
    folds = folds_of(np.random.default_rng(0).permutation(11), 4)
    assert sorted(np.concatenate([scored for _, scored in folds]).tolist()) == list(range(11))
    for teachers, scored in folds:
        assert not set(teachers.tolist()) & set(scored.tolist())
        assert len(teachers) + len(scored) == 11
