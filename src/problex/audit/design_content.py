"""The compressed content of a design file: packed, unpacked within bounds, and checked value by value."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import asdict
from typing import Any

import numpy as np

from problex._util.json_values import (
    DamagedValueError,
    Fields,
    check_number,
    check_rows,
    integer_array,
    number_array,
    parse_json,
)
from problex.audit.expectations import Expected
from problex.audit.sample import AuditSample, Stratum
from problex.scoring.scores import UNDECIDED

MAX_BYTES = 1 << 25
"""Bytes of a design file, and of its unpacked content: those of several 100,000 documents."""
MAX_SHARE = 1.0 + 1e-9
"""The largest share, such as an accuracy, once it was rounded."""


def pack(sample: AuditSample, texts: tuple[str, ...], expected: Expected) -> str:
    """A sample, the fingerprints of its texts and the expected measures as compressed JSON."""
    content = {
        "strata": [asdict(stratum) for stratum in sample.strata],
        "rows": sample.rows.tolist(),
        "stratum": sample.stratum.tolist(),
        "values": sample.values.tolist(),
        "prints": list(texts),
        "believed": expected.record(),
        "by": sample.by,
    }
    return base64.b64encode(zlib.compress(json.dumps(content).encode())).decode()


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
    return Expected.from_record(fields.record)
