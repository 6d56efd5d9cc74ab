"""A sample of a stream: its bound, and the share that remains."""

from __future__ import annotations

import pyarrow as pa
import pytest

from problex.corpus import Batch, batches
from problex.scoring import ReservoirSample

TEXTS = pa.array([f"text {number:05d}" for number in range(4_000)])


def test_the_bound_is_128_mebibytes() -> None:
    assert ReservoirSample().limit == 134_217_728


def test_texts_that_reach_the_bound_exactly_stay() -> None:
    sample = ReservoirSample(limit=TEXTS.nbytes)
    sample.add(TEXTS)
    assert sample.texts.to_pylist() == TEXTS.to_pylist()


def test_beyond_the_bound_every_text_stays_with_probability_one_half() -> None:
    """Of 4000 texts 2000 remain, with a standard deviation of sqrt(4000 / 4) = 32."""
    sample = ReservoirSample(limit=TEXTS.nbytes - 1)
    sample.add(TEXTS)
    assert len(sample.texts) == pytest.approx(2_000, abs=5 * 32)
    assert sample.seen == 4_000
    first = len(sample.texts)
    sample.add(TEXTS[:400])  # sampled at the same probability: 200, with a standard deviation of 10
    assert len(sample.texts) - first == pytest.approx(200, abs=50)
    assert sample.seen == 4_400


def test_a_bound_that_no_text_fits_ends_with_no_texts() -> None:
    sample = ReservoirSample(limit=0)
    assert sample.texts.to_pylist() == []
    sample.add(TEXTS)
    assert sample.texts.to_pylist() == []
    assert sample.seen == 4_000


def test_a_batch_adds_its_texts() -> None:
    sample = ReservoirSample()
    for batch in batches(["one", "two"]):
        assert isinstance(batch, Batch)
        sample.add_batch(batch)
    assert sample.texts.to_pylist() == ["one", "two"]
