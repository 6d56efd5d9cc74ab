"""The files of an audit: a sheet that a person fills in, and the design of the sample beside it.

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
from problex._version import __version__
from problex.audit.expectations import Expected
from problex.audit.sampling import AuditSample, Stratum
from problex.errors import ProblexError
from problex.estimation.model import Model
from problex.estimation.model_file import dumps

FORMAT = 1
LABEL = "label"
NOTE = (
    "The design of an audit sample: which documents stand for how many. Keep it beside the sheet, under this name. The "
    "scores are sealed so that who labels does not see them."
)


@dataclass(frozen=True, eq=False)
class Design:
    """A sample with the fingerprints of its model and its texts, and the measures that the model led to expect."""

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
    """Where the design of a sheet is: to_label.csv has to_label.audit.json."""
    return sheet.with_suffix(".audit.json")


def model_fingerprint(model: Model) -> str:
    """A hash of a model without its calibration, which changes no score."""
    return hashlib.sha256(dumps(replace(model, platt=None)).encode()).hexdigest()[:16]


def text_fingerprint(text: str) -> str:
    """A hash of the letters and digits that a text begins with: spreadsheets change blanks, quotes and the far end."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return hashlib.sha256("".join(filter(str.isalnum, plain))[:4000].encode("utf-8", "replace")).hexdigest()[:12]


def write_sheet(path: Path, design: Design, documents: Sequence[Mapping[str, Any]], *, force: bool = False) -> None:
    """Write the sheet and its design; `documents` are in the order of the sample."""
    if path.suffix.lower() != ".csv":
        raise ProblexError(f"a sheet to label was to be written to {path.name!r}, expected a name that ends in .csv")
    for file in (path, design_path(path)):
        check_writable(file, force=force)
    columns: dict[str, Any] = {"row": design.sample.rows.tolist()}
    if documents and "id" in documents[0]:
        columns["id"] = [document["id"] for document in documents]
    columns |= {LABEL: "", "text": [_harmless(document["text"]) for document in documents]}
    table = pd.DataFrame(columns)
    # The mark at the beginning makes spreadsheets read UTF-8.
    write_atomically(path, lambda name: table.to_csv(name, index=False, encoding="utf-8-sig"), force=force)
    text = _sealed(design)
    write_atomically(design_path(path), lambda name: name.write_text(text, encoding="utf-8"), force=force)


def _harmless(text: str) -> str:
    """A cell that begins like a formula would be run by a spreadsheet."""
    return f" {text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _sealed(design: Design) -> str:
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
    """The design of a sheet; says how to make a lost one again."""
    path = design_path(sheet)
    if not path.is_file():
        raise ProblexError(
            f"{str(path)!r} is not beside the sheet {sheet.name!r}: it says how many documents each labelled one "
            "stands for. Put it back, or make it again: problex audit sample with the same model, texts, -n and "
            f"--seed and another -o draws the same documents; rename its .audit.json to {path.name}. Without it, "
            "problex evaluate reads the sheet as if every document had had the same chance to be drawn"
        )
    try:
        head = json.loads(path.read_text(encoding="utf-8"))
        if head["format"] > FORMAT:
            raise ProblexError(f"{path.name} is of problex {head['problex']}, this is {__version__}: upgrade problex")
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
            f"{str(path)!r} is not whole ({error}), expected the file that problex audit sample wrote: make it again "
            "with the same model, texts, -n and --seed"
        ) from None


def read_sheet(path: Path, column: str = LABEL) -> tuple[Design, list[str | None]]:
    """A filled sheet: its design, and a label or None for each document of the sample."""
    design = read_design(path)
    table = _table(path, column)
    places = {row: at for at, row in enumerate(design.sample.rows.tolist())}
    known = {name.casefold(): name for name in design.sample.classes}
    labels: list[str | None] = [None] * len(places)
    seen: set[int] = set()
    wrong: list[str] = []
    for number, (row, text, given) in enumerate(zip(table["row"], table["text"], table[column], strict=True), 2):
        at = places.get(_row_number(row), -1)
        problem = _changed(path, number, row, text, at, design, seen)
        if problem:
            raise ProblexError(problem)
        seen.add(at)
        label = " ".join(str(given).split())
        if label and label.casefold() not in known:
            wrong.append(f"{label!r} (row {row})")
        labels[at] = known.get(label.casefold())
    if wrong:
        more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        raise ProblexError(
            f"{path.name} has {pluralize(len(wrong), 'label')} that the model does not know: "
            f"{', '.join(wrong[:5])}{more}; expected {' or '.join(design.sample.classes)}, or nothing where it "
            "cannot be said"
        )
    if not any(labels):
        raise ProblexError(
            f"none of {pluralize(len(labels), 'document')} in {path.name} has a label: write "
            f"{' or '.join(design.sample.classes)} into the column {column!r}, and score again"
        )
    return design, labels


def _changed(path: Path, number: int, row: str, text: str, at: int, design: Design, seen: set[int]) -> str:
    """What is wrong with a line of a sheet, if anything."""
    where = f"line {number} of {path.name} (counting each document as one)"
    if at < 0:
        return (
            f"{where} has row {row!r}, which is not in this sample: expected the rows as they were drawn, put them back"
        )
    if at in seen:
        return f"{where} has row {row} a second time: expected each document once, remove one of the two"
    if text_fingerprint(text) != design.texts[at]:
        return (
            f"{where}: the text of row {row} is not the one that was drawn ({text[:40]!r}...). Was the sheet "
            "sorted by one column only, or saved in another encoding? Expected rows with their own texts: copy the "
            "labels into a fresh sheet, or save it as UTF-8 CSV"
        )
    return ""


def _row_number(row: str) -> int:
    try:
        return int(float(row))
    except ValueError:
        return -1


def _table(path: Path, column: str) -> pd.DataFrame:
    """The sheet as spreadsheets give it back: comma, semicolon or tab, UTF-8 or not."""
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
    lacking = [name for name in ("row", column, "text") if name not in table.columns]
    if lacking:
        raise ProblexError(
            f"{path.name} has the columns {list(table.columns)}, expected row, text and {column}: "
            f"{lacking[0]!r} is not among them"
        )
    return table
