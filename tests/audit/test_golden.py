"""Sheets that an earlier version drew, filled in, are scored as that version did: designs of format 1 and 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from problex.audit import score_sheets

FOLDER = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", ["plain", "grouped"])
def test_sheets_of_an_earlier_version(name: str) -> None:
    expected = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))[name]
    result, design = score_sheets([FOLDER / f"{name}.csv"])
    assert design.sample.rows.tolist() == expected["rows"]
    assert design.model == expected["model"]
    assert design.sample.by == ("year" if name == "grouped" else "")
    found = [[one.measure, one.label, one.value, one.low, one.high] for one in result.estimates]
    assert [row[:2] for row in found] == [row[:2] for row in expected["estimates"]]
    for one, other in zip(found, expected["estimates"], strict=True):
        assert one[2:] == pytest.approx(other[2:], abs=1e-9)
