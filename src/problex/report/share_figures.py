"""One figure of the shares of labels, with the number of documents: in all, by group, or over time."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Any

from problex._util.formatting import format_percent, pluralize
from problex._util.records import Record
from problex.evaluation.date_bins import period_of
from problex.evaluation.date_choice import NO_DATE
from problex.evaluation.shares import ALL_DOCUMENTS
from problex.explanation.views import COLOURS
from problex.report.chart_style import GREY, Records, class_colours, import_altair, round_fields
from problex.scoring.scores import UNDECIDED

MAX_LABELS = len(COLOURS)
"""Labels that a chart by group or over time shows: those with the most documents, and undecided."""
MAX_DATES = 9
"""Dates at the axis of a chart."""
NAME_WIDTH = 26
"""Characters in a line of the name of a group, of which two are shown."""
TITLE_WIDTH, SUBTITLE_WIDTH = 70, 84
HEIGHT, DOT_STEP = 300, 10
BAR_ROOM = 0.3
"""Height of the bars of documents, as a share of the height above them."""
MAX_SHADED = 3
"""Lines that have their intervals as shading; more would hide each other."""
STEPS = {"day": (1, 2, 5, 7, 14), "week": (1, 2, 4, 13), "month": (1, 2, 3, 6, 12), "quarter": (1, 2, 4, 8)}
"""How many periods may lie between two dates at the axis."""
COUNTING_ERROR = "95% interval of counting, without errors of the classification"


def share_figure(records: Records, classes: Sequence[str], *, time: bool, title: str = "") -> Any:
    """Shares of the labels in all, by group, or over time, with the intervals of counting."""
    alt = import_altair()
    labels = _largest_labels(records, classes)
    rows = [round_fields(row, row) for row in records if row["label"] in labels]
    undated = sum(row["documents"] for row in rows if time and row["group"] == NO_DATE and row["label"] == labels[0])
    if time:
        rows = [row for row in rows if row["group"] != NO_DATE]
        chart = _time_chart(rows, classes, labels)
    elif {row["group"] for row in rows} <= {ALL_DOCUMENTS}:
        chart = _label_chart([round_fields(row, row) for row in records], classes)
    else:
        chart = _group_chart(rows, classes, labels)
    if not title:
        return chart
    lines = _subtitle(records, labels, classes, undated=undated, time=time)
    wrapped = textwrap.wrap(title, TITLE_WIDTH)
    return chart.properties(title=alt.Title(wrapped, subtitle=lines, fontSize=15, subtitlePadding=4, offset=12))


def _largest_labels(records: Records, classes: Sequence[str]) -> list[str]:
    """The labels with the most documents, in the order of the classes, and undecided."""
    sizes: Counter[str] = Counter()
    for row in records:
        sizes[row["label"]] += row.get("hits", 0)
    largest = sorted(classes, key=lambda name: -sizes[name])[:MAX_LABELS]
    return [*(name for name in classes if name in largest), UNDECIDED]


def _subtitle(records: Records, labels: list[str], classes: Sequence[str], *, undated: int, time: bool) -> list[str]:
    sizes = {row["group"]: row["documents"] for row in records}
    text = f"n = {pluralize(sum(sizes.values()), 'document')}"
    if time:
        text += f"; grey bars: documents per {period_of(next(iter(sizes)))}"
        text += f"; {undated:,} without a date are not shown" if undated else ""
    if len(labels) <= len(classes) and len(sizes) > 1:
        text += f"; the {len(labels) - 1} largest of {len(classes)} labels"
    if time and len(labels) > MAX_SHADED:
        return textwrap.wrap(f"{text}.", SUBTITLE_WIDTH)
    return textwrap.wrap(f"{text}. {'Shading' if time else 'Lines'}: {COUNTING_ERROR}.", SUBTITLE_WIDTH)


def _colour(classes: Sequence[str], labels: list[str]) -> Any:
    alt = import_altair()
    names = classes if len(classes) <= MAX_LABELS else labels[:-1]
    return alt.Color("label:N", scale=class_colours(names), legend=alt.Legend(values=labels, labelLimit=160))


def _tooltip() -> list[Any]:
    alt = import_altair()
    shares = [alt.Tooltip(f"{name}:Q", format=".1%") for name in ("share", "low", "high")]
    return ["group:N", "label:N", *shares, "documents:Q"]


def _time_chart(rows: list[Record], classes: Sequence[str], labels: list[str]) -> Any:
    """Lines over time, above bars that show the documents of each period."""
    alt = import_altair()
    names = list(dict.fromkeys(row["group"] for row in rows))
    axis = alt.Axis(values=_dates_at_axis(names), labelAngle=0, labelOverlap=True, labelFlush=False, offset=4)
    x = alt.X("group:O", title=None, sort=names, axis=axis)
    base, colour = alt.Chart(alt.Data(values=rows)), _colour(classes, labels)
    shaded = len(labels) <= MAX_SHADED
    highest = max((row["high"] if shaded else row["share"] for row in rows if row["share"] is not None), default=1.0)
    y_axis, scale = _share_axis(highest)
    line = base.mark_line(point=True).encode(
        x=x, y=alt.Y("share:Q", axis=y_axis, scale=scale), color=colour, tooltip=_tooltip()
    )
    if shaded:
        low = alt.Y("low:Q", axis=y_axis, scale=scale)
        line = base.mark_area(opacity=0.16).encode(x=x, y=low, y2="high:Q", color=colour) + line
    sizes = {row["group"]: row["documents"] for row in rows}
    return alt.layer(_bars(sizes, x), line).resolve_scale(y="independent").properties(height=HEIGHT)


def _share_axis(highest: float) -> tuple[Any, Any]:
    """The axis of the shares from 0 on, and its scale, which leaves room for bars below 0."""
    alt = import_altair()
    step = next((step for step in (0.01, 0.02, 0.05, 0.1, 0.2) if highest <= 5 * step), 0.2)
    values = [round(at * step, 2) for at in range(6) if (at - 1) * step < highest]
    axis = alt.Axis(
        format="%", values=values, title="share of all documents", titlePadding=8, grid=True, domain=False, ticks=False
    )
    return axis, alt.Scale(domain=[-BAR_ROOM * values[-1], values[-1]], nice=False)


def _bars(sizes: dict[str, int], x: Any) -> Any:
    """Grey bars below the lines, with their own axis on the right."""
    alt = import_altair()
    most = max(sizes.values(), default=0) or 1
    axis = alt.Axis(
        orient="right",
        values=[0, most],
        format=",d",
        grid=False,
        domain=False,
        title="documents",
        titleAngle=-90,
        titleAlign="left",
        titleBaseline="top",
        titleY=HEIGHT,
    )
    scale = alt.Scale(domain=[0, most * 1.2 * (1 + BAR_ROOM) / BAR_ROOM], nice=False)
    rows = [{"group": name, "documents": size} for name, size in sizes.items()]
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_bar(color=GREY, opacity=0.4)
        .encode(x=x, y=alt.Y("documents:Q", scale=scale, axis=axis), tooltip=["group:N", "documents:Q"])
    )


def _dates_at_axis(names: list[str]) -> list[str]:
    """Every second, third or so of the periods, so that there is room for their names.

    >>> _dates_at_axis([f"20{year:02}-{month:02}" for year in (4, 5) for month in range(1, 13)])
    ['2004-01', '2004-04', '2004-07', '2004-10', '2005-01', '2005-04', '2005-07', '2005-10']
    """
    every = period_of(names[0]) if names else "year"
    steps = STEPS.get(every, (1, 2, 5, 10, 20, 25, 50, 100))
    step = next((step for step in steps if len(names) <= step * MAX_DATES), -(-len(names) // MAX_DATES))
    if not names or every in ("day", "week") or step not in steps:
        return names[::step]
    in_a_year = {"month": 12, "quarter": 4, "year": 1}[every]
    first = int(names[0][:4]) * in_a_year + (int(names[0][-2:].strip("Q")) - 1 if every != "year" else 0)
    return names[-first % step :: step]


def _group_chart(rows: list[Record], classes: Sequence[str], labels: list[str]) -> Any:
    """A row for each group with its number of documents: a dot for each label, with its interval."""
    alt = import_altair()
    rows = [row | {"name": _group_name(row)} for row in rows if row["share"] is not None]
    names = list(dict.fromkeys(row["name"] for row in rows))
    lines = max((name.count("\n") + 1 for name in names), default=1)
    base, colour = alt.Chart(alt.Data(values=rows)), _colour(classes, labels)
    axis = alt.Axis(labelExpr="split(datum.value, '\\n')", labelLimit=240, labelLineHeight=13, ticks=False)
    y = alt.Y("name:N", sort=names, title=None, axis=axis, scale=alt.Scale(paddingInner=0.2, paddingOuter=0.1))
    offset = alt.YOffset("label:N", sort=labels, scale=alt.Scale(domain=labels))
    share_axis = alt.Axis(format="%", tickCount=6, grid=True)
    x = alt.X("share:Q", title="share of all documents", axis=share_axis, scale=alt.Scale(zero=True))
    intervals = base.mark_rule(strokeWidth=2, opacity=0.55).encode(
        x=alt.X("low:Q", axis=share_axis), x2="high:Q", y=y, yOffset=offset, color=colour
    )
    points = base.mark_circle(size=60, opacity=1).encode(x=x, y=y, yOffset=offset, color=colour, tooltip=_tooltip())
    step = max(DOT_STEP, -(-14 * lines // len(labels)))
    return (intervals + points).properties(height=alt.Step(step, **{"for": "offset"}))


def _group_name(row: Record) -> str:
    """The name of a group in at most two lines, with its number of documents."""
    lines = textwrap.wrap(row["group"], NAME_WIDTH, max_lines=2, placeholder=" …", break_on_hyphens=False) or [""]
    number = f"(n = {row['documents']:,})"
    if len(lines[-1]) + len(number) < NAME_WIDTH:
        return "\n".join([*lines[:-1], f"{lines[-1]} {number}"])
    return "\n".join([*lines, number])


def _label_chart(rows: list[Record], classes: Sequence[str]) -> Any:
    """A bar for each label with its share, its interval and its number of documents."""
    alt = import_altair()
    rows = [row | {"text": f"{format_percent(row['share'])} (n = {row['hits']:,})"} for row in rows]
    base = alt.Chart(alt.Data(values=rows))
    axis = alt.Axis(format="%", tickCount=6, grid=True)
    highest = max((row["high"] or 0.0 for row in rows), default=1.0)
    scale = alt.Scale(domain=[0, min(1.25, 1.28 * highest)], nice=False)
    y = alt.Y("label:N", sort=[row["label"] for row in rows], title=None, axis=alt.Axis(labelLimit=200))
    x = alt.X("share:Q", title="share of all documents", axis=axis, scale=scale)
    colour = alt.Color("label:N", scale=class_colours(classes), legend=None)
    bars = base.mark_bar(opacity=0.75, size=20).encode(x=x, y=y, color=colour, tooltip=_tooltip())
    intervals = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", axis=axis), x2="high:Q", y=y)
    numbers = base.mark_text(align="left", dx=6).encode(x=alt.X("high:Q", axis=axis), y=y, text="text:N")
    return (bars + intervals + numbers).properties(height=alt.Step(34))
