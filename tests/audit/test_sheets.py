"""Sheets as people and spreadsheets give them back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from problex.audit import sheets
from problex.audit.design import Design, Expected, design_path, read_design, text_fingerprint
from problex.audit.sample import draw
from problex.audit.sheets import write_sheet
from problex.errors import OutputError, ProblexError
from tests.audit.filled import read_sheet
from tests.populations import two_classes

TEXTS = [f"Document {at}: déjà vu, “quoted”, and a\nsecond line; 1;2" for at in range(5000)]
TEXTS[0] = "=1+1 is no formula"


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    sample = draw(two_classes("even", 0.5, 1.7).scores, 20)
    texts = [TEXTS[row] for row in sample.rows]
    design = Design(sample, "model-hash", 0, tuple(map(text_fingerprint, texts)), Expected({("accuracy", ""): 0.9}))
    path = tmp_path / "to label.csv"
    write_sheet(path, design, [{"text": text, "id": f"d{at}"} for at, text in enumerate(texts)])
    return path


def filled(path: Path, labels: list[str] | None = None) -> pd.DataFrame:
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    table["label"] = labels or ["a", "b"] * 10
    table.to_csv(path, index=False)
    return table


def test_the_sheet_is_blind(sheet: Path) -> None:
    table = pd.read_csv(sheet, dtype=str, keep_default_na=False)
    assert list(table.columns) == ["row", "id", "label", "text"]
    assert set(table["label"]) == {""}
    design = read_design(sheet)
    for file in (sheet, design_path(sheet)):
        text = file.read_text(encoding="utf-8")
        assert not any(f"{value:.6f}"[:-1] in text for value in design.sample.values[:, 1])
        assert "strata" not in json.loads(text) if file.suffix == ".json" else True
    assert design_path(sheet).name == "to label.audit.json"


def test_labels_come_back_in_any_order_and_spelling(sheet: Path) -> None:
    design, before = _read(sheet, ["a", " B ", "", "A"] * 5)
    assert before == ["a", "b", None, "a"] * 5
    table = pd.read_csv(sheet, dtype=str, keep_default_na=False)
    table.sample(frac=1, random_state=3).to_csv(sheet, index=False)
    assert read_sheet(sheet)[1] == before
    table.drop(columns="id").iloc[::2].to_csv(sheet, index=False)
    assert read_sheet(sheet)[1] == ["a", None, None, None] * 5
    assert np.array_equal(design.sample.rows, read_sheet(sheet)[0].sample.rows)
    assert design.expected == Expected({("accuracy", ""): 0.9})


def _read(sheet: Path, labels: list[str]) -> tuple[Design, list[str | None]]:
    filled(sheet, labels)
    return read_sheet(sheet)


@pytest.mark.parametrize(
    ("separator", "encoding", "newline"),
    [(",", "utf-8", "\n"), (";", "cp1252", "\r\n"), ("\t", "utf-16", "\r\n"), (";", "utf-8-sig", "\n")],
)
def test_what_spreadsheets_do_to_a_sheet(sheet: Path, separator: str, encoding: str, newline: str) -> None:
    table = filled(sheet)
    table["text"] = table["text"].str.replace("\n", newline).str[:32_767]
    table["row"] = [f"{row}.0" if at % 2 else row for at, row in enumerate(table["row"])]
    table.to_csv(sheet, index=False, sep=separator, encoding=encoding, lineterminator=newline)
    assert read_sheet(sheet)[1] == ["a", "b"] * 10


@pytest.mark.parametrize("name", ["to label.xlsx", "to label.csv"])
def test_a_sheet_that_was_saved_as_a_workbook(sheet: Path, name: str) -> None:
    """Excel makes numbers of the rows, and of ids, and leaves out cells without a label."""
    pytest.importorskip("openpyxl")
    table = filled(sheet, ["a", "b", "", "A"] * 5)
    table["row"] = table["row"].astype(int)
    table.to_excel(sheet.with_suffix(".xlsx"), index=False)
    if name.endswith(".csv"):
        sheet.with_suffix(".xlsx").replace(sheet)
    path = sheet.with_name(name)
    assert read_sheet(path)[1] == ["a", "b", None, "a"] * 5
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(ProblexError, match=r"cannot be read|is a ZIP archive or an Excel"):
        read_sheet(path)


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl", ".tsv"])
def test_a_sheet_in_any_format_of_tables(sheet: Path, suffix: str) -> None:
    table, path = filled(sheet, ["a", "b", "", "A"] * 5), sheet.with_suffix(suffix)
    if suffix == ".parquet":
        table.to_parquet(path)
    elif suffix == ".jsonl":
        table.to_json(path, orient="records", lines=True)
    else:
        table.to_csv(path, sep="\t", index=False, encoding="utf-16")
    assert read_sheet(path)[1] == ["a", "b", None, "a"] * 5


def test_a_damaged_workbook_is_named_as_such(sheet: Path) -> None:
    path = sheet.with_suffix(".xlsx")
    path.write_bytes(b"PK\x03\x04\0\0")
    with pytest.raises(ProblexError, match=r"to label.xlsx cannot be read: .*: check it, or save it as CSV$"):
        read_sheet(path)


def test_formulas_are_only_text(tmp_path: Path) -> None:
    sample = draw(two_classes("even", 0.5, 1.7).scores, 2)
    texts = ["=HYPERLINK(1)", "@x good"]
    path = tmp_path / "s.csv"
    write_sheet(path, Design(sample, "m", 0, tuple(map(text_fingerprint, texts))), [{"text": text} for text in texts])
    assert pd.read_csv(path)["text"].tolist() == ["'=HYPERLINK(1)", "'@x good"]
    filled(path, ["a", "b"])
    assert read_sheet(path)[1] == ["a", "b"]


def test_unknown_labels_are_named(sheet: Path) -> None:
    rows = filled(sheet, ["a", "c"] + [""] * 18)["row"]
    with pytest.raises(ProblexError) as found:
        read_sheet(sheet)
    assert str(found.value) == (
        f"to label.csv has 1 label that the model does not have: 'c' (row {rows[1]}); expected a or b, or nothing "
        "if it cannot be decided"
    )


def test_nothing_labelled(sheet: Path) -> None:
    with pytest.raises(ProblexError, match=r"none of 20 documents in to label.csv has a label: write a or b into the"):
        read_sheet(sheet)


def test_changed_rows_are_refused(sheet: Path) -> None:
    table = filled(sheet)
    changed = table.copy()
    changed["text"] = changed["text"].to_numpy()[::-1]
    changed.to_csv(sheet, index=False)
    with pytest.raises(
        ProblexError, match=r"line 2 of to label.csv .* the text of row \d+ is not the one that was drawn"
    ):
        read_sheet(sheet)
    pd.concat([table, table.iloc[[4]]]).to_csv(sheet, index=False)
    with pytest.raises(ProblexError, match=r"line 22 .* a second time: expected each document once"):
        read_sheet(sheet)
    table.assign(row=["99999", *table["row"][1:]]).to_csv(sheet, index=False)
    with pytest.raises(ProblexError, match=r"line 2 .* has row '99999', which is not in this sample"):
        read_sheet(sheet)
    table.drop(columns="text").to_csv(sheet, index=False)
    with pytest.raises(ProblexError, match=r"expected row, text and label: 'text' is not among them"):
        read_sheet(sheet)
    sheet.write_bytes(b"")
    with pytest.raises(ProblexError, match="has no columns; expected a table with a header"):
        read_sheet(sheet)


def test_a_lost_or_broken_design_says_how_to_make_it_again(sheet: Path) -> None:
    design = design_path(sheet)
    text = design.read_text()
    design.write_text(text[:200])
    with pytest.raises(ProblexError, match=r"is damaged .* make it again .* model, texts, -n, --seed and --by"):
        read_sheet(sheet)
    design.write_text(text.replace('"format": 1', '"format": 99'))
    with pytest.raises(ProblexError, match="upgrade problex"):
        read_sheet(sheet)
    design.write_text(text.replace('"sealed": "', '"sealed": "AAAA'))
    with pytest.raises(ProblexError, match="is damaged"):
        read_sheet(sheet)
    design.unlink()
    with pytest.raises(
        ProblexError,
        match=r"audit.json' was not found, expected in the folder of the sheet .* rename its .audit.json to to label",
    ):
        read_sheet(sheet)


def test_nothing_is_overwritten_unasked(sheet: Path) -> None:
    design = read_design(sheet)
    documents = [{"text": "x"}] * 20
    with pytest.raises(OutputError, match="exists: choose another name"):
        write_sheet(sheet, design, documents)
    sheet.unlink()
    with pytest.raises(OutputError, match=r"audit.json' exists"):
        write_sheet(sheet, design, documents)
    assert not sheet.exists()
    with pytest.raises(ProblexError, match=r"expected a name that ends in \.csv"):
        write_sheet(sheet.with_suffix(".xlsx"), design, documents)


def test_no_sheet_is_without_its_design(sheet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever the process is killed: labels of a sheet without its design cannot be scored."""
    written: list[Path] = []

    def write_one(path: Path, write: Callable[[Path], object], *, force: bool) -> None:
        if written:
            raise KeyboardInterrupt
        write(path)
        written.append(path)

    design, path = read_design(sheet), tmp_path / "new.csv"
    monkeypatch.setattr(sheets, "write_atomically", write_one)
    with pytest.raises(KeyboardInterrupt):
        write_sheet(path, design, [{"text": "x"}] * 20)
    assert written == [design_path(path)]


def test_designs_of_different_models_do_not_add_up(sheet: Path) -> None:
    design = read_design(sheet)
    other = Design(design.sample, "another", 0, design.texts)
    with pytest.raises(ProblexError, match=r"drawn with different models \(model-hash and another\)"):
        design + other


def test_the_fingerprint_of_a_text_ignores_what_spreadsheets_change() -> None:
    assert text_fingerprint("Good film") == hashlib.sha256(b"goodfilm").hexdigest()[:12]
    assert text_fingerprint(" GOOD,\r\n “film”!") == text_fingerprint("Good film")
    assert text_fingerprint("x" * 4000 + "y") == text_fingerprint("x" * 4000)
    assert text_fingerprint("x" * 3999 + "y") != text_fingerprint("x" * 3999 + "z")


def test_many_unknown_labels_are_counted(sheet: Path) -> None:
    filled(sheet, ["c"] * 5 + ["a"] * 15)
    with pytest.raises(
        ProblexError, match=r"has 5 labels that the model does not have: 'c' .*\); expected a or b"
    ) as few:
        read_sheet(sheet)
    assert " more" not in str(few.value)
    filled(sheet, ["c"] * 7 + ["a"] * 13)
    with pytest.raises(ProblexError, match=r"has 7 labels .* and 2 more; expected a or b"):
        read_sheet(sheet)


def test_rows_that_are_no_numbers_are_not_in_the_sample(sheet: Path) -> None:
    table = filled(sheet)
    for row in ("x", "inf", "-1"):
        table.assign(row=[row, *table["row"][1:]]).to_csv(sheet, index=False)
        with pytest.raises(ProblexError, match=rf"line 2 .* has row '{row}', which is not in this sample"):
            read_sheet(sheet)
    table.assign(text=[*table["text"][:-1], "another"]).to_csv(sheet, index=False)
    with pytest.raises(ProblexError, match=r"line 21 .* the text of row \d+ is not the one"):
        read_sheet(sheet)


def test_a_design_of_another_format_is_refused(sheet: Path) -> None:
    head = json.loads(design_path(sheet).read_text(encoding="utf-8"))
    assert head["format"] == 1
    design_path(sheet).write_text(json.dumps(head | {"format": 3}), encoding="utf-8")
    with pytest.raises(ProblexError, match=r"^to label\.audit\.json was written by problex .*: upgrade problex$"):
        read_design(sheet)


def test_designs_add_up(sheet: Path) -> None:
    design = read_design(sheet)
    scores = two_classes("even", 0.5, 1.7).scores
    more = Design(draw(scores, 5, earlier=design.sample), "model-hash", 0, ("p",) * 5)
    both = design + more
    assert both.texts == design.texts + more.texts
    assert len(both.sample.rows) == 25
    assert both.expected == design.expected
