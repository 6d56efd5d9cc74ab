from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import special

from problex._util.arrays import FloatArray, log_softmax
from problex._util.arrow import number_array, numbers_of, string_array

VALUES = st.floats(-1e300, 1e300) | st.sampled_from([np.inf, -np.inf, 0.0, -0.0, 710.0, 1e-300])


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=VALUES))
def test_log_softmax_has_the_bits_of_scipy(values: FloatArray) -> None:
    with np.errstate(all="ignore"):
        assert log_softmax(values).tobytes() == np.asarray(special.log_softmax(values, axis=1)).tobytes()


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4)))
def test_strings_are_those_of_pyarrow(values: list[str]) -> None:
    made = string_array(values)
    made.validate(full=True)
    assert made.equals(pa.array(values, pa.string()))


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
