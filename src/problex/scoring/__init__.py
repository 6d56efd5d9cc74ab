"""A `Model` and texts to scores, labels and probabilities; expansion of a model from texts.

What each word adds to a score is in `problex.explanation`.
"""

from problex.scoring.expanded_model import OutsideView, expand, outside_view, suggestions
from problex.scoring.reservoir import ReservoirSample
from problex.scoring.scorer import Scorer, make_scorer, score, score_batches
from problex.scoring.scores import UNDECIDED, Scores

__all__ = [
    "UNDECIDED",
    "OutsideView",
    "ReservoirSample",
    "Scorer",
    "Scores",
    "expand",
    "make_scorer",
    "outside_view",
    "score",
    "score_batches",
    "suggestions",
]
