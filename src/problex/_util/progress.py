"""A progress line for long commands: bytes, documents, documents per second and time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from problex._util.formatting import format_progress


def progress(stream: Iterable[Any], task_name: str) -> Iterator[Any]:
    """The batches of a stream, with a progress line on standard error if that is a terminal."""
    with progress_line(task_name) as update:
        for batch in stream:
            yield batch
            update(batch)


@contextmanager
def progress_line(task_name: str) -> Iterator[Callable[[Any], None]]:
    """A function that updates a progress line on standard error after each batch, if that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda batch: None
        return
    with Progress(*_columns(), console=console, transient=True) as bar:
        tasks: list[Any] = []
        documents, start = 0, time.monotonic()

        def update(batch: Any) -> None:
            nonlocal documents
            if not tasks:  # a resumed run begins with the bytes that were read before
                completed = batch.bytes_read if batch.first_row else 0
                total = batch.bytes_total or None
                tasks.append(bar.add_task(task_name, total=total, completed=completed, documents=""))
            documents += len(batch.texts)
            per_second = documents / max(time.monotonic() - start, 1e-9)
            text = format_progress(batch.first_row + len(batch.texts), per_second)
            bar.update(tasks[0], completed=batch.bytes_read, documents=text)

        yield update


def _columns() -> list[Any]:
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
