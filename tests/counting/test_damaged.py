"""Damaged counts and checkpoints are refused with a message, never read as other counts; sums do not pass 2^63."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from problex import Counts, Lexicon, count
from problex.counting import streams
from problex.counting.checkpoints import Checkpoint
from problex.counting.counters import Pool
from problex.counting.serialization import to_table
from problex.counting.streams import check_squared_lengths
from problex.errors import ProblexError

LEXICON = Lexicon({"positive": ["good", "fine", "well made"], "negative": ["bad", "po*"]})
TEXTS = ["good fine day", "a well-made film, not bad", "poor bad day, poor film", "", "good bad naïve good"] * 3
MAX = 2**63 - 1
Change = Callable[[Any], Any]


@pytest.fixture(scope="module")
def counts() -> Counts:
    return count(TEXTS, LEXICON, associations=True)


def matrix_with(matrix: sparse.csr_array, **arrays: Any) -> sparse.csr_array:
    """A copy with other arrays, which scipy does not check."""
    copy = matrix.copy()
    for name, array in arrays.items():
        setattr(copy, name, array)
    return copy


def bent(array: Any, at: int, value: int) -> Any:
    copy = array.copy()
    copy.reshape(-1)[at] = value
    return copy


CHANGES: dict[str, Change] = {
    "a negative count": lambda c: {"occurrences": bent(c.occurrences, 0, -1)},
    "fewer counts than words": lambda c: {"occurrences": c.occurrences[:-1]},
    "numbers with a point": lambda c: {"squares": c.squares.astype(np.float64)},
    "words that are numbers": lambda c: {"words": pa.array(range(len(c.words)))},
    "one list": lambda c: {"lists": ("negative",)},
    "lists in another order": lambda c: {"lists": c.lists[::-1]},
    "an entry twice": lambda c: {"entries": (c.entries[0], *c.entries[:-1])},
    "entries in another order": lambda c: {"entries": c.entries[::-1]},
    "fewer entries": lambda c: {"entries": c.entries[:-1]},
    "a list that there is not": lambda c: {"list_index": bent(c.list_index, -1, 2)},
    "a list before the first": lambda c: {"list_index": bent(c.list_index, 0, -1)},
    "negative documents": lambda c: {"documents": -1},
    "documents that are a text": lambda c: {"documents": "15"},
    "documents that are true": lambda c: {"missing": True},
    "10^400 documents": lambda c: {"documents": 10**400},
    "settings of no tokenizer": lambda c: {"settings": {"lexicon": "x"}},
    "a language that there is not": lambda c: {"settings": {**c.settings, "language": "klingon"}},
    "a setting that there is not": lambda c: {"settings": {**c.settings, "more": 1}},
    "a negation without negators": lambda c: {"settings": {**c.settings, "negation": {"negators": []}}},
    "one kind of association": lambda c: {"imputed": None},
    "associations of other words": lambda c: {"list_products": c.list_products[:-1]},
    "negative associations": lambda c: {"list_products": -c.list_products - 1},
    "a column of pairs that there is not": lambda c: {
        "pairs": matrix_with(c.pairs, indices=bent(c.pairs.indices, 0, 10**6))
    },
    "rows of pairs that end before they start": lambda c: {
        "pairs": matrix_with(c.pairs, indptr=bent(c.pairs.indptr, 1, 10**6))
    },
    "negative pairs": lambda c: {"pairs": -c.pairs},
    "pairs of another shape": lambda c: {"pairs": c.pairs[:-1]},
    "a sample without a limit": lambda c: {"sample": replace(c.sample, limit=None)},
    "a sample of other entries": lambda c: {"sample": replace(c.sample, matrix=c.sample.matrix[:, :-1])},
}


@pytest.mark.parametrize("name", CHANGES)
def test_counts_of_no_texts_are_refused(name: str, counts: Counts, tmp_path: Path) -> None:
    """Their digest is right: only types, lengths and limits are wrong. Other values are what the digest is for."""
    changed = replace(counts, **CHANGES[name](counts))
    table = to_table(changed)
    pq.write_table(table, tmp_path / "x.parquet")
    with pytest.raises(ProblexError, match=r"x\.parquet' is damaged: .*\. Count the texts again\.$"):
        Counts.load(tmp_path / "x.parquet")
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    with pytest.raises(ProblexError, match="the byte string is damaged"):
        Counts.from_bytes(sink.getvalue())


def test_any_other_value_is_refused_by_the_digest(counts: Counts, tmp_path: Path) -> None:
    good = to_table(counts)
    other = to_table(replace(counts, occurrences=bent(counts.occurrences, 0, counts.occurrences[0] + 1)))
    pq.write_table(other.replace_schema_metadata(good.schema.metadata), tmp_path / "x.parquet")
    with pytest.raises(ProblexError, match="is damaged: its digest does not fit its content"):
        Counts.load(tmp_path / "x.parquet")


def test_missing_values_are_refused(counts: Counts, tmp_path: Path) -> None:
    table = to_table(counts)
    missing = pa.array([[None] * len(counts.words)], pa.large_list(pa.string()))
    pq.write_table(table.set_column(table.column_names.index("words"), "words", missing), tmp_path / "x.parquet")
    with pytest.raises(ProblexError, match="is damaged: 'words' has missing values"):
        Counts.load(tmp_path / "x.parquet")


def damage(data: bytes, draw: random.Random) -> bytes:
    """Bytes that were replaced, removed, repeated or cut off."""
    at, size = draw.randrange(len(data)), draw.choice([1, 1, 1, 2, 8, 100])
    part = data[at : at + size]
    kind = draw.randrange(4)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[at + size :]
    if kind == 2:
        return data[:at] + part + part + data[at + size :]
    return data[:at] + draw.randbytes(len(part)) + data[at + size :]


def test_damaged_bytes_are_refused_or_harmless(counts: Counts) -> None:
    data, draw = counts.to_bytes(), random.Random(1)
    refused = 0
    for _ in range(1500):
        try:
            assert Counts.from_bytes(damage(data, draw)) == counts  # padding and the like
        except ProblexError:
            refused += 1
    assert refused > 1000


def test_damaged_files_are_refused_or_harmless(counts: Counts, tmp_path: Path) -> None:
    counts.save(tmp_path / "whole")
    data, draw = (tmp_path / "whole").read_bytes(), random.Random(2)
    refused = 0
    for _ in range(700):
        (tmp_path / "x").write_bytes(damage(data, draw))
        try:
            assert Counts.load(tmp_path / "x") == counts
        except ProblexError:
            refused += 1
    assert refused > 400


def test_a_damaged_checkpoint_is_refused_or_harmless(counts: Counts, tmp_path: Path) -> None:
    saved = Checkpoint(tmp_path / "c", {"a": 1})
    saved.save(counts, (40, 1, 2))
    data, draw = saved.path.read_bytes(), random.Random(3)
    refused, messages = 0, set[str]()
    for _ in range(700):
        saved.path.write_bytes(damage(data, draw))
        try:
            assert saved.load() == (counts, (40, 1, 2))
        except ProblexError as error:
            messages.add(str(error))
            refused += 1
    assert refused > 400
    assert all("delete" in message for message in messages)


@pytest.mark.parametrize("position", [[40, 1, 3], [], [41, 1, 2], None, "40", [-1], [10**400], [1.5], [True, 1, 2]])
def test_another_position_is_refused(position: Any, counts: Counts, tmp_path: Path) -> None:
    saved = Checkpoint(tmp_path / "c", {"a": 1})
    saved.save(counts, (40, 1, 2))
    table = pq.read_table(saved.path)
    record = json.loads(table.schema.metadata[b"checkpoint"])
    changed = json.dumps(record | {"position": position})
    pq.write_table(table.replace_schema_metadata({**table.schema.metadata, b"checkpoint": changed}), saved.path)
    with pytest.raises(ProblexError, match=r"^the checkpoint '.*c' is damaged \(.*\), .*: delete it to start over$"):
        saved.load()


def test_counts_of_another_checkpoint_are_refused(counts: Counts, tmp_path: Path) -> None:
    first, second = (Checkpoint(tmp_path / name, {"a": 1}) for name in "cd")
    first.save(counts, (40,))
    second.save(counts + counts, (80,))
    record = pq.read_schema(first.path).metadata[b"checkpoint"]
    table = pq.read_table(second.path)
    pq.write_table(table.replace_schema_metadata({**table.schema.metadata, b"checkpoint": record}), first.path)
    with pytest.raises(ProblexError, match="digest does not match its content"):
        first.load()


@pytest.mark.parametrize(
    "large",
    [
        lambda c: {"squared_lengths": MAX - 10},
        lambda c: {"missing": MAX},
        lambda c: {"occurrences": np.full(len(c.words), MAX - 1)},
        lambda c: {"squares": np.full(len(c.words), 2**62)},
        lambda c: {"list_products": np.full((len(c.words), 2), 2**62)},
        lambda c: {"imputed_documents": np.full(2, 2**62)},
        lambda c: {"pairs": c.pairs * 0 + sparse.csr_array(np.triu(np.full(c.pairs.shape, 2**62), 1))},
        lambda c: {"sample": replace(c.sample, repeats=np.full(len(c.sample), 2**62))},
    ],
)
def test_sums_beyond_2_to_the_63_are_refused(large: Change, counts: Counts) -> None:
    big = replace(counts, **large(counts))
    with pytest.raises(ProblexError, match=r"the counts are too large: .* passes 2\^63\. Cut very long texts"):
        big + big


def test_sums_below_2_to_the_63_are_exact(counts: Counts) -> None:
    half = replace(counts, squared_lengths=2**62 - 1, missing=2**62)
    almost = replace(counts, squared_lengths=2**62, missing=2**62 - 1)
    both = half + almost
    assert (both.squared_lengths, both.missing) == (MAX, MAX)


def test_counters_whose_sum_passes_2_to_the_63_are_refused() -> None:
    """Documents of gigabytes would be needed, so the totals of the counters are replaced."""

    class Huge:
        def __init__(self, size: int) -> None:
            self.size = size

        def totals(self) -> dict[str, int]:
            return {"squared_lengths": self.size}

    pool = Pool(lambda: pytest.fail("no counter is needed"))
    pool.all = [Huge(2**62), Huge(2**62)]  # type: ignore[list-item]
    with pytest.raises(ProblexError, match=r"passes 2\^63"):
        streams._merge_counters(pool, Counts.none(LEXICON))
    check_squared_lengths([2**62, 2**62 - 1])
    with pytest.raises(ProblexError, match=r"passes 2\^63"):
        check_squared_lengths([-5])
