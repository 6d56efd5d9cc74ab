"""Work on batches by threads, results in the order of the batches."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from os import cpu_count
from typing import TypeVar

from problex.errors import ProblexError

In = TypeVar("In")
Out = TypeVar("Out")


def in_order(work: Callable[[In], Out], stream: Iterable[In], threads: int | None = None) -> Iterator[Out]:
    """Map over a stream; at most two results per thread wait, so a long stream stays bounded in memory.

    >>> list(in_order(str.upper, ["a", "b", "c"], threads=2))
    ['A', 'B', 'C']
    """
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise ProblexError(f"threads={threads!r} was given, expected a positive number, or None for every core")
    workers = threads or cpu_count() or 1
    if workers == 1:
        yield from map(work, stream)
        return
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[Out]] = deque()
        for batch in stream:
            waiting.append(pool.submit(work, batch))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
