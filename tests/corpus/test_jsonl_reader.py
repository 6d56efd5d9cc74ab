"""Arrow's way through a chunk of JSONL gives what the way line by line gives, or leaves it alone."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from problex.corpus import ReadOptions
from problex.corpus.batch import check_texts
from problex.corpus.jsonl_reader import field_type, parse_lines, parse_with_arrow, read_records
from problex.corpus.sources import Chunk

VALUES = st.one_of(
    st.text(), st.none(), st.booleans(), st.integers(), st.floats(), st.lists(st.integers()), st.just({"a": [1]})
)
OBJECTS = st.dictionaries(st.sampled_from(["text", "id", "other"]), VALUES).map(json.dumps)
REGULAR = st.builds(lambda text, id: json.dumps({"id": id, "text": text}), st.text(), st.integers(-(2**63), 2**63 - 1))
ODD = st.sampled_from(
    ["", "  ", "[1]", "{", '{"text": "a"} {"text": "b"}', '{"text": "a", "text": "b"}', ' {"text": "a"}', '{"text":',
     '"b"}', '{"text": "\\ud800"}', '{"text": "a"}\r', '{"text": "a",}', "{}",
     '{"te\\u0078t": "x"}', '{"text": "a\tb"}']
)  # fmt: skip


def slowly(chunk: Chunk, kinds: dict[str, pa.DataType]) -> Any:
    problems: list[tuple[int, str]] = []
    piece = parse_lines(chunk, 0, "text", kinds, lambda number, reason: problems.append((number, reason)))
    return piece, problems


@given(st.lists(st.one_of(REGULAR, REGULAR, OBJECTS, ODD), min_size=1), st.sampled_from(["\n", "\r\n"]), st.booleans())
@example(['{"text": "a"} {"text":', '"b"}'], "\n", True)
@example(['{"text": "a", "id": 9007199254740993}', '{"text": "b", "id": 0.5}'], "\n", True)
def test_the_fast_way_gives_what_the_slow_way_gives_or_nothing(lines: list[str], end: str, ended: bool) -> None:
    data = (end.join(lines) + (end if ended else "")).encode(errors="surrogatepass")
    chunk = Chunk(data, len(data), len(data))
    records = read_records(chunk, 0, lambda number, reason: None)
    kinds = {"id": field_type("id", records)}
    fast = parse_with_arrow(data, "text", kinds)
    if fast is None:
        return
    slow, problems = slowly(chunk, kinds)
    assert problems == []
    assert fast.values.to_pylist() == check_texts(slow.values, str, ReadOptions())[0].to_pylist()
    assert fast.invalid == slow.invalid == 0
    assert fast.columns is not None
    assert [str(v) for v in fast.columns["id"].to_pylist()] == [str(v) for v in slow.columns["id"].to_pylist()]


@pytest.mark.parametrize("kind", [pa.int64(), pa.string(), pa.float64(), pa.bool_()])
def test_regular_lines_go_the_fast_way(kind: pa.DataType) -> None:
    value = {"int64": 3, "string": "x", "double": 2.5, "bool": True}[str(kind)]
    data = (json.dumps({"id": value, "text": "né", "more": {"deep": [1, {}]}}) + "\n").encode() * 3
    found = parse_with_arrow(data, "text", {"id": kind})
    assert found is not None
    assert found.values.to_pylist() == ["né"] * 3
    assert found.columns is not None
    assert found.columns.to_pydict() == {"id": [value] * 3}
    assert parse_with_arrow(data[:-1], "text", {}) is not None
    assert parse_with_arrow(data.replace(b"\n", b"\r\n"), "text", {}) is not None


@pytest.mark.parametrize(
    "odd", ['{"id": 1}', '{"text": null}', '{"text": 5}', "", '{"text": "a"}{"text": "b"}', '{"text": "\\udc00"}']
)
def test_what_needs_a_word_goes_the_slow_way(odd: str) -> None:
    assert parse_with_arrow(f'{{"text": "a"}}\n{odd}\n'.encode(), "text", {}) is None


def test_bytes_that_are_not_utf8_go_the_slow_way() -> None:
    assert parse_with_arrow(b'{"text": "a\xff"}\n', "text", {}) is None
    assert parse_with_arrow(b'{"text": "a", "id": "\xff"}\n', "text", {"id": pa.string()}) is None
