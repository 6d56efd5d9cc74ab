"""JSON lines: texts and kept fields, and lines that are none."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from problex.corpus import batches
from problex.tables import csv_file, text_files
from tests.tables.reading import error_of, read


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
