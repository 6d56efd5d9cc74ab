"""A `Model` and texts to scores, labels and probabilities.

What each word adds to a score is in `problex.explanation`.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names
from problex.scoring.scorer import make_scorer, score, score_batches
from problex.scoring.scores import UNDECIDED, Scores

if TYPE_CHECKING:
    from problex.scoring.changes import compare
    from problex.scoring.indexed_texts import score_indexed

__all__ = [
    "UNDECIDED",
    "Scores",
    "compare",
    "make_scorer",
    "score",
    "score_batches",
    "score_indexed",
]

_LATE = {
    "changes": ("compare",),
    "indexed_texts": ("score_indexed",),
}
__getattr__ = late_names(__name__, _LATE)
