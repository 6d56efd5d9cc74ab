"""The script that measures the tuned numbers changes one of them at a time, and puts it back."""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from problex.expansion.constants import TUNED

PROOF = Path(__file__).parents[2] / "proof"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROOF / "accuracy"))
    return import_module("tuned_numbers")


def test_a_number_is_changed_for_a_while(script: Any) -> None:
    before = TUNED.ridge
    with script.changed("ridge", 9.0):
        assert TUNED.ridge == 9.0
    assert TUNED.ridge == before


def test_what_is_left_out_of_the_table_are_numbers(script: Any) -> None:
    assert {field.name for field in fields(TUNED)} >= script.NOT_OF_ACCURACY


def test_the_table_has_a_cell_for_each_group(script: Any) -> None:
    row = {"number": "ridge", "as set": 2.5, "what": "halved", "value": 1.25, "short learned": -9, "short unseen": None}
    assert script.shown([row]).split("\n")[-1] == "| `ridge` | 2.5 | halved | -9 / - |"
    assert script.change([0.75, 0.25], [0.5, 0.25]) == 1250
    assert script.change(None, [0.5]) is None
