"""Sizes in bytes with units, the division of a memory limit, and limits of the operating system."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from mmap import PAGESIZE
from os import cpu_count

from problex.errors import ProblexError, opt

DEFAULT_MEMORY = 1 << 30
"""The default memory limit of counting and scoring."""
MIN_MEMORY, MAX_MEMORY = 64 << 20, 1 << 60
BASE_MEMORY = 256 << 20  # Python, its libraries and the batches of texts being read
MIN_PROCESS_MEMORY = 1 << 30
AMPLE_PROCESS_MEMORY = 4 << 30
RESULT_SHARE = 5 / 2
"""What a memory limit leaves for the result, all but the program itself, as a multiple of `vocabulary_memory`."""
PROCESS_LIMITS = {"RLIMIT_AS": "ulimit -v", "RLIMIT_DATA": "ulimit -d"}
"""Limits of the memory that a process may reserve, and the commands that set them."""
MAX_BATCH_BYTES, MIN_BATCH_BYTES = 8 << 20, 1 << 18
UNITS = {
    "": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "kb": 10**3, "m": 1 << 20, "mib": 1 << 20, "mb": 10**6,
    "g": 1 << 30, "gib": 1 << 30, "gb": 10**9, "t": 1 << 40, "tib": 1 << 40, "tb": 10**12,
}  # fmt: skip


def parse_size(size: str | int) -> int:
    """A size as a number of bytes.

    >>> parse_size("1GiB"), parse_size("1.5 MB"), parse_size(4096)
    (1073741824, 1500000, 4096)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", str(size).strip().lower())
    if match is None or match[2] not in UNITS:
        raise ProblexError(f"{size!r} was given as a size, expected a number with a unit such as 512MiB, 1GiB or 2GB")
    return int(min(float(match[1]) * UNITS[match[2]], 2.0**63))  # so many digits may be infinity


def format_size(size: int) -> str:
    """A number of bytes with the largest binary unit that divides it: the inverse of `parse_size`.

    >>> format_size(1 << 30), format_size(1536 << 20), format_size(1000)
    ('1GiB', '1536MiB', '1000')
    """
    for unit in ("TiB", "GiB", "MiB", "KiB"):
        if size and size % UNITS[unit.lower()] == 0:
            return f"{size // UNITS[unit.lower()]}{unit}"
    return str(size)


def check_memory(memory: int) -> int:
    """Raise if a memory limit is too low to count anything, or beyond any machine.

    >>> check_memory(1 << 20)
    Traceback (most recent call last):
    problex.errors.ProblexError: memory=1048576 (bytes) was given, expected at least ...
    """
    if memory < MIN_MEMORY:
        raise ProblexError(f"{opt('memory', memory)} (bytes) was given, expected at least {format_size(MIN_MEMORY)}")
    if memory > MAX_MEMORY:
        raise ProblexError(f"the memory given is too large, expected at most {format_size(MAX_MEMORY)}")
    return memory


def vocabulary_memory(memory: int) -> int:
    """The share of the memory for words, as the counters measure themselves.

    Tables of words double when they are full, are copied as they grow, and are merged at the end: at their peak they
    take a little over twice their size. The program and the batches of texts are subtracted first.

    >>> [vocabulary_memory(size << 20) >> 20 for size in (256 + 1000, 256)]
    [400, 25]
    """
    return 2 * max(memory - BASE_MEMORY, memory // 4) // 5


def resident_memory() -> int:
    """The bytes of memory that this process has at present; 0 where the system does not say so in `/proc`."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * PAGESIZE
    except (OSError, ValueError):
        return 0


def choose_batch_bytes(memory: int, threads: int | None) -> int:
    """The size of a batch: up to three per thread are in memory, and all of them may take an eighth of it.

    >>> choose_batch_bytes(1 << 30, 2), choose_batch_bytes(1 << 30, 64)
    (8388608, 684784)
    """
    batches = 3 * (threads or cpu_count() or 1) + 4
    return min(MAX_BATCH_BYTES, max(MIN_BATCH_BYTES, memory // 8 // batches))


def check_process_memory() -> None:
    """Raise if the operating system lets this process reserve too little memory for numpy, scipy and Arrow.

    To be called before they are imported: with too little they hang or end the process. With less than
    `AMPLE_PROCESS_MEMORY`, numpy gets one thread, because each reserves some memory at the start, and Arrow allocates
    like others, because its own way reserves a GiB if it can.
    """
    if sys.platform == "win32":  # which has no such limits
        return
    import resource

    for name, command in PROCESS_LIMITS.items():
        limit = resource.getrlimit(getattr(resource, name))[0]
        if limit == resource.RLIM_INFINITY:
            continue
        if limit < MIN_PROCESS_MEMORY:
            raise ProblexError(
                f"out of memory: this process may reserve {limit >> 20} MiB ({command}), expected at least "
                f"{MIN_PROCESS_MEMORY >> 20} MiB: raise the limit"
            )
        if limit < AMPLE_PROCESS_MEMORY:
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
            os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Do not look for garbage while millions of objects are made, which would take longer than to make them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
