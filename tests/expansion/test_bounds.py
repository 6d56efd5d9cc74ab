"""Weights of listed words are bounded by their list, and by no more than that."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon, count, estimate, expand, score
from problex.model.expansion import Expansion, bounded, with_highest
from problex.model.vocabulary import Vocabulary

WORDS = ("bad", "good", "film", "fine")


def expansion_of(features: list[tuple[int, int]], weights: list[list[float]]) -> Expansion:
    first, second = (np.array(part, dtype=np.int64) for part in zip(*features, strict=True))
    vocabulary = Vocabulary(WORDS, first, second, np.full(len(first), 9), 100)
    return Expansion(vocabulary, np.array(weights), 1.0, np.zeros(2), 100, 0.5, 2, 1.0)


def test_only_words_and_pairs_of_one_list_are_bounded() -> None:
    """All weights are for the list of `bad`; of the pairs, only `good fine` has both words in one list."""
    features = [(0, -1), (1, -1), (2, -1), (3, -1), (1, 2), (2, 1), (0, 1), (1, 3)]
    expansion = expansion_of(features, [[0.5, -0.5]] * 8)
    found = bounded(expansion, [0, 1, None, 1])
    changed = np.any(found.weights != expansion.weights, axis=1)
    names = [name for name, at in zip(expansion.vocabulary.names, changed, strict=True) if at]
    assert names == ["good", "fine", "good fine"]
    assert not found.weights[changed].any()


VALUES = st.lists(st.floats(-9, 9), min_size=4, max_size=4)


@given(weights=VALUES, own=st.integers(0, 3), other=VALUES)
def test_the_rows_are_the_closest_ones_with_the_own_list_ahead(
    weights: list[float], own: int, other: list[float]
) -> None:
    before = np.array([weights])
    after = with_highest(before, np.array([own]))
    assert after[0, own] == after.max()
    np.testing.assert_allclose(after.sum(), before.sum(), atol=1e-9)
    if before[0, own] == before.max():
        np.testing.assert_array_equal(after, before)
    allowed = np.array(other)
    allowed[own] = allowed.max()
    assert np.sum((after - before) ** 2) <= np.sum((allowed - before) ** 2) + 1e-9


@pytest.mark.parametrize("rule", ["count", "log"])
def test_texts_in_which_no_word_of_the_lists_is_frequent_are_learned_from(rule: str) -> None:
    """Each entry is in two texts, too few for a feature, so that no feature has to be bounded."""
    lists = {name: [f"{name[:3]}{letter}" for letter in "abcdefghijklmnopqrst"] for name in ("sunny", "rainy", "windy")}
    lexicon = Lexicon(lists)
    others = {"sunny": "beach holiday", "rainy": "street umbrella", "windy": "coast kite"}
    texts = [
        f"{others[name]} {words[at % 20]} {words[(at + 1) % 20]} day"
        for name, words in lists.items()
        for at in range(20)
    ]
    model = expand(estimate(count(texts, lexicon), lexicon, rule=rule), texts)
    assert model.expansion is not None
    assert not set(model.expansion.vocabulary.words) & {word for words in lists.values() for word in words}
    assert score(["umbrella street", "kite coast"], model).labels().tolist() == ["rainy", "windy"]
