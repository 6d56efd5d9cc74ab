"""Small files that would take much time or memory: each must end in one clear line, at little cost: `make bombs`.

The cost is the processor time and the memory beyond those of the same command with a harmless file: at most one second
and 100 MB. Patterns of a dictionary that make a regular expression slow are no error: they must be matched as fast.
Writes proof/results/bombs.json.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "proof" / "results" / "bombs.json"
SECONDS, MEGABYTES = 1.0, 100
DEEP = 100_000
BLANKS = 200_000
BIG = 1 << 30
"""Bytes that a compressed bomb unpacks to."""


@dataclass(frozen=True)
class Bomb:
    """A file, the command that reads it (FILE is its name), and a harmless file of the same kind."""

    name: str
    content: Callable[[], bytes]
    harmless: Callable[[], bytes]
    command: tuple[str, ...]
    is_refused: bool = True


def workbook(cells: bytes) -> bytes:
    """A zip archive with the parts of a workbook."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open("xl/worksheets/sheet1.xml", "w") as part:
            part.write(cells)
    return buffer.getvalue()


def old_workbook(row: int, column: int) -> bytes:
    """An .xls file with a text, and a cell that may be far from it."""
    import xlwt

    buffer, book = io.BytesIO(), xlwt.Workbook()
    sheet = book.add_sheet("a")
    for place, text in {(0, 0): "text", (1, 0): "good day", (row, column): "good"}.items():
        sheet.write(*place, text)
    book.save(buffer)
    return buffer.getvalue()


def open_document(row: int, column: int) -> bytes:
    """The same as .ods, which writes repeated rows and cells once."""
    cell = '<table:table-cell office:value-type="string"><text:p>good</text:p></table:table-cell>'
    blank = '<table:table-cell table:number-columns-repeated="{}"/>'
    rows = f"<table:table-row>{cell}</table:table-row>" * 2
    rows += f'<table:table-row table:number-rows-repeated="{row - 1}">{blank.format(1)}</table:table-row>'
    rows += f"<table:table-row>{blank.format(column)}{cell}</table:table-row>"
    names = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ODS_NAMES)
    sheet = f'<office:spreadsheet><table:table table:name="a">{rows}</table:table></office:spreadsheet>'
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        content = f"<office:document-content {names}><office:body>{sheet}</office:body></office:document-content>"
        archive.writestr("content.xml", content)
    return buffer.getvalue()


def archive_of(size: int) -> bytes:
    """A zip archive with one text."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("x.txt", "w") as part:
        for _ in range(max(size >> 20, 1)):
            part.write(b"good \n" * ((min(size, 1 << 20)) // 6))
    return buffer.getvalue()


def laughs() -> bytes:
    """Entities of entities: three billion characters."""
    lines = [f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10)]
    head = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lol">' + "".join(lines) + "]>"
    return f'{head}<dictionary><cnode name="&l9;"><pnode name="good"/></cnode></dictionary>'.encode()


def aliases() -> bytes:
    """Lists of lists in YAML: a billion words."""
    lines = ["a0: &a0 [good, fine]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    return "\n".join(lines).encode()


def sealed(data: bytes) -> bytes:
    """A design of an audit whose content is this."""
    content = base64.b64encode(zlib.compress(data, 9)).decode()
    return json.dumps({"format": 1, "problex": "0.1.0", "classes": ["a", "b"], "sealed": content}).encode()


ODS_NAMES = ("office", "table", "text")
LISTS = b'{"positive": ["good"], "negative": ["bad"]}'
LOOKUP, SAMPLE = ("lookup", "FILE", "texts.txt", "-o", "out.csv"), ("audit", "score", "sheet.csv")
FIT = ("lookup", "lists.json", "FILE", "-o", "out.csv")
BOMBS = {
    "words.xlsx": Bomb("zip", lambda: workbook(b" " * BIG), lambda: workbook(b"<sheet/>"), LOOKUP),
    "texts.zip": Bomb("zip", lambda: archive_of(BIG), lambda: archive_of(600), FIT),
    "one-line.txt.gz": Bomb("gzip", lambda: gzip.compress(b"good " * (BIG // 5)), lambda: gzip.compress(b"good"), FIT),
    "one-row.csv.gz": Bomb(
        "gzip", lambda: gzip.compress(b'text\n"' + b"good\n" * (BIG // 5)), lambda: gzip.compress(b"text\ngood"), FIT
    ),
    "one-line.jsonl.gz": Bomb(
        "gzip",
        lambda: gzip.compress(b'{"text": "' + b"good " * (BIG // 5)),
        lambda: gzip.compress(b'{"text": "good"}'),
        FIT,
    ),
    "texts.xlsx": Bomb("zip", lambda: workbook(b" " * BIG), lambda: workbook(b"<sheet/>"), FIT),
    "near.xls": Bomb("far cell", lambda: old_workbook(65535, 20), lambda: old_workbook(2, 0), FIT, is_refused=False),
    "far.ods": Bomb("far cell", lambda: open_document(1048573, 16383), lambda: open_document(2, 1), FIT),
    "near.ods": Bomb("far cell", lambda: open_document(65535, 9), lambda: open_document(2, 1), FIT, is_refused=False),
    "words.ykd": Bomb("XML entities", laughs, lambda: b"<dictionary/>", LOOKUP),
    "deep.ykd": Bomb(
        "XML nesting",
        lambda: b"<dictionary>" + b'<cnode name="a">' * DEEP + b"</cnode>" * DEEP + b"</dictionary>",
        lambda: b"<dictionary/>",
        LOOKUP,
    ),
    "words.yml": Bomb("YAML aliases", aliases, lambda: b"- [", LOOKUP),
    "deep.yml": Bomb("YAML nesting", lambda: b"a: " + b"[" * DEEP + b"]" * DEEP, lambda: b"- [", LOOKUP),
    "deep.json": Bomb("JSON nesting", lambda: b"[" * DEEP + b"]" * DEEP, lambda: b"{", LOOKUP),
    "digits.json": Bomb("JSON number", lambda: b'{"a": ' + b"9" * 5_000_000 + b"}", lambda: b"{", LOOKUP),
    "model.json": Bomb(
        "JSON nesting", lambda: b'{"a": ' * DEEP, lambda: b"{", ("predict", "FILE", "texts.txt", "-o", "out.csv")
    ),
    "sheet.audit.json": Bomb("zlib", lambda: sealed(b" " * BIG), lambda: sealed(b"{}"), SAMPLE),
    "blank.txt": Bomb("regular expression", lambda: b" \n" * BLANKS, lambda: b" \n", LOOKUP),
    "patterns.json": Bomb(
        "regular expression",
        lambda: json.dumps({"a": ["a*" * 30 + "b", "*a" * 30 + "*", "(a+)+b"], "b": ["bad"]}).encode(),
        lambda: LISTS,
        ("lookup", "FILE", "as.txt", "-o", "out.csv", "--glob"),
        is_refused=False,
    ),
}
"""By the name of the file. To add a bomb, add an entry."""


def run(words: tuple[str, ...], name: str, folder: Path) -> tuple[int, str, float, float]:
    """Status, last line, processor time and memory in MB of a command."""
    line = [sys.executable, "-m", "problex", *(word.replace("FILE", name) for word in words)]
    (folder / "out.csv").unlink(missing_ok=True)
    said = folder / "said"
    with said.open("w") as stream:
        process = subprocess.Popen(line, cwd=folder, stdout=subprocess.DEVNULL, stderr=stream)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    lines = said.read_text().strip().splitlines() or [""]
    return process.returncode, " ".join(lines), used.ru_utime + used.ru_stime, used.ru_maxrss / 1000


def write(path: Path, content: Callable[[], bytes]) -> None:
    """Write a file from another process: the memory that it takes would count as that of the commands."""
    process = os.fork()
    if not process:
        path.write_bytes(content())
        os._exit(0)
    os.waitpid(process, 0)


def main() -> int:
    """All bombs; the number of those that cost too much or end without a clear line."""
    broken, record = 0, {}
    with tempfile.TemporaryDirectory(prefix="problex-bombs-") as place:
        folder = Path(place)
        (folder / "lists.json").write_bytes(LISTS)
        (folder / "texts.txt").write_text("good day\nbad day\n")
        (folder / "as.txt").write_text("a" * 3000 + "\n" + "a " * 3000 + "\n")
        (folder / "sheet.csv").write_text("row,text,label\n1,good,a\n")
        for name, bomb in BOMBS.items():
            write(folder / name, bomb.harmless)
            _, _, seconds, memory = min((run(bomb.command, name, folder) for _ in range(2)), key=lambda one: one[2])
            write(folder / name, bomb.content)
            size = (folder / name).stat().st_size
            status, said, cost, peak = min((run(bomb.command, name, folder) for _ in range(2)), key=lambda one: one[2])
            (folder / name).unlink()
            extra = {"seconds": round(max(cost - seconds, 0.0), 2), "megabytes": round(max(peak - memory, 0.0))}
            clear = "Traceback" not in said and (status > 0 if bomb.is_refused else status == 0)  # below 0: by a signal
            sound = clear and extra["seconds"] <= SECONDS and extra["megabytes"] <= MEGABYTES
            broken += not sound
            record[name] = {"kind": bomb.name, "bytes": size, "status": status, **extra, "said": said[-160:]}
            print(f"{'' if sound else 'BROKEN '}{name} ({bomb.name}): {extra}, {said[-120:]}", flush=True)
    RESULTS.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return broken


if __name__ == "__main__":
    sys.exit(main())
