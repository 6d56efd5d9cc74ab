"""The sample of documents: the same whatever the order, the batches and the threads."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from problex import Lexicon, count
from problex.counting._counter import document_keys
from problex.counting.counts import draw_sample, join_samples

KEYS = st.lists(st.integers(0, 40), max_size=30)


def sample_of(keys: list[int], most: int = 8):  # type: ignore[no-untyped-def]
    """A document is its key: the same text has the same row."""
    row = np.array(keys, dtype=np.int64)
    matrix = sparse.csr_array(np.stack([row % 5, row % 3], axis=1).reshape(-1, 2))
    return draw_sample(row.astype(np.uint64), row + 1, matrix, most)


@given(KEYS, KEYS)
def test_samples_of_parts_join_to_the_sample_of_the_whole(one: list[int], two: list[int]) -> None:
    assert (
        join_samples(sample_of(one), sample_of(two))
        == sample_of(one + two)
        == join_samples(sample_of(two), sample_of(one))
    )
    assert join_samples(sample_of(one), sample_of([])) == sample_of(one)


@given(KEYS)
def test_the_smallest_keys_are_kept_with_how_often_they_came(keys: list[int]) -> None:
    found = sample_of(keys)
    assert found.keys.tolist() == sorted(set(keys))[:8]
    assert found.repeats.tolist() == [keys.count(key) for key in found.keys.tolist()]


def test_moving_a_sample_leaves_the_old_one_as_it_was() -> None:
    lexicon = Lexicon({"positive": ["zeal", "able"], "negative": ["bad", "poor"]})
    found = count(["zeal zeal zeal able bad", "poor poor able"], lexicon).sample
    before = found.matrix.toarray().tolist()
    moved = found.with_columns(np.array([3, 2, 1, 0]), 4)
    assert found.matrix.toarray().tolist() == before
    assert moved.matrix.toarray()[:, ::-1].tolist() == before


def test_texts_have_keys_that_look_random() -> None:
    """Every length: a hash that fails on some ends of texts would skew the sample."""
    texts = ["x" * length + str(number) for length in range(100) for number in range(40)]
    keys = document_keys(pa.array(texts))
    assert len(set(keys.tolist())) == len(texts)
    assert abs(float(np.mean(keys.astype(np.float64) / 2.0**64)) - 0.5) < 0.02
    by_length = (keys.reshape(100, 40).astype(np.float64) / 2.0**64).mean(axis=1)
    assert by_length.min() > 0.25
    assert by_length.max() < 0.75


def test_counting_draws_the_same_sample_in_any_order_and_thread() -> None:
    lexicon = Lexicon({"positive": ["good"], "negative": ["bad"]})
    random = np.random.default_rng(0)
    texts = [" ".join(random.choice(["good", "bad", "film", "day", f"w{at}"], 12)) for at in range(9000)]
    whole = count(texts, lexicon, threads=1)
    assert len(whole.sample) == whole.sample.limit == 4096
    assert count(texts[::-1], lexicon, threads=3).sample == whole.sample
    assert (count(texts[:100], lexicon) + count(texts[100:], lexicon)).sample == whole.sample
