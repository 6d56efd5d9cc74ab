"""Designs and sheets that were damaged are refused with one message; a small file cannot take much memory."""

from __future__ import annotations

import base64
import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest

from problex.audit.design import Design, Expected, design_path, digest_of, read_design, text_fingerprint
from problex.audit.sample import draw
from problex.audit.sheets import write_sheet
from problex.errors import ProblexError
from tests.audit.filled import read_sheet
from tests.populations import two_classes

HOSTILE: list[Any] = [
    *(None, True, "", "x", [], {}, [None], -1, 0.5, 2**63, 10**400, 1e300),
    *(float("nan"), float("inf"), [[1.0, 2.0]], {"label": "a"}),
]


STRATUM = {"label": "a", "low": 0.0, "documents": 5, "group": ""}


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    sample = draw(two_classes("even", 0.5, 1.7).scores, 20)
    texts = [f"Document {at}" for at in range(20)]
    expected = Expected({("accuracy", ""): 0.9})
    path = tmp_path / "s.csv"
    write_sheet(
        path, Design(sample, "m", 0, tuple(map(text_fingerprint, texts)), expected), [{"text": t} for t in texts]
    )
    return path


def rewrite(sheet: Path, head: dict[str, Any], content: dict[str, Any] | None = None, *, digest: bool = False) -> None:
    """Write a changed design; with the digest of its content, unless the old `digest` is to stay."""
    if content is not None:
        head = head | {"sealed": base64.b64encode(zlib.compress(json.dumps(content).encode())).decode()}
    if not digest:
        head = head | {"digest": digest_of(head)}
    design_path(sheet).write_text(json.dumps(head), encoding="utf-8")


def parts(sheet: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    head = json.loads(design_path(sheet).read_text(encoding="utf-8"))
    return head, json.loads(zlib.decompress(base64.b64decode(head["sealed"])))


def test_a_design_that_unpacks_to_gigabytes_is_refused(sheet: Path) -> None:
    packer, blanks = zlib.compressobj(9), b" " * (1 << 24)
    first, other = (packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    sealed = first + 63 * other  # a part of a stream does not depend on those before a full flush
    head, _ = parts(sheet)
    rewrite(sheet, head | {"sealed": base64.b64encode(sealed).decode()})
    assert design_path(sheet).stat().st_size < 2 << 20
    with pytest.raises(
        ProblexError, match=r"is damaged \(its content unpacks to more than 32 MiB\), .*: make it again"
    ):
        read_design(sheet)


def test_any_change_of_a_design_is_noticed(sheet: Path) -> None:
    head, content = parts(sheet)
    for name, value in {"model": "other", "seed": 1, "classes": ["a", "c"], "problex": "9"}.items():
        rewrite(sheet, head | {name: value}, digest=True)
        with pytest.raises(ProblexError, match=r"is damaged \(its content does not match its digest\)"):
            read_design(sheet)
    rewrite(sheet, head, content | {"rows": [row + 1 for row in content["rows"]]}, digest=True)
    with pytest.raises(ProblexError, match="does not match its digest"):
        read_design(sheet)
    rewrite(sheet, head | {"note": "my own words"}, digest=True)
    assert read_design(sheet).model == "m"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rows": [1] * 20}, "'rows' has a document twice"),
        ({"rows": list(range(19))}, "'stratum' is a list of 20, expected a list of 19 values"),
        ({"rows": [-1, *range(19)]}, "'rows' is -1, expected an integer from 0 on"),
        ({"stratum": [99] * 20}, "'stratum' is 99, expected an integer from 0 to 3"),
        ({"values": [[0.0]] * 20}, "'values' has a row that is not a list of 2 values"),
        ({"values": [[0.0, float("nan")]] * 20}, "'values' is nan, expected a finite number"),
        ({"prints": [1] * 20}, "'prints' has a value that is not a text"),
        ({"strata": [STRATUM | {"label": "z"}] * 4}, "'strata' has the label 'z'"),
        ({"strata": [STRATUM | {"documents": 1}] * 4}, "more documents of a stratum than there are"),
        ({"strata": [{"label": "a", "low": 0.0, "group": ""}] * 4}, "'strata.documents' is missing"),
        ({"by": "party"}, "'strata' and 'by' do not fit together"),
        ({"believed": {"accuracy ": 1.5}}, "'believed.accuracy ' is 1.5"),
    ],
)
def test_errors_name_the_value(changes: dict[str, Any], message: str, sheet: Path) -> None:
    head, content = parts(sheet)
    rewrite(sheet, head, content | changes)
    with pytest.raises(ProblexError) as caught:
        read_design(sheet)
    assert message in str(caught.value)
    assert "make it again with the same model, texts, -n, --seed and --by" in str(caught.value)


def test_damaged_designs_raise_nothing_else(sheet: Path) -> None:
    head, content = parts(sheet)
    randomly = random.Random(1)
    for _ in range(600):
        new_head, new_content = json.loads(json.dumps(head)), json.loads(json.dumps(content))
        part: Any = randomly.choice([new_head, new_content, new_content])
        while True:
            name = randomly.choice(list(part) if isinstance(part, dict) else range(len(part)))
            if not isinstance(part[name], dict | list) or not part[name] or randomly.random() < 0.4:
                break
            part = part[name]
        if randomly.random() < 0.2:
            del part[name]
        else:
            part[name] = randomly.choice(HOSTILE)
        rewrite(sheet, new_head, None if new_head != head else new_content, digest=randomly.random() < 0.2)
        try:
            read_design(sheet)
        except ProblexError:
            continue


def test_damaged_bytes_of_a_design(sheet: Path) -> None:
    data, randomly = design_path(sheet).read_bytes(), random.Random(2)
    for text in (b"", b"[]", b"null", b"[" * 100_000, b'{"format": ' + b"9" * 5000 + b"}", b"\xff\xfe\x00"):
        design_path(sheet).write_bytes(text)
        with pytest.raises(ProblexError, match="is damaged"):
            read_design(sheet)
    for _ in range(400):
        at = randomly.randrange(len(data))
        design_path(sheet).write_bytes(data[:at] + randomly.randbytes(randomly.randrange(3)) + data[at + 1 :])
        try:
            assert read_design(sheet).texts
        except ProblexError:
            continue


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfeabc",  # UTF-16 that is cut off
        b"\x00" * 50,
        b'row,label,text\n1,a,"not closed',
        b"row,label,text\n1,a\n",
        b"row,label,text\n1e400,a,x\n",
        b"row,label,text\n" + b"9" * 5000 + b",a,x\n",
        b"row,label,text\n\xd9\xa1.5,a,x\n",
        b"row\n",
    ],
)
def test_damaged_sheets(data: bytes, sheet: Path) -> None:
    sheet.write_bytes(data)
    with pytest.raises(ProblexError):
        read_sheet(sheet)


def test_a_row_that_is_not_a_whole_number_is_not_in_the_sample(sheet: Path) -> None:
    row = read_design(sheet).sample.rows[0]
    sheet.write_text(f"row,label,text\n{row}.7,a,Document 0\n", encoding="utf-8")
    with pytest.raises(ProblexError, match="which is not in this sample"):
        read_sheet(sheet)
    sheet.write_text(f"row,label,text\n{row}.0,a,Document 0\n", encoding="utf-8")
    assert read_sheet(sheet)[1][0] == "a"


def test_a_sheet_that_is_missing(sheet: Path) -> None:
    sheet.unlink()
    with pytest.raises(
        ProblexError, match=r"s\.csv' does not exist, expected a labelled \.csv from problex audit sample"
    ):
        read_sheet(sheet)
