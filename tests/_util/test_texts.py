"""The compiled checks of texts, against the same in plain Python."""

from __future__ import annotations

from operator import lt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex._util._tables import are_small_letters, are_texts, ascents, places_of

TEXTS = st.lists(st.text(st.sampled_from("abzAZé ſ`{\ud800😀\0"), max_size=3))


class Text(str):
    """A text of another type."""


@given(TEXTS)
def test_checks_are_those_of_python(texts: list[str]) -> None:
    assert ascents(texts).tolist() == list(map(lt, texts, texts[1:]))
    assert ascents(tuple(texts)).tolist() == ascents(texts).tolist()
    letters = all(text.isascii() and text.isalpha() and text.islower() for text in texts)
    assert are_small_letters(texts) == (bool(texts) and letters)
    places = {text: at for at, text in enumerate(texts)}
    assert places_of(texts, places).tolist() == [places[text] for text in texts]
    assert are_texts(texts)


@pytest.mark.parametrize("value", [1, None, b"a", Text("a")])
def test_other_values_are_no_texts(value: Any) -> None:
    assert not are_texts(["a", value])
    assert not are_texts(iter(["a", value]))
    assert not are_small_letters(["a", value])
    for check in (ascents, lambda texts: places_of(texts, {"a": 0})):
        with pytest.raises(TypeError, match="expected a list or tuple of texts"):
            check(["a", value])


def test_a_text_without_a_place_is_refused() -> None:
    with pytest.raises(KeyError, match="three"):
        places_of(["one", "three"], {"one": 0})
