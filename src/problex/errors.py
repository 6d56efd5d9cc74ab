"""Exceptions and warnings. Every message says what was given, what was expected and what to do next.

Messages name an option by `opt`: a Python caller reads `on_error="skip"`, and other faces set their own spelling by
`use_spelling`, such as `--on-error skip` on the command line.
"""

from __future__ import annotations

import os
import shlex
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

MAX_QUOTED = 80
"""Characters of a wrong value that a message quotes."""
MAX_DIGITS = 40
"""Digits of a wrong whole number that a message quotes."""
_PACKAGE = f"{Path(__file__).parent}{os.sep}"


class ProblexError(ValueError):
    """The base class of all errors that a user's input can cause."""


class LexiconError(ProblexError):
    """A lexicon that cannot be read or used."""


class DocumentError(ProblexError):
    """Texts that cannot be read."""


class EstimationError(ProblexError):
    """Counts from which nothing can be learned."""


class ModelError(ProblexError):
    """A model file that cannot be read, or a model that does not support an operation."""


class OutputError(ProblexError):
    """A file that cannot be written."""


class ProblexWarning(UserWarning):
    """The base of all warnings."""


class LexiconWarning(ProblexWarning):
    """Entries of a lexicon that are not used as written."""


class DocumentWarning(ProblexWarning):
    """Documents that are not used as given."""


class EstimationWarning(ProblexWarning):
    """An estimate that is based on little evidence."""


class ConvergenceWarning(ProblexWarning):
    """A solver that stopped at its limit."""


def python_option(name: str, value: object) -> str:
    """An option as a Python caller writes it; `...` stands for any value.

    >>> print(python_option("on_error", "skip"), python_option("header", False), python_option("text", ...))
    on_error="skip" header=False text=...
    >>> print(python_option("memory", "64MiB"), python_option("midpoint", "0.5"))
    memory="64MiB" midpoint=0.5
    """
    if value is ...:
        return f"{name}=..."
    is_number = not isinstance(value, str) or value.removeprefix("-").replace(".", "", 1).isdigit()
    return f"{name}={value}" if is_number else f'{name}="{value}"'


def command_option(name: str, value: object = ...) -> str:
    """An option as the command line has it.

    >>> command_option("on_error", "skip"), command_option("header", False), command_option("force", True)
    ('--on-error skip', '--no-header', '--force')
    >>> command_option("delimiter", ";"), command_option("threads", 0), command_option("text")
    ("--delimiter ';'", '--threads 0', '--text')
    >>> command_option("neutral", (4.0, 6.5)), python_option("neutral", (4.0, 6.5))
    ('--neutral 4:6.5', 'neutral=(4.0, 6.5)')
    """
    option = "--input-format" if name == "format" else f"--{name.replace('_', '-')}"
    if value is False:
        return f"--no-{option[2:]}"
    if value is ... or value is True or value is None:
        return option
    words = ":".join(f"{number:g}" for number in value) if isinstance(value, tuple) else str(value)
    return f"{option} {shlex.quote(words)}"


_spelling: list[Callable[[str, object], str]] = [python_option]
"""How options are spelled; the last one counts."""


@contextmanager
def use_spelling(spelling: Callable[[str, object], str]) -> Iterator[None]:
    """Let messages of the whole process name options in the spelling of a face.

    >>> with use_spelling(command_option):
    ...     opt("on_error", "skip")
    '--on-error skip'
    """
    _spelling.append(spelling)
    try:
        yield
    finally:
        _spelling.remove(spelling)


def opt(name: str, value: object = ...) -> str:
    """An option in a message, and a value to give it, as the face that shows the message spells them.

    >>> opt("on_error", "skip"), opt("text")
    ('on_error="skip"', 'text=...')
    """
    return _spelling[-1](name, value)


def was_given(name: str, value: object) -> str:
    """The beginning of a message about a wrong value; a long one is cut.

    >>> was_given("rule", "dmc")
    "rule='dmc' was given"
    >>> was_given("threads", 10**40), len(was_given("text", "x" * 5000))
    ('threads=a number of more than 40 digits was given', 100)
    >>> with use_spelling(command_option):
    ...     was_given("on_error", "halt"), was_given("the chart", "pie")
    ...     was_given("threads", 10**40)
    ('--on-error halt was given', "the chart='pie' was given")
    '--threads with a number of more than 40 digits was given'
    """
    in_python = _spelling[-1] is python_option or not name.isidentifier()
    if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
        return f"{f'{name}=' if in_python else f'{opt(name)} with '}a number of more than {MAX_DIGITS} digits was given"
    shown = value if len(str(value)) <= MAX_QUOTED else f"{str(value)[:MAX_QUOTED]}..."
    return f"{name}={shown!r} was given" if in_python else f"{opt(name, shown)} was given"


def check_choice(name: str, value: object, choices: Iterable[str], hint: str = "") -> None:
    """Raise if the value of an option is not one of its choices, and list them.

    >>> check_choice("rule", "count", ["count", "pmi"])
    >>> check_choice("rule", "dmc", ["count", "pmi"], "(or leave it out)")
    Traceback (most recent call last):
    problex.errors.ProblexError: rule='dmc' was given, expected one of count, pmi (or leave it out)
    """
    known = list(choices)
    if value not in known:
        raise ProblexError(f"{was_given(name, value)}, expected one of {', '.join(known)} {hint}".rstrip())


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn at the line that called into this package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
