"""How much a call does, without a clock: for tests that a time does not grow with the size of a lexicon."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from itertools import islice, product
from typing import Any


def calls_of(work: Callable[[], Any]) -> int:
    """The number of calls of functions, of Python and of C; not of those that a collection of garbage calls."""
    number = 0

    def on_event(frame: object, event: str, argument: object) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    gc.disable()  # hypothesis is called by every collection, which may come now or later
    sys.setprofile(on_event)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return number


def made_up_words(number: int, size: int = 6) -> list[str]:
    """So many words of some letters."""
    return ["".join(letters) for letters in islice(product("qwxzkj", repeat=size), number)]


def peak_memory(work: Callable[[], Any]) -> int:
    """The most bytes that a call takes at once: of Python's objects and of arrays."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
