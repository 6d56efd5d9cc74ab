from __future__ import annotations

import pytest

import problex


def test_the_public_names() -> None:
    for name in ("Lexicon", "read_lexicon", "LexiconClassifier", "Counts", "count", "Model", "estimate", "load_model"):
        assert name in problex.__all__
        assert getattr(problex, name).__name__ == name
    assert set(problex.__all__) == set(dir(problex))


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'lexikon', expected one of Counts, Lexicon"):
        _ = problex.lexikon
