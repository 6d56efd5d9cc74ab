"""Folds depend on the content of documents only."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from problex.expansion.ridge import folds_of
from problex.expansion.texts import content_order


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
