"""One tiny table in every format: all are read equal, from every position, also packed and misnamed."""

from __future__ import annotations

import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from problex._util.late import import_optional
from problex.corpus import batches, column_names
from problex.errors import DocumentError, DocumentWarning, ProblexError
from tests.tables.reading import error_of, read
from tests.tables.writing import FILES, TABLE, TEXTS

NO_DATES = ("x.rds", "x.RData")
NOT_RECOGNISED = (*NO_DATES, "x.arrow")
"""Without typical first bytes."""


@pytest.fixture(params=FILES)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / str(request.param)
    FILES[path.name](path, TABLE)
    return path


def columns_of(file: Path) -> list[str]:
    return [name for name in TABLE if name != "day" or file.name not in NO_DATES]


def test_all_are_read_equal(file: Path) -> None:
    columns = columns_of(file)
    assert column_names(file) == columns
    result = read(file, keep=[name for name in columns if name != "text"])
    padded = file.suffix in (".sav", ".zsav")  # SPSS fills texts with blanks
    assert result.texts == ([text.rstrip() for text in TEXTS] if padded else TEXTS)
    expected = {name: TABLE[name] for name in columns if name != "text"}
    if file.suffix in (".sqlite", ".db"):
        expected["day"] = list(map(str, TABLE["day"]))
    assert result.columns == expected


def test_kept_columns_have_types(file: Path) -> None:
    columns = next(batches(file, keep=["id", "weight", "party"])).columns
    assert columns is not None
    assert columns["weight"].type == pa.float64()
    assert columns["party"].type in (pa.string(), pa.large_string())
    assert pa.types.is_integer(columns["id"].type)


def test_reading_goes_on_at_every_position(file: Path) -> None:
    whole = list(batches(file, batch_bytes=30, keep=["id"]))
    assert len(whole) == 4
    for at, batch in enumerate(whole):
        if batch.position:
            rest = list(batches(file, batch_bytes=30, keep=["id"], start=batch.position))
            assert [b.texts.to_pylist() for b in rest] == [b.texts.to_pylist() for b in whole[at + 1 :]]
            assert [b.columns for b in rest] == [b.columns for b in whole[at + 1 :]]
    assert whole[-1].position[0] == 4


def test_a_column_of_numbers_is_refused(file: Path) -> None:
    message = error_of(file, text="weight")
    assert message.startswith(f"document 0 of {file} is of type ")
    assert "expected a text" in message


def test_in_a_zip_archive(file: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "y.zip", "w") as archive:
        archive.write(file, f"folder/{file.name}")
        archive.writestr(f"__MACOSX/folder/._{file.name}", b"\0\0")
    assert read(tmp_path / "y.zip", keep=["id"]).columns == {"id": TABLE["id"]}


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_compressed(file: Path, suffix: str) -> None:
    packed = file.with_name(file.name + suffix)
    if suffix == ".gz":
        with pa.output_stream(str(packed), compression="gzip") as stream:
            stream.write(file.read_bytes())
    else:
        import lzma

        packed.write_bytes(lzma.compress(file.read_bytes()))
    assert read(packed, keep=["id"]).columns == {"id": TABLE["id"]}


@pytest.mark.parametrize("file", [name for name in FILES if name not in NOT_RECOGNISED], indirect=True)
def test_a_wrong_suffix_is_said(file: Path) -> None:
    wrong = file.with_name("wrong.csv")
    shutil.copy(file, wrong)
    with pytest.warns(DocumentWarning, match="by its first bytes, not by its name"):
        assert read(wrong, keep=["id"]).columns == {"id": TABLE["id"]}


def test_a_damaged_file_is_named(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    try:
        texts = read(file).texts
    except DocumentError as error:
        assert str(file) in str(error)  # noqa: PT017
    else:
        assert texts == TEXTS[: len(texts)]
        pytest.fail(f"half of the file was read without an error: {len(texts)} of {len(TEXTS)} texts")


@pytest.mark.parametrize(
    ("name", "module", "message"),
    [
        ("x.xlsx", "openpyxl", "reading Excel files needs the package openpyxl: pip install 'problex[excel]'"),
        ("x.ods", "python_calamine", "reading .ods and .xls needs the package python-calamine: pip install 'problex[excel]'"),  # noqa: E501
        ("x.dta", "pyreadstat", "reading .dta needs the package pyreadstat: pip install 'problex[stata]'"),
        ("x.sav", "pyreadstat", "reading .sav needs the package pyreadstat: pip install 'problex[spss]'"),
        ("x.rds", "rdata", "reading .rds and .RData needs the package rdata: pip install 'problex[r]'"),
        ("x.duckdb", "duckdb", "reading .duckdb needs the package duckdb: pip install 'problex[duckdb]'"),
    ],
)  # fmt: skip
def test_a_missing_package_is_named(
    name: str, module: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FILES[name](tmp_path / name, TABLE)
    monkeypatch.setitem(sys.modules, module, None)
    assert error_of(tmp_path / name) == message


def test_packages_are_called_as_they_are_installed() -> None:
    with pytest.raises(ProblexError, match="needs the package python-calamine: pip install"):
        _require_missing("python_calamine")


def _require_missing(module: str) -> Any:
    import unittest.mock

    with unittest.mock.patch.dict(sys.modules, {module: None}):
        return import_optional(module, "reading")
