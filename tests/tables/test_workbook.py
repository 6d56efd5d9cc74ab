"""Workbooks as people have them."""

from __future__ import annotations

import datetime as dt
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from problex.corpus import batches
from problex.errors import DocumentWarning
from tests.tables.reading import error_of, read
from tests.tables.writing import write_excel, write_ods, write_xls

openpyxl: Any = pytest.importorskip("openpyxl")
pytest.importorskip("python_calamine")
ROWS: list[list[object]] = [["id", "text"], [1, "a good film"], [2, "a bad film"]]


def test_a_title_above_the_header_is_left_out_and_said(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        [],
        ["Survey of 2004"],
        [],
        [None, "id", "party", "text"],
        [None, 1, "left", "a"],
        [None, 2, "right", "b"],
    ]
    for name, write in (("x.xlsx", write_excel), ("x.ods", write_ods), ("x.xls", write_xls)):
        write(tmp_path / name, {"S": rows})
        with pytest.warns(DocumentWarning) as notes:
            result = read(tmp_path / name, keep=["id", "party"])
        assert result.texts == ["a", "b"]
        assert result.columns == {"id": [1, 2], "party": ["left", "right"]}
        said = "the names of the columns are in row 4 of the sheet 'S'; what is above is left out"
        assert [str(note.message) for note in notes] == [f"{tmp_path / name}: {said}"]


def test_empty_rows_and_columns_are_skipped(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        [],
        [None, "id", None, "text"],
        [],
        [None, 1, None, "a"],
        [],
        [None, 2, None, None],
        [None, 3, None, "c"],
    ]
    write_excel(tmp_path / "x.xlsx", {"S": rows})
    result = read(tmp_path / "x.xlsx", keep=["id"], missing="empty")
    assert (result.texts, result.missing, result.columns) == (["a", "", "c"], 1, {"id": [1, 2, 3]})


def test_a_column_without_a_name_has_its_letter(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"S": [[None, "text", "kind"], [7, "a", "x"]]})
    assert read(tmp_path / "x.xlsx", keep=["column A"]).columns == {"column A": [7]}


def test_merged_cells_have_the_value_of_the_first(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"S": [["group", "text"], ["g", "a"], [None, "b"]]})
    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    book["S"].merge_cells("A2:A3")
    book.save(tmp_path / "x.xlsx")
    assert read(tmp_path / "x.xlsx", keep=["group"]).columns == {"group": ["g", None]}


def test_types_of_kept_columns(tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {
        "text": ["a", "b"],
        "whole": [1, 2],
        "part": [1, 2.5],
        "day": [dt.datetime(2004, 12, 24), dt.date(2005, 1, 1)],
        "time": [dt.datetime(2004, 12, 24, 18, 30), None],
        "yes": [True, False],
        "mixed": [1, "n/a"],
        "nothing": [None, ""],
    }
    write_excel(tmp_path / "x.xlsx", {"S": [list(columns), *zip(*columns.values(), strict=True)]})
    kept = next(batches(tmp_path / "x.xlsx", keep=[name for name in columns if name != "nothing"])).columns
    assert kept is not None
    types = [str(kept[name].type) for name in columns if name != "nothing"]
    assert types == ["string", "int64", "double", "date32[day]", "timestamp[us]", "bool", "string"]
    assert kept["mixed"].to_pylist() == ["1", "n/a"]
    assert kept["day"].to_pylist() == [dt.date(2004, 12, 24), dt.date(2005, 1, 1)]


def test_numbers_among_texts_are_read_as_texts_and_said(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"S": [["id", "text"], [1, 10], [2, "good"], [3, dt.date(2004, 12, 24)]]})
    with pytest.warns(
        DocumentWarning, match=r"2 cells of column 'text' of .*x\.xlsx with a number or date: read as te"
    ):
        assert read(tmp_path / "x.xlsx").texts == ["10", "good", "2004-12-24"]


def test_formulas_have_their_stored_values(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"S": [["id", "text"], [1, '="a"&"b"']]})
    with zipfile.ZipFile(tmp_path / "x.xlsx") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b"<v></v>", b"<v>ab</v>").replace(b"<v />", b"<v>ab</v>")
    parts[sheet] = parts[sheet].replace(b'<c r="B2"', b'<c r="B2" t="str"')
    with zipfile.ZipFile(tmp_path / "y.xlsx", "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    assert b"<v>ab</v>" in parts[sheet]
    assert read(tmp_path / "y.xlsx").texts == ["ab"]


# -- sheets


def test_the_only_sheet_with_texts_is_taken_and_said(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"codes": [["code", "n"], [1, 2]], "data": ROWS, "empty": []})
    with pytest.warns(DocumentWarning, match=r"reading the sheet 'data' of .*, the only one of 3 with texts"):
        assert read(tmp_path / "x.xlsx").texts == ["a good film", "a bad film"]


def test_a_sheet_is_chosen_by_name_or_number(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    write_excel(path, {"2": [["text"], ["first"]], "b": [["text"], ["second"]]})
    assert read(path, sheet="b").texts == ["second"]
    assert read(path, sheet=1).texts == ["first"]
    assert read(path, sheet="2").texts == ["first"]  # a name comes before a number
    message = error_of(path)
    assert message.startswith(f"{path} has 2 sheets, and several of them have texts: '2' ('text'); 'b' ('text').")
    assert message.endswith("Choose one with sheet=...")
    assert error_of(path, sheet="c").startswith(f"there is no sheet 'c' in {path}; it has '2', 'b'. Name one of these")
    assert "there is no sheet 3 in" in error_of(path, sheet=3)


def test_a_named_column_chooses_the_sheet(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"a": ROWS, "b": [["id", "note"], [1, "mine"]]})
    assert read(tmp_path / "x.xlsx", text="note").texts == ["mine"]


def test_hidden_sheets_are_read_only_if_they_are_named(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"old": [["text"], ["old"]], "new": ROWS}, hidden=["old"])
    assert read(tmp_path / "x.xlsx").texts == ["a good film", "a bad film"]
    assert read(tmp_path / "x.xlsx", sheet="old").texts == ["old"]


def test_an_empty_workbook_is_an_error(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"a": [], "b": []})
    assert error_of(tmp_path / "x.xlsx") == f"{tmp_path / 'x.xlsx'} has no sheet with rows. Check the file."


def test_a_sheet_for_a_file_without_sheets(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("text\na\n")
    expected = f"sheet='a' was given for {tmp_path / 'x.csv'}; expected a workbook or a database"
    assert error_of(tmp_path / "x.csv", sheet="a").startswith(expected)


def test_a_sheet_without_a_header_is_refused(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"a": [["a long text " * 30], ["another one"]]})
    assert "looks like texts; expected the names of the columns. Insert a row" in error_of(tmp_path / "x.xlsx")


# -- what is refused


def test_a_far_cell_takes_no_memory(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"S": ROWS})
    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    book["S"]["XFD1048576"] = "far"
    book.save(tmp_path / "x.xlsx")
    before = pa.total_allocated_bytes()
    assert read(tmp_path / "x.xlsx", missing="empty").texts == ["a good film", "a bad film", ""]
    assert pa.total_allocated_bytes() - before < 10 << 20


def test_an_encrypted_workbook_is_refused_with_advice(tmp_path: Path) -> None:
    data = b"\xd0\xcf\x11\xe0" + b"\0" * 1000 + "EncryptedPackage".encode("utf-16-le")
    (tmp_path / "x.xlsx").write_bytes(data)
    message = error_of(tmp_path / "x.xlsx")
    assert message.startswith(
        f"{tmp_path / 'x.xlsx'} is protected by a password. Open it in Excel or LibreOffice, save"
    )
    with zipfile.ZipFile(tmp_path / "x.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", b"\x01\x02")
        archive.writestr("META-INF/manifest.xml", "<manifest:encryption-data/>")
    assert "is protected by a password" in error_of(tmp_path / "x.ods")


def test_bombs_and_document_types_are_refused(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"S": ROWS})
    for name, content, expected in (
        ("xl/media/a.xml", b" " * (8 << 20), "is refused: xl/media/a.xml unpacks to over a hundred times its size."),
        ("xl/b.xml", b"<!DOCTYPE x>", "declares a document type in xl/b.xml, which is refused."),
    ):
        changed = tmp_path / "y.xlsx"
        changed.write_bytes((tmp_path / "x.xlsx").read_bytes())
        with zipfile.ZipFile(changed, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, content)
        assert expected in error_of(changed)


def test_text_that_is_called_a_workbook_is_read_as_text(tmp_path: Path) -> None:
    (tmp_path / "x.xls").write_text("id\ttext\n1\ta, b\n")
    with pytest.warns(DocumentWarning, match="is read as csv, which it is by its first bytes"):
        assert read(tmp_path / "x.xls").texts == ["a, b"]
    (tmp_path / "x.xls").write_text("<html><table></table></html>")
    assert "is a web page, though its name ends with .xls." in error_of(tmp_path / "x.xls")
    (tmp_path / "x.xlsb").write_bytes(b"PK\x03\x04")
    assert error_of(tmp_path / "x.xlsb").endswith("Open it in Excel and save it as .xlsx.")


LONG_ROWS: list[list[object]] = [[number, f"a film of {number} hours that I liked"] for number in range(1, 5)]


def test_texts_without_a_header_are_all_read_and_said(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"S": LONG_ROWS})
    with pytest.warns(
        DocumentWarning, match="no row with names, so that its columns are called 'column A', 'column B'"
    ):
        assert read(tmp_path / "x.xlsx", text="column B").texts == [row[1] for row in LONG_ROWS]


def test_a_header_can_be_denied_and_a_doubtful_one_is_said(tmp_path: Path) -> None:
    write_excel(tmp_path / "x.xlsx", {"S": [[row[1]] for row in LONG_ROWS]})
    assert read(tmp_path / "x.xlsx", header=False).texts == [row[1] for row in LONG_ROWS]
    write_excel(tmp_path / "y.xlsx", {"S": [["We liked it all"], ["It was bad"], ["It was fine"]]})
    with pytest.warns(
        DocumentWarning, match="row 1 of the sheet 'S' is taken for the names of the columns, such as 'We"
    ):
        assert read(tmp_path / "y.xlsx").texts == ["It was bad", "It was fine"]


def test_the_questions_and_ids_of_qualtrics_are_left_out(tmp_path: Path) -> None:
    ids: list[object] = ['{"ImportId":"x"}', '{"ImportId":"QID1"}']
    write_excel(tmp_path / "x.xlsx", {"S": [["id", "text"], ["Id", "How was it?"], ids, *LONG_ROWS]})
    with pytest.warns(DocumentWarning, match="2 rows below the names of the columns of the sheet 'S' left out"):
        assert read(tmp_path / "x.xlsx").texts == [row[1] for row in LONG_ROWS]
