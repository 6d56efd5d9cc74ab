"""`TableFile`: a file or database of results in the format of its suffix, written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from problex._util.files import check_writable, scratch_file, write_atomically
from problex._util.late import LateModule, late_function
from problex._util.packages import import_optional
from problex.errors import OutputError
from problex.tables.write.text_files import write_csv, write_json_lines, write_parquet

if TYPE_CHECKING:
    from problex.tables.write import databases, workbooks
else:
    databases = LateModule("problex.tables.write.databases")
    workbooks = LateModule("problex.tables.write.workbooks")

Tables = Iterator[pa.Table]
Others = Mapping[str, Tables]
"""Further tables by their names: sheets of a workbook, tables of a database, or files beside the first.

They are made after the first was written.
"""
FILES: dict[str, Callable[[Tables, Path], list[str]]] = {
    ".csv": write_csv,
    ".parquet": write_parquet,
    ".jsonl": write_json_lines,
}
"""Suffix -> writer of a file of one table."""
DATABASES = {
    suffix: tuple(late_function("problex.tables.write.databases", name) for name in names)
    for names, suffixes in {
        ("has_sqlite_table", "write_sqlite"): (".sqlite", ".sqlite3", ".db"),
        ("has_duckdb_table", "write_duckdb"): (".duckdb",),
    }.items()
    for suffix in suffixes
}
"""Suffix -> whether a database has a table, and the writer of a table."""
WORKBOOK = ".xlsx"
SUFFIXES = (".csv", WORKBOOK, ".parquet", ".jsonl", ".sqlite", ".duckdb")
"""The suffixes that messages and help name."""
PACKAGES = {WORKBOOK: "openpyxl", ".duckdb": "duckdb"}
"""Suffix -> the optional package that it needs."""


@dataclass(frozen=True)
class TableFile:
    """Where a table goes: `table` is its name in a database or its sheet in a workbook.

    `raw` leaves formulas in CSV as they are, `bom` begins CSV with a byte order mark, `force` overwrites.
    With `confirm`, a file that exists must have the content that is to be written.
    """

    path: Path
    table: str = "predictions"
    raw: bool = False
    bom: bool = False
    force: bool = False
    confirm: bool = False

    @property
    def suffix(self) -> str:
        """The suffix in lower case."""
        return self.path.suffix.lower()

    @property
    def is_database(self) -> bool:
        """Whether other tables of the file are left as they are."""
        return self.suffix in DATABASES

    @property
    def holds_others(self) -> bool:
        """Whether further tables are in the same file."""
        return self.is_database or self.suffix == WORKBOOK

    def check(self, others: Iterable[str] = ()) -> None:
        """Raise if the file cannot be written, or one for each of the other tables: before the work is done."""
        if self.suffix not in (*FILES, *DATABASES, WORKBOOK):
            raise OutputError(
                f"{self.path.name!r} has no known suffix for results, expected one of {', '.join(SUFFIXES)}"
            )
        if self.suffix in PACKAGES:
            import_optional(PACKAGES[self.suffix], f"writing {self.suffix}")
        if self.suffix == WORKBOOK:
            workbooks.check_sheet_name(self.table)
        check_writable(self.path, force=self.force or self.confirm or self.is_database)
        if self.is_database:
            for table in (self.table, *others):
                databases.check_table(self.path, DATABASES[self.suffix][0](self.path, table), table, force=self.force)
        elif self.suffix != WORKBOOK:
            for name in others:
                check_writable(self.beside(name), force=self.force)

    def beside(self, name: str) -> Path:
        """The file of another table, if that is neither a sheet nor a table of this one.

        >>> TableFile(Path("out/labelled.csv")).beside("shares").name
        'labelled-shares.csv'
        """
        return self.path.with_name(f"{self.path.stem}-{name}{self.path.suffix}")

    def write(self, tables: Tables, others: Others | None = None) -> list[str]:
        """Write the tables as one, and the others; returns what the format cannot hold, in sentences."""
        others = others or {}
        if self.suffix == WORKBOOK:
            return self._write_file(lambda path: workbooks.write_workbook({self.table: tables, **others}, path))
        if self.is_database:
            named = chain([(self.table, tables)], others.items())
            return [note for name, parts in named for note in self._write_database(parts, name)]
        write = partial(write_csv, raw=self.raw, bom=self.bom) if self.suffix == ".csv" else FILES[self.suffix]
        notes = self._write_file(partial(write, tables))
        for name, table in others.items():
            notes += replace(self, path=self.beside(name)).write(table)
        return notes

    def _write_file(self, write: Callable[[Path], list[str]]) -> list[str]:
        notes: list[str] = []
        write_atomically(self.path, lambda path: notes.extend(write(path)), force=self.force, confirm=self.confirm)
        return notes

    def _write_database(self, tables: Tables, name: str) -> list[str]:
        """By way of a temporary file, so that a database can be read while its predictions are made."""
        is_new, writer = not self.path.exists(), DATABASES[self.suffix][1]
        with scratch_file(self.path) as rows:
            write_parquet(tables, rows)
            try:
                notes: list[str] = writer(rows, self.path, name)
                return notes
            except BaseException:
                if is_new:
                    self.path.unlink(missing_ok=True)
                raise
