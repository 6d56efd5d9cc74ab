"""How many texts are copies of others: texts with the same words in the same order have the same key.

Case, signs and digits do not matter, nor does the word "rt". A text of fewer than three words, or of a custom
tokenizer, is a copy only of the same bytes. `Counts` keeps the smallest different keys, which add up exactly: where
there are fewer than `MAX_KEYS`, they are those of all texts, else they give an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from problex._util.formatting import pluralize

MAX_KEYS = 1 << 16
"""The maximum number of keys in `Counts`: the standard error of the estimate is 0.4 % of the different texts."""
LEAST_SHARE = 0.015
"""A smaller share of copies is not told from none where it is an estimate: about four standard errors."""


def smallest_keys(*parts: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The smallest different keys of some arrays, in order.

    >>> smallest_keys(np.array([3, 1], np.uint64), np.array([3, 2], np.uint64)).tolist()
    [1, 2, 3]
    """
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


def describe_copies(keys: NDArray[np.uint64], documents: int) -> str:
    """How many of so many texts are copies of others; "" where none are, or where that is not known.

    >>> describe_copies(np.array([3, 5], np.uint64), 5), describe_copies(np.array([3, 5], np.uint64), 2)
    ('3 of 5 texts are copies of others', '')
    """
    copies = documents - different_texts(keys, documents) if len(keys) else 0
    if has_all_keys(keys, documents):
        verb = "is a copy of another" if copies == 1 else "are copies of others"
        return f"{copies:,} of {pluralize(documents, 'text')} {verb}" if copies else ""
    share = copies / documents
    return f"about {share:.0%} of {documents:,} texts are copies of others" if share > LEAST_SHARE else ""


@dataclass
class CopyCounter:
    """Counts the copies among texts that come in batches, by the smallest of their keys.

    >>> counter = CopyCounter()
    >>> counter.add(np.array([3, 5], np.uint64))
    >>> counter.add(np.array([5, 5], np.uint64))
    >>> counter.describe()
    '2 of 4 texts are copies of others'
    """

    keys: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    documents: int = 0

    def add(self, keys: NDArray[np.uint64] | None) -> None:
        """Count texts with these keys; those without are left out."""
        if keys is not None:
            self.keys, self.documents = smallest_keys(self.keys, keys), self.documents + len(keys)

    def describe(self) -> str:
        """The number in words."""
        return describe_copies(self.keys, self.documents)
