"""Which column has the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext

from problex.corpus.batch import text_size
from problex.corpus.detection.headers import TEXT_NAMES
from problex.corpus.reader import Reader, file_errors, quote_columns
from problex.errors import DocumentError, DocumentWarning, warn_caller

MAX_COLUMNS_SAMPLED = 10_000
MIN_MEAN_LENGTH = 20  # of a column that is taken for the texts though its name is none of the usual ones


def choose_text_column(reader: Reader, text: str | None) -> str:
    """The column of a reader with the texts, with a warning if it is a guess."""
    column, guessed = find_text_column(reader, text)
    if guessed and column != "text":
        warn_caller(f"reading texts from column {column!r} (guessed; name it with text=...)", DocumentWarning)
    return column


def find_text_column(reader: Reader, text: str | None) -> tuple[str, bool]:
    """The column of a reader with the texts, and whether it was guessed among several."""
    if text is not None:
        return choose_column(reader.columns, {}, text)
    sample: Mapping[str, Sequence[object]] = {}
    if not _usual_names(reader.columns):
        if len(reader.columns) > MAX_COLUMNS_SAMPLED:
            raise DocumentError(
                f"there are {len(reader.columns):,} columns, too many to find the texts: "
                f"{quote_columns(reader.columns)}. Name the column with text=..."
            )
        with file_errors(reader.name) if reader.name else nullcontext():
            sample = reader.sample()
    return choose_column(reader.columns, sample)


def choose_column(
    names: Sequence[str], sample: Mapping[str, Sequence[object]], text: str | None = None
) -> tuple[str, bool]:
    """The column with the texts, and whether it was guessed among several.

    >>> choose_column(["id", "Review"], sample={})
    ('Review', True)
    """
    if text is not None and text not in names:
        raise DocumentError(f"there is no column {text!r}; the columns are {quote_columns(names)}. Name one of these.")
    if text is not None or len(names) == 1:
        return text or names[0], False
    usual = _usual_names(names)
    lengths = {name: _mean_length(sample.get(name, ())) for name in names}
    best = usual[0] if usual else max(names, key=lengths.__getitem__)
    if not usual and lengths[best] <= MIN_MEAN_LENGTH:
        raise DocumentError(
            f"the column with the texts could not be guessed; the columns are {quote_columns(names)}; expected a usual "
            "name such as 'text', or long texts. Name the column with text=..."
        )
    return best, True


def _usual_names(names: Sequence[str]) -> list[str]:
    """The names of columns that usually have the texts, the likeliest first."""
    lower = {str(name).lower(): name for name in reversed(names)}
    return [lower[name] for name in TEXT_NAMES if name in lower]


def _mean_length(values: Sequence[object]) -> float:
    present = [value for value in values if value is not None]
    return sum(map(text_size, present)) / len(present) if present else 0.0
