"""File formats of lexicons: one module per format, and the table of all formats in `registry`."""

from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lexicon.formats.output import DOES_NOT_FIT, Output
from problex.lexicon.formats.registry import (
    FORMATS,
    READERS,
    SUFFIXES,
    WRITERS,
    WRITTEN_SUFFIXES,
    Format,
    detect_format,
    is_expected,
)

__all__ = [
    "DOES_NOT_FIT",
    "FORMATS",
    "READERS",
    "SUFFIXES",
    "WRITERS",
    "WRITTEN_SUFFIXES",
    "Format",
    "LexiconFile",
    "Output",
    "detect_format",
    "is_expected",
]
