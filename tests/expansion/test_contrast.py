"""The expansion from the contrast of the lists alone."""

from __future__ import annotations

import numpy as np

from problex.expansion.contrast import lexicon_share, train
from problex.expansion.ridge import contrasts, margins, themes_of
from tests.expansion.test_ridge import RANDOM, ROWS


def test_exchanging_two_lists_turns_all_weights_around() -> None:
    evidence = RANDOM.gamma(2.0, size=(300, 2))
    outside, themes, order = np.ones(80, dtype=bool), themes_of(ROWS), RANDOM.permutation(300)
    one = train(ROWS, evidence, margins(evidence), outside, themes, order)
    other = train(ROWS, evidence[:, ::-1], margins(evidence[:, ::-1]), outside, themes, order)
    assert np.allclose(one.weights, -other.weights, atol=1e-3)


def test_lists_of_any_spread_give_the_same_contrast() -> None:
    evidence = RANDOM.gamma(2.0, size=(50, 3))
    assert np.allclose(contrasts(evidence), contrasts(evidence * np.array([1.0, 5.0, 0.2])))


def test_the_lexicon_speaks_for_itself_where_others_cannot() -> None:
    shares = [lexicon_share(agreement) for agreement in (-0.5, 0.0, 0.2, 0.5, 0.9)]
    assert shares == sorted(shares, reverse=True)
