"""The regression against strangers, and the themes that both lists share."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

from problex.expansion.ridge import (
    centred_basis,
    contrasts,
    filter_themes,
    lexicon_share,
    margins,
    ridge,
    themes_of,
    train,
)

RANDOM = np.random.default_rng(0)
ROWS = sparse.csr_array((RANDOM.random((300, 80)) * (RANDOM.random((300, 80)) < 0.2)).astype(np.float32))


def test_ridge_is_that_of_scikit_learn() -> None:
    target = RANDOM.standard_normal(300)
    peer = Ridge(alpha=2.5).fit(ROWS.toarray(), target).coef_
    assert np.allclose(ridge(ROWS, target), peer, atol=0.01 * np.abs(peer).max())


def test_themes_are_the_left_singular_vectors() -> None:
    factors = RANDOM.standard_normal((300, 2)) @ RANDOM.standard_normal((2, 80)) * 3.0
    rows = sparse.csr_array((factors + RANDOM.standard_normal((300, 80))).astype(np.float32))
    expected = np.linalg.svd(rows.toarray())[0][:, :2]
    assert np.allclose(np.abs(np.diag(themes_of(rows, 2).T @ expected)), 1.0, atol=1e-3)


def test_a_theme_stays_as_far_as_both_lists_are_opposed_along_it() -> None:
    basis = centred_basis(RANDOM.standard_normal((200, 3)))
    theme = basis[:, 0] * 10.0
    noise = RANDOM.standard_normal((2, 200)) * 0.001
    opposed = filter_themes(theme, basis, theme + noise[0], -theme + noise[1])
    alike = filter_themes(theme, basis, theme + noise[0], theme + noise[1])
    assert np.linalg.norm(opposed) == pytest.approx(np.linalg.norm(theme), rel=0.01)
    assert np.linalg.norm(alike) < 0.01 * np.linalg.norm(theme)


def test_what_isfilter_themes_for_does_not_depend_on_how_the_themes_are_turned() -> None:
    basis = centred_basis(RANDOM.standard_normal((200, 4)))
    turn = np.linalg.qr(RANDOM.standard_normal((4, 4)))[0]
    target, own, others = RANDOM.standard_normal((3, 200))
    assert np.allclose(filter_themes(target, basis, own, others), filter_themes(target, basis @ turn, own, others))


def test_exchanging_two_lists_turns_all_weights_around() -> None:
    evidence = RANDOM.gamma(2.0, size=(300, 2))
    outside, themes = np.ones(80, dtype=bool), themes_of(ROWS)
    one = train(ROWS, evidence, margins(evidence), outside, themes)
    other = train(ROWS, evidence[:, ::-1], margins(evidence[:, ::-1]), outside, themes)
    assert np.allclose(one.weights, -other.weights, atol=1e-3)


def test_lists_of_any_spread_give_the_same_contrast() -> None:
    evidence = RANDOM.gamma(2.0, size=(50, 3))
    assert np.allclose(contrasts(evidence), contrasts(evidence * np.array([1.0, 5.0, 0.2])))


def test_the_lexicon_speaks_for_itself_where_others_cannot() -> None:
    shares = [lexicon_share(agreement) for agreement in (-0.5, 0.0, 0.2, 0.5, 0.9)]
    assert shares == sorted(shares, reverse=True)
