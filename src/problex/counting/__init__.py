"""Texts to `Counts`: integer sums that add up exactly, on every core and within bounded memory.

The compiled counter, checkpoints, pruning and the file format are here. Estimates from the sums are in
`problex.estimation`. The modules of texts that are remembered are imported when they are used.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names
from problex.counting._counter import release
from problex.counting.counts import Counts, tokenizer_of
from problex.counting.sample import Sample
from problex.counting.streams import count, count_batches

if TYPE_CHECKING:
    from problex.counting.amending import amend
    from problex.counting.recounting import recount
    from problex.counting.remembered import Remembered, remember
    from problex.counting.word_completion import Completion, completions

__all__ = [
    "Completion",
    "Counts",
    "Remembered",
    "Sample",
    "amend",
    "completions",
    "count",
    "count_batches",
    "recount",
    "release",
    "remember",
    "tokenizer_of",
]

_LATE = {
    "amending": ("amend",),
    "recounting": ("recount",),
    "remembered": ("Remembered", "remember"),
    "word_completion": ("Completion", "completions"),
}
__getattr__ = late_names(__name__, _LATE)
