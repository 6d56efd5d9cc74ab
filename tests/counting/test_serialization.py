from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Counts, Lexicon, count
from problex.counting import serialization
from problex.errors import ProblexError

WORDS = st.sampled_from(["good", "fine", "bad", "poor", "not", "pooh", "day", "naïve", "東京", "well", "made"])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=8)


@given(texts=TEXTS, more=TEXTS, associations=st.booleans())
def test_counts_from_bytes_are_equal_and_add_up(texts: list[str], more: list[str], associations: bool) -> None:
    lexicon = Lexicon({"positive": ["good", "fine", "well made"], "negative": ["bad", "po*"]})
    first, second = (count(part, lexicon, 1, associations=associations) for part in (texts, more))
    assert Counts.from_bytes(first.to_bytes()) == first
    assert Counts.from_bytes(first.to_bytes()) + Counts.from_bytes(second.to_bytes()) == first + second
    assert Counts.from_bytes((second + first).to_bytes()) == first + second


def test_the_counts_of_no_documents(lexicon: Lexicon) -> None:
    assert Counts.from_bytes(Counts.none(lexicon).to_bytes()) == Counts.none(lexicon)


def test_the_bytes_are_a_fraction_of_the_texts(lexicon: Lexicon, texts: list[str]) -> None:
    draw = random.Random(1)
    words = " ".join(texts).split()
    long = [" ".join(draw.choices(words, k=200)) for _ in range(1_000)]
    counts = count(long, lexicon)
    assert len(counts.to_bytes()) < sum(map(len, long)) / 5
    assert len((counts + counts).to_bytes()) < 1.1 * len(counts.to_bytes())


def test_other_bytes_are_refused(lexicon: Lexicon) -> None:
    with pytest.raises(ProblexError, match=r"these bytes are not counts, expected the result of Counts\.to_bytes"):
        Counts.from_bytes(b"nothing of the kind")
    with pytest.raises(ProblexError, match="these bytes are not counts"):
        Counts.from_bytes(Counts.none(lexicon).to_bytes()[:200])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, pa.schema([("x", pa.int64())])) as stream:
        stream.write_batch(pa.record_batch({"x": [1]}))
    with pytest.raises(ProblexError, match="does not contain counts"):
        Counts.from_bytes(sink.getvalue())


def test_long_arrays_are_cut_into_rows(lexicon: Lexicon, texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serialization, "ROW_LENGTH", 3)
    counts = count(texts, lexicon, associations=True)
    table = serialization.to_table(counts)
    assert table.num_rows == -(-max(len(counts.words) * 2, len(counts.sample), counts.sample.matrix.nnz) // 3)
    assert Counts.from_bytes(counts.to_bytes()) == counts


def test_pairs_and_sample_are_columns_of_the_file_not_metadata(tmp_path: Path, lexicon: Lexicon) -> None:
    draw = random.Random(1)
    words = [word for entries in lexicon.lists.values() for word in entries]
    texts = [" ".join(draw.choices(words, k=20)) for _ in range(500)]
    count(texts, lexicon).save(tmp_path / "counts.parquet")
    schema = pq.read_schema(tmp_path / "counts.parquet")
    assert {"pairs.data", "sample.keys", "sample.matrix.data"} <= set(schema.names)
    assert len(schema.metadata[b"problex"]) < 3000
