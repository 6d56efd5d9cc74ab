"""What a person may say about a file where its content is not enough."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from problex.errors import LexiconError, opt


@dataclass(frozen=True)
class FileOptions:
    """Columns of a table by name or number, how ratings become two lists, and the sheet of a workbook.

    Words rated above `midpoint` are positive and words below it negative; those within `neutral`, which contains the
    midpoint, are neither.
    """

    word: str | None = None
    label: str | None = None
    weight: str | None = None
    midpoint: float | None = None
    neutral: tuple[float, float] | None = None
    sheet: str | None = None

    def __post_init__(self) -> None:
        for name, numbers in (("midpoint", (self.midpoint,)), ("neutral", self.neutral or ())):
            if any(number is not None and not isfinite(number) for number in numbers):
                given = ":".join(map(str, numbers))
                raise LexiconError(f"{name}={given} was given, expected finite numbers")
        if self.neutral is not None and self.midpoint is None:
            object.__setattr__(self, "midpoint", sum(self.neutral) / 2)
        if self.neutral is not None and self.midpoint is not None:
            low, high = self.neutral
            if not low <= self.midpoint <= high:
                neutral, midpoint = opt("neutral", f"{low:g}:{high:g}"), opt("midpoint", f"{self.midpoint:g}")
                raise LexiconError(
                    f"{neutral} does not contain {midpoint}, expected two numbers around it, the lower one first"
                )

    @property
    def names_columns(self) -> bool:
        """Whether a column was named."""
        return any((self.word, self.label, self.weight))

    def list_of(self, weight: float) -> str | None:
        """The list of a rated word; None if it is neutral."""
        middle = self.midpoint or 0.0
        low, high = self.neutral or (middle, middle)
        return None if low <= weight <= high else "positive" if weight > middle else "negative"


def parse_neutral(text: str) -> tuple[float, float]:
    """The two numbers of `4:6`.

    >>> parse_neutral("4:6")
    (4.0, 6.0)
    """
    try:
        low, high = (float(part) for part in text.split(":"))
    except ValueError:
        raise LexiconError(f"--neutral {text} was given, expected two numbers such as 4:6") from None
    return low, high
