"""Columns of Arrow as values of Python: those of lists and structures are as those outside them."""

from __future__ import annotations

import datetime
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.grouping.dates import as_texts
from problex.tables.write import odd_times, python_values, text_values

DAY = 86_400
LEAVES = {
    pa.time32("s"): st.integers(0, DAY - 1),
    pa.time64("us"): st.integers(0, DAY * 10**6 - 1),
    pa.date32(): st.integers(-100_000, 100_000),
    pa.timestamp("us"): st.integers(-(10**14), 10**14),
    pa.timestamp("ms", "UTC"): st.integers(-(10**11), 10**11),
    pa.duration("s"): st.integers(-(10**6), 10**6),
    pa.int64(): st.integers(-5, 5),
    pa.string(): st.text(max_size=3),
}
Typed = tuple[pa.DataType, st.SearchStrategy[Any]]


def in_lists(inner: Typed) -> Typed:
    return pa.list_(inner[0]), st.lists(inner[1], max_size=3)


def in_large_lists(inner: Typed) -> Typed:
    return pa.large_list(inner[0]), st.lists(inner[1], max_size=3)


def in_pairs(inner: Typed) -> Typed:
    return pa.list_(inner[0], 2), st.lists(inner[1], min_size=2, max_size=2)


def in_structures(inner: Typed) -> Typed:
    kind = pa.struct([("a", inner[0]), ("b", pa.int32())])
    return kind, st.fixed_dictionaries({"a": inner[1], "b": st.none() | st.integers(0, 9)})


def in_maps(inner: Typed) -> Typed:
    return pa.map_(pa.string(), inner[0]), st.lists(st.tuples(st.text(max_size=2), inner[1]), max_size=3)


@st.composite
def columns(draw: st.DrawFn) -> pa.ChunkedArray:
    """Columns of any depth, with nulls, in several parts that are slices of others."""
    kind, leaf = draw(st.sampled_from(list(LEAVES.items())))
    values = st.none() | leaf
    for wrap in draw(
        st.lists(st.sampled_from([in_lists, in_large_lists, in_pairs, in_structures, in_maps]), min_size=1, max_size=3)
    ):
        kind, values = wrap((kind, values))
        values = st.none() | values
    parts = []
    for content in draw(st.lists(st.lists(values, max_size=4), max_size=3)):
        whole = pa.array(content, kind)
        start = draw(st.integers(0, len(whole)))
        parts.append(whole.slice(start, draw(st.integers(0, len(whole) - start))))
    return pa.chunked_array(parts, kind)


@given(columns())
def test_values_in_lists_and_structures_are_those_of_arrow(column: pa.ChunkedArray) -> None:
    assert python_values(column) == column.to_pylist()


def test_the_end_of_a_day_in_lists_and_structures() -> None:
    times = pa.array([DAY, None, 1, DAY], pa.time32("s"))
    one, two = datetime.time(0, 0, 1), "24:00:00"
    lists = pa.ListArray.from_arrays([0, 2, 2, 4], times)
    assert python_values(pa.chunked_array([lists])) == [[two, None], [], [one, two]]
    structures = pa.StructArray.from_arrays([times, pa.array([1, 2, 3, 4])], ["a", "b"])
    assert python_values(pa.chunked_array([structures.slice(2)])) == [{"a": one, "b": 3}, {"a": two, "b": 4}]
    maps = pa.MapArray.from_arrays([0, 1, 4], pa.array(["a", "b", "c", "d"]), times)
    assert python_values(pa.chunked_array([maps.slice(1)])) == [[("b", None), ("c", one), ("d", two)]]


def test_nanoseconds_and_far_years_in_lists() -> None:
    """They ended in an error of Arrow, which cannot write lists as texts."""
    nanoseconds = pa.array([[1, DAY * 10**9], [2]], pa.list_(pa.time64("ns")))
    assert python_values(pa.chunked_array([nanoseconds])) == [
        ["00:00:00.000000001", "24:00:00"],
        ["00:00:00.000000002"],
    ]
    far = pa.array([[2**39]], pa.list_(pa.timestamp("s")))
    assert python_values(pa.chunked_array([far])) == [["19391-01-25 12:18:08"]]


@pytest.mark.parametrize("kind", [pa.date32(), *(pa.timestamp(unit, "UTC") for unit in ("s", "ms", "us"))])
def test_dates_without_end_are_texts(kind: pa.DataType) -> None:
    """Databases have them, and show them so; other dates of the column stay as they are."""
    last = 2**31 - 1 if kind == pa.date32() else 2**63 - 1
    numbers = pa.array([0, last, None, -last, 1], pa.int32() if kind == pa.date32() else pa.int64())
    column = pa.chunked_array([numbers.cast(kind)])
    assert odd_times(column) == {1: "infinity", 3: "-infinity"}
    usual = pa.array([0, 1], numbers.type).cast(kind).to_pylist()
    assert python_values(column) == [usual[0], "infinity", None, "-infinity", usual[1]]
    assert python_values(pa.chunked_array([pa.ListArray.from_arrays([0, 5], column.chunk(0))])) == [
        python_values(column)
    ]
    assert odd_times(column.slice(2, 1)) == odd_times(column.slice(4)) == {}


def test_the_last_nanosecond_is_a_time_and_no_field_of_a_structure_is_lost() -> None:
    last = pa.chunked_array([pa.array([2**63 - 1], pa.timestamp("ns"))])
    assert odd_times(last) == {}
    days = pa.array([3], pa.date32())
    twice = pa.chunked_array([pa.StructArray.from_arrays([days, days], names=["a", "a"])])
    with pytest.raises(ValueError, match="duplicate"):
        python_values(twice)


FAR = [2 * 10**7, -2 * 10**7, 10**7, 0, None]
"""Days of the years 56728, -52789, 29349 and 1970."""


def times(unit: str, zone: str | None = None) -> pa.Array:
    per_day = {"s": 1, "ms": 1_000, "us": 1_000_000}[unit] * DAY
    return pa.array([day and (day * per_day + 1) for day in FAR]).cast(pa.timestamp(unit, zone))


@pytest.mark.parametrize("encoded", [False, True])
def test_years_of_any_number_of_digits(encoded: bool) -> None:
    def written(array: pa.Array) -> list[str]:
        return [
            str(value) for value in python_values(pa.chunked_array([array.dictionary_encode() if encoded else array]))
        ]

    days = ["56728-02-22", "-52789-11-11", "29349-01-26", "1970-01-01", "None"]
    assert written(pa.array(FAR, pa.int32()).cast(pa.date32())) == days
    assert written(times("s").cast(pa.date64())) == days
    clocks = {"s": "00:00:01", "ms": "00:00:00.001", "us": "00:00:00.000001"}
    for (unit, clock), zone in product(clocks.items(), (None, "UTC")):
        assert written(times(unit, zone))[:3] == [f"{day} {clock}{'Z' if zone else ''}" for day in days[:3]]


@pytest.mark.parametrize("encoded", [False, True])
def test_times_without_end_and_24_o_clock(encoded: bool) -> None:
    last = np.iinfo(np.int64).max
    ends = pa.array([last, -last, 0]).cast(pa.timestamp("us"))
    clock = pa.array([DAY, 1], pa.int32()).cast(pa.time32("s"))
    columns = [pa.chunked_array([array.dictionary_encode() if encoded else array]) for array in (ends, clock)]
    assert [str(value) for value in python_values(columns[0])] == ["infinity", "-infinity", "1970-01-01 00:00:00"]
    assert [str(value) for value in python_values(columns[1])] == ["24:00:00", "00:00:01"]
    assert text_values(columns[1]) == ["24:00:00", "00:00:01"]


@pytest.mark.parametrize("encoded", [False, True])
def test_groups_by_days_of_far_years(encoded: bool) -> None:
    for column in (times("us"), times("s", "UTC"), pa.array(FAR, pa.int32()).cast(pa.date32())):
        texts = as_texts(column.dictionary_encode() if encoded else column).to_pylist()
        assert texts == ["56728-02-22", "-52789-11-11", "29349-01-26", "1970-01-01", ""]
