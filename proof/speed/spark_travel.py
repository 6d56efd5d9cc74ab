"""Bytes that a partition sends to the driver, and how pruning rare words changes them.

Run with the project's own Python: `.venv/bin/python proof/speed/spark_travel.py`. No Spark is needed: the same
functions that executors run are called here.
"""

from __future__ import annotations

import resource
import time
import warnings
from dataclasses import replace

import numpy as np
import pyarrow as pa
from scipy import sparse

from problex import Counts, Lexicon, count, estimate
from problex.counting.pruning import prune_counts, sum_counts
from problex.estimation.published import evidence_of
from problex.paper.datasets import demo_corpus

PARTITIONS = 20


def main() -> None:
    warnings.simplefilter("ignore")
    corpus = demo_corpus()
    texts = list(corpus.texts)
    few = Lexicon({name: words[::20] for name, words in corpus.lexicon.lists.items()})
    print("partition (MB)  entries    words      pairs    packed (kB)  share of text")
    for lexicon in (corpus.lexicon, few):
        for size in (1_250, 5_000, 25_000):
            show_size(texts[:size], lexicon)
    print("\nwords at most       packed (kB)  dropped (tokens)    tau       error     largest change of a weight")
    parts = [count(texts[at::PARTITIONS], corpus.lexicon) for at in range(PARTITIONS)]
    show_trimming(parts, corpus.lexicon)
    print("\nwords       packed (MB)  unpack (s)  add two (s)  peak memory (MB)")
    for size in (100_000, 1_000_000):
        show_merging(parts[0], size)


def show_size(texts: list[str], lexicon: Lexicon) -> None:
    counts = count(texts, lexicon)
    size, packed = sum(len(text.encode()) for text in texts), len(counts.to_bytes())
    print(
        f"{size / 1e6:12.1f} {len(lexicon):10,} {len(counts.words):10,} {counts.pairs.nnz:10,} {packed / 1e3:12,.0f} "
        f"{packed / size:12.1%}"
    )


def show_trimming(parts: list[Counts], lexicon: Lexicon) -> None:
    whole = sum_counts(parts)
    assert whole is not None
    tau, weights = evidence_of(whole).concentration, estimate(whole, lexicon).weights
    for words in (None, 20_000, 10_000, 5_000, 2_000):
        cut = [prune_counts(part, max_words=words) for part in parts]
        total = sum_counts(cut, max_words=words)
        assert total is not None
        found = evidence_of(total).concentration
        packed = float(np.mean([len(part.to_bytes()) for part in cut])) / 1e3
        change = float(np.abs(estimate(total, lexicon).weights - weights).max())
        print(
            f"{words or 'all':>17} {packed:13,.0f} {total.pruned / whole.tokens:21.2%} {found:9.1f} "
            f"{found / tau - 1:9.3%} {change:14.1g}"
        )


def show_merging(some: Counts, size: int) -> None:
    """Counts with a vocabulary as of a very large corpus, drawn by Zipf's law."""
    draw = np.random.default_rng(1)

    def large() -> Counts:
        words = np.unique(draw.choice(20 * size, size, replace=False))
        rows = draw.zipf(1.6, (len(words), 2)).clip(1, 1 << 40).astype(np.int64)
        return replace(
            some,
            words=pa.array([f"word{word:09d}" for word in words]),
            occurrences=rows[:, 0],
            squares=rows[:, 1],
            pairs=sparse.csr_array(some.pairs),
        )

    first, second = large(), large()
    packed = first.to_bytes()
    start = time.process_time()
    Counts.from_bytes(packed)
    middle = time.process_time()
    prune_counts(first + second, max_words=size)
    end = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"{size:10,} {len(packed) / 1e6:10.1f} {middle - start:10.2f} {end - middle:12.2f} {peak:16,.0f}")


if __name__ == "__main__":
    main()
