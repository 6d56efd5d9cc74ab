"""What makes a model of a million entries quick to load must not let a damaged one pass."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

from problex import Lexicon, Model, count, estimate, load_model
from problex.errors import ModelError
from problex.estimation.model_file import dumps
from problex.matching.items import items_of

LEXICON = Lexicon({"negative": ["bad", "poor"], "positive": ["fine", "good"]})
TEXTS = ["good fine day", "bad poor day", "not good but poor", "not bad, fine", "good bad"] * 10


@pytest.fixture
def model() -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimate(count(TEXTS, LEXICON, 1), LEXICON)


def test_the_entries_are_compared_as_a_whole(model: Model, tmp_path: Path) -> None:
    """No name is looked up, which takes half a second in a million."""
    model.save(tmp_path / "model.json")
    items_of.cache_clear()  # another test may have looked up names of the same lexicon
    loaded = load_model(tmp_path / "model.json")
    assert dumps(loaded) == dumps(model)
    assert loaded.evidence.entries == ("NOT good", "bad", "poor", "NOT bad", "fine", "good")
    assert "list_of" not in vars(loaded.items)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("NOT good", "NOT gold"),  # not a form of any entry
        ("NOT good", "NOT poor"),  # in the list of its word
        ("NOT bad", "NOT fine"),
        ("NOT good", "NOU good"),
        ('    ["poor"', '    ["pork"'),
        ('    ["fine"', '    ["find"'),
    ],
)
def test_entries_that_are_not_those_of_the_lexicon_are_refused(
    model: Model, tmp_path: Path, old: str, new: str
) -> None:
    path = tmp_path / "model.json"
    model.save(path)
    text = re.sub('"digest": "[^"]*"', '"digest": null', path.read_text())
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    with pytest.warns(match="has no digest"), pytest.raises(ModelError, match="'entries' does not match the words"):
        load_model(path)
