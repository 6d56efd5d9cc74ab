from __future__ import annotations

import threading
import time

import pytest

from problex.errors import ProblexError
from problex.parallel import in_order


@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_results_come_in_order(threads: int | None) -> None:
    def work(number: int) -> int:
        time.sleep(0.001 * (number % 3))
        return number * number

    assert list(in_order(work, range(30), threads)) == [number * number for number in range(30)]


def test_the_stream_is_not_read_far_ahead() -> None:
    read = []

    def stream() -> object:
        for number in range(1000):
            read.append(number)
            yield number

    results = in_order(lambda number: number, stream(), 2)  # type: ignore[arg-type, var-annotated]
    next(results)
    assert len(read) <= 10


def test_threads_are_used() -> None:
    barrier = threading.Barrier(2, timeout=10)
    assert len(list(in_order(lambda _: barrier.wait(), range(2), 2))) == 2


def test_an_error_comes_through() -> None:
    with pytest.raises(ZeroDivisionError):
        list(in_order(lambda number: 1 // number, [1, 0, 1], 2))
    with pytest.raises(ProblexError, match="threads=0 was given, expected a positive number"):
        list(in_order(str, ["a"], 0))
