"""What a file is by its first bytes: names may be wrong."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

from problex.errors import DocumentError, opt

SAVE_AS_CSV = "open it in a spreadsheet program and save it as CSV (UTF-8)"
REFUSED = {
    b"PK\x03\x04": ("a ZIP archive or an Excel or LibreOffice file", f"rename it (.xlsx, .zip), or {SAVE_AS_CSV}"),
    b"\xd0\xcf\x11\xe0": ("an old Excel or Word file", SAVE_AS_CSV),
    b"\x1f\x8b": ("compressed with gzip", "add .gz to its name"),
    b"BZh": ("compressed with bzip2", "add .bz2 to its name"),
    b"\x28\xb5\x2f\xfd": ("compressed with Zstandard", "add .zst to its name"),
    b"PAR1": ("a Parquet file", "rename it to .parquet"),
    b"SQLite format 3\0": ("an SQLite database", "export the table with the texts as CSV"),
    b"$FL2": ("an SPSS file", "export it as CSV"),
    b"<stata_dta>": ("a Stata file", "export it as CSV"),
    b"%PDF": ("a PDF file", "copy the texts into a table"),
    b"{\\rtf": ("a Rich Text file", "save it as plain text (UTF-8)"),
}
"""First bytes -> what the file is, and what to do."""
MAX_ZEROS = 0.1  # of the bytes of a text
_HTML = re.compile(rb"\s*<(!doctype html|html|head|body|table|meta|\?xml|!--)\b", re.I)


def check_is_text(data: bytes, name: str) -> None:
    """Raise if a file begins like one of another kind."""
    for signature, (kind, advice) in REFUSED.items():
        if data.startswith(signature):
            raise DocumentError(f"{name} is {kind}, not text: {advice}.")


def check_has_few_zeros(data: bytes, name: str) -> None:
    """Raise if what was decoded is not text."""
    if data.count(0) > MAX_ZEROS * len(data):
        raise DocumentError(
            f"{name} is not text: {data.count(0) / len(data):.0%} of its first bytes are zero. Check that it is "
            f"complete, or give {opt('encoding')} if it is text in an encoding such as 'utf-16-le' or 'utf-32-le'."
        )


def check_is_table(data: bytes, name: str) -> None:
    """Raise if a file that should be a table of delimited cells is HTML, XML or JSON."""
    if _HTML.match(data):
        raise DocumentError(f"{name} is HTML or XML, not a table of delimited cells: {SAVE_AS_CSV}.")
    line = data.lstrip().partition(b"\n")[0].strip()
    if line[:1] == b"{" and _is_json(line):
        raise DocumentError(f"{name} has JSON objects, not delimited cells: rename it to .jsonl.")
    if line == b"[" or (line[:1] == b"[" and (_is_json(line) or re.match(rb"\[\s*[{\[]\s*\"", line))):
        raise DocumentError(
            f"{name} is a JSON array, not a table of delimited cells: write one JSON object per line (.jsonl)."
        )


def _is_json(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


HEAD_BYTES = 4096
SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"PAR1", "parquet"),
    (0, b"ARROW1", "arrow"),
    (0, b"SQLite format 3\0", "sqlite"),
    (8, b"DUCK", "duckdb"),
    (0, b"<stata_dta>", "stata"),
    (0, b"$FL2", "spss"),
    (0, b"$FL3", "spss"),
    (0, b"\xd0\xcf\x11\xe0", "xls"),
)
"""Where the bytes are, the bytes, and the format."""
COMPRESSED: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", ".gz"),
    (b"BZh", ".bz2"),
    (b"\xfd7zXZ\0", ".xz"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
)


def read_head(path: Path) -> bytes:
    """The first bytes of a file; none of what is no ordinary file."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def recognise(path: Path, head: bytes) -> str | None:
    """The format by the first bytes, None if they are not typical of one."""
    for offset, mark, format in SIGNATURES:
        if head[offset : offset + len(mark)] == mark:
            return format
    if head[:4] == b"PK\x03\x04" and zipfile.is_zipfile(path):
        return _kind_of_zip(path)
    return None


def _kind_of_zip(path: Path) -> str | None:
    try:
        with zipfile.ZipFile(path) as parts:
            names = parts.namelist()
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError):
        return None  # damaged: the reader of its suffix says so
    if "xl/workbook.xml" in names:
        return "excel"
    if "xl/workbook.bin" in names:
        return "xlsb"
    return "ods" if "mimetype" in names and "content.xml" in names else "zip"


def is_text(head: bytes) -> bool:
    r"""Whether the first bytes are those of a text; UTF-16 has zeros, but begins with a mark.

    >>> is_text(b"id,text\n"), is_text(b"\x00\x01"), is_text("id".encode("utf-16"))
    (True, False, True)
    """
    return head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" not in head
