"""The file formats of texts. A new format is one reader class and one entry in `FORMATS`."""

from __future__ import annotations

import difflib
import io
import os
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa

from problex._util.formatting import quote_all
from problex._util.late import late_function
from problex.errors import DocumentError, DocumentWarning, opt, warn_caller, was_given
from problex.tables.columns import as_text
from problex.tables.reader import Reader, ReadOptions, file_errors
from problex.tables.several import FilesReader, SourceFile
from problex.tables.source import COMPRESSIONS, Source, list_members, unpack, unpack_texts
from problex.tables.write import python_values

ADVICE = {
    ".json": "Write one JSON object per line (.jsonl).",
    ".xlsb": "Open it in Excel and save it as .xlsx.",
    ".docx": "Save it as plain text (.txt).",
    ".pdf": "Save it as plain text (.txt).",
}


@dataclass(frozen=True)
class Format:
    """A file format: its name, the endings of its files, its reader, and whether a stream can have it.

    With `sheets`, a file has several tables, of which the option `sheet` chooses one.
    """

    name: str
    endings: tuple[str, ...]
    reader: Callable[[Source, ReadOptions], Reader]
    stream: bool = False
    sheets: bool = False


def open_zip(source: Source, options: ReadOptions) -> Reader:
    """The reader of the files in an archive; if it has several .txt files, each of these is a document."""
    if options.query is not None:
        return open_query([(source, "zip", "")], options)
    known = _known_members(source)
    texts = [member for member, format in known if len(known) > 1 and format == "txt"]
    parts = []
    for member, format in known:
        if member not in texts:
            inner = _member(source, member)
            opens = partial(open_source, inner, format, options)
            parts.append(SourceFile(inner.name, member.filename, member.compress_size, opens))
    if texts:
        folder = partial(_open_texts, source, texts, options)
        parts.append(SourceFile(source.name, Path(source.name).name, sum(m.compress_size for m in texts), folder))
    return parts[0].open() if len(parts) == 1 else FilesReader(parts, options)


def _known_members(source: Source) -> list[tuple[zipfile.ZipInfo, str]]:
    """The files in an archive that can be read, and their formats; raise if there are none, warn about the others."""
    members = list_members(source)
    formats = {member.filename: guess_format(Path(member.filename)) for member in members}
    left_out = [name for name, format in formats.items() if format in (None, "zip")]
    if len(left_out) == len(members):
        found = quote_all(list(formats)[:20]) if formats else "nothing"
        raise DocumentError(f"{source.name} holds {found}; expected a file that can be read, such as a .csv.")
    if left_out:
        warn_caller(f"{source.name}: {quote_all(left_out[:20])} cannot be read and is left out", DocumentWarning)
    return [(one, str(formats[one.filename])) for one in members if one.filename not in left_out]


def _member(source: Source, member: zipfile.ZipInfo) -> Source:
    return Source(f"{source.name}/{member.filename}", source.path, member=member.filename)


def _open_texts(source: Source, members: list[zipfile.ZipInfo], options: ReadOptions) -> Reader:
    from problex.tables.text_files import FolderReader

    return FolderReader(unpack_texts(source, members), options)


def _reader(module: str, name: str) -> Callable[[Source, ReadOptions], Reader]:
    """A reader whose module is imported when a file of its format is opened."""
    return late_function(f"problex.tables.{module}", name)


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        format.name: format
        for format in (
            Format("csv", (".csv",), _reader("csv_file", "CsvReader"), stream=True),
            Format("tsv", (".tsv", ".tab"), _reader("csv_file", "TsvReader"), stream=True),
            Format("jsonl", (".jsonl", ".ndjson"), _reader("text_files", "JsonlReader"), stream=True),
            Format("parquet", (".parquet", ".pq"), _reader("parquet_file", "ParquetReader")),
            Format("txt", (".txt",), _reader("text_files", "LineReader"), stream=True),
            Format("folder", (), _reader("text_files", "FolderReader")),
            Format("excel", (".xlsx", ".xlsm"), _reader("workbook", "open_excel"), sheets=True),
            Format("xls", (".xls",), _reader("workbook", "open_calamine"), sheets=True),
            Format("ods", (".ods",), _reader("workbook", "open_calamine"), sheets=True),
            Format("stata", (".dta",), _reader("stata_spss_r", "StataReader")),
            Format("spss", (".sav", ".zsav"), _reader("stata_spss_r", "SpssReader")),
            Format("r", (".rds", ".rdata", ".rda"), _reader("stata_spss_r", "open_r"), sheets=True),
            Format("sqlite", (".sqlite", ".sqlite3", ".db"), _reader("databases", "open_sqlite"), sheets=True),
            Format("duckdb", (".duckdb", ".ddb"), _reader("databases", "open_duckdb"), sheets=True),
            Format("arrow", (".arrow", ".feather"), _reader("parquet_file", "ArrowReader")),
            Format("zip", (".zip",), open_zip),
        )
    }
)
STREAM_FORMATS = tuple(format.name for format in FORMATS.values() if format.stream)
FORMAT_OF_ENDING = {ending: format.name for format in FORMATS.values() for ending in format.endings}
DATABASES = ("sqlite", "duckdb")
WORKBOOKS = ("excel", "xls", "ods")


def guess_format(file: Path) -> str | None:
    """The format by the ending of a file's name, None if it is unknown.

    >>> guess_format(Path("reviews.jsonl.gz")), guess_format(Path("notes.md"))
    ('jsonl', None)
    """
    return FORMAT_OF_ENDING.get(_ending(file))


def _ending(path: Path) -> str:
    return (Path(path.stem).suffix if path.suffix.lower() in COMPRESSIONS else path.suffix).lower()


def open_table(path: Path, options: ReadOptions) -> Reader:
    """The reader of a file or folder of any format; a pipe or device is read as a stream."""
    return open_source(*locate(path, options), options)


def read_cells(path: Path) -> dict[str, list[str]]:
    """The columns of a small table with a header, in a file of any format: its cells as a person would type them.

    If the file is valid UTF-8, it is that: its first bytes may have no text from which an encoding could be guessed.
    """
    is_utf8 = path.is_file() and _is_utf8(path.read_bytes())
    reader = open_table(path, ReadOptions(header=True, encoding="utf-8" if is_utf8 else None))
    if not reader.columns:
        raise DocumentError(f"{path} has no columns; expected a table with a header, such as CSV or .xlsx.")
    if reader.note:
        warn_caller(f"{path}: {reader.note}", DocumentWarning)
    names = list(dict.fromkeys(reader.columns))
    cells: dict[str, list[str]] = {name: [] for name in names}
    with file_errors(str(path)):
        for raw in reader.read(names[0], names, ()):
            assert raw.columns is not None
            for name, column in zip(names, raw.columns.columns, strict=True):
                cells[name] += [str(as_text(value) or "") for value in python_values(column)]
    return cells


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def locate(path: Path, options: ReadOptions) -> tuple[Source, str]:
    """A file or folder as a source, and its format."""
    if not path.exists():
        if path.is_symlink():
            target = f"its target {os.readlink(path)!r} cannot be found"
            raise DocumentError(f"{str(path)!r} is a broken link: {target}. Correct the link, or give another file.")
        neighbours = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        similar = [name for name in difflib.get_close_matches(path.name, neighbours) if (path.parent / name).exists()]
        advice = f"Did you mean {quote_all(similar)}?" if similar else f"Check the folder {str(path.parent)!r}."
        raise DocumentError(f"there is no file or folder {str(path)!r}. {advice}")
    if path.is_fifo() or path.is_char_device():
        stream = io.BufferedReader(pa.PythonFile(path.open("rb"), mode="r"))
        return Source(str(path), stream=stream), options.format or _known_format(path)
    head = read_head(path)
    format = options.format or ("folder" if path.is_dir() else _detect_format(path, head))
    marks = (suffix for mark, suffix in COMPRESSED if head.startswith(mark))
    suffix = next(marks, "") if format in STREAM_FORMATS and path.suffix.lower() not in COMPRESSIONS else ""
    if suffix:
        warn_caller(f"{path} is compressed ({suffix}), though its name does not say so", DocumentWarning)
    return Source(str(path), path, suffix=suffix), format


def _known_format(path: Path) -> str:
    """The format by the ending of a name; raise if it is unknown.

    >>> _known_format(Path("a.docx"))
    Traceback (most recent call last):
    problex.errors.DocumentError: a.docx has the extension '.docx'; ... Save it as plain text (.txt).
    """
    format = guess_format(path)
    if format is None:
        ending = _ending(path)
        raise DocumentError(
            f"{path} has the extension {ending!r}; expected one of {', '.join(FORMAT_OF_ENDING)}, where text may also "
            f"be compressed ({', '.join(COMPRESSIONS)}), or a folder of these. "
            + ADVICE.get(ending, f"Rename it, or give {opt('format')}")
        )
    return format


def _detect_format(path: Path, head: bytes) -> str:
    """The format by the ending of a name, or by the first bytes if they are those of another format."""
    if path.suffix.lower() in COMPRESSIONS:
        return _known_format(path)
    found, named = recognise(path, head), guess_format(path)
    if found is None and named in WORKBOOKS and head and is_text(head):
        _check_no_web_page(path, head)
        found = "csv"
    if found is None or found == named or found not in FORMATS:
        return _known_format(path)
    if {found, named} != set(DATABASES):
        warn_caller(f"{path} is read as {found}, which it is by its first bytes, not by its name", DocumentWarning)
    return found


def _check_no_web_page(path: Path, head: bytes) -> None:
    """Raise if a text whose name is that of a workbook is a web page, as some programs write for Excel."""
    if head.lstrip()[:1] == b"<":
        raise DocumentError(
            f"{path} is a web page, though its name ends with {path.suffix}. Open it in Excel or LibreOffice, and save "
            "it as .xlsx or CSV."
        )


def open_source(source: Source, format: str, options: ReadOptions) -> Reader:
    """The reader of a source of a known format."""
    if format not in FORMATS:
        raise DocumentError(f"{was_given('format', format)}; expected one of {quote_all(FORMATS)}.")
    if source.path is None and (not FORMATS[format].stream or options.query is not None):
        what = f"{format} cannot be read" if options.query is None else "the rows of a query cannot be read"
        raise DocumentError(f"{source.name}: {what} from a stream. Save it and give its path.")
    if options.query is not None and format not in (*DATABASES, "zip"):
        return open_query([(source, format, "")], options)
    with file_errors(source.name):
        if options.query is not None or not FORMATS[format].stream:
            source = unpack(source)
        return FORMATS[format].reader(source, options)


def open_query(found: Sequence[tuple[Source, str, str]], options: ReadOptions) -> Reader:
    """The reader of the rows of a query over all files as one table; each database runs it itself.

    Each file has a source, a format, and its name in the column `file`.
    """
    from problex.tables.databases import QueryFile, QueryReader

    files = [inner for one in found for inner in _unzipped(*one)]
    databases = [source.name for source, format, _ in files if format in DATABASES]
    if databases and len(databases) < len(files):
        raise DocumentError(
            f"a query was given for the database {databases[0]} and for files that are none; expected one or "
            "the other: a database has its own tables. Give them one after the other."
        )
    if databases:
        parts = [
            SourceFile(at.name, name, at.size, partial(open_source, at, format, options)) for at, format, name in files
        ]
        return parts[0].open() if len(parts) == 1 else FilesReader(parts, options)
    queried = []
    for source, format, label in files:
        with file_errors(source.name):
            source = unpack(source)
        reader = partial(FORMATS[format].reader, source, options)
        queried.append(QueryFile(source, format, label if len(files) > 1 else "", reader))
    with file_errors(queried[0].source.name):
        return QueryReader(queried, options)


def _unzipped(source: Source, format: str, label: str) -> list[tuple[Source, str, str]]:
    """The files of an archive; any other file as it is."""
    if format != "zip":
        return [(source, format, label)]
    return [(_member(source, member), kind, member.filename) for member, kind in _known_members(source)]


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
    """The format by the first bytes, None if they are not typical of one.

    >>> recognise(Path("a.csv"), b"PAR1"), recognise(Path("a.parquet"), b"id,text")
    ('parquet', None)
    """
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
