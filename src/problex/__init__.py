"""Classify texts by opposed word lists. The weight of every word is learned without labels.

Names are imported when they are first used, so that importing the package and starting the command line are fast.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from problex._version import __version__
    from problex.classifier import LexiconClassifier
    from problex.counting import Counts, count
    from problex.estimation import estimate, load_model
    from problex.expansion import expand
    from problex.explanation import explain
    from problex.lexicon import Lexicon, read_dictionary, read_lexicon
    from problex.lookups import lookup
    from problex.model import Model
    from problex.scoring import score

_PACKAGE_OF = {
    "__version__": "_version",
    "Counts": "counting",
    "Lexicon": "lexicon",
    "LexiconClassifier": "classifier",
    "Model": "model",
    "count": "counting",
    "estimate": "estimation",
    "expand": "expansion",
    "explain": "explanation",
    "load_model": "estimation",
    "lookup": "lookups",
    "read_dictionary": "lexicon",
    "read_lexicon": "lexicon",
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
    "lookup",
    "read_dictionary",
    "read_lexicon",
    "score",
]


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name not in _PACKAGE_OF:
        raise AttributeError(f"module 'problex' has no attribute {name!r}, expected one of {', '.join(__all__)}")
    return getattr(import_module(f"problex.{_PACKAGE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
