"""A discount for words that repeat within documents: topic words do, judgements do not."""

from __future__ import annotations

import numpy as np

from problex._util.arrays import FloatArray, IntArray

Numbers = FloatArray | IntArray
STRENGTH = 3.0
MIN_EXCESS = -0.3
"""A word that repeats even less than this counts as if it had this excess: the largest factor is exp(0.9)."""
SMOOTHING = 2.0


def repetition(occurrences: Numbers, documents: Numbers) -> FloatArray:
    """log((occurrences + 2) / (documents + 2)): how often a word occurs in a document that has it."""
    return np.asarray(np.log((occurrences + SMOOTHING) / (documents + SMOOTHING)), dtype=np.float64)


def chance_repetition(documents: Numbers, corpus: int) -> FloatArray:
    """How often a word that does not repeat itself occurs in a document that has it: log(-log(1 - p) / p).

    p is the share of the documents that have the word: common words meet themselves by chance (Poisson).

    >>> chance_repetition(np.array([0.5]), 0).round(2).tolist()     # -log(.5) / .5 = 1.39
    [0.33]
    """
    share = documents / (corpus + 1.0)
    return np.asarray(np.log(-np.log1p(-share) / share), dtype=np.float64)


def line_of(documents: Numbers, values: FloatArray) -> FloatArray:
    """The constant and the slope of a line through values on log documents, by least squares."""
    return np.asarray(np.linalg.lstsq(_on_line(documents), values, rcond=None)[0], dtype=np.float64)


def above_line(documents: Numbers, values: FloatArray, line: FloatArray) -> FloatArray:
    """How far values are above a line on log documents."""
    return np.asarray(values - _on_line(documents) @ line, dtype=np.float64)


def discounts(occurrences: Numbers, documents: Numbers, corpus: int, min_documents: int) -> FloatArray:
    """The factor exp(-3 max(excess, -0.3)) of each word; 1 for words in fewer documents than `min_documents`.

    The excess is how much more a word repeats than by chance, compared with words of its frequency: the residual of
    `repetition` less `chance_repetition` from a line on log documents. `corpus` is the number of all documents.

    >>> documents = np.array([10, 20, 40, 80, 40])
    >>> discounts(np.array([10, 20, 40, 80, 160]), documents, 10_000, 10).round(2).tolist()   # the last repeats itself
    [1.37, 1.86, 2.46, 2.46, 0.04]
    """
    factors, frequent = np.ones(len(documents)), np.flatnonzero(documents >= min_documents)
    if len(frequent) > 2:
        seen = documents[frequent]
        values = repetition(occurrences[frequent], seen) - chance_repetition(seen, corpus)
        excess = above_line(seen, values, line_of(seen, values))
        factors[frequent] = np.exp(-STRENGTH * np.maximum(excess, MIN_EXCESS))
    return factors


def _on_line(documents: Numbers) -> FloatArray:
    return np.column_stack([np.ones(len(documents)), np.log(documents)])
