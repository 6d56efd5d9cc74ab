"""Columns of Arrow as values of Python: those of lists and structures are as those outside them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.errors import DocumentWarning, OutputError
from problex.grouping.dates import as_texts
from problex.tables.write import has_values_beyond_python, python_values, text_values

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


def times_of_day(*seconds: int | None) -> pa.Array:
    return pa.array(seconds, pa.int32()).cast(pa.time32("s"))


@pytest.mark.parametrize("encoded", [False, True])
@pytest.mark.parametrize(
    ("numbers", "kind", "texts"),
    [
        ([DAY, 1], pa.time32("s"), ["86400", "00:00:01"]),
        ([DAY * 10**9, 1], pa.time64("ns"), ["86400000000000", "00:00:00.000000001"]),
        ([1, 3_600_000_000_000], pa.time64("ns"), ["00:00:00.000000001", "01:00:00.000000000"]),
        ([10**7, 0], pa.date32(), ["29349-01-26", "1970-01-01"]),
        ([2 * 10**7, -1], pa.date32(), ["20000000", "1969-12-31"]),
        ([2**31 - 1, 0], pa.date32(), ["2147483647", "1970-01-01"]),
        ([2**39, 1], pa.timestamp("s"), ["19391-01-25 12:18:08", "1970-01-01 00:00:01"]),
        ([2**39, 1], pa.timestamp("s", "UTC"), ["19391-01-25 12:18:08Z", "1970-01-01 00:00:01Z"]),
        ([2**62, 1], pa.timestamp("us", "UTC"), [f"{2**62}Z", "1970-01-01 00:00:00.000001Z"]),
    ],
)
def test_a_column_with_a_value_that_python_lacks_is_texts(
    numbers: list[int], kind: pa.DataType, texts: list[str], encoded: bool
) -> None:
    """Python has no 24:00, and no year beyond 9999; it would read the first as 0:00."""
    array = pa.array([*numbers, None], pa.int64() if kind.bit_width == 64 else pa.int32()).cast(kind)
    column = pa.chunked_array([array.dictionary_encode() if encoded else array])
    for values in (python_values, text_values):
        with pytest.warns(DocumentWarning, match="has values that Python lacks, such as 24:00"):
            assert values(column) == [*texts, None]
    with pytest.warns(DocumentWarning):
        assert as_texts(column.chunk(0)).to_pylist() == [*texts, ""]


def test_other_values_are_those_of_python() -> None:
    for array in (times_of_day(DAY - 1, None), pa.array([-719_162, 2_932_896], pa.int32()).cast(pa.date32())):
        assert not has_values_beyond_python(array)
        assert python_values(pa.chunked_array([array])) == array.to_pylist()
    assert python_values(pa.chunked_array([times_of_day()])) == []


@pytest.mark.parametrize(
    "array",
    [
        pa.ListArray.from_arrays([0, 1, 2], times_of_day(1, DAY)),
        pa.StructArray.from_arrays([times_of_day(DAY)], ["a"]),
        pa.MapArray.from_arrays([0, 1], ["a"], times_of_day(DAY)),
        pa.array([[2**39]], pa.list_(pa.timestamp("s"))),
        pa.array([[1]], pa.list_(pa.time64("ns"))),
    ],
)
def test_a_value_that_python_lacks_within_a_list_is_refused(array: pa.Array) -> None:
    with pytest.raises(OutputError, match=r"a column cannot be written in this format: .* Keep other columns"):
        python_values(pa.chunked_array([array]))


def test_no_field_of_a_structure_is_lost() -> None:
    days = pa.array([3], pa.date32())
    twice = pa.chunked_array([pa.StructArray.from_arrays([days, days], names=["a", "a"])])
    with pytest.raises(OutputError):
        python_values(twice)


def test_groups_by_days() -> None:
    times = pa.array([DAY + 1, None]).cast(pa.timestamp("s", "UTC"))
    assert as_texts(times.dictionary_encode()).to_pylist() == as_texts(times).to_pylist() == ["1970-01-02", ""]
