"""Functions of Arrow without `pyarrow.compute` give what that gives."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute
import pytest

from problex._util.arrow import REGISTERED, ArrowFunctions, pc

WORDS = pa.array(["good", "bad", None, "not good", ""])
TRUE = pa.array([True, None, False, True, True])
OTHER = pa.array([True, True, False, None, False])
PREFIX = pa.scalar("NOT ")
CASES: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("all", (TRUE,), {}),
    ("all", (TRUE,), {"skip_nulls": False}),
    ("and_", (TRUE, OTHER), {}),
    ("and_not", (TRUE, OTHER), {}),
    ("any", (TRUE,), {}),
    ("binary_join_element_wise", (PREFIX, WORDS, pa.scalar("")), {}),
    ("binary_join_element_wise", (PREFIX, WORDS, pa.scalar("")), {"null_handling": "skip"}),
    ("binary_length", (WORDS,), {}),
    ("drop_null", (WORDS,), {}),
    ("index_in", (WORDS, pa.array(["bad", "good"])), {}),
    ("indices_nonzero", (TRUE,), {}),
    ("invert", (TRUE,), {}),
    ("is_in", (WORDS, pa.array(["bad", None])), {}),
    ("is_in", (WORDS,), {"value_set": pa.array(["bad", None]), "skip_nulls": True}),
    ("is_valid", (WORDS,), {}),
    ("match_substring", (WORDS, "oo"), {}),
    ("match_substring_regex", (WORDS, "^B"), {"ignore_case": True}),
    ("or_", (TRUE, OTHER), {}),
    ("split_pattern", (WORDS, " "), {}),
    ("starts_with", (WORDS, "not"), {}),
    ("sum", (TRUE,), {}),
    ("sum", (pa.chunked_array([[1, 2], [3]]),), {"min_count": 4}),
]


@pytest.mark.parametrize(("name", "values", "options"), CASES)
def test_functions_are_those_of_arrow(name: str, values: tuple[Any, ...], options: dict[str, Any]) -> None:
    expected = getattr(pyarrow.compute, name)(*values, **options)
    assert getattr(ArrowFunctions(), name)(*values, **options).equals(expected)


def test_every_function_has_a_case() -> None:
    assert {name for name, _, _ in CASES} == set(REGISTERED)


def test_cast_and_take() -> None:
    assert pc.cast(WORDS, pa.large_string()).equals(pyarrow.compute.cast(WORDS, pa.large_string()))
    assert pc.take(WORDS, pa.array([3, 0])).to_pylist() == ["not good", "good"]
    with pytest.raises(pa.ArrowInvalid, match="not in range"):
        pc.cast(pa.array([300]), pa.uint8())
    with pytest.raises(pa.ArrowIndexError):
        pc.take(WORDS, pa.array([5]))


def test_other_functions_are_imported() -> None:
    functions = ArrowFunctions()
    assert functions.utf8_lower is pyarrow.compute.utf8_lower
    with pytest.raises(AttributeError, match="no_such_function"):
        _ = functions.no_such_function
