"""The index of wildcards against the definition, and how much it does for many of them."""

from __future__ import annotations

import pytest

from problex import Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer

NAMES = {
    "good": 0,
    "bad": 1,
    "happy": 0,
    "hopeless": 1,
    "not at all": 1,
    "happ*": 0,
    "film": None,
    "happy day": None,
    "so so": None,
    "": None,
}


@pytest.mark.parametrize("negation", [None, "auto"])
@pytest.mark.parametrize("lists", [2, 3])
def test_the_lists_of_names(negation: str | None, lists: int) -> None:
    """A negated word is in the opposite of two lists; with three, there is none."""
    entries = {"a": ["good", "happ*"], "b": ["bad", "not at all", "*less"], "c": ["so*so"]}
    items = items_of(Lexicon(dict(list(entries.items())[:lists])), Tokenizer(negation=negation))
    assert {name: items.find(name) for name in NAMES} == NAMES
    negates = negation is not None and lists == 2
    opposite = {f"NOT {name}": 1 - own if negates and own is not None else None for name, own in NAMES.items()}
    del opposite["NOT happ*"]
    assert {name: items.find(name) for name in opposite} == opposite
    assert items.find("NOT NOT good") == (0 if negates else None)
