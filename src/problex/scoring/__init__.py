"""A `Model` and texts to scores, labels and probabilities; expansion of a model from texts.

What each word adds to a score is in `problex.explanation`. The modules of expansion are imported when they are used.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names
from problex.scoring.scorer import Scorer, make_scorer, score, score_batches
from problex.scoring.scores import UNDECIDED, Scores

if TYPE_CHECKING:
    from problex.scoring.changes import Changes, compare
    from problex.scoring.expanded_model import OutsideView, expand, outside_view, suggestions
    from problex.scoring.remembered_texts import score_remembered
    from problex.scoring.reservoir import ReservoirSample

__all__ = [
    "UNDECIDED",
    "Changes",
    "OutsideView",
    "ReservoirSample",
    "Scorer",
    "Scores",
    "compare",
    "expand",
    "make_scorer",
    "outside_view",
    "score",
    "score_batches",
    "score_remembered",
    "suggestions",
]

_LATE = {
    "changes": ("Changes", "compare"),
    "expanded_model": ("OutsideView", "expand", "outside_view", "suggestions"),
    "remembered_texts": ("score_remembered",),
    "reservoir": ("ReservoirSample",),
}
__getattr__ = late_names(__name__, _LATE)
