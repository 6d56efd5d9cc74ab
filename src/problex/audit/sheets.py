"""The files of an audit: a sheet that a person fills in, and the design of the sample.

`to_label.csv` has the row, the text and an empty column for the label. `to_label.audit.json` has the strata and the
scores, which are needed to weight the labels; it is compressed so that the scores cannot be read by accident. If it is
lost it can be made again: the same model, texts and seed draw the same documents.
"""

from __future__ import annotations

import hashlib
import io
import json
import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from problex._util.files import check_writable, write_atomically
from problex._util.formatting import join_with_or, pluralize
from problex._util.json_values import MAX_INTEGER, DamagedValueError, Fields, parse_json
from problex._util.records import to_csv, unescape_formula
from problex._version import __version__
from problex.audit.design_content import MAX_BYTES, pack, unpack
from problex.audit.expectations import Expected
from problex.audit.sample import AuditSample
from problex.counting.serialization import READ_ERRORS
from problex.errors import ProblexError
from problex.estimation.model import Model
from problex.estimation.model_file import dumps

FORMAT, GROUPED = 1, 2
"""Of designs without and with groups; versions of problex before groups read only the first."""
LABEL = "label"
FINGERPRINT_CHARACTERS = 4000
MAX_NAMED = 5
"""Unknown labels that an error names."""
NOTE = (
    "The design of an audit sample: how many documents each one represents. Keep it in the folder of the sheet, under "
    "this name. The scores are compressed so that the person who labels does not see them."
)


@dataclass(frozen=True, eq=False)
class Design:
    """A sample with the fingerprints of its model and its texts, and the expected measures."""

    sample: AuditSample
    model: str
    seed: int
    texts: tuple[str, ...]
    expected: Expected = field(default_factory=Expected)

    def __add__(self, other: Design) -> Design:
        if self.model != other.model:
            raise ProblexError(
                f"two samples were drawn with different models ({self.model} and {other.model}), so their labels "
                "cannot be joined: score them one by one, or draw the second with --more"
            )
        return replace(self, sample=self.sample + other.sample, texts=self.texts + other.texts)


def design_path(sheet: Path) -> Path:
    """The file of the design of a sheet: to_label.audit.json for to_label.csv."""
    return sheet.with_suffix(".audit.json")


def model_fingerprint(model: Model) -> str:
    """A hash of a model without its calibration, which does not change scores."""
    return hashlib.sha256(dumps(replace(model, platt=None)).encode()).hexdigest()[:16]


def text_fingerprint(text: str) -> str:
    """A hash of the first letters and digits of a text: spreadsheets change spaces and quotes, and cut long cells."""
    plain = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
    return hashlib.sha256(plain[:FINGERPRINT_CHARACTERS].encode("utf-8", "replace")).hexdigest()[:12]


def write_sheet(
    path: Path, design: Design, documents: Sequence[Mapping[str, Any]], *, force: bool = False, raw: bool = False
) -> None:
    """Write the sheet and its design; `documents` are in the order of the sample.

    Cells that a spreadsheet would compute are made harmless, unless `raw`.
    """
    if path.suffix.lower() != ".csv":
        raise ProblexError(f"{path.name!r} was given for the sheet to label, expected a name that ends in .csv")
    for file in (path, design_path(path)):
        check_writable(file, force=force)
    names = ["row", *(["id"] if documents and "id" in documents[0] else []), LABEL, "text"]
    rows = design.sample.rows.tolist()
    records = [
        {"row": row, LABEL: "", **{name: document[name] for name in names if name in document}}
        for row, document in zip(rows, documents, strict=True)
    ]
    sheet = to_csv([{name: record[name] for name in names} for record in records], names, raw=raw)
    # The byte order mark makes spreadsheets read UTF-8.
    write_atomically(path, lambda name: name.write_bytes(sheet.encode("utf-8-sig")), force=force)
    text = _design_json(design)
    write_atomically(design_path(path), lambda name: name.write_text(text, encoding="utf-8"), force=force)


def _design_json(design: Design) -> str:
    """The content of a design file; `sealed` is compressed JSON."""
    head = {
        "format": GROUPED if design.sample.by else FORMAT,
        "problex": __version__,
        "note": NOTE,
        "model": design.model,
        "seed": design.seed,
        "classes": list(design.sample.classes),
        "sealed": pack(design.sample, design.texts, design.expected),
    }
    return json.dumps(head | {"digest": _digest(head)}, ensure_ascii=False, indent=2) + "\n"


def _digest(head: Mapping[str, Any]) -> str:
    """A hash of all of a design file but the note."""
    content = {name: value for name, value in head.items() if name not in ("note", "digest")}
    return f"sha256:{hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()}"


def read_design(sheet: Path) -> Design:
    """The design of a sheet; raise if its file is missing or damaged."""
    path = design_path(sheet)
    if not path.is_file():
        raise ProblexError(
            f"{str(path)!r} was not found, expected in the folder of the sheet {sheet.name!r}: it has the number of "
            "documents that each labelled one represents. Put it back, or make it again: problex audit sample with the "
            "same model, texts, -n, --seed and --by and another -o draws the same documents; rename its .audit.json to "
            f"{path.name}. Without it, use problex evaluate, which assumes that every document had the same "
            "probability of being drawn"
        )
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DamagedValueError(f"it has more than {MAX_BYTES >> 20} MiB")
        return _read_design(Fields.of("", parse_json(path.read_text(encoding="utf-8"))), path.name)
    except ProblexError:
        raise
    except (*READ_ERRORS, zlib.error) as error:
        raise ProblexError(
            f"{str(path)!r} is damaged ({error}), expected the file that problex audit sample wrote: make it again "
            "with the same model, texts, -n, --seed and --by"
        ) from None


def _read_design(head: Fields, name: str) -> Design:
    if head.integer("format", 1) > GROUPED:
        raise ProblexError(
            f"{name} was written by problex {head.text('problex')}, this is {__version__}: upgrade problex"
        )
    if "digest" in head.record and head.text("digest") != _digest(head.record):
        raise DamagedValueError("its content does not fit its digest")
    classes = head.texts("classes")
    if len(classes) < 2:
        raise DamagedValueError("'classes' has fewer than two labels")
    sample, texts, expected = unpack(head.text("sealed"), classes)
    return Design(sample, head.text("model"), head.integer("seed", -MAX_INTEGER), texts, expected)


def read_sheet(path: Path, column: str = LABEL) -> tuple[Design, list[str | None]]:
    """Read a filled sheet: its design, and the label of each document of the sample, None without one."""
    design = read_design(path)
    table = _table(path, column)
    places = {row: at for at, row in enumerate(design.sample.rows.tolist())}
    classes = {name.casefold(): name for name in design.sample.classes}
    labels: list[str | None] = [None] * len(places)
    used: set[int] = set()
    unknown: list[str] = []
    for line, (row, text, cell) in enumerate(zip(table["row"], table["text"], table[column], strict=True), 2):
        where = f"line {line} of {path.name} (counting each document as one)"
        place = _find_place(where, row, text, places, design)
        if place in used:
            raise ProblexError(
                f"{where} has row {row} a second time: expected each document once, remove one of the two"
            )
        used.add(place)
        label = " ".join(str(cell).split())
        if label and label.casefold() not in classes:
            unknown.append(f"{label!r} (row {row})")
        labels[place] = classes.get(label.casefold())
    if unknown:
        more = f" and {len(unknown) - MAX_NAMED} more" if len(unknown) > MAX_NAMED else ""
        raise ProblexError(
            f"{path.name} has {pluralize(len(unknown), 'label')} that the model does not have: "
            f"{', '.join(unknown[:MAX_NAMED])}{more}; expected {join_with_or(design.sample.classes)}, or nothing if it "
            "cannot be decided"
        )
    if not any(labels):
        raise ProblexError(
            f"none of {pluralize(len(labels), 'document')} in {path.name} has a label: write "
            f"{join_with_or(design.sample.classes)} into the column {column!r}, and score again"
        )
    return design, labels


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


def _table(path: Path, column: str) -> pd.DataFrame:
    """Read a sheet that a spreadsheet may have saved: with commas, semicolons or tabs, in UTF-8 or not."""
    try:
        text = _decode(path.read_bytes())
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        # Cells that a short line lacks are missing even so.
        table = pd.read_csv(io.StringIO(text), sep=delimiter, dtype=str, keep_default_na=False).fillna("")
    except (*READ_ERRORS, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ProblexError(f"{path.name} cannot be read as a table ({reason}): save it as CSV") from None
    missing = [name for name in ("row", column, "text") if name not in table.columns]
    if missing:
        raise ProblexError(
            f"{path.name} has the columns {list(table.columns)}, expected row, text and {column}: "
            f"{missing[0]!r} is not among them"
        )
    for name in {"id", "text"} & set(table.columns):
        table[name] = table[name].map(unescape_formula)
    return table


def _decode(data: bytes) -> str:
    """The text of a file that a spreadsheet may have saved in UTF-8, UTF-16 or the encoding of Windows."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
