"""How rare words are dropped if memory is limited: one rule for counters, for sums of counts and for Spark.

If the words take more than a limit, those outside the lexicon that occurred once are dropped, then those that
occurred at most 2, 4, 8, ... times, until the rest takes at most half of the limit. Entries of the lexicon are never
dropped. The tokens of dropped words stay in every other sum, so that all sums of the lexicon are exact;
`Counts.pruned` is their number. Only the concentration is computed without them, and they hardly change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pyarrow as pa

from problex._util.arrow import pc
from problex.counting.counts import Counts

MAX_OCCURRENCES = 1 << 20
"""Words that occurred more often than this are never dropped."""


def drop_rare_words(fullness: Callable[[], float], drop: Callable[[int], object]) -> None:
    """The rule: `fullness` is the size of the words over the limit, `drop(n)` drops those with at most n tokens.

    >>> sizes = {1: 700, 2: 600, 3: 400, 9: 100}  # words by their number of tokens
    >>> limit = 1500
    >>> def drop(n):
    ...     for tokens in [tokens for tokens in sizes if tokens <= n]:
    ...         del sizes[tokens]
    >>> drop_rare_words(lambda: sum(sizes.values()) / limit, drop)
    >>> sizes
    {3: 400, 9: 100}
    """
    if fullness() <= 1:
        return
    occurrences = 1
    while fullness() > 0.5 and occurrences <= MAX_OCCURRENCES:
        drop(occurrences)
        occurrences *= 2


def prune_counts(counts: Counts, *, max_bytes: int | None = None, max_words: int | None = None) -> Counts:
    """Counts whose words take at most `max_bytes`, or with at most `max_words` outside the lexicon.

    >>> from problex import Lexicon, count
    >>> counts = count(["good bad a a a b b c"], Lexicon({"positive": ["good"], "negative": ["bad"]}))
    >>> pruned = prune_counts(counts, max_words=2)
    >>> sorted(pruned.words.to_pylist()), pruned.pruned, pruned.tokens
    (['a', 'bad', 'good'], 3, 8)
    """
    if not len(counts.words):
        return counts
    entry = pc.is_in(counts.words, pa.array(counts.entries, counts.words.type)).to_numpy(zero_copy_only=False)
    arrays = {name: getattr(counts, name) for name in counts.per_word}
    word_bytes = (counts.words.nbytes + sum(array.nbytes for array in arrays.values())) // len(counts.words)
    keep = np.ones(len(entry), bool)

    def fullness() -> float:
        by_bytes = keep.sum() * word_bytes / max_bytes if max_bytes else 0.0
        return max(by_bytes, (keep & ~entry).sum() / max_words if max_words else 0.0)

    def drop(occurrences: int) -> None:
        keep[~entry & (counts.occurrences <= occurrences)] = False

    drop_rare_words(fullness, drop)
    if keep.all():
        return counts
    pruned = counts.pruned + int(counts.occurrences[~keep].sum())
    fields = {name: array[keep] for name, array in arrays.items()}
    return replace(counts, words=counts.words.filter(pa.array(keep)), pruned=pruned, **fields)


def sum_counts(parts: Iterable[Counts], *, max_words: int | None = None) -> Counts | None:
    """The sum of counts, with at most `max_words` outside the lexicon; None for no parts.

    Sums of 2^k parts are added to sums of 2^k parts, so that a large sum is not copied for every small part.

    >>> from problex import Lexicon, count
    >>> lexicon = Lexicon({"up": ["good"], "down": ["bad"]})
    >>> total = sum_counts(count([text], lexicon) for text in ("good film", "bad film", "bad"))
    >>> total.documents, total.tokens, sum_counts([]) is None
    (3, 5, True)
    """
    waiting: list[tuple[int, Counts]] = []  # k and the sum of 2^k parts, in descending order of k
    for part in parts:
        level, total = 0, prune_counts(part, max_words=max_words)
        while waiting and waiting[-1][0] == level:
            total, level = prune_counts(waiting.pop()[1] + total, max_words=max_words), level + 1
        waiting.append((level, total))
    if not waiting:
        return None
    total = waiting.pop()[1]
    while waiting:
        total = prune_counts(waiting.pop()[1] + total, max_words=max_words)
    return total
