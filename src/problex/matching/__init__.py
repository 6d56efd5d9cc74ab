"""Tokens, and the matching of lexicon entries in texts: languages, negation, phrases, wildcards.

`reference` defines matching in plain Python; the compiled counter in `problex.counting` must agree with it.
"""

from problex.matching.language_guess import guess_language
from problex.matching.languages import LANGUAGES, NEGATIONS
from problex.matching.negation import Negation
from problex.matching.tokens import Tokenizer

__all__ = ["LANGUAGES", "NEGATIONS", "Negation", "Tokenizer", "guess_language"]
