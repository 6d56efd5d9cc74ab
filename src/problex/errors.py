"""What can go wrong, by name. Every message says what was given, what was expected and what to do next."""

from __future__ import annotations

from collections.abc import Iterable


class ProblexError(ValueError):
    """The base of all errors that a user's input can cause."""


class LexiconError(ProblexError):
    """A lexicon that cannot be read or used."""


class DocumentError(ProblexError):
    """Texts that cannot be read."""


class EstimationError(ProblexError):
    """Counts from which nothing can be learned."""


class ModelError(ProblexError):
    """A model file that cannot be read, or a model used for what it is not."""


class OutputError(ProblexError):
    """A file that cannot be written."""


class ProblexWarning(UserWarning):
    """The base of all warnings."""


class LexiconWarning(ProblexWarning):
    """Entries of a lexicon that are not used as written."""


class DocumentWarning(ProblexWarning):
    """Documents that are not used as given."""


class EstimationWarning(ProblexWarning):
    """An estimate that rests on less than it should."""


class ConvergenceWarning(ProblexWarning):
    """A solver that stopped at its limit."""


def check_choice(what: str, given: object, known: Iterable[str], more: str = "") -> None:
    """Complain about a setting that is none of the known ones, and list those."""
    choices = list(known)
    if given not in choices:
        raise ProblexError(f"{what}={given!r} was given, expected one of {', '.join(choices)} {more}".rstrip())
