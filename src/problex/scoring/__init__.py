"""A `Model` and texts to scores, labels and probabilities; expansion of a model from texts.

What each word adds to a score is in `problex.explanation`. The modules of expansion are imported when they are used.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names
from problex.scoring.scorer import Scorer, make_scorer, score, score_batches
from problex.scoring.scores import UNDECIDED, Scores

if TYPE_CHECKING:
    from problex.scoring.expanded_model import expand, list_support, suggestions
    from problex.scoring.reservoir import ReservoirSample

__all__ = [
    "UNDECIDED",
    "ReservoirSample",
    "Scorer",
    "Scores",
    "expand",
    "list_support",
    "make_scorer",
    "score",
    "score_batches",
    "suggestions",
]

_LATE = {"expanded_model": ("expand", "list_support", "suggestions"), "reservoir": ("ReservoirSample",)}
__getattr__ = late_names(__name__, _LATE)
