"""Charts of certainty and of accuracy: scores, forecasts, the audit, the calibration curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from problex.evaluation.metrics import wilson
from problex.report.chart_style import GREY, INK, Records, class_colours, import_altair, round_fields, with_title
from problex.scoring.scores import UNDECIDED


def scores_chart(records: Records, classes: Sequence[str]) -> Any:
    """The distribution of scores, by label."""
    alt = import_altair()
    title = "probability of the chosen label"
    if len(classes) == 2:
        title = f"score: below 0 {classes[0]}, above 0 {classes[1]}"
    labels = {row["label"] for row in records}
    present = [name for name in (*classes, UNDECIDED) if name in labels]
    return (
        alt.Chart(alt.Data(values=list(records)))
        .mark_bar(stroke=None, binSpacing=0)
        .encode(
            x=alt.X("low:Q", title=title, bin="binned"),
            x2="high:Q",
            y=alt.Y("documents:Q", title="documents", stack="zero", axis=alt.Axis(format=",d", tickCount=5)),
            color=alt.Color("label:N", scale=class_colours(classes), legend=alt.Legend(values=present)),
            tooltip=["label:N", "documents:Q", "low:Q", "high:Q"],
        )
        .properties(height=220)
    )


def forecast_chart(records: Records, warning: str) -> Any:
    """Expected accuracy by length, with the warning as its subtitle."""
    alt = import_altair()
    names = {"multinomial": "every word is new evidence (multinomial)", "dcm": "words come in bursts (dcm)"}
    rows = [
        {"tokens": row["tokens"], "variance": name, "accuracy": row[key]}
        for row in records
        if not isinstance(row["tokens"], str)
        for key, name in names.items()
    ]
    colour = alt.Color(
        "variance:N",
        scale=alt.Scale(domain=list(names.values()), range=[GREY, INK]),
        legend=alt.Legend(orient="top", title=None, columns=1, labelLimit=300),
    )
    chart = (
        alt.Chart(alt.Data(values=rows))
        .mark_line(point=True)
        .encode(
            x=alt.X("tokens:Q", scale=alt.Scale(type="log"), title="words in the document (logarithmic)"),
            y=alt.Y("accuracy:Q", scale=alt.Scale(domain=[0.5, 1.0]), title="expected accuracy"),
            color=colour,
            tooltip=["tokens:Q", "accuracy:Q"],
        )
        .properties(width=360, height=260)
    )
    return with_title(chart, "Expected accuracy (forecast)", warning)


def size_chart(records: Records) -> Any:
    """Expected accuracy by the size of the lexicon: learned weights in solid lines, counting in dashed ones."""
    alt = import_altair()
    rows = [round_fields(row, row) | {"curve": f"{row['rule']}, {row['order']}"} for row in records]
    orders, rules = (list(dict.fromkeys(row[key] for row in records)) for key in ("order", "rule"))
    shades = {row["curve"]: (INK, GREY)[orders.index(row["order"])] for row in rows}
    dashes = {row["curve"]: ([1, 0], [4, 3])[rules.index(row["rule"])] for row in rows}
    legend = alt.Legend(columns=1, labelLimit=300)
    colour = alt.Scale(domain=list(shades), range=list(shades.values()))
    dash = alt.Scale(domain=list(dashes), range=list(dashes.values()))
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("entries:Q", scale=alt.Scale(type="log", nice=False), title="words in the lexicon (logarithmic)"),
            y=alt.Y("accuracy:Q", scale=alt.Scale(zero=False), title="expected accuracy"),
            color=alt.Color("curve:N", scale=colour, legend=legend),
            strokeDash=alt.StrokeDash("curve:N", scale=dash, legend=legend),
            tooltip=["curve:N", "entries:Q", "accuracy:Q"],
        )
        .properties(height=260)
    )


def reliability_chart(records: Records) -> Any:
    """The share of right labels by the probability of the label, with intervals; the diagonal is where both agree."""
    alt = import_altair()
    rows = []
    for row in records:
        low, high = wilson(round(row["accuracy"] * row["documents"]), int(row["documents"]))
        rows.append(round_fields(row, row) | {"low": round(low, 3), "high": round(high, 3)})
    scale = alt.Scale(domain=[0, 1])
    line = alt.Chart(alt.Data(values=[{"confidence": 0, "accuracy": 0}, {"confidence": 1, "accuracy": 1}]))
    x = alt.X("confidence:Q", scale=scale, title="probability of the label")
    y, title = alt.Y("accuracy:Q", scale=scale, title="share of right labels"), "share of right labels"
    diagonal = line.mark_line(color=GREY, strokeDash=[4, 3]).encode(x=x, y=y)
    base = alt.Chart(alt.Data(values=rows))
    intervals = base.mark_rule(strokeWidth=2, color=INK, opacity=0.5).encode(
        x=x, y=alt.Y("low:Q", scale=scale, title=title), y2="high:Q"
    )
    tooltip = ["confidence:Q", "accuracy:Q", "low:Q", "high:Q", "documents:Q"]
    points = base.mark_circle(size=70, color=INK, opacity=1).encode(x=x, y=y, tooltip=tooltip)
    return (diagonal + intervals + points).properties(width=300, height=260)


def audit_chart(records: Records) -> Any:
    """Estimates from labels with intervals, and what the model expected as open diamonds."""
    alt = import_altair()
    rows = [row | {"estimate": f"{row['measure']} {row['label']}".strip()} for row in records]
    base = alt.Chart(alt.Data(values=rows))
    y = alt.Y("estimate:N", sort=[row["estimate"] for row in rows], title=None)
    title = "dot: measured; diamond: expected without labels"
    x = alt.X("value:Q", scale=alt.Scale(domain=[0, 1]), title=title, axis=alt.Axis(tickCount=6, grid=True))
    tooltip = ["estimate:N", "value:Q", "low:Q", "high:Q", "expected:Q"]
    intervals = base.mark_rule(strokeWidth=2, color=INK, opacity=0.5).encode(
        x=alt.X("low:Q", title=title), x2="high:Q", y=y
    )
    points = base.mark_circle(size=70, color=INK, opacity=1).encode(x=x, y=y, tooltip=tooltip)
    diamonds = (
        base.transform_filter("datum.expected != null")
        .mark_point(shape="diamond", size=90, color=GREY, strokeWidth=2, filled=False)
        .encode(x=alt.X("expected:Q", title=title), y=y, tooltip=tooltip)
    )
    return (intervals + points + diamonds).properties(height=alt.Step(20))
