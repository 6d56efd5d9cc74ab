"""Charts of words and of certainty: predictiveness, weight by frequency, cross counts; scores, forecasts, the audit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from problex._util.records import Record
from problex.evaluation.metrics import wilson
from problex.report.chart_style import (
    FIXED,
    GREY,
    INK,
    Parameters,
    Records,
    class_colours,
    import_altair,
    round_fields,
    with_title,
)
from problex.scoring.scores import UNDECIDED

MAX_POINTS = 800
"""Words in a scatter plot; the rarest are left out."""
MAX_LABELS = 10
"""Words that are labelled in a scatter plot, if there is space."""
MAX_RATIO = 2.0
"""Larger ratios of observed and expected cross counts are drawn at this value."""
HEAVIEST_WORDS, WEIGHTLESS_WORDS = 14, 4
"""Words of each list in a chart of weights: the heaviest, and the most frequent ones without weight."""
MAX_WEIGHTLESS = 0.05
"""Weights below this count as none."""


def select_words(records: Records, heaviest: int = HEAVIEST_WORDS, weightless: int = WEIGHTLESS_WORDS) -> list[Record]:
    """Of the frequent words, the heaviest, and the most frequent ones without weight.

    >>> rows = [{"entry": word, "count": 9, "weight": weight} for word, weight in (("a", 0.0), ("b", 0.5), ("c", 1.0))]
    >>> [row["entry"] for row in select_words(rows, heaviest=1, weightless=1)]
    ['c', 'a']
    """
    by_count = sorted((row for row in records if row["count"]), key=lambda row: -row["count"])
    frequent = by_count[: max(10 * heaviest, 100)]
    heavy = sorted(frequent, key=lambda row: -row["weight"])[:heaviest]
    without_weight = [row for row in frequent if row["weight"] < MAX_WEIGHTLESS and row not in heavy]
    return heavy + without_weight[:weightless]


def forest_chart(records: Records, classes: Sequence[str], name: str) -> Any:
    """The predictiveness of words of a list, with intervals if there are some."""
    alt = import_altair()
    words = select_words([row for row in records if row["list"] == name])
    has_intervals = bool(words) and all(row.get("low") is not None and row.get("high") is not None for row in words)
    rows = []
    for row in words:
        low, high = (row["low"], row["high"]) if has_intervals else (0.0, row["predictiveness"])
        fields = ("entry", "list", "count", "predictiveness", "weight", "from", "to")
        rows.append(round_fields({**row, "from": low, "to": high}, fields))
    base = alt.Chart(alt.Data(values=rows))
    y = alt.Y("entry:N", sort=[row["entry"] for row in words], title=None)
    title = f"predictiveness of {name} words"
    x = alt.X("predictiveness:Q", scale=alt.Scale(domain=[0, 1]), title=title, axis=alt.Axis(tickCount=6, grid=True))
    colour = alt.Color("list:N", scale=class_colours(classes), legend=None)
    tooltip = [alt.Tooltip("entry:N", title="word"), "count:Q", "predictiveness:Q", "weight:Q"]
    if has_intervals:
        tooltip += [alt.Tooltip("from:Q", title="low"), alt.Tooltip("to:Q", title="high")]
    points = base.mark_circle(size=70, opacity=1).encode(x=x, y=y, color=colour, tooltip=tooltip)
    intervals = base.mark_rule(strokeWidth=2, opacity=0.55).encode(
        x=alt.X("from:Q", title=title), x2="to:Q", y=y, color=colour
    )
    return alt.layer(intervals, points).properties(height=alt.Step(18))


def scatter_words(records: Records) -> list[Record]:
    """The most frequent words that occur, for the scatter plots; `ratio` is observed / expected cross count.

    >>> word = {"entry": "good", "list": "up", "weight": 1.0, "predictiveness": 0.5, "expected_cross_count": 10.0}
    >>> rows = [word | {"count": 20, "cross_count": 4}, word | {"count": 30, "cross_count": 90}, word | {"count": 0}]
    >>> [(row["count"], row["ratio"]) for row in scatter_words(rows)]  # at most 2, so that the others have room
    [(30, 2.0), (20, 0.4)]
    """
    fields = ("entry", "list", "count", "weight", "predictiveness", "expected_cross_count", "cross_count", "ratio")
    frequent = sorted((row for row in records if row["count"]), key=lambda row: -row["count"])[:MAX_POINTS]
    ratios = [min(row["cross_count"] / max(row["expected_cross_count"], 1e-9), MAX_RATIO) for row in frequent]
    return [round_fields({**row, "ratio": ratio}, fields) for row, ratio in zip(frequent, ratios, strict=True)]


def frequency_chart(words: Records, classes: Sequence[str], parameters: Parameters = FIXED) -> Any:
    """Weight against frequency."""
    alt = import_altair()
    axis = alt.Axis(format="~s", tickCount=5)
    scale = alt.Scale(type="log", nice=False, padding=12)
    x = alt.X("count:Q", scale=scale, title="occurrences (logarithmic)", axis=axis)
    y = alt.Y("weight:Q", title="weight: log-odds of one occurrence", scale=alt.Scale(zero=False))
    by_importance = sorted(words, key=lambda row: -row["weight"] * row["count"] ** 0.5)
    return _scatter_plot(words, classes, x, y, _labelled_words(by_importance, "count", "weight"), parameters)


def cross_count_chart(words: Records, classes: Sequence[str], parameters: Parameters = FIXED) -> Any:
    """Observed / expected cross count against expected cross count; the dashed line is chance."""
    alt = import_altair()
    rows = [row for row in words if row["expected_cross_count"] > 0]
    axis = alt.Axis(format="~s", tickCount=5)
    ratios = [0.8, 1.0, *(row["ratio"] for row in rows)]  # the line of chance is in the chart, too
    domain = parameters.limits(math.floor(5 * min(ratios)) / 5, math.ceil(5 * max(ratios)) / 5)
    scale = alt.Scale(type="log", nice=False, padding=12)
    x = alt.X("expected_cross_count:Q", scale=scale, title="expected cross count (logarithmic)", axis=axis)
    y = alt.Y("ratio:Q", title="observed / expected cross count", scale=alt.Scale(domain=domain))
    chance = alt.Chart(parameters.data([{"ratio": 1}])).mark_rule(strokeDash=[5, 4], opacity=0.7).encode(y=y)
    by_deficit = sorted(rows, key=lambda row: (row["ratio"] - 1) * row["expected_cross_count"] ** 0.5)
    labelled = _labelled_words(by_deficit, "expected_cross_count", "ratio")
    return (_scatter_plot(rows, classes, x, y, labelled, parameters) + chance).properties(height=320)


def _labelled_words(words: Records, x: str, y: str) -> list[Record]:
    """The first words whose labels do not overlap: x is logarithmic, distances are relative to the ranges.

    >>> points = {"first": (10, 1.0), "too near": (11, 1.01), "far": (1000, 2.0)}
    >>> rows = [{"entry": word, "x": x, "y": y} for word, (x, y) in points.items()]
    >>> [row["entry"] for row in _labelled_words(rows, "x", "y")]
    ['first', 'far']
    """
    positions = [(math.log10(max(row[x], 1e-9)), float(row[y])) for row in words]
    if not positions:
        return []
    x_range, y_range = (max(values) - min(values) or 1.0 for values in zip(*positions, strict=True))
    taken: list[tuple[float, float]] = []
    labelled: list[Record] = []
    for row, (left, bottom) in list(zip(words, positions, strict=True))[: 20 * MAX_LABELS]:
        if all(abs(left - a) > 0.3 * x_range or abs(bottom - b) > 0.06 * y_range for a, b in taken):
            labelled.append(row)
            taken.append((left, bottom))
    return labelled[:MAX_LABELS]


def _scatter_plot(
    words: Records, classes: Sequence[str], x: Any, y: Any, labelled: Records, parameters: Parameters
) -> Any:
    alt = import_altair()
    tooltip = [
        alt.Tooltip("entry:N", title="word"),
        alt.Tooltip("list:N"),
        alt.Tooltip("count:Q", format=","),
        alt.Tooltip("weight:Q", format=".3f"),
        alt.Tooltip("predictiveness:Q", format=".3f"),
        alt.Tooltip("expected_cross_count:Q", title="expected", format=",.0f"),
        alt.Tooltip("cross_count:Q", title="observed", format=","),
    ]
    scale = class_colours(classes, parameters)
    colour = alt.Color("list:N", scale=scale, legend=alt.Legend(values=list(classes)))
    dots = alt.Chart(parameters.data(words)).mark_circle(size=28, opacity=0.5)
    labels = alt.Chart(parameters.data(labelled)).mark_text(align="left", dx=6, dy=-4)
    points = dots.encode(x=x, y=y, color=colour, tooltip=tooltip)
    return (points + labels.encode(x=x, y=y, text="entry:N")).properties(height=300)


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


def size_chart(records: Records, parameters: Parameters = FIXED) -> Any:
    """Expected accuracy by the size of the lexicon: learned weights in solid lines, counting in dashed ones."""
    alt = import_altair()
    rows = [round_fields(row, row) | {"curve": f"{row['rule']}, {row['order']}"} for row in records]
    orders, rules = (list(dict.fromkeys(row[key] for row in records)) for key in ("order", "rule"))
    colours = parameters.colour("ink", INK), parameters.colour("grey", GREY)
    shades = {row["curve"]: colours[orders.index(row["order"])] for row in rows}
    dashes = {row["curve"]: ([1, 0], [4, 3])[rules.index(row["rule"])] for row in rows}
    legend = alt.Legend(columns=1, labelLimit=300)
    colour = alt.Scale(domain=list(shades), range=list(shades.values()))
    dash = alt.Scale(domain=list(dashes), range=list(dashes.values()))
    return (
        alt.Chart(parameters.data(rows))
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
