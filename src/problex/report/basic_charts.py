"""Records to charts, in Altair: shown in a notebook, or saved as HTML, SVG or PNG without a network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from problex.errors import ProblexError, check_choice

Records = Sequence[dict[str, Any]]


def altair() -> Any:
    """The package, or a word about how to install it."""
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
    alt = altair()
    lists = sorted({row["list"] for row in records})
    shown: list[dict[str, Any]] = []
    for at, name in enumerate(lists):
        sign = -1 if len(lists) == 2 and at == 0 else 1
        picked = telling_words([row for row in records if row["list"] == name], top=top, idle=idle)
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


def telling_words(records: Records, *, top: int, idle: int) -> list[dict[str, Any]]:
    """Of the frequent words, the heaviest, and the most frequent ones that say nothing.

    >>> rows = [{"entry": word, "count": 9, "weight": weight} for word, weight in (("a", 0.0), ("b", 0.5), ("c", 1.0))]
    >>> [row["entry"] for row in telling_words(rows, top=1, idle=1)]
    ['c', 'a']
    """
    often = sorted((row for row in records if row["count"]), key=lambda row: -row["count"])[: max(10 * top, 100)]
    heavy = sorted(often, key=lambda row: -row["weight"])[:top]
    return heavy + [row for row in often if row["weight"] < 0.05 and row not in heavy][:idle]


def effective_counts_chart(records: Records) -> Any:
    """The figure of the paper: what repeats of a word are worth, a line for each concentration."""
    alt = altair()
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
    alt = altair()
    lengths = [row for row in records if not isinstance(row["tokens"], str)]
    names = {"multinomial": "every word is new evidence (multinomial)", "dcm": "words come in bursts (dcm)"}
    rows = [
        {"tokens": row["tokens"], "variance": name, "accuracy": row[key]}
        for row in lengths
        for key, name in names.items()
    ]
    colour = alt.Scale(domain=list(names.values()), range=["#cc79a7", "#0072b2"])
    return (
        alt.Chart(alt.Data(values=rows), title=alt.Title("Expected accuracy", subtitle=_wrap(warning)))
        .mark_line(point=True)
        .encode(
            x=alt.X("tokens:Q", scale=alt.Scale(type="log"), title="words in the document (logarithmic)"),
            y=alt.Y("accuracy:Q", scale=alt.Scale(domain=[0.5, 1.0]), title="expected accuracy"),
            color=alt.Color(
                "variance:N", scale=colour, legend=alt.Legend(orient="top", title=None, columns=1, labelLimit=300)
            ),
            tooltip=["tokens:Q", "accuracy:Q"],
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


def _wrap(text: str, width: int = 56) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
