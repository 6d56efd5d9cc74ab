from __future__ import annotations

import random

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Counts, Lexicon, count
from problex.counting.serialization import pack, unpack
from problex.errors import ProblexError

WORDS = st.sampled_from(["good", "fine", "bad", "poor", "not", "pooh", "day", "naïve", "東京", "well", "made"])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=8)


@given(texts=TEXTS, more=TEXTS, associations=st.booleans())
def test_what_is_unpacked_is_equal_and_adds_up(texts: list[str], more: list[str], associations: bool) -> None:
    lexicon = Lexicon({"positive": ["good", "fine", "well made"], "negative": ["bad", "po*"]})
    first, second = (count(part, lexicon, 1, associations=associations) for part in (texts, more))
    assert unpack(pack(first)) == first
    assert unpack(pack(first)) + unpack(pack(second)) == first + second
    assert unpack(pack(second + first)) == first + second


def test_no_counts_can_be_packed(lexicon: Lexicon) -> None:
    assert unpack(pack(Counts.none(lexicon))) == Counts.none(lexicon)


def test_packed_counts_are_a_fraction_of_the_texts(lexicon: Lexicon, texts: list[str]) -> None:
    draw = random.Random(1)
    words = " ".join(texts).split()
    long = [" ".join(draw.choices(words, k=200)) for _ in range(1_000)]
    counts = count(long, lexicon)
    assert len(pack(counts)) < sum(map(len, long)) / 5
    assert len(pack(counts + counts)) < 1.1 * len(pack(counts))


def test_other_bytes_are_refused(lexicon: Lexicon) -> None:
    with pytest.raises(ProblexError, match="these bytes are not counts, expected what pack makes"):
        unpack(b"nothing of the kind")
    with pytest.raises(ProblexError, match="these bytes are not counts"):
        unpack(pack(Counts.none(lexicon))[:200])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, pa.schema([("x", pa.int64())])) as stream:
        stream.write_batch(pa.record_batch({"x": [1]}))
    with pytest.raises(ProblexError, match="these bytes are not counts"):
        unpack(sink.getvalue())
