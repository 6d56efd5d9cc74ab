"""The charts of a report: records to Altair, without colours of their own but those of the lists.

Text and lines take `currentColor`, so that one chart is right in light, in dark and on paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from problex.explanation.views import COLOURS
from problex.report.basic_charts import Records, altair, telling_words
from problex.scoring.scores import UNDECIDED

Spec = dict[str, Any]
GREY = "#8c8c8c"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
POINTS = 1200
"""Words in a cloud; the rarest are left out."""
LABELLED = 12
"""Words that are written into a cloud, where there is room."""
HIGH = 2.0
"""Words that meet the other lists more than so many times as often as chance has it are drawn at this edge."""


def _ink(colour: str) -> dict[str, Any]:
    lines = {"domainColor": colour, "tickColor": colour, "gridColor": colour}
    faint = {"domainOpacity": 0.35, "tickOpacity": 0.35, "gridOpacity": 0.12}
    text = {
        "labelColor": colour,
        "titleColor": colour,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
    }
    return {
        "font": FONT,
        "aria": False,  # the figure has a label; a thousand dots with one each help nobody
        "view": {"stroke": None},
        "axis": lines | faint | text | {"titlePadding": 10, "labelLimit": 150},
        "axisX": {"grid": False},
        "legend": text
        | {"orient": "top", "title": None, "symbolOpacity": 1, "symbolStrokeWidth": 2, "labelLimit": 200, "columns": 3},
        "title": {"color": colour, "subtitleColor": colour, "anchor": "start", "fontSize": 13},
        "text": {"color": colour, "fontSize": 11},
        "rule": {"color": colour},
    }


def for_page(chart: Any) -> Spec:
    """The chart as it stands in a page: as wide as there is room, in the colour of the text, without its title."""
    spec: Spec = chart.properties(width="container").to_dict()
    spec.pop("title", None)
    return spec | {
        "background": None,
        "config": _ink("currentColor"),
        "autosize": {"type": "fit-x", "contains": "padding"},
    }


def for_file(chart: Any, width: int = 560, *, page: bool = False) -> Spec:
    """The chart as a picture of its own: black on white, or for a page that cannot run scripts as that wants it."""
    spec: Spec = chart.properties(width=width).to_dict()
    if page:
        spec.pop("title", None)
    return spec | {"background": None if page else "white", "config": _ink("currentColor" if page else "#222222")}


def colours(classes: Sequence[str]) -> Any:
    """A scale with the colours that mark words in texts; undecided is grey."""
    shades = [f"rgb({COLOURS[at % len(COLOURS)].replace(' ', ',')})" for at in range(len(classes))]
    return altair().Scale(domain=[*classes, UNDECIDED], range=[*shades, GREY])


def _short(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Some fields, rounded: a page carries every digit with it."""
    return {name: float(f"{row[name]:.4g}") if isinstance(row[name], float) else row[name] for name in names}


def forest_chart(records: Records, classes: Sequence[str], name: str, *, top: int = 14, idle: int = 4) -> Any:
    """The words of a list that tell most, and frequent ones that tell nothing, with intervals where there are some."""
    alt = altair()
    shown = telling_words([row for row in records if row["list"] == name], top=top, idle=idle)
    ranged = bool(shown) and all(row.get("low") is not None and row.get("high") is not None for row in shown)
    fields = ("entry", "list", "count", "predictiveness", "weight")
    stems = [(row["low"], row["high"]) if ranged else (0.0, row["predictiveness"]) for row in shown]
    rows = [
        _short({**row, "from": low, "to": high}, (*fields, "from", "to"))
        for row, (low, high) in zip(shown, stems, strict=True)
    ]
    base = alt.Chart(alt.Data(values=rows))
    y = alt.Y("entry:N", sort=[row["entry"] for row in shown], title=None)
    title = f"predictiveness of {name} words"
    x = alt.X("predictiveness:Q", scale=alt.Scale(domain=[0, 1]), title=title, axis=alt.Axis(tickCount=6, grid=True))
    colour = alt.Color("list:N", scale=colours(classes), legend=None)
    tips = [alt.Tooltip("entry:N", title="word"), "count:Q", "predictiveness:Q", "weight:Q"]
    tips += [alt.Tooltip("from:Q", title="low"), alt.Tooltip("to:Q", title="high")] if ranged else []
    points = base.mark_circle(size=70, opacity=1).encode(x=x, y=y, color=colour, tooltip=tips)
    spans = base.mark_rule(strokeWidth=2, opacity=0.55).encode(
        x=alt.X("from:Q", title=title), x2="to:Q", y=y, color=colour
    )
    return alt.layer(spans, points).properties(height=alt.Step(18))


def cloud_words(records: Records) -> list[dict[str, Any]]:
    """The most frequent words that occur, as dots of a cloud; `ratio` is what they meet over what chance has it."""
    fields = ("entry", "list", "count", "weight", "predictiveness", "expected_cross_count", "cross_count", "ratio")
    often = sorted((row for row in records if row["count"]), key=lambda row: -row["count"])[:POINTS]
    ratios = [min(row["cross_count"] / max(row["expected_cross_count"], 1e-9), HIGH) for row in often]
    return [_short({**row, "ratio": ratio}, fields) for row, ratio in zip(often, ratios, strict=True)]


def frequency_chart(words: Records, classes: Sequence[str]) -> Any:
    """What a word weighs against how often it occurs; the word itself on hovering."""
    alt = altair()
    axis = alt.Axis(format="~s", tickCount=5)
    x = alt.X("count:Q", scale=alt.Scale(type="log"), title="occurrences (logarithmic)", axis=axis)
    y = alt.Y("weight:Q", title="weight: log-odds of one occurrence")
    told = sorted(words, key=lambda row: -row["weight"] * row["count"] ** 0.5)
    return _cloud(words, classes, x, y, _spread(told, "count", "weight"))


def cross_chart(words: Records, classes: Sequence[str]) -> Any:
    """How often words meet the other lists, over how often chance has it; the line is chance."""
    alt = altair()
    shown = [row for row in words if row["expected_cross_count"] > 0]
    axis = alt.Axis(format="~s", tickCount=5)
    bounds = [row["ratio"] for row in shown] or [1.0]
    domain = [math.floor(5 * min(bounds)) / 5, math.ceil(5 * max(bounds)) / 5]
    scale = alt.Scale(type="log", nice=False)
    x = alt.X("expected_cross_count:Q", scale=scale, title="expected meetings (logarithmic)", axis=axis)
    y = alt.Y("ratio:Q", title="observed / expected meetings", scale=alt.Scale(domain=domain))
    chance = alt.Chart(alt.Data(values=[{"ratio": 1}])).mark_rule(strokeDash=[5, 4], opacity=0.7).encode(y=y)
    told = sorted(shown, key=lambda row: (row["ratio"] - 1) * row["expected_cross_count"] ** 0.5)
    return (_cloud(shown, classes, x, y, _spread(told, "expected_cross_count", "ratio")) + chance).properties(
        height=320
    )


def _spread(words: Records, x: str, y: str) -> list[dict[str, Any]]:
    """The words that are written beside their dots: the first that are not so near to others as to collide."""
    places = [(math.log10(max(row[x], 1e-9)), float(row[y])) for row in words]
    across, up = (max(side) - min(side) or 1.0 for side in zip(*places, strict=True)) if places else (1.0, 1.0)
    taken: list[tuple[float, float]] = []
    said: list[dict[str, Any]] = []
    for row, (left, low) in list(zip(words, places, strict=True))[: 20 * LABELLED]:
        if all(abs(left - a) > 0.2 * across or abs(low - b) > 0.06 * up for a, b in taken):
            said.append(row)
            taken.append((left, low))
    return said[:LABELLED]


def _cloud(words: Records, classes: Sequence[str], x: Any, y: Any, said: Records) -> Any:
    alt = altair()
    tips = [
        alt.Tooltip("entry:N", title="word"),
        alt.Tooltip("list:N"),
        alt.Tooltip("count:Q", format=","),
        alt.Tooltip("weight:Q", format=".3f"),
        alt.Tooltip("predictiveness:Q", format=".3f"),
        alt.Tooltip("expected_cross_count:Q", title="expected", format=",.0f"),
        alt.Tooltip("cross_count:Q", title="observed", format=","),
    ]
    colour = alt.Color("list:N", scale=colours(classes), legend=alt.Legend(values=list(classes)))
    dots = alt.Chart(alt.Data(values=list(words))).mark_circle(size=28, opacity=0.5)
    names = alt.Chart(alt.Data(values=list(said))).mark_text(align="left", dx=6, dy=-4)
    points = dots.encode(x=x, y=y, color=colour, tooltip=tips)
    return (points + names.encode(x=x, y=y, text="entry:N")).properties(height=300)


def scores_chart(records: Records, classes: Sequence[str]) -> Any:
    """How many documents have which score."""
    alt = altair()
    title = (
        f"score: below 0 {classes[0]}, above 0 {classes[1]}" if len(classes) == 2 else "probability of the chosen label"
    )
    labels = {row["label"] for row in records}
    present = [name for name in (*classes, UNDECIDED) if name in labels]
    return (
        alt.Chart(alt.Data(values=list(records)))
        .mark_bar(stroke=None, binSpacing=0)
        .encode(
            x=alt.X("low:Q", title=title, bin="binned"),
            x2="high:Q",
            y=alt.Y("documents:Q", title="documents", stack="zero", axis=alt.Axis(format="~s", tickCount=5)),
            color=alt.Color("label:N", scale=colours(classes), legend=alt.Legend(values=present)),
            tooltip=["label:N", "documents:Q", "low:Q", "high:Q"],
        )
        .properties(height=220)
    )


def size_chart(records: Records) -> Any:
    """Predicted accuracy against how many words the lexicon has; learned weights in full, counting in broken lines."""
    alt = altair()
    named = [_short(row, row) | {"how": f"{row['rule']}, {row['order']}"} for row in records]
    hows = list(dict.fromkeys(row["how"] for row in named))
    shades, dashes = ("rgb(0,114,178)", "rgb(204,121,167)"), ([1, 0], [4, 3])
    orders, rules = (list(dict.fromkeys(row[key] for row in records)) for key in ("order", "rule"))
    pairs = {row["how"]: (shades[orders.index(row["order"])], dashes[rules.index(row["rule"])]) for row in named}
    legend = alt.Legend(columns=1, labelLimit=300)
    return (
        alt.Chart(alt.Data(values=named))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("entries:Q", scale=alt.Scale(type="log", nice=False), title="words in the lexicon (logarithmic)"),
            y=alt.Y("accuracy:Q", scale=alt.Scale(zero=False), title="predicted accuracy"),
            color=alt.Color(
                "how:N", scale=alt.Scale(domain=hows, range=[pairs[how][0] for how in hows]), legend=legend
            ),
            strokeDash=alt.StrokeDash(
                "how:N", scale=alt.Scale(domain=hows, range=[pairs[how][1] for how in hows]), legend=legend
            ),
            tooltip=["how:N", "entries:Q", "accuracy:Q"],
        )
        .properties(height=260)
    )


def shares_chart(records: Records, classes: Sequence[str], *, time: bool) -> Any:
    """Shares of the labels by group or over time, with intervals; of two labels the second says it all."""
    alt = altair()
    names = classes[1:] if len(classes) == 2 else classes
    shown = [_short(row, row) for row in records if row["label"] in names and row["share"] is not None]
    base = alt.Chart(alt.Data(values=shown))
    title = f"share of {names[0]}" if len(names) == 1 else "share"
    colour = alt.Color(
        "label:N", scale=colours(classes), legend=None if len(names) == 1 else alt.Legend(values=list(names))
    )
    tips = [
        "group:N",
        "label:N",
        *(alt.Tooltip(f"{name}:Q", format=".1%") for name in ("share", "low", "high")),
        "documents:Q",
    ]
    groups = list(dict.fromkeys(row["group"] for row in shown))
    near = alt.Scale(zero=False)
    if time:
        x = alt.X("group:O", title=None, axis=alt.Axis(labelAngle=0, labelOverlap=True))
        y = alt.Y("share:Q", title=title, axis=alt.Axis(format="%"), scale=near)
        band = base.mark_area(opacity=0.25).encode(
            x=x, y=alt.Y("low:Q", title=title, scale=near), y2="high:Q", color=colour
        )
        line = base.mark_line(point=True).encode(x=x, y=y, color=colour, tooltip=tips)
        return (band + line).properties(height=260)
    y = alt.Y("group:N", sort=groups, title=None)
    x = alt.X("share:Q", title=title, axis=alt.Axis(format="%", tickCount=6, grid=True), scale=near)
    spans = base.mark_rule(strokeWidth=2, opacity=0.55).encode(
        x=alt.X("low:Q", title=title, scale=near), x2="high:Q", y=y, color=colour
    )
    points = base.mark_circle(size=70, opacity=1).encode(x=x, y=y, color=colour, tooltip=tips)
    return (spans + points).properties(height=alt.Step(20))


def audit_chart(records: Records) -> Any:
    """Estimates from labels with intervals, and as open diamonds what the model led to expect."""
    alt = altair()
    named = [row | {"what": f"{row['measure']} {row['label']}".strip()} for row in records]
    base = alt.Chart(alt.Data(values=named))
    y = alt.Y("what:N", sort=[row["what"] for row in named], title=None)
    title = "measured (dot and 95% interval), expected by the model (diamond)"
    x = alt.X("value:Q", scale=alt.Scale(domain=[0, 1]), title=title, axis=alt.Axis(tickCount=6, grid=True))
    blue = "rgb(0,114,178)"
    tips = ["what:N", "value:Q", "low:Q", "high:Q", "expected:Q"]
    spans = base.mark_rule(strokeWidth=2, color=blue, opacity=0.6).encode(
        x=alt.X("low:Q", title=title), x2="high:Q", y=y
    )
    points = base.mark_circle(size=70, color=blue, opacity=1).encode(x=x, y=y, tooltip=tips)
    diamonds = (
        base.transform_filter("datum.expected != null")
        .mark_point(shape="diamond", size=70, color="currentColor", filled=False)
        .encode(x=alt.X("expected:Q", title=title), y=y, tooltip=tips)
    )
    return (spans + points + diamonds).properties(height=alt.Step(20))
