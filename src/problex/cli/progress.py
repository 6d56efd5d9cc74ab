"""A progress line for long commands: bytes, documents, documents per second and time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
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
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    bar = Progress(*_columns(), console=console, transient=True, disable=not console.is_terminal)
    completed = batch.bytes_read if batch.first_row else 0
    bar.add_task(task_name, total=batch.bytes_total or None, completed=completed, documents="")
    return opened.enter_context(bar) if console.is_terminal else bar  # Rich 13.0 ends a disabled one with a newline


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
