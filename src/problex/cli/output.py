"""What commands print: records as a table, JSON or CSV, and progress on standard error."""

from __future__ import annotations

import io
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from problex._util.files import check_writable
from problex._util.formatting import format_progress, pluralize
from problex._util.records import Record, to_csv, to_json
from problex.cli.terminal import is_utf8, printable, say, write_output
from problex.errors import ProblexError, check_choice
from problex.tables.write import TableFile, describe_nulls, to_records

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.console import Console
    from rich.text import Text

    from problex.lexicon.lexicon import Issue

MAX_ISSUES_SHOWN = 5
"""Issues of each kind that are shown with their lines."""
PIPED_WIDTH = 120
"""Columns of a table that does not go to a terminal."""


ALL_ROWS = "--format csv shows all"
"""How to see the rows and columns that a table does not show."""
WRITES_ALL = "-o FILE writes all"
"""The same for commands that write their table to a file."""


def show(
    records: Sequence[Record],
    format: str,
    title: str = "",
    *,
    raw: bool = False,
    minor: Sequence[str] = (),
    whole: bool = False,
    unseen: int = 0,
    hint: str = ALL_ROWS,
) -> None:
    """Write records to standard output; `raw` leaves formulas in CSV as they are.

    For a table, see `text_table`: its `minor` columns, whether it is shown `whole`, the rows that are left out already,
    and how to see the others.
    """
    if format != "table":
        write_output(render(records, format, title, raw=raw))
        return
    write_output(_as_table(records, title, minor=minor, whole=whole, unseen=unseen, hint=hint))


def results_file(output: Path | None, *, raw: bool, force: bool) -> TableFile | None:
    """The file of `--output`; raise if it cannot be written, before the work is done."""
    if output is None:
        return None
    target = TableFile(output, "results", raw=raw, force=force)
    target.check()
    return target


def write_records(records: Sequence[Record], target: TableFile) -> None:
    """Write records to a file, all of them and all columns."""
    import pyarrow as pa

    notes = target.write(iter([pa.Table.from_pylist(list(records))]))
    say(f"wrote {pluralize(len(records), 'row')} to {target.path}")
    say(*(f"problex: note: {note}" for note in notes))


def print_tables(tables: Iterable[pa.Table], format: str, *, raw: bool = False) -> None:
    """Write tables to standard output as one, CSV and JSON table by table.

    >>> import pyarrow as pa
    >>> print_tables([pa.table({"word": ["good"]}), pa.table({"word": ["bad"]})], "csv")
    word
    good
    bad
    """
    if format == "table":
        write_output(render([row for table in tables for row in to_records(table)], format))
        return
    for number, table in enumerate(tables):
        text = render(to_records(table), format, raw=raw)
        if format == "csv":
            write_output(text.partition("\n")[2] if number else text)  # one header
        else:
            write_output(("," if number else "[") + text[1:-2])  # one array
    if format == "json":
        write_output("]")


@contextmanager
def status(message: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner with a message, which the returned function changes; nothing when piped."""
    console = _console(stderr=True)
    if not console.is_terminal:
        yield lambda message: None
        return
    with console.status(message) as spinner:
        yield spinner.update


@contextmanager
def resumable(checkpoint: Path | None) -> Iterator[None]:
    """On an interrupt, write a message that the command can continue, if there is a checkpoint."""
    if checkpoint is not None:
        check_writable(checkpoint, force=True)
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint is None or not checkpoint.exists():
            raise
        raise ProblexError(f"interrupted: the same command continues from the checkpoint {checkpoint}") from None


def _console(**options: Any) -> Console:
    from rich.console import Console

    return Console(**options)


def has_width() -> bool:
    """Whether standard output has a width: it is a terminal, or COLUMNS is set."""
    return _console().is_terminal or os.environ.get("COLUMNS", "").isdigit()


def table_width() -> int:
    """The width of tables: that of the terminal or of COLUMNS, otherwise `PIPED_WIDTH`."""
    return _console().width if has_width() else PIPED_WIDTH


def _as_table(records: Sequence[Record], title: str, *, hint: str = ALL_ROWS, **options: Any) -> str:
    from problex.cli.text_tables import Layout, text_table  # Rich takes time to import

    return text_table(records, title, Layout(table_width(), ascii=not is_utf8(sys.stdout), hint=hint, **options))


def _as_json(records: Sequence[Record], title: str) -> str:
    return as_json(records)


def _as_csv(records: Sequence[Record], title: str) -> str:
    return to_csv(records).removesuffix("\n")


def _as_raw_csv(records: Sequence[Record], title: str) -> str:
    return to_csv(records, raw=True).removesuffix("\n")


def as_json(value: object) -> str:
    """A value as JSON for standard output; numbers that JSON lacks are null and reported."""
    text, nulls = to_json(value, indent=2, ascii=not is_utf8(sys.stdout))
    say(*(f"problex: note: {note}" for note in describe_nulls(nulls)))
    return text


def printable_text(text: Text) -> Text:
    """A text in colours with its control characters as escapes; its lines stay."""
    from rich.text import Text

    pieces = text.render(_console(file=io.StringIO()))
    return Text.assemble(*((printable(piece.text, keep="\n\t"), piece.style or "") for piece in pieces))


FORMATS: dict[str, Callable[[Sequence[Record], str], str]] = {"table": _as_table, "json": _as_json, "csv": _as_csv}


def render(records: Sequence[Record], format: str = "table", title: str = "", *, raw: bool = False) -> str:
    """Records as text in one of `FORMATS`; `raw` leaves formulas in CSV as they are.

    >>> print(render([{"word": "good", "weight": 1.5}], "csv"))
    word,weight
    good,1.5
    """
    check_choice("format", format, FORMATS)
    return _as_raw_csv(records, title) if raw and format == "csv" else FORMATS[format](records, title)


def say_issues(issues: Iterable[Issue]) -> None:
    """Write the first issues of each kind to standard error, and the number of the others."""
    all_issues = [issue for issue in issues if not issue.loud]  # those were said as notes
    totals, seen = Counter(issue.kind for issue in all_issues), Counter[str]()
    for issue in all_issues:
        seen[issue.kind] += 1
        if seen[issue.kind] <= MAX_ISSUES_SHOWN:
            say(str(issue))
        elif seen[issue.kind] == totals[issue.kind]:
            say(f"and {totals[issue.kind] - MAX_ISSUES_SHOWN:,} more of the kind: {issue.kind}")


# -- progress


def progress(stream: Iterable[Any], task_name: str) -> Iterator[Any]:
    """The batches of a stream, with a progress line on standard error if that is a terminal."""
    with progress_line(task_name) as update:
        for batch in stream:
            yield batch
            update(batch)


@contextmanager
def progress_line(task_name: str) -> Iterator[Callable[[Any], None]]:
    """A function that updates a progress line on standard error after each batch, if that is a terminal."""
    with ExitStack() as opened:
        bar: Any = None
        documents, start = 0, time.monotonic()

        def update(batch: Any) -> None:
            nonlocal documents, bar
            if bar is None and 0 < batch.bytes_total <= batch.bytes_read:
                return  # all was read at once: nothing to wait for, and Rich takes time to import
            bar = bar or _open_bar(task_name, batch, opened)
            documents += len(batch.texts)
            per_second = documents / max(time.monotonic() - start, 1e-9)
            text = format_progress(batch.first_row + len(batch.texts), per_second)
            bar.update(0, completed=batch.bytes_read, documents=text)

        yield update


def _open_bar(task_name: str, batch: Any, opened: ExitStack) -> Any:
    """A progress line with one task, which begins with the bytes that were read before a run was resumed."""
    from rich.progress import Progress

    console = _console(stderr=True)
    bar = Progress(*_progress_columns(), console=console, transient=True, disable=not console.is_terminal)
    completed = batch.bytes_read if batch.first_row else 0
    bar.add_task(task_name, total=batch.bytes_total or None, completed=completed, documents="")
    return opened.enter_context(bar) if console.is_terminal else bar  # Rich 13.0 ends a disabled one with a newline


def _progress_columns() -> list[Any]:
    from rich.progress import BarColumn, DownloadColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class IfTotal(ProgressColumn):
        """A column that is empty unless the total number of bytes is known."""

        def __init__(self, column: ProgressColumn) -> None:
            super().__init__()
            self.column = column

        def render(self, task: Task) -> Any:
            return self.column.render(task) if task.total else Text("")

    return [
        TextColumn("{task.description}"),
        IfTotal(BarColumn(20)),
        IfTotal(DownloadColumn()),
        TextColumn("{task.fields[documents]}"),
        IfTotal(TimeRemainingColumn(elapsed_when_finished=True)),
    ]
