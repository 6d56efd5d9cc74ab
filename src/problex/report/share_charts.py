"""Charts of the shares of labels, for the page and for files: in all documents, by group, and over time.

Shares of predicted labels have no intervals, and undecided documents are a share, too. With the estimates of an audit
the charts show these, with intervals. A chart for a file has a title and the number of documents.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from problex._util.formatting import format_percent, pluralize
from problex._util.records import Record
from problex.grouping.dates import PERIODS, period_of, read_dates
from problex.report.chart_style import FIXED, GREY, Parameters, Records, class_colours, import_altair, with_title
from problex.scoring.scores import UNDECIDED
from problex.shares.counting import ALL_DOCUMENTS, is_time

MAX_LABELS = 6
"""Labels that a chart by group or over time shows: those with the most documents, and undecided."""
MAX_SHADED = 3
"""Lines that have their intervals as shading; more would hide each other."""
NAME_WIDTH = 22
"""Characters in a line of the name of a group, of which two are shown."""
HEIGHT, SMALL_HEIGHT = 300, 120
"""Height of a chart over time: of several labels, and of one."""
BAR_ROOM = 0.3
"""Height of the bars of documents, as a share of the height above them."""
LINE, DOT_STEP, GROUP_STEP = 13, 10, 24
"""Heights of a line of a name, of a dot, and of a group whose dots are on one line."""
MAX_DOTS = 90
"""Dots below each other; of more, those of a group are on one line."""
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Distances between two shares at an axis."""
MAX_DATES = 9
"""Dates at the axis of a chart."""
GAP = "…"
"""What is written at the axis in place of periods that are left out."""
DATE_STEPS = {"day": (1, 2, 5, 7, 14), "week": (1, 2, 4, 13), "month": (1, 2, 3, 6, 12), "quarter": (1, 2, 4, 8)}
"""How many periods may lie between two dates at the axis."""
YEAR_STEPS = (1, 2, 5, 10, 20, 25, 50, 100)
AXIS_TITLE = "share of the documents"
INTERVALS = "95% intervals of the shares of the true labels, estimated from {labels}"
PREDICTED = "Shares of predicted labels; how far they are from those of the true labels is not known"


def shares_chart(
    records: Records,
    classes: Sequence[str],
    *,
    only: str | None = None,
    title: str = "",
    parameters: Parameters = FIXED,
) -> Any:
    """Shares of the labels in all, by group or over time; with intervals if the records have estimates of an audit.

    `only` is the one label to draw over time; the charts of single labels have the same scale.
    """
    labels = [only] if only else largest_labels(records, classes)
    if is_estimated(records):
        labels = [label for label in labels if label != UNDECIDED]
    time, whole = is_time(records), is_whole(records)
    shown = [_row(row) for row in dated(records)]
    if time:
        shown = rows_with_gaps(shown, "label")
    rows = [row for row in shown if row["label"] in labels]
    if time and only:
        chart = _line_chart(rows, classes, labels, _highest(shown))
    elif time:
        chart = _lines_and_bars(rows, classes, labels, parameters)
    elif whole:
        chart = _bar_chart(rows if is_estimated(records) else shown, classes, parameters)
    else:
        chart = _dot_chart(rows, classes, labels, parameters)
    if not title:
        return chart
    return with_title(chart, title, _subtitle(records, classes, labels, only))


def rows_with_gaps(rows: Records, key: str) -> list[Record]:
    """Rows of periods in order, with empty ones wherever periods are left out; each period has a row for every key.

    >>> rows = [{"group": year, "label": "up", "documents": 9, "share": 0.5} for year in ("2005", "2008")]
    >>> [(row["group"], row["documents"], row["share"]) for row in rows_with_gaps(rows, "label")]
    [('2005', 9, 0.5), ('…', 0, None), ('2008', 9, 0.5)]
    """
    by_name: dict[str, list[Record]] = {}
    for row in rows:
        by_name.setdefault(row["group"], []).append(row)
    empty = [dict.fromkeys(row) | {key: row[key], "documents": 0} for row in next(iter(by_name.values()), [])]
    return [row | {"group": name} for name in with_gaps(list(by_name)) for row in by_name.get(name, empty)]


def is_estimated(records: Records) -> bool:
    """Whether the records have estimates of an audit."""
    return any(row.get("estimate") is not None for row in records)


def _highest(rows: list[Record]) -> float:
    """The highest share, or the highest end of an interval.

    >>> rows = [{"share": 0.4, "high": None}, {"share": 0.3, "high": 0.45}, {"share": None, "high": None}]
    >>> _highest(rows), _highest([])
    (0.45, 1.0)
    """
    return max((max(row["share"], row["high"] or 0.0) for row in rows if row["share"] is not None), default=1.0)


def dated(records: Records) -> Records:
    """The records of periods, without documents that have no date; all records if the groups are not dates.

    >>> years = [{"group": name} for name in ("2004", "2005", "(no date)")]
    >>> len(dated(years)), len(dated([{"group": "drama"}, {"group": "(none)"}]))
    (2, 2)
    """
    return [row for row in records if not row["group"].startswith("(")] if is_time(records) else records


def is_whole(records: Records) -> bool:
    """Whether the records are those of all documents in one group."""
    return all(row["group"] == ALL_DOCUMENTS for row in records)


def largest_labels(records: Records, classes: Sequence[str]) -> list[str]:
    """The labels with the most documents, in the order of the classes, and undecided.

    >>> rows = [{"label": f"list {at}", "hits": 10 - at} for at in range(8)]
    >>> largest_labels(rows, [row["label"] for row in rows])
    ['list 0', 'list 1', 'list 2', 'list 3', 'list 4', 'list 5', 'undecided']
    """
    sizes: Counter[str] = Counter()
    for row in records:
        sizes[row["label"]] += row["hits"]
    largest = sorted(classes, key=lambda name: -sizes[name])[:MAX_LABELS]
    return [*(name for name in classes if name in largest), UNDECIDED]


def number_of_documents(records: Records) -> int:
    """The documents of all groups.

    >>> rows = [("drama", 30), ("drama", 30), ("comedy", 20)]  # a row for each label
    >>> number_of_documents([{"group": group, "documents": number} for group, number in rows])
    50
    """
    return sum({row["group"]: row["documents"] for row in records}.values())


def _subtitle(records: Records, classes: Sequence[str], labels: list[str], only: str | None) -> str:
    """The number of documents, and what else a reader must know who has only the chart."""
    time, number = is_time(records), number_of_documents(records)
    text = f"n = {pluralize(number, 'document')}"
    if time:
        undated = number - number_of_documents(dated(records))
        text += "" if only else f"; grey bars: documents per {period_of(records[0]['group'])}"
        text += f"; {undated:,} without a date are not shown" if undated else ""
    drawn = sum(label != UNDECIDED for label in labels)
    if not only and drawn < len(classes) and not is_whole(records):
        text += f"; the {drawn} largest of {len(classes)} labels"
    if not is_estimated(records):
        return f"{text}. {PREDICTED}."
    number = sum({row["group"]: row["labels"] for row in records}.values())
    if time and len(labels) > MAX_SHADED:
        return f"{text}. Shares of the true labels, estimated from {pluralize(number, 'label')}."
    return f"{text}. {'Shading' if time else 'Lines'}: {INTERVALS.format(labels=pluralize(number, 'label'))}."


def _row(record: Record) -> Record:
    """The share to draw: the estimate with its interval, or without an audit that of the predicted labels.

    It is not rounded: rounded twice, it could be another percentage beside a bar than in the table.

    >>> predicted = {"group": "drama", "label": "up", "documents": 50, "hits": 30, "share": 0.6}
    >>> _row(predicted)["share"], _row(predicted | {"estimate": 0.5, "low": 0.4, "high": 0.6})["share"]
    (0.6, 0.5)
    """
    drawn = {**record, "low": None, "high": None}
    if "estimate" in record:
        drawn |= {"share": record["estimate"], "low": record["low"], "high": record["high"]}
    return {name: drawn[name] for name in ("group", "label", "documents", "hits", "share", "low", "high")}


def _colour(classes: Sequence[str], labels: list[str], parameters: Parameters = FIXED, *, legend: bool = True) -> Any:
    alt = import_altair()
    shown = alt.Legend(values=labels, labelLimit=160, columns=legend_columns(labels)) if legend else None
    return alt.Color("label:N", scale=class_colours(classes, parameters), legend=shown)


def legend_columns(labels: Sequence[str]) -> int:
    """How many labels of a legend fit beside each other above the plot of a narrow screen, which is 230 pixels wide.

    >>> legend_columns(["negative", "positive", "undecided"])
    2
    """
    width = 20 + 7 * max(map(len, labels), default=0)
    return min(len(labels), max(1, 230 // width)) or 1


def _tooltip(*names: str, estimated: bool) -> list[Any]:
    alt = import_altair()
    titles = {"share": "estimated share", "low": "95% interval from", "high": "to"}
    titles = titles if estimated else {"share": "share of predicted labels"}
    shares = [alt.Tooltip(f"{name}:Q", format=".1%", title=title) for name, title in titles.items()]
    numbers = {"documents": "documents"} if estimated else {"hits": "documents", "documents": "of"}
    return [*names, *shares, *(alt.Tooltip(f"{name}:Q", format=",", title=title) for name, title in numbers.items())]


def _share_steps(highest: float, number: int) -> list[float]:
    """Shares at an axis from 0 to `highest` or a little above: at most `number` besides 0.

    >>> _share_steps(0.43, 5), _share_steps(0.43, 3)
    ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [0.0, 0.2, 0.4, 0.6])
    """
    step = next((step for step in STEPS if highest <= number * step), STEPS[-1])
    return [round(at * step, 2) for at in range(number + 1) if at == 0 or (at - 1) * step < highest]


def _share_axis(values: list[float] | None = None, title: str | None = AXIS_TITLE) -> Any:
    """The axis of shares, at `values` or at round numbers."""
    alt = import_altair()
    places = {"tickCount": 6} if values is None else {"values": values}
    return alt.Axis(format="%", title=title, titlePadding=8, grid=True, domain=False, ticks=False, **places)


def _date_axis(rows: list[Record]) -> Any:
    alt = import_altair()
    names = list(dict.fromkeys(row["group"] for row in rows))
    axis = alt.Axis(
        values=dates_at_axis(names),
        labelAngle=0,
        labelOverlap="parity",
        labelSeparation=10,
        labelPadding=10,
        ticks=False,
    )
    return alt.X("group:O", title=None, sort=names, axis=axis)


def _line_chart(rows: list[Record], classes: Sequence[str], labels: list[str], highest: float) -> Any:
    """One label over time; `highest` is the highest share of its scale."""
    values = _share_steps(highest, 3)
    scale = import_altair().Scale(domain=[0, values[-1]], nice=False)
    colour = _colour(classes, labels, legend=False)
    lines = _lines(rows, colour, _share_axis(values, None), scale, FIXED, shaded=True)
    return lines.properties(height=SMALL_HEIGHT)


def _lines_and_bars(rows: list[Record], classes: Sequence[str], labels: list[str], parameters: Parameters) -> Any:
    """Lines of the labels over time, above bars that show the documents of each period."""
    alt = import_altair()
    shaded = len(labels) <= MAX_SHADED
    values = _share_steps(_highest(rows if shaded else [row | {"high": None} for row in rows]), 5)
    scale = alt.Scale(domain=parameters.limits(-BAR_ROOM * values[-1], values[-1]), nice=False)
    colour = _colour(classes, labels, parameters)
    lines = _lines(rows, colour, _share_axis(values), scale, parameters, shaded=shaded)
    return alt.layer(_document_bars(rows, parameters), lines).resolve_scale(y="independent").properties(height=HEIGHT)


def _lines(rows: list[Record], colour: Any, axis: Any, scale: Any, parameters: Parameters, *, shaded: bool) -> Any:
    """Lines with gaps at periods without documents, with the intervals as shading or without."""
    alt = import_altair()
    base, x = alt.Chart(parameters.data(rows)), _date_axis(rows)
    y, low = (alt.Y(f"{name}:Q", axis=axis, scale=scale) for name in ("share", "low"))
    estimated = _has_intervals(rows)
    tooltip = _tooltip("group:N", "label:N", estimated=estimated)
    lines = base.mark_line(point={"size": 26}, strokeWidth=2).encode(x=x, y=y, color=colour, tooltip=tooltip)
    if not (shaded and estimated):
        return lines
    return base.mark_area(opacity=0.2).encode(x=x, y=low, y2="high:Q", color=colour) + lines


def _has_intervals(rows: list[Record]) -> bool:
    return any(row["low"] is not None for row in rows)


def _document_bars(rows: list[Record], parameters: Parameters) -> Any:
    """Grey bars below the lines, with their own axis on the right."""
    alt = import_altair()
    sizes = {row["group"]: row["documents"] for row in rows}
    most = max(sizes.values(), default=0) or 1
    title = {"titleAngle": -90, "titleAlign": "left", "titleBaseline": "top", "titleY": HEIGHT}
    axis = alt.Axis(
        orient="right", values=[0, most], format=",d", grid=False, domain=False, ticks=False, title="documents", **title
    )
    scale = alt.Scale(domain=parameters.limits(0, most * 1.2 * (1 + BAR_ROOM) / BAR_ROOM), nice=False)
    y = alt.Y("documents:Q", scale=scale, axis=axis)
    bars = alt.Chart(parameters.data([{"group": name, "documents": size} for name, size in sizes.items()]))
    grey = parameters.colour("grey", GREY)
    return bars.mark_bar(color=grey, opacity=0.4).encode(x=_date_axis(rows), y=y, tooltip=["group:N", "documents:Q"])


def _dot_chart(rows: list[Record], classes: Sequence[str], labels: list[str], parameters: Parameters) -> Any:
    """A row for each group with its number of documents: a dot for each label, with its interval."""
    alt = import_altair()
    rows = [row for row in rows if row["share"] is not None]
    by_group = _axis_names({row["group"]: row["documents"] for row in rows})
    names = list(by_group.values())
    base = alt.Chart(parameters.data([row | {"name": by_group[row["group"]]} for row in rows]))
    y, colour = _name_axis(names), _colour(classes, labels, parameters)
    low, x = (alt.X(f"{name}:Q", axis=_share_axis(), scale=alt.Scale(zero=True)) for name in ("low", "share"))
    estimated = _has_intervals(rows)
    tooltip = _tooltip("group:N", "label:N", estimated=estimated)
    layers = [base.mark_circle(size=60, opacity=1).encode(x=x, y=y, color=colour, tooltip=tooltip)]
    if estimated:
        layers.insert(0, base.mark_rule(strokeWidth=2, opacity=0.55).encode(x=low, x2="high:Q", y=y, color=colour))
    name_height = LINE * (names[0].count("\n") + 1)
    if len(names) * len(labels) > MAX_DOTS:
        return alt.layer(*layers).properties(height=alt.Step(max(GROUP_STEP, name_height + 4)))
    offset = alt.YOffset("label:N", sort=labels, scale=alt.Scale(domain=labels))
    step = max(DOT_STEP, -(-name_height // len(labels)))
    chart = alt.layer(*(layer.encode(yOffset=offset) for layer in layers))
    return chart.properties(height=alt.Step(step, **{"for": "offset"}))


def _name_axis(names: Sequence[str]) -> Any:
    alt = import_altair()
    middle = -LINE * names[0].count("\n") / 2  # Vega puts the first line of a name at its place, not the middle
    axis = alt.Axis(
        labelExpr="split(datum.value, '\\n')",
        labelLimit=240,
        labelLineHeight=LINE,
        labelOffset=middle,
        labelPadding=7,
        ticks=False,
    )
    return alt.Y("name:N", sort=names, title=None, axis=axis, scale=alt.Scale(paddingInner=0.2, paddingOuter=0.1))


def _axis_names(documents: dict[str, int]) -> dict[str, str]:
    r"""The names of groups as they are at the axis, all with the same number of lines, the text in the middle.

    Spaces at the end keep those apart that would be the same.

    >>> _axis_names({"drama": 1200, "films for the whole family": 30})
    {'drama': 'drama\n(n = 1,200)', 'films for the whole family': 'films for the whole\nfamily (n = 30)'}
    """
    texts = {name: _axis_name(name, number) for name, number in documents.items()}
    lines = max(text.count("\n") for text in texts.values())
    names: dict[str, str] = {}
    for name, text in texts.items():
        if (lines - text.count("\n")) % 2:
            text = re.sub(r" (?=\(n = [\d,]+\)$)", "\n", text)  # the number in a line of its own
        above, below = divmod(lines - text.count("\n"), 2)
        shown = "\n" * above + text + "\n" * (above + below)
        while shown in names.values():
            shown += " "
        names[name] = shown
    return names


def _axis_name(name: str, documents: int) -> str:
    r"""A name in at most two lines, with its number of documents.

    >>> _axis_name("drama", 1200), _axis_name("historical drama", 1200)
    ('drama (n = 1,200)', 'historical drama\n(n = 1,200)')
    """
    lines = textwrap.wrap(name, NAME_WIDTH, max_lines=2, placeholder=" …", break_on_hyphens=False) or [""]
    number = f"(n = {documents:,})"
    if len(lines[-1]) + len(number) < NAME_WIDTH:
        return "\n".join([*lines[:-1], f"{lines[-1]} {number}"])
    return "\n".join([*lines, number])


def _bar_chart(rows: list[Record], classes: Sequence[str], parameters: Parameters) -> Any:
    """A bar for each label with its share, its interval if there is one, and its number of documents."""
    alt = import_altair()
    estimated = _has_intervals(rows)
    names = (
        {row["label"]: row["label"] for row in rows}
        if estimated
        else _axis_names({row["label"]: row["hits"] for row in rows})
    )
    rows = [row | {"high": row["share"] if row["high"] is None else row["high"]} for row in rows]
    rows = [row | {"name": names[row["label"]], "text": format_percent(row["share"])} for row in rows]
    base, y = alt.Chart(parameters.data(rows)), _name_axis(list(names.values()))
    highest = _highest(rows)
    values = _share_steps(highest, 5)
    scale = alt.Scale(domain=parameters.limits(0, max(values[-1], 1.18 * highest)), nice=False)
    x, low, high = (alt.X(f"{name}:Q", axis=_share_axis(values), scale=scale) for name in ("share", "low", "high"))
    colour = _colour(classes, [], parameters, legend=False)
    tooltip = _tooltip("label:N", estimated=estimated)
    layers = [base.mark_bar(opacity=0.75, size=20).encode(x=x, y=y, color=colour, tooltip=tooltip)]
    if estimated:
        layers.append(base.mark_rule(strokeWidth=2).encode(x=low, x2="high:Q", y=y))
    layers.append(base.mark_text(align="left", dx=6).encode(x=high, y=y, text="text:N"))
    return alt.layer(*layers).properties(height=alt.Step(34))


# -- the axis of dates


def with_gaps(names: list[str]) -> list[str]:
    """The periods with a gap wherever some between two of them are left out.

    >>> with_gaps(["1970", "2006", "2007", "2010"])
    ['1970', '…', '2006', '2007', '… ', '2010']
    """
    shown = names[:1]
    if len(names) > 1:
        days = read_dates(pa.array(names)).days.max(axis=1)
        for name, step in zip(names[1:], np.diff(PERIODS[period_of(names[0])].number(days)).tolist(), strict=True):
            if step > 1:  # spaces at the end keep the gaps apart
                shown.append(GAP.ljust(1 + sum(one.startswith(GAP) for one in shown)))
            shown.append(name)
    return shown


def dates_at_axis(names: list[str]) -> list[str]:
    """Every second, third or so of the periods, so that there is room for their names.

    >>> dates_at_axis([f"20{year:02}-{month:02}" for year in (4, 5) for month in range(1, 13)])
    ['2004-01', '2004-04', '2004-07', '2004-10', '2005-01', '2005-04', '2005-07', '2005-10']
    """
    every = period_of(names[0]) if names else "year"
    steps = DATE_STEPS.get(every, YEAR_STEPS)
    step = next((step for step in steps if len(names) <= step * MAX_DATES), -(-len(names) // MAX_DATES))
    in_a_year = {"month": 12, "quarter": 4, "year": 1}.get(every) if step in steps else None
    shown, start = [], 0
    for end in [*(at for at, name in enumerate(names) if name.startswith(GAP)), len(names)]:
        run = names[start:end]
        shown += _first_and_every(run, step, in_a_year) + names[end : end + 1]
        start = end + 1
    return shown


def _first_and_every(names: list[str], step: int, in_a_year: int | None) -> list[str]:
    """Of periods without a gap every so many: in calendars those at a round place in the year, or the first one.

    >>> _first_and_every([f"2004-0{month}" for month in range(2, 9)], 3, 12)
    ['2004-04', '2004-07']
    >>> _first_and_every(["2004-02", "2004-03"], 3, 12), _first_and_every(["a", "b", "c"], 2, None)
    (['2004-02'], ['a', 'c'])
    """
    if in_a_year is None or not names:
        return names[::step]
    part = 0 if in_a_year == 1 else int(names[0][-2:].strip("Q")) - 1
    return names[-(int(names[0][:4]) * in_a_year + part) % step :: step] or names[:1]
