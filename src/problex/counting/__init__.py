"""Texts to `Counts`: integer sums that add up exactly, on every core and within bounded memory.

The compiled counter, checkpoints, pruning and the file format are here. Estimates from the sums are in
`problex.estimation`.
"""

from problex.counting._counter import release
from problex.counting.counts import Counts, tokenizer_of
from problex.counting.sample import Sample
from problex.counting.streams import count, count_batches

__all__ = ["Counts", "Sample", "count", "count_batches", "release", "tokenizer_of"]
