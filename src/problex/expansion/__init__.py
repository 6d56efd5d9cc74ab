"""Weights for words outside the lexicon, learned from the scores that the lexicon gives their documents.

Arrays in, arrays out: `problex.scoring.expand` does it for a model and texts.
"""

from problex.expansion.expansion import Expansion
from problex.expansion.vocabulary import Vocabulary

__all__ = ["Expansion", "Vocabulary"]
