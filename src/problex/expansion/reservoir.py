"""`ReservoirSample`: a random sample of texts of a stream, within a bound on bytes, by hashes of the texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import BoolArray, IntArray
from problex._util.arrow import pc
from problex._util.memory import BASE_MEMORY, format_size, parse_size
from problex.corpus import Batch
from problex.counting._counter import document_keys
from problex.errors import ProblexError, ProblexWarning, opt, warn_caller, was_given

SAMPLE_SIZE = "128MiB"
"""The default size of the sample that an expansion learns from."""
TEXT_BYTES = 8
"""What a text counts for beside its own bytes, so that a sample has a bounded number of empty texts."""
LEARNING_BYTES = 20
"""The memory that learning takes for each byte of the sample."""
COPIES = 100
"""The most copies of one text in a sample that is not the whole corpus."""
WHOLE, LEVELS = -1, 64
"""The level of a sample that is the whole corpus, and the highest level: at level k a text stays with probability
1 / 2^k."""


class Part(NamedTuple):
    """Some texts, the hashes by which they are drawn, and their sizes."""

    texts: pa.Array
    keys: NDArray[np.uint64]
    sizes: IntArray

    @classmethod
    def of(cls, texts: pa.Array) -> Part:
        """A part with the texts of an Arrow array."""
        sizes = pc.binary_length(texts).to_numpy(zero_copy_only=False).astype(np.int64) + TEXT_BYTES
        return cls(texts.cast(pa.large_string()), document_keys(texts), sizes)

    @classmethod
    def join(cls, parts: Sequence[Part]) -> Part:
        """All texts of some parts."""
        if not parts:
            return cls(pa.array([], pa.large_string()), np.zeros(0, np.uint64), np.zeros(0, np.int64))
        texts, keys, sizes = zip(*parts, strict=True)
        return cls(pa.concat_arrays(texts), np.concatenate(keys), np.concatenate(sizes))

    def take(self, chosen: IntArray | BoolArray) -> Part:
        """The texts at some places, in that order, or those that a mask chooses."""
        places = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        return Part(self.texts.take(pa.array(places)), self.keys[places], self.sizes[places])

    def at_level(self, level: int) -> Part:
        """The texts that stay at a level, each at most `COPIES` times; all of them at the level `WHOLE`."""
        return self if level == WHOLE else self.take(stays(self.keys, level))


def is_small(keys: NDArray[np.uint64], level: int) -> BoolArray:
    """Which hashes begin with as many bits of zero as the level says."""
    return np.asarray(keys <= np.uint64((1 << 64 - level) - 1), dtype=bool)


def stays(keys: NDArray[np.uint64], level: int) -> BoolArray:
    """Which texts stay at a level: by the leading bits of their hashes, each text at most `COPIES` times.

    >>> stays(np.array([5, 1 << 63, 5], np.uint64), 1).tolist()
    [True, False, True]
    """
    order = np.argsort(keys, kind="stable")
    place = np.empty(len(keys), np.int64)
    place[order] = np.arange(len(keys)) - np.searchsorted(keys[order], keys[order])
    return np.asarray(is_small(keys, level) & (place < COPIES), dtype=bool)


class ReservoirSample:
    """A random sample of texts within a bound on bytes; every text of the stream has the same probability.

    The lexicon model is estimated from the sums of all texts; the expansion learns from a sample. The default `limit`
    (bytes, or a size such as "256MiB") holds about 100,000 reviews: smaller corpora are kept whole. Beyond it a text
    stays if its hash is small, so that the sample, and its order, depend neither on the order of the texts nor on how
    they are divided; copies of a text stay together, 100 of them at most.

    >>> sample = ReservoirSample()
    >>> sample.add(pa.array(["Good film.", "Bad film."]))
    >>> len(sample.texts), sample.seen, sample.is_whole
    (2, 2, True)
    """

    def __init__(self, limit: int | str = SAMPLE_SIZE, level: int = WHOLE) -> None:
        self.limit = parse_size(limit)
        self.level = level
        self.seen = 0
        self._parts: list[Part] = []
        self._size = 0

    def add_batch(self, batch: Batch) -> None:
        """Sample the texts of a batch; `count` calls it with `on_batch=sample.add_batch`."""
        self.add(batch.texts)

    def add(self, texts: pa.Array) -> None:
        """Sample more texts; while there are too many, copies and then every other text are left out."""
        self.seen += len(texts)
        self._set([*self._parts, Part.of(texts).at_level(self.level)])
        while self._size > self.limit and self.level < LEVELS:
            self._set([Part.join(self._parts).at_level(self.level)])  # without copies in different parts
            if self._size > self.limit:
                self.level += 1

    def _set(self, parts: list[Part]) -> None:
        self._parts, self._size = parts, int(sum(part.sizes.sum() for part in parts))

    @property
    def is_whole(self) -> bool:
        """Whether no text was left out."""
        return self.level == WHOLE

    @property
    def texts(self) -> pa.Array:
        """The texts of the sample, in the order of their hashes."""
        part = Part.join(self._parts).at_level(self.level)
        self._set([part.take(np.argsort(part.keys, kind="stable"))])
        return self._parts[0].texts


def sample_size(size: int | str | None, memory: int) -> int:
    """The bytes of a sample: those asked for, else 128 MiB, or what the memory is enough for.

    >>> sample_size(None, 8 << 30) == 128 << 20, sample_size("1MiB", 1 << 30)
    (True, 1048576)
    """
    enough = max(memory - BASE_MEMORY, memory // 4) // LEARNING_BYTES
    if size is None:
        return min(parse_size(SAMPLE_SIZE), enough)
    asked = check_sample(size)
    if asked > enough:
        needed = -(-(BASE_MEMORY + LEARNING_BYTES * asked) // (1 << 20))
        warn_caller(
            f"{was_given('expand_sample', format_size(asked))}, and to learn from so much text may take {needed} MiB, "
            f"more than {opt('memory', format_size(memory))}: give more memory or a smaller sample",
            ProblexWarning,
        )
    return asked


def check_sample(size: int | str) -> int:
    """The bytes of a sample that was asked for; raises if it is none.

    >>> check_sample("1KiB")
    1024
    >>> check_sample("1B")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.ProblexError: expand_sample='1B' was given, expected a size of at least 1KiB...
    """
    asked = parse_size(size)
    if asked < 1 << 10:
        raise ProblexError(
            f"{was_given('expand_sample', size)}, expected a size of at least 1KiB, such as 64MiB: the bytes of text "
            "that an expansion learns from"
        )
    return asked
