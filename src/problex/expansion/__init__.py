"""Weights for words outside the lexicon, learned from the scores that the lexicon gives their documents.

The modules are imported when they are used.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names

if TYPE_CHECKING:
    from problex.expansion.learn import OutsideView, expand, outside_view, suggestions
    from problex.expansion.reservoir import ReservoirSample

__all__ = ["OutsideView", "ReservoirSample", "expand", "outside_view", "suggestions"]

_LATE = {
    "learn": ("OutsideView", "expand", "outside_view", "suggestions"),
    "reservoir": ("ReservoirSample",),
}
__getattr__ = late_names(__name__, _LATE)
