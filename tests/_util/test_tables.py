"""Tables in JSON as columns: the values of `json.loads`, or None for what is not written as expected."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex._util._tables import end_of_table, read_columns, write_rows

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
ROWS = st.lists(
    st.tuples(TEXTS, st.sampled_from(["up", "down"]), st.integers(-(10**16), 10**16), st.floats(allow_nan=False)),
    min_size=1,
    max_size=9,
)


def columns_of(text: str) -> list[object] | None:
    """The columns of rows that are written with a line for each."""
    data = text.encode()
    found = read_columns(b"  " + data + b" end", 2, 2 + len(data), b",\n")
    return None if found is None else [one.tolist() if isinstance(one, np.ndarray) else one for one in found]


def written(rows: list[list[object]]) -> str:
    return ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


@given(ROWS)
def test_columns_have_the_values_of_json(rows: list[list[object]]) -> None:
    if any(isinstance(value, float) and math.isinf(value) for row in rows for value in row):
        assert columns_of(written(rows)) is None
        return
    columns = columns_of(written(rows))
    assert columns == [list(column) for column in zip(*rows, strict=True)]
    assert [math.copysign(1, row[3]) for row in rows] == [math.copysign(1, value) for value in columns[3]]  # type: ignore[arg-type,attr-defined]


@given(
    st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["{!r}", "{:.3f}", "{:.12f}", "{:e}", "{:.20e}"])
)
def test_numbers_are_rounded_as_python_rounds_them(value: float, form: str) -> None:
    shown = form.format(value)
    assert columns_of(f"[1.5],\n[{shown}]") == [[1.5, float(shown)]]


@given(ROWS, st.lists(st.one_of(TEXTS, st.integers()), max_size=9), st.booleans())
def test_known_texts_change_no_value(rows: list[list[Any]], known: list[Any], all_known: bool) -> None:
    rows = [[row[0], 1] for row in rows]
    data = written(rows).encode()
    found = read_columns(data, 0, len(data), b",\n", len(rows), [row[0] for row in rows] if all_known else known)
    assert found is not None
    assert found[0] == [row[0] for row in rows]


def test_known_texts_are_not_made_again() -> None:
    data, known = b'["beta gamma", 1],\n["NOT beta", 2],\n["zeta eta", 3]', ["beta gamma".upper().lower(), "zeta eta"]
    found = read_columns(data, 0, len(data), b",\n", 3, known)
    assert found is not None
    assert found[0] == ["beta gamma", "NOT beta", "zeta eta"]
    assert found[0][0] is known[0]
    assert found[0][2] is known[1]


def test_where_a_table_ends() -> None:
    assert end_of_table(b'{"a": [\n  [1],\n  [2]\n ]}', 10, b",\n  ") == (2, 20)
    assert end_of_table(b"[1],\n[2]", 0, b",\n") == (2, 8)  # nothing behind it
    assert end_of_table(b"[1]\n", 0, b",\n  ") == (1, 3)
    assert end_of_table(b"[1],\n", 0, b",\n  ") == (1, 4)  # no room for what is between rows
    assert end_of_table(b",\n", 1, b",\n") == (1, 1)  # not before the start
    assert end_of_table(b"", 0, b"\n") == (1, 0)
    for start in (-1, 4):
        with pytest.raises(ValueError, match=f"begins at {start}, expected a place in 3 bytes"):
            end_of_table(b"[1]", start, b"\n")


def test_a_wrong_number_of_rows_is_noticed() -> None:
    for size in (1, 3):
        assert read_columns(b"[1],\n[2]", 0, 8, b",\n", size) is None


def test_an_integer_among_floats_is_a_float() -> None:
    assert columns_of("[1.5],\n[2],\n[9007199254740993]") == [[1.5, 2.0, float(9007199254740993)]]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[1, 2",
        "[1],\n[2.5]",
        '[1],\n["a"]',
        '["a"],\n[1]',
        "[1],\n[1, 2]",
        "[1, 2],\n[1]",
        "[1], [2]",
        "[ 1]",
        "[1,2]",
        "[01]",
        "[1.],\n[2]",
        "[1.5],\n[1.]",
        "[1.5],\n[.5]",
        "[1.5],\n[1e]",
        "[1.5],\n[+1]",
        "[1.5],\n[NaN]",
        "[NaN]",
        "[null]",
        "[true]",
        "[[1]]",
        "[1],\n[99999999999999999999]",
        '["a"],\n["b]',
        '["a"],\n["\\ud800"]',
        '["\\ud800"],\n["a"]',
        '["a"],\n["\\x"]',
        '["a"],\n["\t"]',
        "[1],\n[2] ",
        "{}",
    ],
)
def test_what_is_written_otherwise_is_left_to_json(text: str) -> None:
    assert columns_of(text) is None


def test_bounds_beyond_the_data_are_refused() -> None:
    assert read_columns(b"[1]", 0, 9, b",") is None
    assert read_columns(b"[1]", -1, 3, b",") is None


ALIKE = st.lists(
    st.tuples(TEXTS, st.sampled_from(["up", "down"]), st.integers(0, 1), st.sampled_from([0.0, -0.0, 0.1, math.nan])),
    min_size=1,
    max_size=12,
)
"""Rows of which many differ in the first value only."""


@given(st.one_of(ROWS, ALIKE), st.integers(1, 99))
def test_rows_are_written_as_json_writes_them(rows: list[tuple[str, str, int, float]], part: int) -> None:
    texts, labels, integers, floats = zip(*rows, strict=True)
    columns: list[Any] = [texts, list(labels), np.array(integers, np.int64), np.array(floats)]
    parts = write_rows(columns, b",\n", part)
    assert b"".join(parts).decode() == written([list(row) for row in rows])
    assert all(len(one) >= part for one in parts[:-1])


@given(ALIKE)
def test_rows_that_go_on_alike_are_read_as_others(rows: list[tuple[str, str, int, float]]) -> None:
    kept = [list(row) for row in rows if not math.isnan(row[3])]
    if kept:
        columns = columns_of(written(kept))
        assert repr(columns) == repr([list(column) for column in zip(*kept, strict=True)])


def test_the_end_of_a_row_is_not_taken_for_that_of_another() -> None:
    assert columns_of('["a", 1],\n["b", 1],\n["c", 12]') == [["a", "b", "c"], [1, 1, 12]]
    assert columns_of('["a", 1],\n["b", 1],\n["c", 1') is None
    assert columns_of('["a", 1],\n["b", 1] ') is None


def test_texts_that_are_not_unicode_are_not_written() -> None:
    with pytest.raises(UnicodeEncodeError):
        write_rows([["\ud800"]], b", ")
    with pytest.raises(ValueError, match=r"lengths \[1, 2\], expected the same"):
        write_rows([["a"], np.array([1, 2])], b", ")


def test_no_rows_or_columns_are_no_parts() -> None:
    assert write_rows([[], np.zeros(0)], b", ") == write_rows([], b", ") == []


def test_numbers_are_written_by_their_type() -> None:
    assert write_rows([["a"], np.array([7], np.uint32), np.array([7], np.float32)], b", ") == [b'["a", 7, 7.0]']
    for wrong in (np.array([2**63], np.uint64), np.array([True])):
        with pytest.raises(TypeError, match=f"a column of {wrong.dtype} was given, expected texts, int64 or float64"):
            write_rows([["a"], wrong], b", ")
