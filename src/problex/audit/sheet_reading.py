"""Filled sheets, as people and spreadsheets give them back: checked row by row against the design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from problex._util.formatting import join_with_or, pluralize
from problex._util.records import unescape_formula
from problex.audit.sheets import LABEL, Design, read_design, text_fingerprint
from problex.errors import ProblexError
from problex.tables.formats import read_cells

ADJUDICATED = "adjudicated"
"""The column of the labels that settle disagreements."""
MAX_NAMED = 5
"""Unknown labels that an error names."""


@dataclass(frozen=True)
class FilledSheet:
    """The documents of a sheet by their places in the sample: the label (None without one), the text and the id."""

    labels: Mapping[int, str | None]
    texts: Mapping[int, str]
    ids: Mapping[int, str]


def read_sheet(path: Path, column: str = LABEL) -> tuple[Design, list[str | None]]:
    """Read a filled sheet: its design, and the label of each document of the sample, None without one."""
    design = read_design(path)
    filled = read_filled(path, design, column)
    return design, [filled.labels.get(place) for place in range(len(design.texts))]


def read_filled(path: Path, design: Design, column: str = LABEL) -> FilledSheet:
    """The rows of a filled sheet of this design; raise if a row is not of it, or a label unknown."""
    table = read_table(path, column)
    places = {row: at for at, row in enumerate(design.sample.rows.tolist())}
    classes = {name.casefold(): name for name in design.sample.classes}
    labels: dict[int, str | None] = {}
    texts: dict[int, str] = {}
    unknown: list[str] = []
    for line, (row, text, cell) in enumerate(zip(table["row"], table["text"], table[column], strict=True), 2):
        where = f"line {line} of {path.name} (counting each document as one)"
        place = _find_place(where, row, text, places, design)
        if place in labels:
            raise ProblexError(
                f"{where} has row {row} a second time: expected each document once, remove one of the two"
            )
        label = " ".join(str(cell).split())
        if label and label.casefold() not in classes:
            unknown.append(f"{label!r} (row {row})")
        labels[place], texts[place] = classes.get(label.casefold()), text
    _check_labels(path, design, column, labels, unknown)
    ids = dict(zip(labels, table["id"], strict=True)) if "id" in table else {}
    return FilledSheet(labels, texts, ids)


def _check_labels(
    path: Path, design: Design, column: str, labels: Mapping[int, str | None], unknown: list[str]
) -> None:
    if unknown:
        more = f" and {len(unknown) - MAX_NAMED} more" if len(unknown) > MAX_NAMED else ""
        raise ProblexError(
            f"{path.name} has {pluralize(len(unknown), 'label')} that the model does not have: "
            f"{', '.join(unknown[:MAX_NAMED])}{more}; expected {join_with_or(design.sample.classes)}, or nothing if it "
            "cannot be decided"
        )
    if not any(labels.values()) and column != ADJUDICATED:
        raise ProblexError(
            f"none of {pluralize(len(design.texts), 'document')} in {path.name} has a label: write "
            f"{join_with_or(design.sample.classes)} into the column {column!r}, and score again"
        )


def _find_place(where: str, row: str, text: str, places: Mapping[int, int], design: Design) -> int:
    """The place of a row in the sample; raise if it is not in the sample, or has another text there."""
    try:
        place = places.get(int(row) if row.isdecimal() else _whole_number(row))
    except (ValueError, OverflowError):
        place = None
    if place is None:
        raise ProblexError(
            f"{where} has row {row!r}, which is not in this sample: expected the rows that were drawn, put them back"
        )
    if text_fingerprint(text) != design.texts[place]:
        raise ProblexError(
            f"{where}: the text of row {row} is not the one that was drawn ({text[:40]!r}...). Was the sheet "
            "sorted by one column only, or saved in another encoding? Expected rows with their own texts: copy the "
            "labels into a fresh sheet, or save it as UTF-8 CSV"
        )
    return place


def _whole_number(cell: str) -> int:
    """A row that a spreadsheet has written as 7.0 or 1.2E+3."""
    number = float(cell)
    if not number.is_integer():
        raise ValueError
    return int(number)


def read_columns(path: Path) -> list[str]:
    """The columns of a sheet."""
    return list(_read_sheet(path))


def read_table(path: Path, column: str) -> dict[str, list[str]]:
    """The columns of a sheet; raise if one is missing."""
    table = _read_sheet(path)
    missing = [name for name in ("row", column, "text") if name not in table]
    if missing:
        raise ProblexError(
            f"{path.name} has the columns {list(table)}, expected row, text and {column}: "
            f"{missing[0]!r} is not among them"
        )
    for name in {"id", "text"} & set(table):
        table[name] = list(map(unescape_formula, table[name]))
    return table


def _read_sheet(path: Path) -> dict[str, list[str]]:
    """The columns of a sheet, in any format in which it was saved."""
    if path.is_dir() or not path.exists():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise ProblexError(f"the sheet {str(path)!r} {what}, expected a labelled .csv from problex audit sample")
    return read_cells(path)
