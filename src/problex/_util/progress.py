"""What a long command shows of itself: bytes, documents, documents per second and time left."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from problex._util.formatting import format_progress


def progress(stream: Iterable[Any], what: str) -> Iterator[Any]:
    """Batches as they come, with a line on standard error that says how far they are; silent when piped."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    if not console.is_terminal:
        yield from stream
        return
    with Progress(*_columns(), console=console, transient=True) as bar:
        task, documents, began = None, 0, time.monotonic()
        for batch in stream:
            if task is None:  # what was read before an interruption is no work of this run
                total, done = batch.bytes_total or None, batch.bytes_read if batch.first_row else 0
                task = bar.add_task(what, total=total, completed=done, documents="")
            yield batch
            documents += len(batch.texts)
            pace = documents / max(time.monotonic() - began, 1e-9)
            said = format_progress(batch.first_row + len(batch.texts), pace)
            bar.update(task, completed=batch.bytes_read, documents=said)


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
