"""Weights for words outside the lexicon, learned from the scores that the lexicon gives their documents.

The modules are imported when they are used.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names

if TYPE_CHECKING:
    from problex.expansion.learn import expand, suggestions

__all__ = ["expand", "suggestions"]

__getattr__ = late_names(__name__, {"learn": ("expand", "suggestions")})
