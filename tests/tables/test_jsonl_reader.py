"""Arrow's way through a chunk of JSONL gives what the way line by line gives, or leaves it alone."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from problex.corpus import ReadOptions, batches
from problex.tables import csv_file, text_files
from problex.tables.reader import check_texts
from problex.tables.source import Chunk
from problex.tables.text_files import field_type, parse_lines, parse_with_arrow, read_records
from tests.tables.reading import error_of, read

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
    result = parse_with_arrow(data, "text", {"id": kind})
    assert result is not None
    assert result.values.to_pylist() == ["né"] * 3
    assert result.columns is not None
    assert result.columns.to_pydict() == {"id": [value] * 3}
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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"text": "b"', "is '{\"text\": \"b\"' (Expecting ',' delimiter"),
        (b"17", 'is \'17\' (of type int); expected a JSON object such as {"text": "..."}.'),
        (b"[" * 100_000, "is '[[[[["),
        (b'{"body": "b", "n": 1}', "has no field 'text'; its fields are 'body', 'n'."),
    ],
)
def test_bad_lines_of_jsonl(line: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"text": "a", "n": 1}\r\n\r\n' + line + b'\n{"text": "c"}')
    message = error_of(path, text="text")
    assert message.startswith(f"line 3 of {path} {expected}")
    assert message.endswith('Correct it, or give on_error="skip".')
    for on_error in ("skip", "replace"):
        result = read(path, text="text", on_error=on_error, keep=["n"], batch_bytes=1)
        assert (result.texts, result.invalid) == (["a", "", "c"], 1)
        assert result.columns["n"][::2] == [1, None]


def test_null_in_jsonl_is_missing(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"text": "a"}\n{"text": null}\n{"text": NaN}\n')
    assert read(tmp_path / "x.jsonl", missing="empty").missing == 2
    assert error_of(tmp_path / "x.jsonl").startswith(f"document 1 of {tmp_path / 'x.jsonl'} is missing")


def test_kept_fields_of_jsonl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.jsonl"
    mixed = [1, "é", None, {"a": [1, "é"]}, 2**80, True, "\udc80"]
    path.write_text("".join(json.dumps({"text": "t", "mixed": value, "n": n}) + "\n" for n, value in enumerate(mixed)))
    assert error_of(path, keep=["mixed"]).startswith(f"line 7 of {path} has 'mixed': '\\udc80'; expected string")
    result = read(path, keep=["mixed", "n"], on_error="skip")
    assert result.columns["mixed"] == ["1", "é", None, '{"a": [1, "é"]}', str(2**80), "true", "\ufffd"]
    assert result.columns["n"] == list(range(7))
    path.write_text('{"text": "a", "n": 1}\n{"text": "b", "n": "x"}\n')
    assert read(path, keep=["n"]).columns == {"n": ["1", "x"]}
    monkeypatch.setattr(csv_file, "READ_BYTES", 1)
    monkeypatch.setattr(text_files, "READ_BYTES", 1)
    message = error_of(path, keep=["n"], batch_bytes=1)
    assert message.startswith(f"line 2 of {path} has 'n': 'x'; expected int64, as before, in UTF-8")
    assert read(path, keep=["n"], batch_bytes=1, on_error="skip").columns == {"n": [1, None]}


@pytest.mark.parametrize(("value", "expected"), [(2**53 - 1, True), (2**53, False), (-(2**53), False)])
def test_arrow_parses_floats_only_where_they_hold_every_integer(value: int, expected: bool) -> None:
    data = b'{"text": "a", "n": 0.5}\n{"text": "b", "n": %d}\n' % value
    assert (parse_with_arrow(data, "text", {"n": pa.float64()}) is not None) == expected
    assert parse_with_arrow(data.replace(b"0.5", b"1"), "text", {"n": pa.int64()}) is not None


def test_an_integer_that_a_float_cannot_hold_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "READ_BYTES", 1)
    path = tmp_path / "x.jsonl"
    numbers = [0.5, 2**53 - 1, 2**53, -(2**53)]
    path.write_text("".join(json.dumps({"text": "t", "n": number}) + "\n" for number in numbers))
    assert read(path, keep=["n"]).columns == {"n": [float(number) for number in numbers]}
    path.write_text('{"text": "a", "n": 0.5}\n{"text": "b", "n": 9007199254740993}\n')
    expected = f"line 2 of {path} has 'n': 9007199254740993; expected double, as before"
    assert error_of(path, keep=["n"]).startswith(expected)
    assert read(path, keep=["n"], on_error="skip").columns == {"n": [0.5, None]}


@pytest.mark.parametrize(
    "data",
    [
        b'{"x": {"y": 1}\n, "text": "a"} {"text": "b"}\n',  # two objects in two lines, but not one in each
        b'{"text": "a"} {"x":\n{"y": 1}, "text": "b"}\n',
        b'{"text":\n"a"}\n',
    ],
)
def test_objects_that_do_not_fit_the_lines_go_the_slow_way(data: bytes) -> None:
    assert parse_with_arrow(data, "text", {}) is None


def test_types_that_json_does_not_have_go_the_slow_way() -> None:
    data = b'{"text": "a", "id": "2020-01-01 00:00:00"}\n'
    assert parse_with_arrow(data, "text", {"id": pa.timestamp("s")}) is None
    assert parse_with_arrow(data, "text", {"text": pa.int64()}) is None
    assert parse_with_arrow(data, "text", {"id": pa.string(), "text": pa.string()}) is not None


def test_lines_are_numbered_from_the_first_even_if_it_is_blank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "READ_BYTES", 1)
    (tmp_path / "x.jsonl").write_bytes(b"\n\n\n17\n")
    assert error_of(tmp_path / "x.jsonl").startswith(f"line 4 of {tmp_path / 'x.jsonl'} is '17' (of type int)")


def test_integers_of_over_64_bits_are_kept_as_text(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(f'{{"text": "a", "n": {2**80}}}\n{{"text": "b", "n": 1}}\n')
    assert read(tmp_path / "x.jsonl", keep=["n"]).columns == {"n": [str(2**80), "1"]}


def test_jsonl_is_read_in_chunks_of_2_mebibytes(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(('{"text": "' + "x" * 1011 + '"}\n') * 5000)  # lines of 1024 bytes
    offsets = [batch.position[3] for batch in batches(tmp_path / "x.jsonl")]
    assert offsets == [1024 * lines for lines in (2048, 4096, 5000)]


def test_a_line_may_have_as_many_values_as_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "MAX_JSON_VALUES", 6)
    (tmp_path / "x.jsonl").write_text('{"text": "a", "list": [1, 2, 3]}\n\n')  # one brace, one bracket, three commas
    assert read(tmp_path / "x.jsonl", keep=["list"]).texts == ["a"]
    (tmp_path / "x.jsonl").write_text('{"text": "a", "list": [1, 2, 3, [4]]}\n\n')
    assert "(of over 6 values)" in error_of(tmp_path / "x.jsonl", keep=["list"])


def test_a_column_whose_name_is_no_valid_text() -> None:
    stream = io.BytesIO(b'{"text\\ud800": "good"}\n')
    assert error_of(stream, format="jsonl").startswith(r"the name of column 'text\ud800' is not valid text")


@pytest.mark.parametrize(
    ("data", "number"),
    [
        (b'{"x": {"y": 1}\n, "text": "a"} {"text": "b"}\n', 1),  # two objects in two lines, but not one in each
        (b'{"text": "a"} {"x":\n{"y": 1}, "text": "b"}\n', 1),
        (b'{"text": "a"}\n{"text":\n"b"}\n', 2),
        (b'{"text": "a"}{"text": "b"}\n', 1),
    ],
)
def test_each_line_has_one_object(data: bytes, number: int, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(data)
    assert error_of(tmp_path / "x.jsonl", text="text").startswith(f"line {number} of {tmp_path / 'x.jsonl'} is ")


def test_texts_are_those_of_the_lines(tmp_path: Path) -> None:
    texts = ["né", "", "a\tb\n", "\u2028", "\x00"]
    (tmp_path / "x.jsonl").write_text("\r\n".join(json.dumps({"n": [{}], "text": text}) for text in texts))
    assert read(tmp_path / "x.jsonl").texts == texts
