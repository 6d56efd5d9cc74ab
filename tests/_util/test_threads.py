from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from functools import partial

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from problex._util.threads import (
    call_all,
    map_ordered,
    map_round_robin,
    map_unordered,
    one_blas_thread,
    prefetch,
    resolve_threads,
)
from problex.errors import ProblexError


@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_results_come_in_order(threads: int | None) -> None:
    def work(number: int) -> int:
        time.sleep(0.001 * (number % 3))
        return number * number

    assert list(map_ordered(work, range(30), threads)) == [number * number for number in range(30)]


def test_the_stream_is_not_read_far_ahead() -> None:
    read = []

    def stream() -> object:
        for number in range(1000):
            read.append(number)
            yield number

    results = map_ordered(lambda number: number, stream(), 2)  # type: ignore[arg-type, var-annotated]
    next(results)
    assert len(read) <= 10


def test_threads_are_used() -> None:
    barrier = threading.Barrier(2, timeout=10)
    assert len(list(map_ordered(lambda _: barrier.wait(), range(2), 2))) == 2


def test_an_error_comes_through() -> None:
    with pytest.raises(ZeroDivisionError):
        list(map_ordered(lambda number: 1 // number, [1, 0, 1], 2))
    with pytest.raises(ProblexError, match="threads=0 was given, expected a positive number"):
        list(map_ordered(str, ["a"], 0))


def test_jobs_run_at_once_and_the_caller_takes_the_first() -> None:
    barrier = threading.Barrier(3, timeout=10)

    def job() -> int:
        barrier.wait()
        return threading.get_ident()

    first, *others = call_all([job] * 3, 3)
    assert first == threading.get_ident()
    assert len({first, *others}) == 3


@pytest.mark.parametrize("threads", [1, 2, 5, 100])
def test_results_of_jobs_are_in_the_order_of_the_jobs(threads: int) -> None:
    assert call_all([partial(_wait_and_return, number) for number in range(30)], threads) == list(range(30))
    assert call_all([], threads) == []


@pytest.mark.parametrize("failing", [0, 1, 29])
@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_of_a_job_comes_through(failing: int, threads: int) -> None:
    numbers = [int(number != failing) for number in range(30)]
    with pytest.raises(ZeroDivisionError):
        call_all([partial(divmod, 1, number) for number in numbers], threads)


def _wait_and_return(number: int) -> int:
    time.sleep(0.001 * (number % 3))
    return number


@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_each_item_is_worked_on_once_in_any_order(threads: int | None) -> None:
    def work(number: int) -> int:
        time.sleep(0.001 * (number % 3))
        return number

    assert sorted(map_unordered(work, iter(range(60)), threads)) == list(range(60))


def test_the_callers_thread_is_one_of_those_asked_for() -> None:
    barrier = threading.Barrier(3, timeout=10)

    def work(_: int) -> int:
        barrier.wait()
        return threading.get_ident()

    used = set(map_unordered(work, range(3), 3))
    assert len(used) == 3
    assert threading.get_ident() in used


def test_the_callers_thread_works_on_items_in_their_order() -> None:
    """Else small items at the end would be done before large ones that still wait."""
    caller, own, late = threading.get_ident(), list[int](), threading.Event()

    def work(number: int) -> int:
        if threading.get_ident() != caller:
            late.wait(timeout=10)
            return number
        own.append(number)
        if number > 8:
            late.set()
        return number

    assert sorted(map_unordered(work, range(12), 2)) == list(range(12))
    assert own == sorted(own)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_only_the_callers_thread_reads_the_stream(threads: int) -> None:
    readers = set()

    def stream() -> Iterator[int]:
        for number in range(40):
            readers.add(threading.get_ident())
            yield number

    def work(number: int) -> int:
        time.sleep(0.001)
        return number

    assert sorted(map_unordered(work, stream(), threads)) == list(range(40))
    assert readers == {threading.get_ident()}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_an_error_little_more_is_taken(threads: int, error: type[BaseException]) -> None:
    taken = []

    def work(number: int) -> None:
        taken.append(number)
        if number == 0:
            raise error("item 0")
        time.sleep(0.001)

    with pytest.raises(error, match="item 0"):
        map_unordered(work, iter(range(1000)), threads)
    assert len(taken) < 50


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_of_the_stream_comes_through(threads: int) -> None:
    def stream() -> Iterator[int]:
        yield from range(3)
        raise KeyError("unreadable")

    with pytest.raises(KeyError, match="unreadable"):
        map_unordered(str, stream(), threads)


def test_a_reader_ahead_keeps_order_and_does_not_run_away() -> None:
    read = []

    def stream() -> Iterator[int]:
        for number in range(1000):
            read.append(number)
            yield number

    items = prefetch(stream(), depth=2)
    assert [next(items), next(items)] == [0, 1]
    items.close()  # type: ignore[attr-defined]
    assert len(read) <= 5
    assert list(prefetch(range(100))) == list(range(100))


def test_a_reader_ahead_is_another_thread_and_its_error_comes_in_its_place() -> None:
    def stream() -> Iterator[int]:
        yield threading.get_ident()
        raise ZeroDivisionError

    items = prefetch(stream())
    assert next(items) != threading.get_ident()
    with pytest.raises(ZeroDivisionError):
        next(items)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_lanes_are_dealt_out_in_turn(threads: int) -> None:
    assert map_round_robin(list, range(50), threads) == [list(range(50))[lane::threads] for lane in range(threads)]


def test_an_error_in_a_lane_or_in_the_stream_comes_through() -> None:
    def fails(items: Iterator[int]) -> int:
        return sum(1 // (number - 3) for number in items)

    read = []
    with pytest.raises(ZeroDivisionError):
        map_round_robin(fails, (read.append(number) or number for number in range(10_000)), 2)  # type: ignore[func-returns-value]
    assert len(read) < 10_000

    def stream() -> Iterator[int]:
        yield 1
        raise KeyError("x")

    with pytest.raises(KeyError):
        map_round_robin(list, stream(), 2)


def test_more_threads_than_a_machine_has_use_for_are_refused() -> None:
    for threads in (1025, 10**9):
        with pytest.raises(
            ProblexError, match=f"threads={threads} was given, expected at most 1024, or none for every core"
        ):
            resolve_threads(threads)
    assert resolve_threads(1024) == 1024


def blas_threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_linear_algebra_has_one_thread_in_all_blocks_and_its_own_number_afterwards() -> None:
    """The block that was entered first is left first, as two threads may do."""
    with threadpool_limits(3, user_api="blas"):
        first, second = one_blas_thread, one_blas_thread
        first.__enter__()
        second.__enter__()
        assert blas_threads() == {1}
        first.__exit__()
        assert blas_threads() == {1}
        second.__exit__()
        assert blas_threads() == {3}
        with pytest.raises(ProblexError), one_blas_thread:
            raise ProblexError("an error")
        assert blas_threads() == {3}
