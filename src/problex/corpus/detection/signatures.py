"""Files that are not what their names say: recognised by their first bytes, and refused with advice."""

from __future__ import annotations

import json
import re

from problex.errors import DocumentError

SAVE_AS_CSV = "open it in a spreadsheet program and save it as CSV (UTF-8)"
SIGNATURES = {
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
    for signature, (kind, advice) in SIGNATURES.items():
        if data.startswith(signature):
            raise DocumentError(f"{name} is {kind}, not text: {advice}.")


def check_has_few_zeros(data: bytes, name: str) -> None:
    """Raise if what was decoded is not text."""
    if data.count(0) > MAX_ZEROS * len(data):
        raise DocumentError(
            f"{name} is not text: {data.count(0) / len(data):.0%} of its first bytes are zero. Check that it is "
            "complete, or give encoding=... if it is text in an encoding such as 'utf-16-le' or 'utf-32-le'."
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
