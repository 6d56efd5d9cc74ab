"""Quirks of Stata, SPSS and R files."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.tables.reading import error_of, read


def test_labels_and_missing_values(tmp_path: Path) -> None:
    pyreadstat: Any = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({"text": ["a", "b", "c"], "party": [1.0, 9.0, None], "when": [dt.datetime(2004, 1, 1, 6)] * 3})
    labels = {"party": {1: "left", 2: "right"}}
    pyreadstat.write_sav(frame, tmp_path / "x.sav", variable_value_labels=labels)
    pyreadstat.write_dta(
        frame.assign(party=[1, 9, 2]).drop(columns="when"), tmp_path / "x.dta", variable_value_labels=labels
    )
    result = read(tmp_path / "x.sav", keep=["party", "when"])
    assert result.columns["party"] == ["left", "9", None]
    assert result.columns["when"] == [dt.datetime(2004, 1, 1, 6)] * 3
    assert read(tmp_path / "x.dta", keep=["party"]).columns["party"] == ["left", "9", "right"]


def test_long_texts_of_stata(tmp_path: Path) -> None:
    pytest.importorskip("pyreadstat")
    texts = ["word " * 1000 + str(number) for number in range(50)]
    pd.DataFrame({"text": texts}).to_stata(tmp_path / "x.dta", write_index=False, version=118, convert_strl=["text"])
    result = read(tmp_path / "x.dta", batch_bytes=20_000)
    assert result.texts == texts
    assert len(result.sizes) > 5


def test_objects_of_r(tmp_path: Path) -> None:
    rdata: Any = pytest.importorskip("rdata")
    frame = pd.DataFrame({"text": pd.Series(["a", None], dtype=object), "n": [1, 2]})
    rdata.write_rds(tmp_path / "x.rds", frame)
    assert read(tmp_path / "x.rds", missing="empty", keep=["n"]).columns == {"n": [1, 2]}
    assert error_of(tmp_path / "x.rds").startswith(f"document 1 of {tmp_path / 'x.rds'} is missing")
    rdata.write_rda(tmp_path / "x.RData", {"a": frame.fillna("b"), "b": frame.fillna("c")})
    assert read(tmp_path / "x.RData", sheet="b").texts == ["a", "c"]
    assert "has 2 data frames, and several of them have texts: 'a' ('text', 'n'); 'b'" in error_of(tmp_path / "x.RData")
    rdata.write_rds(tmp_path / "y.rds", ["a", "b"])
    assert "has no data frame; it has the object (" in error_of(tmp_path / "y.rds")
