"""Tone: the amounts, the labels and the themes by hand, and what naive Bayes learns beside the regression."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex.expansion.ridge import centred_basis, without
from problex.expansion.tone import bayes_amount, learn_bayes, loadings, soft_labels, themes_to_remove
from tests.expansion.arrays import listed_words, training_texts


@pytest.mark.parametrize(
    ("agreement", "documents", "share", "expected"),
    [
        (0.2, 1500, 0.5, 0.8 / 4),  # half by the agreement, half by the number of documents
        (0.4, 1500, 0.5, 0.8 * 0.8 / 2),  # .16 / (.16 + .04)
        (0.2, 4500, 0.5, 0.8 * 0.75 / 2),
        (0.2, 1500, 0.9, 0.36 * 0.8 / 4),  # 4 * .9 * .1
        (0.0, 1500, 0.5, 0.0),
        (-0.3, 1500, 0.5, 0.0),
    ],
)
def test_naive_bayes_counts_little_where_there_is_little_to_learn_from(
    agreement: float, documents: int, share: float, expected: float
) -> None:
    assert bayes_amount(agreement, documents, share) == pytest.approx(expected)


def test_the_threshold_of_soft_labels_is_at_the_share() -> None:
    """Scores 0, 1, 2, 3, 4 and a share of one quarter: the threshold is the quantile .75, which is 3."""
    labels = soft_labels(np.arange(5.0), 0.25)
    assert labels[3].tolist() == [0.5, 0.5]
    assert labels[4, 1] == pytest.approx(1 / (1 + np.exp(-3)))
    assert labels.sum(axis=1) == pytest.approx(np.ones(5))


def test_themes_keep_the_proportion_that_they_have_in_the_scores() -> None:
    """A theme (1, 1, -1, -1) / 2 and a rest (1, -1, 0, 0).

    The scores have 1 of the theme, at a rest of length sqrt(2). Values with 6 of it and twice the rest may keep 2.
    """
    basis, rest = np.array([[1.0], [1.0], [-1.0], [-1.0]]) / 2, np.array([1.0, -1.0, 0.0, 0.0])
    assert themes_to_remove(6 * basis[:, 0] + 2 * rest, basis[:, 0] + rest, basis) == pytest.approx([4.0])


def corpus(seed: int = 0, number: int = 1200) -> tuple[NDArray[np.float32], FloatArray, FloatArray, FloatArray]:
    """Rows of twelve words out of 300, labels, scores that know half of the label, and a subject that fills the texts.

    Words 0 to 99 lean to a label, three times in four; words 100 to 199 belong to two subjects; the others are noise.
    """
    random = np.random.default_rng(seed)
    label, subject = (random.random(number) < 0.5 for _ in range(2))
    rows = np.zeros((number, 300), dtype=np.float32)
    for at in range(number):
        side = np.where(random.random(5) < 0.75, label[at], not label[at])
        rows[at, random.choice(50, 5, replace=False) + 50 * side] = 1
        rows[at, 100 + random.choice(50, 4, replace=False) + 50 * subject[at]] = 1
        rows[at, 200 + random.choice(100, 3, replace=False)] = 1
    scores = np.where(label, 1.0, -1.0) + random.normal(size=number) * 2.0
    truth, theme = (np.where(of, 1.0, -1.0) for of in (label, subject))
    rows /= np.float32(np.sqrt(12.0))
    return rows, truth, scores, theme


def bayes_scores(rows: NDArray[np.float32], scores: FloatArray, basis: FloatArray) -> FloatArray:
    listed = listed_words(np.ones((len(scores), 2), dtype=np.int64), [0, 1])
    order = np.random.default_rng(3).permutation(len(scores))
    texts = replace(training_texts(rows, listed), typical_length=float(np.sqrt(12.0)), basis=basis, order=order)
    return np.asarray(texts.rows @ learn_bayes(texts, scores, 0.5), dtype=np.float64)


def test_words_learn_the_label_behind_noisy_scores() -> None:
    rows, label, scores, subject = corpus()
    found = bayes_scores(rows, scores, centred_basis(subject[:, None]))
    assert found.std() == pytest.approx(1.0)
    assert np.corrcoef(found, label)[0, 1] > 0.6 > np.corrcoef(scores, label)[0, 1] + 0.1


def test_a_subject_in_the_scores_does_not_take_naive_bayes_over() -> None:
    """Scores with a little of the subject: without the themes naive Bayes is mostly subject, with them a little."""
    rows, label, scores, subject = corpus()
    scores, basis = scores + 0.7 * subject, centred_basis(subject[:, None])
    free, kept = (bayes_scores(rows, scores, themes) for themes in (np.zeros((len(label), 0)), basis))
    assert np.corrcoef(free, subject)[0, 1] > 0.6
    assert np.corrcoef(kept, subject)[0, 1] == pytest.approx(np.corrcoef(scores, subject)[0, 1], abs=0.05)
    assert np.corrcoef(kept, label)[0, 1] > np.corrcoef(free, label)[0, 1] + 0.1
    assert without(kept, basis) @ label > 0


def test_scores_that_do_not_vary_teach_nothing() -> None:
    texts = training_texts(np.eye(4), listed_words(np.ones((4, 2), dtype=np.int64), [0, 1]))
    assert learn_bayes(texts, np.zeros(4), 0.5).tolist() == [0.0] * 4


def test_a_theme_is_loaded_as_strong_words_lean_to_it() -> None:
    """Four documents, theme (1, 1, -1, -1) / 2. Entries: three documents each, leanings 1/3, -1/3, 1/3 times strength.

    With equal document frequencies the constant and log n are one column; the slope of the leanings (1/3, -1/3, 1/3)
    on the signed strengths (1, -1, 1) is 1/3.
    """
    counts = [[1, 0, 1], [1, 1, 1], [1, 1, 0], [0, 1, 1]]
    words = listed_words(counts, lists=[1, 0, 1])
    basis = np.array([[0.5], [0.5], [-0.5], [-0.5]])
    assert loadings(words, np.array([1.0, 1.0, 1.0]), basis) == pytest.approx([1 / 3])


def test_loadings_have_length_one_at_most() -> None:
    """The same with strengths of a tenth: the slope would be 10 / 3."""
    words = listed_words([[1, 0, 1], [1, 1, 1], [1, 1, 0], [0, 1, 1]], lists=[1, 0, 1])
    basis = np.array([[0.5], [0.5], [-0.5], [-0.5]])
    assert loadings(words, np.full(3, 0.1), basis) == pytest.approx([1.0])


def test_too_few_voters_load_nothing() -> None:
    words = listed_words([[1, 0], [1, 1], [1, 1], [0, 1]], lists=[1, 0])
    assert loadings(words, np.ones(2), np.array([[0.5], [0.5], [-0.5], [-0.5]])).tolist() == [0.0]
