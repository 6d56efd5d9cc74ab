"""Records to charts, in Altair: shown in a notebook, or saved as HTML, SVG or PNG without a network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from problex.errors import ProblexError, check_choice

Records = Sequence[dict[str, Any]]


def _altair() -> Any:
    try:
        import altair
    except ImportError:
        raise ProblexError("charts need the package 'altair': install it with pip install 'problex[report]'") from None
    return altair


def weights_chart(records: Records, *, top: int = 12, idle: int = 4) -> Any:
    """The heaviest of the frequent words of each list and its most frequent idle ones; two lists face each other.

    >>> rows = [{"entry": "good", "list": "positive", "count": 9, "weight": 1.0, "predictiveness": 0.5}]
    >>> weights_chart(rows).to_dict()["mark"]["type"]
    'circle'
    """
    alt = _altair()
    lists = sorted({row["list"] for row in records})
    shown: list[dict[str, Any]] = []
    for at, name in enumerate(lists):
        sign = -1 if len(lists) == 2 and at == 0 else 1
        mine = sorted((r for r in records if r["list"] == name and r["count"]), key=lambda row: -row["count"])
        often = mine[: max(10 * top, 100)]
        picked = sorted(often, key=lambda row: -row["weight"])[:top] + [r for r in often if r["weight"] < 0.05][:idle]
        shown += [row | {"pull": sign * row["weight"]} for row in picked]
    title = f"log-odds that one occurrence adds, towards {lists[0]} or {lists[-1]}" if len(lists) == 2 else "weight"
    return (
        alt.Chart(alt.Data(values=shown), background="white")
        .mark_circle(opacity=0.9)
        .encode(
            x=alt.X("pull:Q", title=title),
            y=alt.Y("entry:N", sort=alt.EncodingSortField("pull", order="descending"), title=None),
            size=alt.Size("count:Q", title="occurrences", scale=alt.Scale(type="log", range=[20, 400])),
            color=alt.Color("list:N", title="list", scale=alt.Scale(domain=lists, range=_palette(len(lists)))),
            tooltip=["entry:N", "list:N", "count:Q", "predictiveness:Q", "weight:Q"],
        )
        .properties(width=420, height=alt.Step(15))
    )


def effective_counts_chart(records: Records) -> Any:
    """The figure of the paper: what repeats of a word are worth, a line for each concentration."""
    alt = _altair()
    named = [row | {"concentration": f"{row['concentration']:g}"} for row in records]
    return (
        alt.Chart(alt.Data(values=named))
        .mark_line(point=True)
        .encode(
            x=alt.X("count:Q", title="count"),
            y=alt.Y("effective_count:Q", title="effective count"),
            color=alt.Color("concentration:N", title="concentration", sort=None),
        )
        .properties(width=360, height=260)
    )


def forecast_chart(records: Records, warning: str) -> Any:
    """Expected accuracy by length, under its warning."""
    alt = _altair()
    lengths = [row for row in records if not isinstance(row["tokens"], str)]
    rows = [
        {"tokens": row["tokens"], "variance": name, "accuracy": row[name]}
        for row in lengths
        for name in ("multinomial", "dcm")
    ]
    return (
        alt.Chart(alt.Data(values=rows), title=alt.Title("Expected accuracy", subtitle=_wrap(warning)))
        .mark_line(point=True)
        .encode(
            x=alt.X("tokens:Q", scale=alt.Scale(type="log"), title="tokens in the document"),
            y=alt.Y("accuracy:Q", scale=alt.Scale(domain=[0.5, 1.0])),
            color=alt.Color("variance:N", title="variance"),
        )
        .properties(width=360, height=260)
    )


def save_chart(chart: Any, path: Path) -> None:
    """Write a chart as .html, .svg, .png or .json; HTML carries its scripts with it."""
    check_choice("chart format", path.suffix, (".html", ".svg", ".png", ".json"))
    options: dict[str, Any] = {"inline": True} if path.suffix == ".html" else {}
    chart.save(str(path), **options)


def _palette(size: int) -> list[str]:
    colours = ["#c0392b", "#2471a3", "#229954", "#b9770e", "#7d3c98", "#148f77", "#616a6b", "#d35400"]
    return [colours[at % len(colours)] for at in range(size)]


def _wrap(text: str, width: int = 64) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
