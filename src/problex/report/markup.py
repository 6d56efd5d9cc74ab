"""Pieces of a page: everything that comes from texts, words and files is escaped here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from problex._util.formatting import format_value


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a page: its HTML has `figure(name, ...)` where the chart of that name goes."""

    title: str
    html: str
    charts: Mapping[str, Any] = field(default_factory=dict)


def text(value: object) -> str:
    """Plain text, escaped.

    >>> text("<b> & 'c'")
    '&lt;b&gt; &amp; &#x27;c&#x27;'
    """
    return escape(str(value), quote=True)


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph of plain text."""
    return f"<p{_class(kind)}>{text(words)}</p>"


def callout(words: str) -> str:
    """A sentence that must not be overlooked."""
    return f'<p class="callout" role="note">{text(words)}</p>'


def cell(value: object) -> str:
    """A value as people read it.

    >>> cell(None), cell(1234), cell(0.51234), cell("<")
    ('–', '1,234', '0.512', '&lt;')
    """
    return text(format_value(value, missing="–"))


def table(records: Sequence[Mapping[str, Any]], headings: Mapping[str, str], caption: str = "") -> str:
    """Records as a table with the columns of `headings`; numbers stand to the right, a narrow page scrolls it."""
    if not records:
        return ""
    numeric = {
        name: all(
            isinstance(row[name], (int, float)) or row[name] is None or str(row[name]).endswith("%") for row in records
        )
        for name in headings
    }
    kind = {name: ' class="number"' if numeric[name] else "" for name in headings}
    head = "".join(f'<th scope="col"{kind[name]}>{text(title)}</th>' for name, title in headings.items())
    rows = "\n".join(
        "<tr>" + "".join(f"<td{kind[name]}>{cell(row[name])}</td>" for name in headings) + "</tr>" for row in records
    )
    above = f"<caption>{text(caption)}</caption>" if caption else ""
    return f'<div class="scroll"><table>{above}<thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'


def figure(name: str, says: str) -> str:
    """The place of a chart, with the sentence that says what to see in it."""
    return (
        f'<figure id="chart-{name}"><div class="chart" data-chart="{name}" role="img" aria-label="{text(says)}"></div>'
        f"<!--still:{name}--><figcaption>{text(says)}</figcaption></figure>"
    )


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
