"""A `Model` and texts to scores, labels and probabilities; expansion of a model from texts.

What each word adds to a score is in `problex.explanation`.
"""

from problex.scoring.expanded_model import expand, suggestions
from problex.scoring.scores import UNDECIDED, Scores, score, score_batches

__all__ = ["UNDECIDED", "Scores", "expand", "score", "score_batches", "suggestions"]
