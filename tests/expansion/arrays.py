"""Small arrays for the tests of this folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from problex._util.arrays import IntArray
from problex.expansion.texts import LexiconColumns, TrainingTexts
from problex.model.vocabulary import Vocabulary


def listed_words(
    counts: Sequence[Sequence[int]] | IntArray,
    lists: Sequence[int],
    *,
    log_odds: Sequence[float] | None = None,
    lengths: Sequence[float] | None = None,
    concentration: float = float("inf"),
    words: Sequence[int] | None = None,
) -> LexiconColumns:
    """Entries in documents: log-odds of one, lengths of one hundred and no burstiness unless given."""
    table = sparse.csr_array(np.array(counts, dtype=np.int64))
    number = len(lists)
    return LexiconColumns(
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


def training_texts(rows: NDArray[Any], listed: LexiconColumns) -> TrainingTexts:
    """Rows of length one over words outside the lexicon, without themes; the weight of each word is its count."""
    table = np.asarray(rows, dtype=np.float32)
    documents, words = table.shape
    names, every = tuple(f"w{at:03d}" for at in range(words)), np.arange(words)
    # log((1 + n) / (1 + n_i)) + 1 is one for words of all documents
    vocabulary = Vocabulary(names, every, np.full(words, -1), np.full(words, documents), documents)
    order, outside = np.arange(documents), np.ones(words, dtype=bool)
    return TrainingTexts(vocabulary, sparse.csr_array(table), 1.0, outside, order, listed, np.zeros((documents, 0)))
