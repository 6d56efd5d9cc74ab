"""Tokens, and the matching of lexicon entries in texts: languages, negation, phrases, wildcards.

`reference` defines matching in plain Python; the compiled counter in `problex.counting` must agree with it.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names
from problex.matching.items import Items, items_of
from problex.matching.language_guess import guess_language, language_of
from problex.matching.languages import LANGUAGES, NEGATIONS, Language
from problex.matching.negation import Negation
from problex.matching.tokens import Tokenizer

if TYPE_CHECKING:
    from problex.matching.spans import LocatedMatch, locate_matches

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

__getattr__ = late_names(__name__, {"spans": ("LocatedMatch", "locate_matches")})
