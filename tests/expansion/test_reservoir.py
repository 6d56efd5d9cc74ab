"""A sample of a stream: its bound, the share that remains, and that neither order nor parts matter."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from problex.corpus import Batch, batches
from problex.errors import ProblexError, ProblexWarning
from problex.expansion.reservoir import COPIES, ReservoirSample, sample_size

TEXTS = pa.array([f"text {number:05d}" for number in range(4_000)])
SIZE = 4_000 * (10 + 8)


def sample_of(texts: list[str], limit: int, step: int = 10**6) -> ReservoirSample:
    sample = ReservoirSample(limit)
    for start in range(0, len(texts), step):
        sample.add(pa.array(texts[start : start + step], pa.string()))
    return sample


def test_the_bound_is_128_mebibytes() -> None:
    assert ReservoirSample().limit == ReservoirSample("128MiB").limit == 134_217_728


def test_texts_that_reach_the_bound_exactly_stay() -> None:
    sample = ReservoirSample(limit=SIZE)
    sample.add(TEXTS)
    assert sorted(sample.texts.to_pylist()) == TEXTS.to_pylist()
    assert sample.is_whole


def test_beyond_the_bound_every_text_stays_with_probability_one_half() -> None:
    """Of 4000 texts 2000 remain, with a standard deviation of sqrt(4000 / 4) = 32."""
    sample = ReservoirSample(limit=SIZE - 1)
    sample.add(TEXTS)
    assert len(sample.texts) == pytest.approx(2_000, abs=5 * 32)
    assert sample.seen == 4_000
    assert not sample.is_whole
    first = len(sample.texts)
    sample.add(pa.array([f"more {number:05d}" for number in range(400)]))  # 200, with a standard deviation of 10
    assert len(sample.texts) - first == pytest.approx(200, abs=50)
    assert sample.seen == 4_400


@pytest.mark.parametrize("limit", [10**6, 40_000, 3_000])
def test_order_and_parts_do_not_matter(limit: int) -> None:
    """Copies included: a few texts are most of the corpus."""
    texts = [*TEXTS.to_pylist(), *["again"] * 2_000, *[""] * 3_000, *["twice"] * 2]
    mixed = random.Random(1).sample(texts, len(texts))
    samples = [sample_of(texts, limit), sample_of(mixed, limit, 700), sample_of(texts[::-1], limit, 37)]
    assert len({(sample.level, tuple(sample.texts.to_pylist())) for sample in samples}) == 1
    assert sum(len(text) + 8 for text in samples[0].texts.to_pylist()) <= limit


def test_one_frequent_text_does_not_push_out_the_others() -> None:
    """Worked by hand: 10,000 copies become 100 of 13 bytes, and with 50 texts of 18 bytes that is 2200."""
    sample = sample_of(["again"] * 10_000 + TEXTS.to_pylist()[:50], 2_200, 999)
    kept = sample.texts.to_pylist()
    assert kept.count("again") == COPIES == 100
    assert len(kept) == 150
    assert sample_of(["again"] * 10_000 + TEXTS.to_pylist()[:50], 2_199, 999).level == 1


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
    assert sorted(sample.texts.to_pylist()) == ["one", "two"]


def test_the_size_of_a_sample_is_within_the_memory_or_said() -> None:
    """Worked by hand: of 576 MiB 256 are for the program, and learning takes 20 bytes for each one of the sample."""
    assert sample_size(None, 576 << 20) == 16 << 20
    assert sample_size("16MiB", 576 << 20) == 16 << 20
    said = (
        "expand_sample='17MiB' was given, and to learn from so much text may take 596 MiB, more than memory=\"576MiB\""
    )
    with pytest.warns(ProblexWarning, match=said):
        assert sample_size("17MiB", 576 << 20) == 17 << 20
    with pytest.raises(ProblexError, match="expand_sample=12 was given, expected a size of at least 1KiB"):
        sample_size(12, 1 << 30)
    with pytest.raises(ProblexError, match="'many' was given as a size, expected a number with a unit"):
        sample_size("many", 1 << 30)
