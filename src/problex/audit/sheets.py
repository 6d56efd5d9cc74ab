"""The files of an audit: a sheet that a person fills in, and the design of the sample.

`to_label.csv` has the row, the text and an empty column for the label. `to_label.audit.json` has the strata and the
scores, which are needed to weight the labels; it is compressed so that the scores cannot be read by accident. If it is
lost it can be made again: the same model, texts and seed draw the same documents.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from problex._util.files import check_writable, write_atomically
from problex._util.formatting import quote_all
from problex._util.json_values import MAX_INTEGER, DamagedValueError, Fields, parse_json
from problex._util.records import to_csv
from problex._version import __version__
from problex.audit.design_content import MAX_BYTES, pack, unpack
from problex.audit.expectations import Expected
from problex.audit.sample import AuditSample
from problex.counting.serialization import READ_ERRORS
from problex.errors import ProblexError
from problex.estimation.model_file import dumps
from problex.model.model import Model

FORMAT, GROUPED = 1, 2
"""Of designs without and with groups; versions of problex before groups read only the first."""
LABEL = "label"
FINGERPRINT_CHARACTERS = 4000
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

    def is_same(self, other: Design) -> bool:
        """Whether both are of the same sample."""
        rows = np.array_equal(self.sample.rows, other.sample.rows)
        return rows and (self.model, self.texts) == (other.model, other.texts)

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


def find_design(sheet: Path) -> tuple[Path, str]:
    """The file of the design of a sheet, and the coder of the sheet.

    A sheet to_label.anna.csv without a design of its own is that of the coder anna, and has the design of to_label.csv.
    The coder of a sheet with a design of its own is called like the sheet.
    """
    own = design_path(sheet)
    stem, dot, coder = sheet.stem.rpartition(".")
    joint = sheet.with_name(f"{stem}.audit.json")
    return (joint, coder) if dot and not own.is_file() and joint.is_file() else (own, sheet.stem)


def model_fingerprint(model: Model) -> str:
    """A hash of a model without the labels of an audit."""
    return hashlib.sha256(dumps(model.label_free).encode()).hexdigest()[:16]


def text_fingerprint(text: str) -> str:
    """A hash of the first letters and digits of a text: spreadsheets change spaces and quotes, and cut long cells."""
    plain = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
    return hashlib.sha256(plain[:FINGERPRINT_CHARACTERS].encode("utf-8", "replace")).hexdigest()[:12]


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


def dump_design(design: Design) -> str:
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
    if sheet.is_dir():
        raise ProblexError(f"the sheet {str(sheet)!r} is a folder, expected a labelled .csv from problex audit sample")
    path, _ = find_design(sheet)
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
        return parse_design(path.read_text(encoding="utf-8"), path.name)
    except ProblexError:
        raise
    except (*READ_ERRORS, zlib.error) as error:
        raise ProblexError(
            f"{str(path)!r} is damaged ({error}), expected the file that problex audit sample wrote: make it again "
            "with the same model, texts, -n, --seed and --by"
        ) from None


def parse_design(text: str, name: str) -> Design:
    """The design in the text of a design file, which is called `name` in messages."""
    head = Fields.of("", parse_json(text))
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
