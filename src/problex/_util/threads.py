"""Work on batches by threads.

`prefetch` reads ahead; three functions map over a stream, and differ in what they guarantee: `map_ordered` the order of
the results, `map_unordered` that the caller's thread reads and works, `map_round_robin` which thread gets which item.
`call_all` runs a few jobs at once.
`one_blas_thread` keeps the threads of numpy's linear algebra from taking part.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from itertools import chain, islice
from queue import Empty, Full, Queue, SimpleQueue
from threading import Event, Lock
from typing import Any, TypeVar

from problex.errors import ProblexError, was_given

In = TypeVar("In")
Out = TypeVar("Out")
MAX_THREADS = 1024
"""More threads than any one machine can use at once; each takes memory."""
_END: Any = object()
_QUEUE_SECONDS = 0.1  # between two looks whether a worker has failed


def resolve_threads(threads: int | None) -> int:
    """The number of threads: one for every core if None.

    >>> resolve_threads(2), resolve_threads(None) >= 1
    (2, True)
    >>> resolve_threads(0)
    Traceback (most recent call last):
    problex.errors.ProblexError: threads=0 was given, expected a positive number, or none for every core
    """
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise ProblexError(f"{was_given('threads', threads)}, expected a positive number, or none for every core")
    if threads is not None and threads > MAX_THREADS:
        raise ProblexError(f"{was_given('threads', threads)}, expected at most {MAX_THREADS}, or none for every core")
    return threads or _cores()


@cache  # the system takes longer to tell than a short text to be scored
def _cores() -> int:
    return os.cpu_count() or 1


def once(make: Callable[[], Out]) -> Callable[[], Out]:
    """A function that calls another one when it is first called, and returns that result ever after, in all threads.

    >>> numbers = iter([1, 2])
    >>> number = once(lambda: next(numbers))
    >>> number(), number()
    (1, 1)
    """
    lock = Lock()
    results: list[Out] = []

    def get() -> Out:
        if not results:
            with lock:
                if not results:
                    results.append(make())
        return results[0]

    return get


class SingleThreadedBlas:
    """In a with block, numpy's linear algebra uses one thread; in nested and simultaneous blocks, too.

    After each product the other threads of OpenBLAS wait for the next one without sleeping: between many small products
    they take as much processor time as the products and all the rest.
    """

    def __init__(self) -> None:
        self._begin()
        if hasattr(os, "register_at_fork"):  # in a copy of the process nobody releases a lock that is held now
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._lock, self._blocks, self._restore = Lock(), 0, list[Callable[[], object]]()

    def __enter__(self) -> None:
        from threadpoolctl import ThreadpoolController  # it looks for libraries that have been loaded by now

        with self._lock:
            if not self._blocks:
                limited = ThreadpoolController().limit(limits=1, user_api="blas")
                self._restore.append(limited.restore_original_limits)
            self._blocks += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._blocks -= 1
            if not self._blocks:
                self._restore.pop()()


one_blas_thread = SingleThreadedBlas()
"""For the whole process, whose linear algebra has one number of threads."""


def prefetch(stream: Iterable[In], depth: int = 2) -> Iterator[In]:
    """Read a stream in a separate thread, `depth` items ahead.

    Each item is read by a separate task, so that no thread is left waiting when the caller stops early.

    >>> list(prefetch(iter("abc")))
    ['a', 'b', 'c']
    """
    items = iter(stream)
    pool = ThreadPoolExecutor(1, thread_name_prefix="reader")
    try:
        pending = deque(pool.submit(next, items, _END) for _ in range(depth))
        while (item := pending.popleft().result()) is not _END:
            pending.append(pool.submit(next, items, _END))
            yield item
    finally:
        pool.shutdown(cancel_futures=True)


def call_all(jobs: Sequence[Callable[[], Out]], threads: int) -> list[Out]:
    """The results of all jobs, in their order; give the longest first.

    For a few milliseconds of work: the caller's thread begins with the first job at once, because starting a thread may
    take as long as a job.

    >>> call_all([lambda: "a", lambda: "b", lambda: "c"], threads=2)
    ['a', 'b', 'c']
    """
    others = min(threads, len(jobs)) - 1
    if others < 1:
        return [job() for job in jobs]
    results: list[Any] = [None] * len(jobs)
    queue: SimpleQueue[Any] = SimpleQueue()
    for item in [*enumerate(jobs[1:], 1), *[_END] * (others + 1)]:
        queue.put(item)

    def work() -> None:
        for at, job in iter(queue.get, _END):
            results[at] = job()

    with ThreadPoolExecutor(others) as pool:
        workers = [pool.submit(work) for _ in range(others)]
        results[0] = jobs[0]()
        work()
        for worker in workers:
            worker.result()
    return results


def map_ordered(work: Callable[[In], Out], stream: Iterable[In], threads: int | None = None) -> Iterator[Out]:
    """Map over a stream with results in its order, at most two per thread ahead of the caller.

    For scoring, where each batch has its row of output. `Executor.map` would read the whole stream first.

    >>> list(map_ordered(str.upper, ["a", "b", "c"], threads=2))
    ['A', 'B', 'C']
    """
    workers = resolve_threads(threads)
    items = iter(stream)
    first = [] if workers == 1 else list(islice(items, 2))
    if len(first) < 2:  # one item, or one thread: no pool is needed
        yield from map(work, chain(first, items))
        return
    with ThreadPoolExecutor(workers) as pool:
        pending: deque[Future[Out]] = deque()
        for item in chain(first, items):
            pending.append(pool.submit(work, item))
            if len(pending) > 2 * workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def map_unordered(work: Callable[[In], Out], stream: Iterable[In], threads: int | None = None) -> list[Out]:
    """Map over a stream with results in any order.

    For counting, where results are added up. The caller's thread reads the stream, because a database may allow no
    other, and works as well while enough items wait for the other threads: so no core is idle and no more threads run
    than were asked for.

    >>> sorted(map_unordered(str.upper, ["a", "b", "c"], threads=2))
    ['A', 'B', 'C']
    """
    others = resolve_threads(threads) - 1
    if not others:
        return [work(item) for item in stream]
    queue: SimpleQueue[In] = SimpleQueue()
    stop = Event()

    results: list[Out] = []
    with ThreadPoolExecutor(others) as pool:
        workers = [pool.submit(_work_on_queue, work, queue, stop) for _ in range(others)]
        try:
            for item in stream:
                if stop.is_set():
                    break
                queue.put(item)
                if queue.qsize() > 2 * others:  # in order, so that the last items are the last ones at work
                    results += _work_on_next(work, queue)
            while not (stop.is_set() or queue.empty()):
                results += _work_on_next(work, queue)
        except BaseException:
            stop.set()
            raise
        finally:
            for _ in workers:
                queue.put(_END)
    return results + [result for worker in workers for result in worker.result()]


def _work_on_queue(work: Callable[[In], Out], queue: SimpleQueue[In], stop: Event) -> list[Out]:
    """The results of items from a queue, until it ends or a thread sets `stop` because it has failed."""
    results = []
    try:
        while (item := queue.get()) is not _END and not stop.is_set():
            results.append(work(item))
    except BaseException:
        stop.set()
        raise
    return results


def _work_on_next(work: Callable[[In], Out], queue: SimpleQueue[In]) -> list[Out]:
    try:
        return [work(queue.get_nowait())]
    except Empty:  # another thread took the last item
        return []


def map_round_robin(work: Callable[[Iterator[In]], Out], stream: Iterable[In], threads: int) -> list[Out]:
    """Map over the shares of a stream: of n threads, thread k gets items k, k + n, k + 2 n, ...

    For counting that can be resumed: a counter that is short of memory drops rare words, so what it has seen must
    not depend on the speed of the threads.

    >>> map_round_robin(list, "abcde", 2)
    [['a', 'c', 'e'], ['b', 'd']]
    """
    if threads == 1:
        return [work(iter(stream))]
    queues: list[Queue[In]] = [Queue(2) for _ in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        workers = [pool.submit(work, iter(queue.get, _END)) for queue in queues]
        try:
            for number, item in enumerate(stream):
                if not _put(queues[number % threads], item, workers[number % threads]):
                    break
        finally:
            for queue, worker in zip(queues, workers, strict=True):
                _put(queue, _END, worker)
        return [worker.result() for worker in workers]


def _put(queue: Queue[In], item: In, worker: Future[Out]) -> bool:
    """Put an item into a worker's queue when there is space; False if the worker has ended."""
    while not worker.done():
        try:
            queue.put(item, timeout=_QUEUE_SECONDS)
            return True
        except Full:
            continue
    return False
