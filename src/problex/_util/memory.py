"""Sizes in bytes as people write them, and how a ceiling on memory is shared out."""

from __future__ import annotations

import re
from os import cpu_count

from problex.errors import ProblexError

MEMORY = 1 << 30
LEAST = 64 << 20
PROGRAM = 256 << 20  # what Python, its libraries and some batches of texts take
UNITS = {
    "": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "kb": 10**3, "m": 1 << 20, "mib": 1 << 20, "mb": 10**6,
    "g": 1 << 30, "gib": 1 << 30, "gb": 10**9, "t": 1 << 40, "tib": 1 << 40, "tb": 10**12,
}  # fmt: skip


def bytes_of(size: str | int) -> int:
    """A size as a number of bytes.

    >>> bytes_of("1GiB"), bytes_of("1.5 MB"), bytes_of(4096)
    (1073741824, 1500000, 4096)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", str(size).strip().lower())
    if found is None or found[2] not in UNITS:
        raise ProblexError(f"{size!r} was given as a size, expected a number with a unit such as 512MiB, 1GiB or 2GB")
    return int(float(found[1]) * UNITS[found[2]])


def check_memory(memory: int) -> int:
    """Complain about a ceiling under which nothing can be counted."""
    if memory < LEAST:
        raise ProblexError(f"memory={memory:,} bytes was given, expected at least {LEAST >> 20}MiB")
    return memory


def words_room(memory: int) -> int:
    """What words may take of the memory, by the counters' own reckoning.

    Tables of words double when they are full, are copied as they grow, and are merged in the end: at their peak they
    take a little over twice what they hold. The program and the texts on their way come before.
    """
    return 2 * max(memory - PROGRAM, memory // 4) // 5


def batch_room(memory: int, threads: int | None) -> int:
    """How much text makes a batch: per thread three are on their way, and all may take an eighth of the memory.

    >>> batch_room(1 << 30, 2), batch_room(1 << 30, 64)
    (8388608, 684784)
    """
    return min(8 << 20, max(1 << 18, memory // 8 // (3 * (threads or cpu_count() or 1) + 4)))
