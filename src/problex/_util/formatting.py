"""Values as people read them, in tables and on pages."""

from __future__ import annotations


def shown(value: object, missing: str = "-") -> str:
    """A value as people read it.

    >>> shown(None), shown(1234), shown(0.51234), shown(12345.6), shown(True), shown("good")
    ('-', '1,234', '0.512', '12,346', 'yes', 'good')
    """
    if value is None:
        return missing
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
