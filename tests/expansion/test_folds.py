"""Folds depend on the content of documents only."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from problex.expansion.folds import content_order, folds_of


def test_the_order_is_that_of_the_content_however_the_corpus_is_ordered() -> None:
    random = np.random.default_rng(0)
    counts = random.poisson(0.5, (60, 12))
    counts[30:40] = counts[20:30]  # copies
    shuffle = random.permutation(60)
    one, two = (content_order(sparse.csr_array(part.astype(np.float32))) for part in (counts, counts[shuffle]))
    assert np.array_equal(counts[one], counts[shuffle][two])
    assert sorted(one.tolist()) == list(range(60))


def test_copies_of_a_document_are_spread_over_both_halves() -> None:
    counts = np.repeat(np.eye(4), 25, axis=0).astype(np.float32)
    halves = [scored for _, scored in folds_of(content_order(sparse.csr_array(counts)), 2)]
    for half in halves:
        assert all(5 <= number <= 20 for number in np.bincount(half // 25))


def test_empty_documents_have_a_place() -> None:
    assert sorted(content_order(sparse.csr_array(np.zeros((3, 2), np.float32))).tolist()) == [0, 1, 2]


def test_every_document_is_scored_once_and_never_by_itself() -> None:
    folds = folds_of(np.random.default_rng(0).permutation(11), 4)
    assert sorted(np.concatenate([scored for _, scored in folds]).tolist()) == list(range(11))
    for teachers, scored in folds:
        assert not set(teachers.tolist()) & set(scored.tolist())
        assert len(teachers) + len(scored) == 11
