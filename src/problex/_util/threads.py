"""Work on batches by threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from os import cpu_count
from queue import Empty, Full, Queue, SimpleQueue
from threading import Event
from typing import Any, TypeVar

from problex.errors import ProblexError

In = TypeVar("In")
Out = TypeVar("Out")


END: Any = object()


def prefetch(stream: Iterable[In], depth: int = 2) -> Iterator[In]:
    """Read a stream in a thread of its own, so many items ahead.

    Each item is asked for by a task that ends: whoever stops in the midst leaves no thread waiting behind.

    >>> list(prefetch(iter("abc")))
    ['a', 'b', 'c']
    """
    items = iter(stream)
    pool = ThreadPoolExecutor(1, thread_name_prefix="reader")
    try:
        waiting = deque(pool.submit(next, items, END) for _ in range(depth))
        while (item := waiting.popleft().result()) is not END:
            waiting.append(pool.submit(next, items, END))
            yield item
    finally:
        pool.shutdown(cancel_futures=True)


def resolve_threads(threads: int | None) -> int:
    """How many threads to use: those asked for, or one for every core."""
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise ProblexError(f"threads={threads!r} was given, expected a positive number, or None for every core")
    return threads or cpu_count() or 1


def map_ordered(work: Callable[[In], Out], stream: Iterable[In], threads: int | None = None) -> Iterator[Out]:
    """Map over a stream; at most two results per thread wait, so a long stream stays bounded in memory.

    >>> list(map_ordered(str.upper, ["a", "b", "c"], threads=2))
    ['A', 'B', 'C']
    """
    workers = resolve_threads(threads)
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


def map_unordered(work: Callable[[In], Out], stream: Iterable[In], threads: int | None = None) -> list[Out]:
    """Map over a stream, results in the order in which they were ready.

    The caller's thread reads the stream, as no other may where it comes from a database, and works, too, while enough
    waits for the others: so no more threads want to run than were asked for.

    >>> sorted(map_unordered(str.upper, ["a", "b", "c"], threads=2))
    ['A', 'B', 'C']
    """
    others = resolve_threads(threads) - 1
    if not others:
        return [work(item) for item in stream]
    waiting: SimpleQueue[In] = SimpleQueue()
    stop = Event()

    def lane() -> list[Out]:
        done = []
        try:
            while (item := waiting.get()) is not END and not stop.is_set():
                done.append(work(item))
        except BaseException:
            stop.set()
            raise
        return done

    mine: list[Out] = []
    with ThreadPoolExecutor(others) as pool:
        lanes = [pool.submit(lane) for _ in range(others)]
        try:
            for item in stream:
                if stop.is_set():
                    break
                if waiting.qsize() < 2 * others:
                    waiting.put(item)
                else:
                    mine.append(work(item))
            while not (stop.is_set() or waiting.empty()):
                mine += _work_on_next(work, waiting)
        except BaseException:
            stop.set()
            raise
        finally:
            for _ in lanes:
                waiting.put(END)
    return mine + [result for lane in lanes for result in lane.result()]


def _work_on_next(work: Callable[[In], Out], waiting: SimpleQueue[In]) -> list[Out]:
    try:
        return [work(waiting.get_nowait())]
    except Empty:  # another was faster
        return []


def map_round_robin(work: Callable[[Iterator[In]], Out], stream: Iterable[In], threads: int) -> list[Out]:
    """Deal a stream out to threads in turn, so that what each sees does not depend on chance.

    >>> map_round_robin(list, "abcde", 2)
    [['a', 'c', 'e'], ['b', 'd']]
    """
    if threads == 1:
        return [work(iter(stream))]
    lanes: list[Queue[In]] = [Queue(2) for _ in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        results = [pool.submit(work, iter(lane.get, END)) for lane in lanes]
        try:
            for number, item in enumerate(stream):
                if not _give(lanes[number % threads], item, results[number % threads]):
                    break
        finally:
            for lane, result in zip(lanes, results, strict=True):
                _give(lane, END, result)
        return [result.result() for result in results]


def _give(lane: Queue[In], item: In, result: Future[Out]) -> bool:
    """Wait for room in a lane; False if whoever works in it has failed."""
    while not result.done():
        try:
            lane.put(item, timeout=0.1)
            return True
        except Full:
            continue
    return False
