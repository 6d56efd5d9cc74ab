"""Themes against a singular value decomposition, and how far they stay in a target."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from problex.expansion.ridge import centred_basis, filter_themes, themes_of, without
from problex.expansion.tone import loadings
from tests.expansion.arrays import listed_words
from tests.expansion.test_ridge import RANDOM


def test_themes_are_the_left_singular_vectors() -> None:
    factors = RANDOM.standard_normal((300, 2)) @ RANDOM.standard_normal((2, 80)) * 3.0
    rows = sparse.csr_array((factors + RANDOM.standard_normal((300, 80))).astype(np.float32))
    expected = np.linalg.svd(rows.toarray())[0][:, :2]
    assert np.allclose(np.abs(np.diag(themes_of(rows, 2).T @ expected)), 1.0, atol=1e-3)


def test_themes_of_few_documents_are_fewer() -> None:
    assert themes_of(sparse.csr_array(np.eye(3, dtype=np.float32))).shape == (3, 2)
    assert themes_of(sparse.csr_array(np.ones((1, 4), dtype=np.float32))).shape == (1, 0)


def test_a_theme_stays_as_far_as_both_lists_are_opposed_along_it() -> None:
    basis = centred_basis(RANDOM.standard_normal((200, 3)))
    theme = basis[:, 0] * 10.0
    noise = RANDOM.standard_normal((2, 200)) * 0.001
    opposed = filter_themes(theme, basis, theme + noise[0], -theme + noise[1])
    alike = filter_themes(theme, basis, theme + noise[0], theme + noise[1])
    assert np.linalg.norm(opposed) == pytest.approx(np.linalg.norm(theme), rel=0.01)
    assert np.linalg.norm(alike) < 0.01 * np.linalg.norm(theme)


def test_what_is_filtered_does_not_depend_on_how_the_themes_are_turned() -> None:
    basis = centred_basis(RANDOM.standard_normal((200, 4)))
    turn = np.linalg.qr(RANDOM.standard_normal((4, 4)))[0]
    target, own, others = RANDOM.standard_normal((3, 200))
    assert np.allclose(filter_themes(target, basis, own, others), filter_themes(target, basis @ turn, own, others))


def test_without_themes_a_value_is_orthogonal_to_them_and_centred() -> None:
    basis = centred_basis(RANDOM.standard_normal((50, 2)))
    rest = without(RANDOM.standard_normal(50) + 3.0, basis)
    assert np.allclose(basis.T @ rest, 0.0)
    assert rest.mean() == pytest.approx(0.0)


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
