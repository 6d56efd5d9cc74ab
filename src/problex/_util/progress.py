"""What a long command shows of itself: bytes, documents, documents per second and time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from problex._util.formatting import format_progress


def progress(stream: Iterable[Any], what: str) -> Iterator[Any]:
    """Batches as they come, with a line on standard error that says how far they are; silent when piped."""
    with progress_line(what) as update:
        for batch in stream:
            yield batch
            update(batch)


@contextmanager
def progress_line(what: str) -> Iterator[Callable[[Any], None]]:
    """A function to be called with each batch, which updates a line on standard error; silent when piped."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda batch: None
        return
    with Progress(*_columns(), console=console, transient=True) as bar:
        tasks: list[Any] = []
        documents, began = 0, time.monotonic()

        def update(batch: Any) -> None:
            nonlocal documents
            if not tasks:  # what was read before an interruption is no work of this run
                total, done = batch.bytes_total or None, batch.bytes_read if batch.first_row else 0
                tasks.append(bar.add_task(what, total=total, completed=done, documents=""))
            documents += len(batch.texts)
            pace = documents / max(time.monotonic() - began, 1e-9)
            line = format_progress(batch.first_row + len(batch.texts), pace)
            bar.update(tasks[0], completed=batch.bytes_read, documents=line)

        yield update


def _columns() -> list[Any]:
    from rich.progress import BarColumn, DownloadColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Known(ProgressColumn):
        """A column that has something to say only where the number of bytes is known."""

        def __init__(self, column: ProgressColumn) -> None:
            super().__init__()
            self.column = column

        def render(self, task: Task) -> Any:
            return self.column.render(task) if task.total else Text("")

    line = TextColumn("{task.fields[documents]}")
    known = [
        Known(BarColumn(20)),
        Known(DownloadColumn()),
        line,
        Known(TimeRemainingColumn(elapsed_when_finished=True)),
    ]
    return [TextColumn("{task.description}"), *known]
