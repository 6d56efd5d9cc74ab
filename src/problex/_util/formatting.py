"""Formatting of numbers, names and shares in messages, tables and pages, and templates of pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_PICTURES = {chr(code): chr(0x2400 + code) for code in range(32)} | {"\x7f": "\u2421"}


def pluralize(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    >>> pluralize(1, "entry", "entries"), pluralize(2000, "word")
    ('1 entry', '2,000 words')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def parse_place(text: str) -> int:
    """The whole number that a text is, such as that of a sheet or column; 0 if it is none, or has over 18 digits.

    >>> parse_place("2"), parse_place("two"), parse_place("9" * 5000)
    (2, 0, 0)
    """
    return int(text) if text.isdecimal() and len(text) <= 18 else 0


def with_article(noun: str) -> str:
    """A noun with its indefinite article, by its first letter.

    >>> with_article("tech"), with_article("entertainment")
    ('a tech', 'an entertainment')
    """
    return f"{'an' if noun.lower().startswith(tuple('aeiou')) else 'a'} {noun}"


def quote_all(names: Iterable[object]) -> str:
    """Names in a message.

    >>> quote_all(["id", "text"]), quote_all([])
    ("'id', 'text'", 'none')
    """
    return ", ".join(map(repr, names)) or "none"


def first_few(texts: Sequence[str], most: int = 5, mark: str = ", ") -> str:
    """The first texts, and how many more there are.

    >>> first_few(["a", "b", "c"], 2), first_few(["a", "b"])
    ('a, b and 1 more', 'a, b')
    """
    return mark.join(texts[:most]) + (f" and {len(texts) - most} more" if len(texts) > most else "")


def join_with_or(names: Sequence[str]) -> str:
    """Names as alternatives.

    >>> join_with_or(["a", "b", "c"]), join_with_or(["a"])
    ('a, b or c', 'a')
    """
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def visible_text(text: str) -> str:
    r"""A text with characters that XML and HTML forbid as visible ones: control characters by their pictures.

    >>> visible_text("a\x01b\x1b\ufffe") == "a\u2401b\u241b\ufffd"
    True
    """
    return _FORBIDDEN.sub(lambda match: _PICTURES.get(match[0], "\ufffd"), text)


def format_value(value: object, missing: str = "-") -> str:
    """A value in a table.

    >>> [format_value(value) for value in (None, 1234, 0.51234, 12345.6, True, "good")]
    ['-', '1,234', '0.512', '12,346', 'yes', 'good']
    """
    if value is None:
        return missing
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def format_percent(value: float | None) -> str:
    """A share in per cent; a share just below 1 is not shown as 100 %, nor one just above 0 as 0 %.

    Halves are rounded up as the charts of a page and its JavaScript do, so that a share is the same everywhere.

    >>> [format_percent(value) for value in (0.1225, None, 0.9999, 1.0, 0.0001)]
    ['12.3%', '–', '>99.9%', '100.0%', '<0.1%']
    """
    if value is None:
        return "–"
    if 0.9995 <= value < 1:
        return ">99.9%"
    if 0 < value < 0.0005:
        return "<0.1%"
    return f"{Decimal(100 * value).quantize(Decimal('0.1'), ROUND_HALF_UP)}%"


def format_interval(low: float, high: float, form: Callable[[float], str] = format_percent) -> str:
    """An interval, which is a point only if nothing is left to estimate.

    >>> format_interval(0.25, 0.5), format_interval(0.571, 0.571)
    ('25.0% to 50.0%', 'all labelled')
    """
    return f"{form(low)} to {form(high)}" if high - low > 1e-9 else "all labelled"


def format_progress(documents: int, per_second: float) -> str:
    """How many documents were read, and how fast.

    >>> format_progress(25000, 98765.4)
    '25,000 documents, 98,765 per second'
    """
    return f"{documents:,} documents, {per_second:,.0f} per second"


def _visible(value: object) -> object:
    """A value without the control characters that HTML forbids."""
    return visible_text(value) if type(value) is str else value


@cache
def template_environment(*packages: str) -> Environment:
    """The environment of the templates in the folders `templates` of some packages.

    Values are escaped in all templates. The filter `tojson` escapes `<`, `>`, `&` and `'`, so that no string can end
    the script element that it is in; it keeps the order of keys.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        autoescape=True,
        finalize=_visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return environment
