"""What a token is, and where the entries of a lexicon match: languages, negation, phrases, wildcards.

`reference` defines matching in plain Python; the compiled counter in `problex.counting` must agree with it.
"""

from problex.matching.items import Items, items_of
from problex.matching.languages import guess_language, language_of
from problex.matching.negation import NEGATIONS, Negation
from problex.matching.spans import find
from problex.matching.tokens import LANGUAGES, Language, Tokenizer

__all__ = [
    "LANGUAGES",
    "NEGATIONS",
    "Items",
    "Language",
    "Negation",
    "Tokenizer",
    "find",
    "guess_language",
    "items_of",
    "language_of",
]
