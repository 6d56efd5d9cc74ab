"""Charts of categories: how much they vary, how they correlate, and how they differ by group or over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from problex._util.records import Record
from problex.report.chart_style import GREY, Records, class_colours, import_altair, round_fields
from problex.report.date_axis import dates_at_axis
from problex.report.share_charts import rows_with_gaps

AXIS_TITLE = "percent of words"
STEP = 22
"""Height of a row."""
HEIGHT = 300
"""Height of a chart over time."""
POSITIVE, NEGATIVE = "rgb(0,114,178)", "rgb(213,94,0)"
"""Colours of positive and negative correlations."""


def spread_chart(records: Records) -> Any:
    """The mean of each category, with a line from one standard deviation below to one above."""
    alt = import_altair()
    rows = [
        round_fields(
            row | {"low": max(row["mean"] - row["deviation"], 0.0), "high": row["mean"] + row["deviation"]},
            ("category", "mean", "deviation", "low", "high"),
        )
        for row in records
    ]
    base = alt.Chart(alt.Data(values=rows))
    names = [row["category"] for row in rows]
    y = alt.Y("category:N", sort=names, title=None, axis=alt.Axis(labelPadding=7, ticks=False))
    axis = alt.Axis(title=AXIS_TITLE, grid=True, domain=False, ticks=False, tickCount=6)
    low, mean = (alt.X(f"{name}:Q", axis=axis) for name in ("low", "mean"))
    numbers = [alt.Tooltip(f"{name}:Q", format=".2f") for name in ("mean", "deviation")]
    rule = base.mark_rule(strokeWidth=2, color=GREY).encode(x=low, x2="high:Q", y=y)
    dots = base.mark_circle(size=70, opacity=1, color=POSITIVE).encode(x=mean, y=y, tooltip=["category:N", *numbers])
    return alt.layer(rule, dots).properties(height=alt.Step(STEP))


def correlation_chart(names: Sequence[str], values: Sequence[Sequence[float | None]]) -> Any:
    """A square for each two categories: its colour is the sign, its strength the size of the correlation."""
    alt = import_altair()
    rows: list[Record] = [
        {
            "category": one,
            "other": other,
            "correlation": round(value, 3),
            "strength": round(abs(value), 3),
            "sign": "positive" if value >= 0 else "negative",
        }
        for one, of_one in zip(names, values, strict=True)
        for other, value in zip(names, of_one, strict=True)
        if value is not None and one != other
    ]
    base = alt.Chart(alt.Data(values=rows))
    x = alt.X("other:N", sort=list(names), title=None, axis=alt.Axis(labelAngle=-60, labelLimit=110, ticks=False))
    y = alt.Y("category:N", sort=list(names), title=None, axis=alt.Axis(labelLimit=110, ticks=False, labelPadding=6))
    colour = alt.Color(
        "sign:N",
        scale=alt.Scale(domain=["positive", "negative"], range=[POSITIVE, NEGATIVE]),
        legend=alt.Legend(),
    )
    strength = alt.Opacity("strength:Q", scale=alt.Scale(domain=[0, 1], range=[0.04, 1]), legend=None)
    tooltip = ["category:N", "other:N", alt.Tooltip("correlation:Q", format=".2f")]
    squares = base.mark_rect().encode(x=x, y=y, color=colour, opacity=strength, tooltip=tooltip)
    return squares.properties(height=alt.Step(STEP))


def groups_chart(rows: Records, categories: Sequence[str], *, time: bool) -> Any:
    """The mean of some categories by group, as dots, or over time, as lines; rows have a group and a category each."""
    alt = import_altair()
    rows = rows_with_gaps(rows, "category") if time else rows
    names = list(dict.fromkeys(row["group"] for row in rows))
    shown = [round_fields(row, ("group", "category", "percent", "documents")) for row in rows]
    base = alt.Chart(alt.Data(values=shown))
    colour = alt.Color("category:N", scale=class_colours(categories), legend=alt.Legend(values=list(categories)))
    tooltip = ["group:N", "category:N", alt.Tooltip("percent:Q", format=".2f"), alt.Tooltip("documents:Q", format=",")]
    axis = alt.Axis(title=AXIS_TITLE, grid=True, domain=False, ticks=False, tickCount=6)
    if time:
        dates = alt.Axis(values=dates_at_axis(names), labelAngle=0, labelOverlap="parity", ticks=False, labelPadding=8)
        x, y = alt.X("group:O", sort=names, title=None, axis=dates), alt.Y("percent:Q", axis=axis)
        lines = base.mark_line(point={"size": 26}, strokeWidth=2).encode(x=x, y=y, color=colour, tooltip=tooltip)
        return lines.properties(height=HEIGHT)
    y = alt.Y("group:N", sort=names, title=None, axis=alt.Axis(labelPadding=7, ticks=False))
    x = alt.X("percent:Q", axis=axis, scale=alt.Scale(zero=True))
    dots = base.mark_circle(size=60, opacity=1).encode(x=x, y=y, color=colour, tooltip=tooltip)
    return dots.properties(height=alt.Step(STEP))
