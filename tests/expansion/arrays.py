"""Small arrays for the tests of this folder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from problex._util.arrays import IntArray
from problex.expansion.listed_words import ListedWords


def listed_words(
    counts: Sequence[Sequence[int]] | IntArray,
    lists: Sequence[int],
    *,
    log_odds: Sequence[float] | None = None,
    lengths: Sequence[float] | None = None,
    concentration: float = float("inf"),
    words: Sequence[int] | None = None,
) -> ListedWords:
    """Entries in documents: log-odds of one, lengths of one hundred and no burstiness unless given."""
    table = sparse.csr_array(np.array(counts, dtype=np.int64))
    number = len(lists)
    return ListedWords(
        table,
        np.full(len(counts), 100.0) if lengths is None else np.array(lengths, dtype=np.float64),
        np.array(lists),
        np.ones(number) if log_odds is None else np.array(log_odds, dtype=np.float64),
        np.full(number, 0.1),
        concentration,
        np.arange(number) if words is None else np.array(words),
        max(lists) + 1,
        np.arange(len(counts), dtype=np.uint64),
    )
