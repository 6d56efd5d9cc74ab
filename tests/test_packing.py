from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Counts, Lexicon, count
from problex.errors import ProblexError
from problex.packing import pack, unpack
from synthetic import draw

WORDS = st.sampled_from(["good", "fine", "bad", "poor", "day", "naïve", "東京", "well", "made"])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=8)


@given(texts=TEXTS, more=TEXTS)
def test_what_is_unpacked_is_equal_and_adds_up(texts: list[str], more: list[str]) -> None:
    lexicon = Lexicon({"positive": ["good", "fine", "well made"], "negative": ["bad", "poor"]})
    first, second = count(texts, lexicon, 1), count(more, lexicon, 1)
    assert unpack(pack(first)) == first
    assert unpack(pack(first)) + unpack(pack(second)) == first + second
    assert pack(first + second) == pack(second + first)


def test_no_counts_can_be_packed(lexicon: Lexicon) -> None:
    assert unpack(pack(Counts.none(lexicon))) == Counts.none(lexicon)


def test_packed_counts_are_a_fraction_of_the_texts() -> None:
    truth = draw(2_000, [0.5, 0.5])
    packed = pack(truth.counts)
    assert unpack(packed) == truth.counts
    assert len(packed) < truth.counts.tokens / 20


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
