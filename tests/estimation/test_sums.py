"""The compiled sums over sparse rows against numpy and scipy, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from problex.counting.tables import TokenIds
from problex.estimation._sums import column_sums, row_hashes, sums_of_rows, symmetric_product, weigh_pairs
from problex.expansion.texts import arrays_of
from problex.model.vocabulary import renumber, vocabulary_and_tokens


def matrix_of(seed: int, rows: int, columns: int) -> sparse.csr_array:
    """Counts, many of them zero, in rows some of which are empty."""
    counts = np.random.default_rng(seed).poisson(0.6, (rows, columns))
    return sparse.csr_array(counts.astype(np.float32))


@given(st.integers(0, 1000), st.integers(1, 9), st.integers(1, 7))
def test_hashes_are_sums_modulo_2_to_the_64(seed: int, rows: int, columns: int) -> None:
    counts = matrix_of(seed, rows, columns)
    numbers = np.random.default_rng(seed).integers(1, 2**63, columns, dtype=np.uint64)
    plain = [
        sum(int(numbers[at]) * (2 * int(value) + 1) for at, value in enumerate(row) if value) % 2**64
        for row in counts.toarray()
    ]
    assert row_hashes(*arrays_of(counts), numbers).tolist() == plain


@given(st.integers(0, 1000), st.integers(1, 9), st.integers(1, 7))
def test_sums_of_columns_are_those_of_numpy(seed: int, rows: int, columns: int) -> None:
    counts = matrix_of(seed, rows, columns)
    sums, numbers = column_sums(*arrays_of(counts)[1:], columns)
    assert np.array_equal(sums, counts.toarray().sum(axis=0))
    assert np.array_equal(numbers, (counts.toarray() > 0).sum(axis=0))


@given(st.integers(0, 1000), st.integers(1, 40), st.integers(1, 7), st.integers(1, 5))
def test_sums_of_rows_are_those_of_scipy_bit_for_bit(seed: int, rows: int, columns: int, groups: int) -> None:
    values = matrix_of(seed, rows, columns)
    values.data = np.random.default_rng(seed).normal(size=values.nnz).astype(np.float32)  # the order of sums matters
    chosen = sparse.csr_array((np.random.default_rng(seed + 1).random((groups, rows)) < 0.5).astype(np.float32))
    ends, members = chosen.indptr.astype(np.int64), chosen.indices.astype(np.int32)
    found = sums_of_rows(ends, members, *arrays_of(values), columns)
    assert found.dtype == np.float32
    assert np.array_equal(found, (chosen @ values).toarray())


@given(st.integers(0, 1000), st.integers(1, 12))
def test_the_product_with_pairs_is_that_of_scipy_bit_for_bit(seed: int, size: int) -> None:
    pairs = matrix_of(seed, size, size).astype(np.int64)
    weights = np.random.default_rng(seed).normal(size=size)
    floats = pairs.astype(np.float64)
    assert np.array_equal(weigh_pairs(pairs, weights), floats @ weights + floats.T @ weights)


def test_two_entries_by_hand() -> None:
    pairs = sparse.csr_array(np.array([[0, 2], [0, 0]]))
    assert weigh_pairs(pairs, np.array([0.5, 3.0])).tolist() == [6.0, 1.0]


@given(st.integers(0, 1000), st.integers(2, 12))
def test_the_order_of_columns_does_not_change_a_bit(seed: int, size: int) -> None:
    pairs = matrix_of(seed, size, size).astype(np.int64)
    columns, values = pairs.indices.copy(), pairs.data.copy()
    for start, end in zip(pairs.indptr, pairs.indptr[1:], strict=False):
        columns[start:end], values[start:end] = columns[start:end][::-1].copy(), values[start:end][::-1].copy()
    turned = sparse.csr_array((values, columns, pairs.indptr), shape=pairs.shape)
    weights = np.random.default_rng(seed).normal(size=size)
    assert np.array_equal(weigh_pairs(turned, weights), weigh_pairs(pairs, weights))


def test_rows_that_are_none_are_refused() -> None:
    columns, values = np.array([0, 2], np.int32), np.ones(2, np.float32)
    with pytest.raises(ValueError, match="the rows have columns beyond 0 to 1"):
        column_sums(columns, values, 2)
    with pytest.raises(ValueError, match="do not ascend from 0 to 2, the number of values"):
        row_hashes(np.array([0, 1]), columns, values, np.ones(3, np.uint64))
    with pytest.raises(ValueError, match="do not ascend from 0 to 2, the number of values"):
        column_sums(columns, values[:1], 3)
    with pytest.raises(ValueError, match="beyond 0 to 0"):
        sums_of_rows(np.array([0, 1]), np.array([1], np.int32), np.array([0, 2]), columns, values, 3)
    with pytest.raises(ValueError, match="3 weights were given for 1 rows"):
        symmetric_product(np.array([0, 2]), columns, np.ones(2, np.int64), np.ones(3))


@given(st.lists(st.lists(st.integers(-1, 5), max_size=12), max_size=8), st.integers(1, 3))
def test_tokens_have_the_numbers_of_the_vocabulary(texts: list[list[int]], least: int) -> None:
    ends = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    tokens = TokenIds(tuple("fbdace"), np.array([at for text in texts for at in text], np.int32), ends)
    vocabulary, found = vocabulary_and_tokens(tokens, min_documents=least)
    again = renumber(tokens, vocabulary)
    assert found.words is vocabulary.words
    assert (found.ids.dtype, found.ids.tolist()) == (again.ids.dtype, again.ids.tolist())
