"""Exceptions and warnings. Every message says what was given, what was expected and what to do next.

Messages name an option as a Python caller writes it, `on_error="skip"`; the command line shows them as
`command_line_message` spells them, `--on-error skip`. No message needs both.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path

MAX_QUOTED = 80
"""Characters of a wrong value that a message quotes."""
COMMAND_OPTIONS = {
    "audit": "--audit",
    "balance": "--balance",
    "by": "--by",
    "checkpoint": "--checkpoint",
    "confidence": "--confidence",
    "corpus": "--corpus",
    "date_order": "--date-order",
    "delimiter": "--delimiter",
    "encoding": "--encoding",
    "estimator": "--estimator",
    "every": "--every",
    "expand_sample": "--expand-sample",
    "fold_accents": "--fold-accents",
    "force": "--force",
    "format": "--input-format",
    "glob": "--glob",
    "header": "--header",
    "keep": "--keep",
    "keep_discordant": "--keep-discordant",
    "kind": "--kind",
    "label": "--label",
    "language": "--language",
    "levels": "--levels",
    "markup": "--markup",
    "matching": "--matching",
    "memory": "--memory",
    "midpoint": "--midpoint",
    "negation": "--negation",
    "neutral": "--neutral",
    "on_error": "--on-error",
    "query": "--query",
    "rule": "--rule",
    "seed": "--seed",
    "sheet": "--sheet",
    "shared": "--shared",
    "shrink_to": "--shrink-to",
    "shrinkage": "--shrinkage",
    "solver": "--solver",
    "table": "--table",
    "temper": "--temper",
    "text": "--text",
    "threads": "--threads",
    "values": "--values",
    "weight": "--weight",
    "word": "--word",
}
"""Arguments of functions that are options of commands, too."""
_PACKAGE = f"{Path(__file__).parent}{os.sep}"
_VALUE = r"""(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<dots>\.\.\.)|(?P<word>-?[\w.]+(?:[,-]\w+)*))"""
_OPTION = rf"(?<![\w.])(?P<name>{'|'.join(COMMAND_OPTIONS)})={_VALUE}"
_QUOTATION = r"""(?<!\w)b?(?:'[^']*'|"[^"]*")(?!\w)"""


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


def check_choice(name: str, value: object, choices: Iterable[str], hint: str = "") -> None:
    """Raise if the value of an option is not one of its choices, and list them."""
    known = list(choices)
    if value not in known:
        given = repr(value) if len(str(value)) <= MAX_QUOTED else repr(f"{str(value)[:MAX_QUOTED]}...")
        raise ProblexError(f"{name}={given} was given, expected one of {', '.join(known)} {hint}".rstrip())


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn at the line that called into this package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def command_line_message(message: str) -> str:
    """A message with options as the command line spells them; what it quotes from files stays as it is.

    >>> command_line_message('Correct it, or give on_error="skip".')
    'Correct it, or give --on-error skip.'
    >>> command_line_message("give delimiter=';' or header=False")
    "give --delimiter ';' or --no-header"
    >>> command_line_message("'a,text=...' has 2 cells; name the column with text=... or overwrite it with force=True")
    "'a,text=...' has 2 cells; name the column with --text or overwrite it with --force"
    """
    return re.sub(f"{_OPTION}|{_QUOTATION}", _command_option, message)


def _command_option(match: re.Match[str]) -> str:
    """One option of a message as the command line spells it; a quotation as it is."""
    if match["name"] is None:
        return match[0]
    option, value = COMMAND_OPTIONS[match["name"]], match["double"] or match["single"] or match["word"]
    if value == "False":
        return f"--no-{option[2:]}"
    return option if value in (None, "True") else f"{option} {shlex.quote(value)}"
