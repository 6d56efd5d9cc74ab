"""Files that a process of its own reads."""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.tables.read import child
from problex.tables.read.child import answer, encode
from problex.tables.read.process import ForeignError, ForeignProcess, _decode
from tests.corpus.binary.writing import write_xls

MEMORY = 1 << 30
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(),
    st.datetimes(),
    st.dates(),
    st.times(),
    st.timedeltas(),
)


@given(st.lists(VALUES))
def test_values_of_every_type_come_back(values: list[object]) -> None:
    """Dates and times are of other types in JSON, so that each must come back as its own."""
    back = json.loads(json.dumps(values, default=encode), object_hook=_decode)
    assert back == values
    assert list(map(type, back)) == list(map(type, values))


def test_a_folder_of_others_is_not_imported_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    with pytest.raises(ForeignError, match="No such file"):
        ForeignProcess(MEMORY).ask("sheets", path="missing.xls")


def test_the_process_ends_with_its_object() -> None:
    process = ForeignProcess(MEMORY)
    number = process._process.pid
    assert process.is_running
    del process
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_an_error_is_one_line() -> None:
    said = json.loads(answer({"reader": "rows", "options": {"path": "a\nb", "title": "x", "start": 0}}))
    assert "\n" not in said["error"]
    assert json.loads(answer({"reader": "rows", "options": {"wrong": 1}})).keys() == {"error"}


def test_blank_rows_of_a_sheet_take_no_room_in_an_answer(tmp_path: Path) -> None:
    """A cell in the last rows and columns of a sheet makes millions of blank cells before it."""
    rows: list[list[object]] = [["text", *["name"] * 40], *[[]] * 1000, ["0", *[None] * 39, 0.0]]
    write_xls(tmp_path / "x.xls", {"a": rows})
    said = answer({"reader": "rows", "options": {"path": str(tmp_path / "x.xls"), "title": "a", "start": 0}})
    found = json.loads(said)["value"]
    assert [len(row) for row in found] == [41, *[0] * 1000, 41]
    assert found[-1] == ["0", *[""] * 39, 0.0]


@pytest.mark.parametrize(
    ("memory", "most", "left"),
    [(1000, None, 960), (1000, 500, 500), (1000, 980, 960), (44, None, 11)],
)
def test_the_size_of_the_process_is_part_of_its_memory(
    memory: int, most: int | None, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[int] = []
    monkeypatch.setattr(child, "own_memory", lambda: (3000, 40))  # reserved, and in memory
    monkeypatch.setattr(child, "limit_memory", limits.append)
    child.limit_file(memory, most)
    assert limits == [3000 + left]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is Linux's")
def test_the_sizes_of_this_process() -> None:
    reserved, resident = child.own_memory()
    assert reserved > resident > 1 << 20
