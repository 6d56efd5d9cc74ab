"""The process that reads files for `process`: a request and an answer are one line of JSON each.

It imports nothing but what reads the file, so that it starts fast.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

MAX_CELLS = 50_000
"""Cells of a sheet in one answer."""
KINDS: dict[type, Callable[[Any], object]] = {
    datetime.datetime: datetime.datetime.isoformat,
    datetime.date: datetime.date.isoformat,
    datetime.time: datetime.time.isoformat,
    datetime.timedelta: lambda value: [value.days, value.seconds, value.microseconds],
}
"""Types that JSON does not have, and what stands for their values."""


def encode(value: object) -> object:
    """A date or time as an object with the name of its type."""
    if (as_json := KINDS.get(type(value))) is None:
        return str(value)
    return {type(value).__name__: as_json(value)}


@lru_cache(maxsize=1)
def _workbook(path: str) -> Any:
    import python_calamine

    return python_calamine.CalamineWorkbook.from_path(path)


def sheets(path: str, memory: int | None = None, most: int | None = None) -> list[tuple[str, bool]]:
    """The name of each sheet of a workbook, and whether it is visible; without sheets that have no cells.

    From here on this process may take `memory` bytes, and the workbook `most` of them: one far cell makes calamine
    reserve those before it, too.
    """
    import python_calamine

    limit_file(memory, most)
    return [
        (sheet.name, sheet.visible == python_calamine.SheetVisibleEnum.Visible)
        for sheet in _workbook(path).sheets_metadata
        if sheet.typ == python_calamine.SheetTypeEnum.WorkSheet
    ]


class OpenSheet:
    """The rows of the sheet that is read, from the next one on."""

    title: str | None = None
    at = 0
    rows: Iterator[Sequence[object]] = iter(())

    def read(self, path: str, title: str, start: int) -> list[Sequence[object]]:
        """Some rows of a sheet, from row `start`; none after the last."""
        if (title, start) != (self.title, self.at):
            self.title, self.at, self.rows = title, 0, _workbook(path).get_sheet_by_name(title).iter_rows()
        found: list[Sequence[object]] = []
        cells = 0
        for row in self.rows:
            self.at += 1
            if self.at > start:
                found.append(() if row.count("") == len(row) else row)  # there may be a million blank rows
                cells += len(found[-1]) + 1
            if cells >= MAX_CELLS:
                break
        return found


def statistics(function: str, path: str, first: int, number: int, columns: Sequence[str] | None) -> dict[str, object]:
    """Rows of a Stata or SPSS file, the names of its columns, the number of its rows, and the labels of values."""
    import pyreadstat

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values, metadata = getattr(pyreadstat, function)(
            path, row_offset=first, row_limit=number, usecols=columns, output_format="dict"
        )
    labels = [(name, list(labels.items())) for name, labels in metadata.variable_value_labels.items()]
    return {
        "values": list(values.items()),
        "columns": list(metadata.column_names),
        "rows": metadata.number_rows,
        "labels": labels,
    }


READERS: dict[str, Callable[..., object]] = {"sheets": sheets, "rows": OpenSheet().read, "statistics": statistics}
"""What can be asked for. To read another kind of file, add an entry."""


def limit_memory(size: int) -> None:
    """Let this process reserve at most `size` bytes, where the operating system has such a limit."""
    if sys.platform == "win32":
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))


def limit_file(memory: int | None, most: int | None = None) -> None:
    """Let this process take at most `memory` bytes, its own size included, and `most` of them for what it reads.

    However large it is already, a quarter of `memory` is left for the file.
    """
    reserved, resident = own_memory()
    if memory is not None and reserved:
        left = max(memory - resident, memory // 4)
        limit_memory(reserved + (left if most is None else min(left, most)))


def own_memory() -> tuple[int, int]:
    """The bytes that this process has reserved, and those it has in memory; 0 where the operating system is silent."""
    try:
        with open("/proc/self/status", encoding="utf-8") as file:
            sizes = {line.split()[0]: int(line.split()[1]) << 10 for line in file if line.startswith("Vm")}
    except OSError:
        return 0, 0
    return sizes.get("VmSize:", 0), sizes.get("VmRSS:", 0)


def answer(request: dict[str, Any]) -> str:
    """The answer to a request: a value, or an error with its reason."""
    try:
        return json.dumps({"value": READERS[request["reader"]](**request["options"])}, default=encode)
    except MemoryError:
        return json.dumps({"memory": True})
    except BaseException as error:  # the packages have errors of any class
        return json.dumps({"error": " ".join(str(error).split()) or type(error).__name__})


def main(memory: int) -> None:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process decides what Ctrl-C ends
    limit_memory(memory)
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what a package prints is no answer
    for line in sys.stdin.buffer:
        answers.write(answer(json.loads(line)) + "\n")
        answers.flush()
