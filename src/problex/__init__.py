"""Weighted lexicons without labels: classify texts by opposed word lists, and learn what each word is worth.

Names are loaded when they are first used, so that importing the package, and the command line, start at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from problex._version import __version__

if TYPE_CHECKING:
    from problex.classifier import LexiconClassifier
    from problex.counting.counts import Counts
    from problex.counting.streams import count
    from problex.estimation.model import Model, estimate
    from problex.estimation.model_file import load_model
    from problex.explanation.contributions import explain
    from problex.lexicon.files import read_dictionary, read_lexicon
    from problex.lexicon.lexicon import Lexicon
    from problex.scoring.expanded_model import expand
    from problex.scoring.scorer import score

_HOMES = {
    "Counts": "counting.counts",
    "Lexicon": "lexicon.lexicon",
    "LexiconClassifier": "classifier",
    "Model": "estimation.model",
    "count": "counting.streams",
    "estimate": "estimation.model",
    "expand": "scoring.expanded_model",
    "explain": "explanation.contributions",
    "load_model": "estimation.model_file",
    "read_dictionary": "lexicon.files",
    "read_lexicon": "lexicon.files",
    "score": "scoring.scorer",
}

__all__ = [
    "Counts",
    "Lexicon",
    "LexiconClassifier",
    "Model",
    "__version__",
    "count",
    "estimate",
    "expand",
    "explain",
    "load_model",
    "read_dictionary",
    "read_lexicon",
    "score",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'problex' has no attribute {name!r}, expected one of {', '.join(__all__)}")
    return getattr(import_module(f"problex.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
