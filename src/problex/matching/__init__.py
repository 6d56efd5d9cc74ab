"""Tokens, and the matching of lexicon entries in texts: languages, negation, phrases, wildcards.

`reference` defines matching in plain Python; the compiled counter in `problex.counting` must agree with it.
"""

from problex.matching.items import Items, items_of
from problex.matching.language_guess import guess_language, language_of
from problex.matching.languages import LANGUAGES, NEGATIONS, Language
from problex.matching.negation import Negation
from problex.matching.reference import LocatedMatch, locate_matches
from problex.matching.tokens import Tokenizer

__all__ = [
    "LANGUAGES",
    "NEGATIONS",
    "Items",
    "Language",
    "LocatedMatch",
    "Negation",
    "Tokenizer",
    "guess_language",
    "items_of",
    "language_of",
    "locate_matches",
]
