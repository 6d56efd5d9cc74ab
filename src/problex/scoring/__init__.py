"""A `Model` and texts to scores, labels and probabilities.

What each word adds to a score is in `problex.explanation`.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names
from problex.scoring.scorer import Scorer, make_scorer, score, score_batches
from problex.scoring.scores import UNDECIDED, Scores

if TYPE_CHECKING:
    from problex.scoring.changes import Changes, compare
    from problex.scoring.remembered_texts import score_remembered

__all__ = [
    "UNDECIDED",
    "Changes",
    "Scorer",
    "Scores",
    "compare",
    "make_scorer",
    "score",
    "score_batches",
    "score_remembered",
]

_LATE = {
    "changes": ("Changes", "compare"),
    "remembered_texts": ("score_remembered",),
}
__getattr__ = late_names(__name__, _LATE)
