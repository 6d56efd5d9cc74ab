"""Charts of shares: of the labels in all documents, by group, and over time; undecided documents are a share, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from problex.report.chart_style import INK, Records, class_colours, import_altair, round_fields
from problex.scoring.scores import UNDECIDED


def labels_chart(records: Records, classes: Sequence[str]) -> Any:
    """The share of each label in all documents, as bars with intervals."""
    alt = import_altair()
    base = alt.Chart(alt.Data(values=_rows(records)))
    title = "share of all documents"
    y = alt.Y("label:N", sort=[*classes, UNDECIDED], title=None)
    x = alt.X("share:Q", title=title, axis=alt.Axis(format="%", tickCount=5, grid=True))
    colour = alt.Color("label:N", scale=class_colours(classes), legend=None)
    bars = base.mark_bar(opacity=0.75).encode(x=x, y=y, color=colour, tooltip=_tooltip("label:N"))
    intervals = base.mark_rule(strokeWidth=2, color=INK).encode(x=alt.X("low:Q", title=title), x2="high:Q", y=y)
    return (bars + intervals).properties(height=alt.Step(26))


def shares_chart(records: Records, classes: Sequence[str], *, time: bool, only: str | None = None) -> Any:
    """Shares of the labels by group or over time, with intervals; `only` is the one label to draw."""
    rows = [row for row in _rows(records) if only in (None, row["label"])]
    groups = list(dict.fromkeys(row["group"] for row in rows))
    return _over_time(rows, groups, classes, records, only) if time else _by_group(rows, groups, classes)


def _over_time(rows: Records, groups: list[str], classes: Sequence[str], records: Records, only: str | None) -> Any:
    """Lines with bands; all charts of the same records have the same scale, so that they can be compared."""
    alt = import_altair()
    base = alt.Chart(alt.Data(values=list(rows)))
    title = "share of the documents" if only is None else only
    axis = alt.Axis(labelAngle=0, labelSeparation=10, labelPadding=9, ticks=False)
    x = alt.X("group:O", sort=groups, title=None, axis=axis, scale=alt.Scale(type="point", padding=0.3))
    scale = alt.Scale(domain=[0, max(row["high"] or 0.0 for row in records)], nice=True)
    y = alt.Y("share:Q", title=title, axis=alt.Axis(format="%", tickCount=5 if only is None else 3), scale=scale)
    colour = _colour(rows, classes, only)
    band = base.mark_area(opacity=0.22).encode(x=x, y=alt.Y("low:Q", title=title), y2="high:Q", color=colour)
    line = base.mark_line(point={"size": 26}, strokeWidth=2).encode(
        x=x, y=y, color=colour, tooltip=_tooltip("group:N", "label:N")
    )
    return (band + line).properties(height=280 if only is None else 120)


def _by_group(rows: Records, groups: list[str], classes: Sequence[str]) -> Any:
    """A line of dots for each group."""
    alt = import_altair()
    base = alt.Chart(alt.Data(values=list(rows)))
    title = "share of the documents"
    y = alt.Y("group:N", sort=groups, title=None, axis=alt.Axis(grid=True, labelLimit=130))
    x = alt.X("share:Q", title=title, axis=alt.Axis(format="%", tickCount=5, grid=True))
    low, colour = alt.X("low:Q", title=title), _colour(rows, classes, None)
    intervals = base.mark_rule(strokeWidth=2, opacity=0.55).encode(x=low, x2="high:Q", y=y, color=colour)
    tooltip = _tooltip("group:N", "label:N")
    points = base.mark_circle(size=70, opacity=1).encode(x=x, y=y, color=colour, tooltip=tooltip)
    return (intervals + points).properties(height=alt.Step(24))


def _colour(rows: Records, classes: Sequence[str], only: str | None) -> Any:
    alt = import_altair()
    labels = [label for label in (*classes, UNDECIDED) if any(row["label"] == label for row in rows)]
    return alt.Color("label:N", scale=class_colours(classes), legend=None if only else alt.Legend(values=labels))


def _rows(records: Records) -> Records:
    fields = ("group", "label", "documents", "hits", "share", "low", "high")
    return [round_fields(row, fields) for row in records if row["share"] is not None]


def _tooltip(*names: str) -> list[Any]:
    alt = import_altair()
    titles = {"share": "share", "low": "95% interval from", "high": "to"}
    shares = [alt.Tooltip(f"{name}:Q", format=".1%", title=title) for name, title in titles.items()]
    numbers = [
        alt.Tooltip("hits:Q", format=",", title="documents"),
        alt.Tooltip("documents:Q", format=",", title="of"),
    ]
    return [*names, *shares, *numbers]
