"""`ReservoirSample`: a random sample of texts of a stream, within a bound on bytes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from problex._util.arrays import FloatArray
from problex.corpus import Batch

SAMPLE_BYTES = 128 << 20


class ReservoirSample:
    """A random sample of texts within a bound on bytes; every text of the stream has the same probability.

    The lexicon model is estimated from the sums of all texts; the expansion learns from a sample. The default holds
    about 100,000 reviews: smaller corpora are kept whole.

    >>> sample = ReservoirSample()
    >>> sample.add(pa.array(["Good film.", "Bad film."]))
    >>> len(sample.texts), sample.seen
    (2, 2)
    """

    def __init__(self, limit: int = SAMPLE_BYTES) -> None:
        self.limit = limit
        self.seen = 0
        self._random = np.random.default_rng(0)
        self._probability = 1.0
        self._parts: list[tuple[pa.Array, FloatArray]] = []

    def add_batch(self, batch: Batch) -> None:
        """Sample the texts of a batch; `count` calls it with `on_batch=sample.add_batch`."""
        self.add(batch.texts)

    def add(self, texts: pa.Array) -> None:
        """Sample more texts: each has a random number, and stays while that is below the probability."""
        numbers = self._random.random(len(texts))
        self.seen += len(texts)
        self._parts.append(_below(texts, numbers, self._probability))
        while sum(part.nbytes for part, _ in self._parts) > self.limit and self._probability > 1e-12:
            self._probability /= 2
            self._parts = [_below(part, drawn, self._probability) for part, drawn in self._parts]

    @property
    def texts(self) -> pa.Array:
        """The texts of the sample."""
        parts = [part.cast(pa.large_string()) for part, _ in self._parts]
        return pa.concat_arrays(parts) if parts else pa.array([], pa.large_string())


def _below(texts: pa.Array, numbers: FloatArray, probability: float) -> tuple[pa.Array, FloatArray]:
    """The texts whose number is below a probability, and these numbers."""
    if probability >= 1.0:
        return texts, numbers
    chosen = numbers < probability
    return texts.filter(pa.array(chosen)), numbers[chosen]
