"""Sheets to label: written for people to fill in, and read as people and spreadsheets give them back.

`to_label.csv` has the row, the text and an empty column for the label. A filled sheet is checked row by row against the
design of its sample.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from problex._util.files import check_writable, write_atomically
from problex._util.formatting import join_with_or, pluralize, quote_all
from problex._util.records import to_csv, unescape_formula
from problex.audit.design import Design, design_path, dump_design, text_fingerprint
from problex.errors import DocumentError, ProblexError, opt
from problex.tables.formats import read_cells

LABEL = "label"
ADJUDICATED = "adjudicated"
"""The column of the labels that settle disagreements."""
MAX_NAMED = 5
"""Unknown labels that an error names."""


def sheet_paths(sheet: Path, coders: Sequence[str] = ()) -> list[Path]:
    """The sheets of coders, such as to_label.anna.csv for to_label.csv; the sheet itself without coders.

    >>> [path.name for path in sheet_paths(Path("to_label.csv"), ["anna", "ben"])]
    ['to_label.anna.csv', 'to_label.ben.csv']
    """
    for coder in coders:
        if not re.fullmatch(r"[\w-]+", coder) or list(coders).count(coder) > 1 or coder == "audit":
            raise ProblexError(
                f"the coders {quote_all(coders)} were given, expected a different name for each, of letters, digits, _ "
                f"and -, since it becomes part of a file name: change {coder!r}"
            )
    return [sheet.with_suffix(f".{coder}.csv") for coder in coders] or [sheet]


def write_sheet(
    path: Path,
    design: Design,
    documents: Sequence[Mapping[str, Any]],
    *,
    coders: Sequence[str] = (),
    force: bool = False,
    raw: bool = False,
) -> None:
    """Write the sheet, or one for each coder, and its design; `documents` are in the order of the sample.

    Cells that a spreadsheet would compute are made harmless, unless `raw`.
    """
    if path.suffix.lower() != ".csv":
        raise ProblexError(f"{path.name!r} was given for the sheet to label, expected a name that ends in .csv")
    paths = sheet_paths(path, coders)
    for file in (*paths, design_path(path)):
        check_writable(file, force=force)
    names = ["row", *(["id"] if documents and "id" in documents[0] else []), LABEL, "text"]
    rows = design.sample.rows.tolist()
    records = [
        {"row": row, LABEL: "", **{name: document[name] for name in names if name in document}}
        for row, document in zip(rows, documents, strict=True)
    ]
    sheet = to_csv([{name: record[name] for name in names} for record in records], names, raw=raw)
    text = dump_design(design)
    # First the design: if the process is killed before the second file, nobody labels a sheet that has none.
    write_atomically(design_path(path), lambda name: name.write_text(text, encoding="utf-8"), force=force)
    # The byte order mark makes spreadsheets read UTF-8.
    for file in paths:
        write_atomically(file, lambda name: name.write_bytes(sheet.encode("utf-8-sig")), force=force)


@dataclass(frozen=True)
class FilledSheet:
    """The documents of a sheet by their positions in the sample: the label (None without one), the text and the id."""

    labels: Mapping[int, str | None]
    texts: Mapping[int, str]
    ids: Mapping[int, str]


def read_filled(path: Path, design: Design, column: str = LABEL) -> FilledSheet:
    """The rows of a filled sheet of this design; raise if a row is not of it, or a label unknown."""
    table = read_table(path, column)
    positions = {row: at for at, row in enumerate(design.sample.rows.tolist())}
    classes = {name.casefold(): name for name in design.sample.classes}
    labels: dict[int, str | None] = {}
    texts: dict[int, str] = {}
    unknown: list[str] = []
    for line, (row, text, cell) in enumerate(zip(table["row"], table["text"], table[column], strict=True), 2):
        where = f"line {line} of {path.name} (counting each document as one)"
        position = _find_place(where, row, text, positions, design)
        if position in labels:
            raise ProblexError(
                f"{where} has row {row} a second time: expected each document once, remove one of the two"
            )
        label = " ".join(str(cell).split())
        if label and label.casefold() not in classes:
            unknown.append(f"{label!r} (row {row})")
        labels[position], texts[position] = classes.get(label.casefold()), text
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


def _find_place(where: str, row: str, text: str, positions: Mapping[int, int], design: Design) -> int:
    """The position of a row in the sample; raise if it is not in the sample, or has another text there."""
    try:
        position = positions.get(int(row) if row.isdecimal() else _whole_number(row))
    except (ValueError, OverflowError):
        position = None
    if position is None:
        raise ProblexError(
            f"{where} has row {row!r}, which is not in this sample: expected the rows that were drawn, put them back"
        )
    if text_fingerprint(text) != design.texts[position]:
        raise ProblexError(
            f"{where}: the text of row {row} is not the one that was drawn ({text[:40]!r}...). Was the sheet "
            "sorted by one column only, or saved in another encoding? Expected rows with their own texts: copy the "
            "labels into a fresh sheet, or save it as UTF-8 CSV"
        )
    return position


def _whole_number(cell: str) -> int:
    """A row that a spreadsheet has written as 7.0 or 1.2E+3.

    >>> _whole_number("7.0"), _whole_number("1.2E+3")
    (7, 1200)
    """
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
    try:
        return read_cells(path)
    except DocumentError as error:
        raise ProblexError(str(error).replace(f"or give {opt('format')}", "or save it as CSV")) from error
