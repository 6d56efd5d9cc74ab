"""Texts to `Counts`: integer sums that add up exactly, on every core and within bounded memory.

The compiled counter, checkpoints, pruning and the file format are here. Estimates from the sums are in
`problex.estimation`.
"""

from problex.counting._counter import release
from problex.counting.counts import Counts
from problex.counting.streams import count

__all__ = ["Counts", "count", "release"]
