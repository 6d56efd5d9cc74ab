"""Weighted lexicons without labels: classify texts by opposed word lists, and learn what each word is worth.

Names are loaded when they are first used, so that importing the package, and the command line, start at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from problex._version import __version__

if TYPE_CHECKING:
    from problex.classifier import LexiconClassifier
    from problex.counting import count
    from problex.counts import Counts
    from problex.expanding import expand
    from problex.explain import explain
    from problex.files import load_model
    from problex.lexicon import Lexicon
    from problex.model import Model, estimate
    from problex.reading import read_dictionary, read_lexicon
    from problex.scoring import score

_HOMES = {
    "Counts": "counts",
    "Lexicon": "lexicon",
    "LexiconClassifier": "classifier",
    "Model": "model",
    "count": "counting",
    "estimate": "model",
    "expand": "expanding",
    "explain": "explain",
    "load_model": "files",
    "read_dictionary": "reading",
    "read_lexicon": "reading",
    "score": "scoring",
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
