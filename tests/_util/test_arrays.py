from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import special

from problex._util.arrays import FloatArray, log_softmax, softmax
from problex._util.arrow import number_array, numbers_of, string_array, text_array

VALUES = st.floats(-1e300, 1e300) | st.sampled_from([np.inf, -np.inf, 0.0, -0.0, 710.0, 1e-300])


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=VALUES))
def test_log_softmax_has_the_bits_of_scipy(values: FloatArray) -> None:
    with np.errstate(all="ignore"):
        assert log_softmax(values).tobytes() == np.asarray(special.log_softmax(values, axis=1)).tobytes()


@given(arrays(np.float64, st.tuples(st.integers(0, 9), st.integers(1, 40)), elements=VALUES), st.booleans())
def test_softmax_is_that_of_logarithms(values: FloatArray, scaled: bool) -> None:
    factors = np.linspace(0.5, 2.0, len(values)) if scaled else None
    with np.errstate(all="ignore"):
        expected = np.exp(log_softmax(values if factors is None else values * factors[:, None]))
        assert softmax(values, factors).tobytes() == expected.tobytes()


@pytest.mark.parametrize("columns", [20, 60])
def test_softmax_of_many_columns_does_not_depend_on_the_layout_in_memory(columns: int) -> None:
    values = np.random.default_rng(0).integers(0, 9, (7, columns)).astype(np.float64)
    wide = np.zeros((14, 2 * columns))
    wide[::2, ::2] = values
    for other in (np.asfortranarray(values), wide[::2, ::2]):
        assert softmax(other).tobytes() == softmax(values).tobytes()
        assert softmax(other, np.ones(7)).tobytes() == softmax(values).tobytes()


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4)))
def test_strings_are_those_of_pyarrow(values: list[str]) -> None:
    made = string_array(values)
    made.validate(full=True)
    assert made.equals(pa.array(values, pa.string()))


@given(st.lists(st.text(max_size=4)), st.sampled_from([list, tuple]))
def test_texts_are_those_of_pyarrow_unless_one_is_invalid(values: list[str], kind: type) -> None:
    made = text_array(kind(values))
    if any("\ud800" <= letter <= "\udfff" for value in values for letter in value):
        assert made is None
        return
    assert made is not None
    made.validate(full=True)
    assert made.equals(pa.array(values, pa.large_string()))


@pytest.mark.parametrize("value", [None, b"a", 1, float("nan"), "\ud800", "a\udc80"])
def test_what_is_no_valid_text_makes_no_array(value: object) -> None:
    assert text_array(["a", value, "b"]) is None


def test_strings_that_are_too_long_for_32_bits_get_64() -> None:
    assert string_array(["äb"], 3).equals(pa.array(["äb"], pa.string()))
    assert string_array(["ä", "bc"], 3).equals(pa.array(["ä", "bc"], pa.large_string()))


def test_strings_come_from_any_iterable() -> None:
    assert string_array(iter(["a", "bc"])).to_pylist() == ["a", "bc"]


@pytest.mark.parametrize("kind", ["int32", "int64", "float64"])
def test_numbers_are_those_of_pyarrow(kind: str) -> None:
    values = np.arange(12).astype(kind)
    for given_values in (values, values[::3], values[:0]):
        made = number_array(given_values)
        made.validate(full=True)
        assert made.equals(pa.array(given_values))
        assert numbers_of(made).tolist() == given_values.tolist()
        assert numbers_of(made.slice(1)).tolist() == given_values.tolist()[1:]
