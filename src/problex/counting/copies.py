"""How many texts are copies of others: texts with the same words in the same order have the same key.

Case, signs and digits do not matter, nor does the word "rt". A text of fewer than three words, or of a custom
tokenizer, is a copy only of the same bytes. `Counts` keeps the smallest different keys, which add up exactly: where
there are fewer than `MAX_KEYS`, they are those of all texts, else they give an estimate.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MAX_KEYS = 1 << 16
"""The maximum number of keys in `Counts`: the standard error of the estimate is 0.4 % of the different texts."""


def smallest_keys(*parts: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The smallest different keys of some arrays, in order."""
    keys = np.sort(np.concatenate(parts))  # np.unique takes thirty times as long
    is_new = np.ones(len(keys), dtype=bool)
    is_new[1:] = keys[1:] != keys[:-1]
    return keys[is_new][:MAX_KEYS]


def has_all_keys(keys: NDArray[np.uint64], documents: int) -> bool:
    """Whether the smallest keys of so many documents are all of their keys."""
    return len(keys) < MAX_KEYS or documents <= MAX_KEYS


def different_texts(keys: NDArray[np.uint64], documents: int) -> int:
    """The number of different texts of so many: that of their keys k, or about (k - 1) 2^64 / the largest of them.

    >>> different_texts(np.array([3, 1 << 63], np.uint64), 5)
    2
    """
    if has_all_keys(keys, documents):
        return len(keys)
    return min(round((len(keys) - 1) * 2**64 / int(keys[-1])), documents)
