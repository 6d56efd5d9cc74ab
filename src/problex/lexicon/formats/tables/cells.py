"""What a cell of a table means: a number, or whether a word is in a category."""

from __future__ import annotations

import math

MARKS = frozenset({"x", "✓", "✔", "true", "yes"})
"""Cells that put a word into the category of their column."""
MISSING = frozenset({"", "-", "--", "—", "na", "n/a", "nan", "null", "none", "."})
"""Cells that hold nothing."""


def as_number(cell: str) -> float | None:
    """The number in a cell, with a comma or a point, or None.

    >>> as_number("-0,05"), as_number(" 2 "), as_number("two"), as_number("nan")
    (-0.05, 2.0, None, None)
    """
    text = cell.strip()
    if not text or text[-1] not in "0123456789.":
        return None
    try:
        value = float(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None


def membership(cell: str, name: str = "") -> tuple[bool, float | None] | None:
    """Whether a mark puts a word into a category, and with what weight; None for a cell that is neither.

    In the General Inquirer, the mark is the `name` of the category.

    >>> membership("X"), membership("0"), membership("0.5"), membership("hello"), membership("Negativ", "Negativ")
    ((True, None), (False, None), (True, 0.5), None, (True, None))
    """
    text = cell.strip().casefold()
    if text in MARKS or (text and text == name.strip().casefold()):
        return True, None
    if text in MISSING or text in ("false", "no"):
        return False, None
    number = as_number(text)
    return None if number is None else (number != 0, number or None)
