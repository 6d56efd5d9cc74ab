"""The files of an audit: a sheet that a person fills in, and the design of the sample.

`to_label.csv` has the row, the text and an empty column for the label. `to_label.audit.json` has the strata and the
scores, which are needed to weight the labels; it is compressed so that the scores cannot be read by accident. If it is
lost it can be made again: the same model, texts and seed draw the same documents.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import json
import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from problex._util.files import check_writable, write_atomically
from problex._util.formatting import pluralize
from problex._util.records import to_csv, unescape_formula
from problex._version import __version__
from problex.audit.expectations import Expected
from problex.audit.sampling import AuditSample, Stratum
from problex.errors import ProblexError
from problex.estimation.model import Model
from problex.estimation.model_file import dumps

FORMAT = 1
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
        raise ProblexError(f"a sheet to label was to be written to {path.name!r}, expected a name that ends in .csv")
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
    sample = design.sample
    content = {
        "strata": [asdict(stratum) for stratum in sample.strata],
        "rows": sample.rows.tolist(),
        "stratum": sample.stratum.tolist(),
        "values": sample.values.tolist(),
        "prints": list(design.texts),
        "believed": design.expected.record(),
    }
    head = {
        "format": FORMAT,
        "problex": __version__,
        "note": NOTE,
        "model": design.model,
        "seed": design.seed,
        "classes": list(sample.classes),
        "sealed": base64.b64encode(zlib.compress(json.dumps(content).encode())).decode(),
    }
    return json.dumps(head, ensure_ascii=False, indent=2) + "\n"


def read_design(sheet: Path) -> Design:
    """The design of a sheet; raise if its file is missing or damaged."""
    path = design_path(sheet)
    if not path.is_file():
        raise ProblexError(
            f"{str(path)!r} was not found, expected in the folder of the sheet {sheet.name!r}: it has the number of "
            "documents that each labelled one represents. Put it back, or make it again: problex audit sample with the "
            "same model, texts, -n and --seed and another -o draws the same documents; rename its .audit.json to "
            f"{path.name}. Without it, use problex evaluate, which assumes that every document had the same "
            "probability of being drawn"
        )
    try:
        head = json.loads(path.read_text(encoding="utf-8"))
        if head["format"] > FORMAT:
            raise ProblexError(
                f"{path.name} was written by problex {head['problex']}, this is {__version__}: upgrade problex"
            )
        content = json.loads(zlib.decompress(base64.b64decode(head["sealed"])))
        sample = AuditSample(
            tuple(head["classes"]),
            tuple(Stratum(**stratum) for stratum in content["strata"]),
            np.array(content["rows"], dtype=np.int64),
            np.array(content["stratum"], dtype=np.int64),
            np.array(content["values"], dtype=np.float64).reshape(-1, len(head["classes"])),
        )
        expected = Expected.from_record(content["believed"])
        return Design(sample, head["model"], head["seed"], tuple(content["prints"]), expected)
    except (ValueError, KeyError, TypeError, zlib.error, binascii.Error) as error:
        if isinstance(error, ProblexError):
            raise
        raise ProblexError(
            f"{str(path)!r} is damaged ({error}), expected the file that problex audit sample wrote: make it again "
            "with the same model, texts, -n and --seed"
        ) from None


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
            f"{', '.join(unknown[:MAX_NAMED])}{more}; expected {' or '.join(design.sample.classes)}, or nothing if it "
            "cannot be decided"
        )
    if not any(labels):
        raise ProblexError(
            f"none of {pluralize(len(labels), 'document')} in {path.name} has a label: write "
            f"{' or '.join(design.sample.classes)} into the column {column!r}, and score again"
        )
    return design, labels


def _find_place(where: str, row: str, text: str, places: Mapping[int, int], design: Design) -> int:
    """The place of a row in the sample; raise if it is not in the sample, or has another text there."""
    try:
        place = places.get(int(float(row)))
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


def _table(path: Path, column: str) -> pd.DataFrame:
    """Read a sheet that a spreadsheet may have saved: with commas, semicolons or tabs, in UTF-8 or not."""
    data = path.read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    try:
        table = pd.read_csv(io.StringIO(text), sep=delimiter, dtype=str, keep_default_na=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ProblexError(f"{path.name} cannot be read as a table ({error}): save it as CSV") from None
    missing = [name for name in ("row", column, "text") if name not in table.columns]
    if missing:
        raise ProblexError(
            f"{path.name} has the columns {list(table.columns)}, expected row, text and {column}: "
            f"{missing[0]!r} is not among them"
        )
    for name in {"id", "text"} & set(table.columns):
        table[name] = table[name].map(unescape_formula)
    return table
