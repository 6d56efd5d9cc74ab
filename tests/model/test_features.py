"""The compiled loops against plain Python: features of texts, their sums, and the frequent pairs of a corpus."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.counting.tables import TokenIds
from problex.model import _features
from problex.model.expansion import MAX_SHORT, Expansion
from problex.model.vocabulary import Vocabulary, vocabulary_of

WORDS = tuple("abcdef")
documents = st.lists(st.lists(st.integers(-1, len(WORDS) - 1), max_size=12), max_size=8)


def tokens_of(texts: list[list[int]]) -> TokenIds:
    ends = np.cumsum([0, *map(len, texts)])
    return TokenIds(WORDS, np.array([at for text in texts for at in text], np.int32), ends.astype(np.int64))


def names_in(text: list[int]) -> list[str]:
    """Words and pairs of neighbours, as a vocabulary names them."""
    single = [WORDS[at] for at in text if at >= 0]
    return single + [f"{WORDS[a]} {WORDS[b]}" for a, b in pairwise(text) if a >= 0 and b >= 0]


def expansion_of(vocabulary: Vocabulary, classes: int) -> Expansion:
    weights = np.random.default_rng(1).normal(size=(len(vocabulary.first), classes))
    return Expansion(vocabulary, weights, 1.0, np.zeros(classes), 10, 0.5, 2, 1.0)


@given(documents, st.integers(1, 3))
def test_a_vocabulary_has_the_words_and_pairs_of_enough_texts(texts: list[list[int]], least: int) -> None:
    seen = Counter(name for text in texts for name in set(names_in(text)))
    found = vocabulary_of(tokens_of(texts), min_documents=least)
    assert dict(zip(found.names, found.documents.tolist(), strict=True)) == {
        k: v for k, v in seen.items() if v >= least
    }


@given(documents)
def test_the_pairs_are_the_same_in_any_number_of_parts(texts: list[list[int]]) -> None:
    tokens, included = tokens_of(texts), np.ones(len(WORDS), np.uint8)
    whole = _features.frequent_pairs(tokens.ids, tokens.ends, included, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_features, "PART", 3)
        parts = _features.frequent_pairs(tokens.ids, tokens.ends, included, 1)
    assert sorted(zip(*whole, strict=True)) == sorted(zip(*parts, strict=True))


@given(documents, documents)
def test_counts_and_sums_are_those_of_plain_python(known: list[list[int]], texts: list[list[int]]) -> None:
    """The columns of a text are in ascending order, and its sums those of its tf-idf row times the weights."""
    vocabulary, tokens = vocabulary_of(tokens_of(known), min_documents=1), tokens_of(texts)
    names = vocabulary.names
    found = vocabulary.count(tokens)
    for at, text in enumerate(texts):
        own = slice(found.ends[at], found.ends[at + 1])
        expected = Counter(name for name in names_in(text) if name in names)
        columns = found.columns[own].tolist()
        assert columns == sorted(columns)
        assert dict(zip((names[c] for c in columns), found.counts[own].tolist(), strict=True)) == expected
    expansion = expansion_of(vocabulary, 3)
    sums, features = expansion.sums(tokens)
    rows = vocabulary.rows(tokens).astype(np.float64)
    assert np.allclose(sums[:, 1:], rows @ expansion.weights, rtol=0, atol=1e-12)
    assert np.allclose(sums[:, 0], rows @ expansion.leads, rtol=0, atol=1e-12)
    assert features.tolist() == np.diff(found.ends).tolist()


def test_long_texts_and_many_features() -> None:
    """More words than the table of logarithms has, and columns beyond the first block of 4096."""
    words = tuple(f"w{at:04d}" for at in range(3_000))
    ids = np.tile(np.arange(3_000, dtype=np.int32), 3)
    tokens = TokenIds(words, ids, np.array([0, 0, len(ids)]))
    vocabulary = vocabulary_of(tokens, min_documents=1)
    assert len(vocabulary.first) == 6_000 > 4_096
    assert len(ids) > MAX_SHORT
    found, expansion = vocabulary.count(tokens), expansion_of(vocabulary, 2)
    assert found.columns.tolist() == list(range(6_000))
    assert sorted(set(found.counts.tolist())) == [2.0, 3.0]  # the pair from the last word to the first occurs twice
    rows = vocabulary.rows(tokens).astype(np.float64)
    assert np.allclose(expansion.sums(tokens)[0][:, 1:], rows @ expansion.weights, rtol=0, atol=1e-12)


def test_numbers_beyond_the_tables_are_refused() -> None:
    ids, ends = np.array([0, 6], np.int32), np.array([0, 2])
    with pytest.raises(ValueError, match="the texts have words beyond -1 to 5"):
        _features.document_counts(ids, ends, 6)
    with pytest.raises(ValueError, match="do not ascend from 0 to 2, the number of words"):
        _features.document_counts(ids, np.array([0, 1]), 7)
    with pytest.raises(ValueError, match="the columns are not those of 2 features"):
        _features.FeatureCounter(np.array([0, 2], np.int32), np.full(16, -1), 2)
    with pytest.raises(ValueError, match="beyond what a table can hold"):
        _features.hash_pairs(np.array([1 << 61]), np.array([1], np.int32), 2)
    counter = _features.FeatureCounter(np.array([0, 1], np.int32), np.full(16, -1), 2)
    with pytest.raises(ValueError, match="not those of 2 features and texts of 2 words"):
        counter.sums(ids * 0, ends, np.ones(2, np.float32), np.ones((2, 2)))
    with pytest.raises(ValueError, match="the ends of the rows do not ascend from 0 to 1"):
        _features.scale_rows(np.array([0, 2]), np.ones(1, np.float32))
