"""The design of a sample: how many documents each of them represents, and what the model expects of itself.

`to_label.audit.json`, beside the sheet, has the strata and the scores, which are needed to weight the labels; it is
compressed so that the scores cannot be read by accident. If it is lost it can be made again: the same model, texts and
seed draw the same documents.
"""

from __future__ import annotations

import base64
import hashlib
import json
import unicodedata
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from problex._util.json_values import (
    MAX_INTEGER,
    DamagedValueError,
    Fields,
    check_number,
    check_rows,
    integer_array,
    number_array,
    parse_json,
)
from problex._version import __version__
from problex.audit.sample import AuditSample, Stratum
from problex.counting.serialization import READ_ERRORS
from problex.errors import ProblexError
from problex.estimation.model_file import dumps
from problex.model.model import Model
from problex.scoring.scores import UNDECIDED, Scores

FORMAT = 1
FINGERPRINT_CHARACTERS = 4000
NOTE = (
    "The design of an audit sample: how many documents each one represents. Keep it in the folder of the sheet, under "
    "this name. The scores are compressed so that the person who labels does not see them."
)
MAX_BYTES = 1 << 25
"""Bytes of a design file, and of its unpacked content: those of several 100,000 documents."""
MAX_SHARE = 1.0 + 1e-9
"""The largest share, such as an accuracy, once it was rounded."""


Expected = dict[tuple[str, str], float]
"""Measures that a model expects of itself, by name and label ("" for all)."""


def expected_measures(scores: Scores) -> Expected:
    """The expected measures of documents, from their probabilities; those without a token are left out.

    >>> values = np.log([[0.2, 0.8], [0.6, 0.4]])                       # labelled yes and no
    >>> expected = expected_measures(Scores(("no", "yes"), values, np.ones(2, np.int64), np.ones(2, np.int64)))
    >>> [round(expected[key], 3) for key in (("accuracy", ""), ("prevalence", "yes"), ("recall", "yes"))]
    [0.7, 0.6, 0.667]
    """
    some = scores.lengths > 0
    probabilities, labels = scores.probabilities[some], scores.labels()[some]
    measures: Expected = {}
    correct = float(np.sum(labels == UNDECIDED)) / len(scores.classes)
    for at, name in enumerate(scores.classes):
        predicted = labels == name
        correct += float(probabilities[predicted, at].sum())
        measures["prevalence", name] = float(probabilities[:, at].mean())
        measures["recall", name] = float(probabilities[predicted, at].sum() / probabilities[:, at].sum())
        if predicted.any():
            measures["precision", name] = float(probabilities[predicted, at].mean())
    measures["accuracy", ""] = correct / len(labels)
    return measures


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
    """The file of the design of a sheet: to_label.audit.json for to_label.csv.

    >>> design_path(Path("to_label.csv")).name
    'to_label.audit.json'
    """
    return sheet.with_suffix(".audit.json")


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
    """A hash of the first letters and digits of a text: spreadsheets change spaces and quotes, and cut long cells.

    >>> text_fingerprint("Déjà vu – again…") == text_fingerprint("déjà  vu - 'again'")
    True
    """
    plain = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
    return hashlib.sha256(plain[:FINGERPRINT_CHARACTERS].encode("utf-8", "replace")).hexdigest()[:12]


def dump_design(design: Design) -> str:
    """The content of a design file; `sealed` is compressed JSON."""
    head = {
        "format": FORMAT,
        "problex": __version__,
        "note": NOTE,
        "model": design.model,
        "seed": design.seed,
        "classes": list(design.sample.classes),
        "sealed": pack(design.sample, design.texts, design.expected),
    }
    return json.dumps(head | {"digest": digest_of(head)}, ensure_ascii=False, indent=2) + "\n"


def pack(sample: AuditSample, texts: tuple[str, ...], expected: Expected) -> str:
    """A sample, the fingerprints of its texts and the expected measures as compressed JSON."""
    content = {
        "strata": [asdict(stratum) for stratum in sample.strata],
        "rows": sample.rows.tolist(),
        "stratum": sample.stratum.tolist(),
        "values": sample.values.tolist(),
        "prints": list(texts),
        "believed": {f"{measure} {label}": value for (measure, label), value in expected.items()},
        "by": sample.by,
    }
    return base64.b64encode(zlib.compress(json.dumps(content).encode())).decode()


def digest_of(head: Mapping[str, Any]) -> str:
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
    if head.integer("format", 1) > FORMAT:
        raise ProblexError(
            f"{name} was written by problex {head.text('problex')}, this is {__version__}: upgrade problex"
        )
    if head.text("digest") != digest_of(head.record):
        raise DamagedValueError("its content does not match its digest")
    classes = head.texts("classes")
    if len(classes) < 2:
        raise DamagedValueError("'classes' has fewer than two labels")
    sample, texts, expected = unpack(head.text("sealed"), classes)
    return Design(sample, head.text("model"), head.integer("seed", -MAX_INTEGER), texts, expected)


def unpack(sealed: str, classes: tuple[str, ...]) -> tuple[AuditSample, tuple[str, ...], Expected]:
    """The inverse of `pack`; raise if the content is too large, damaged, or cannot be of a sample."""
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(base64.b64decode(sealed, validate=True), MAX_BYTES)
    if unpacking.unconsumed_tail:
        raise DamagedValueError(f"its content unpacks to more than {MAX_BYTES >> 20} MiB")
    if not unpacking.eof:
        raise DamagedValueError("its content is cut off")
    content = Fields.of("", parse_json(data.decode(), constants=True))
    strata = tuple(_stratum(stratum, classes) for stratum in content.values("strata"))
    by = content.text("by")
    if any(bool(part.group) != bool(by) for part in strata):
        raise DamagedValueError(
            "'strata' and 'by' do not fit together: expected groups in 'strata' only if 'by' names a column"
        )
    rows = integer_array("rows", content.values("rows"))
    stratum = integer_array("stratum", content.values("stratum", len(rows)), high=len(strata) - 1)
    values = check_rows("values", content.values("values", len(rows)), len(classes))
    scores = number_array("values", [value for row in values for value in row]).reshape(len(rows), len(classes))
    texts = tuple(content.values("prints", len(rows)))
    if not set(map(type, texts)) <= {str}:
        raise DamagedValueError("'prints' has a value that is not a text")
    if len(np.unique(rows)) < len(rows):
        raise DamagedValueError("'rows' has a document twice")
    if np.any(np.bincount(stratum, minlength=len(strata)) > [part.documents for part in strata]):
        raise DamagedValueError("'stratum' has more documents of a stratum than there are")
    return AuditSample(classes, strata, rows, stratum, scores, by), texts, _expected(content.object("believed"))


def _stratum(record: Any, classes: tuple[str, ...]) -> Stratum:
    fields = Fields.of("strata", record, ("label", "low", "documents", "group"))
    label = fields.text("label")
    if label not in (*classes, UNDECIDED):
        raise DamagedValueError(f"'strata' has the label {label[:40]!r}, which is not one of the classes")
    return Stratum(label, fields.number("low", 0.0), fields.integer("documents", 1), fields.text("group"))


def _expected(fields: Fields) -> Expected:
    """The expected measures; one that could not be computed is NaN."""
    for name, value in fields.record.items():
        if value == value:
            check_number(f"believed.{name}", value, 0.0, MAX_SHARE)
    return {(name.partition(" ")[0], name.partition(" ")[2]): float(value) for name, value in fields.record.items()}
