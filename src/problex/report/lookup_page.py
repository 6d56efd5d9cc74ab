"""The page about the categories of a dictionary: how much they vary, their words, and how they differ by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from problex._util.formatting import format_percent, pluralize
from problex._util.records import Record
from problex.grouping.dates import period_of
from problex.grouping.grouping import NO_GROUP, are_numbers, in_order
from problex.lookups.rules import MATCHING
from problex.lookups.statistics import GroupSums, LookupStatistics
from problex.report.blocks import Block, Details, Figure, Paragraph, Section, Table
from problex.report.chart_style import GREY, Records, class_colours, import_altair, label_colours, round_fields
from problex.report.page import Page, check_packages, render_page
from problex.report.share_charts import dates_at_axis, rows_with_gaps
from problex.report.share_sections import KeyFigure
from problex.shares.counting import is_time

MAX_CHART, MAX_TABLE, MAX_SQUARES, MAX_COMPARED, MAX_GROUPS = 25, 30, 14, 6, 30
"""Categories in the chart, in a table before the rest is hidden, in the chart of correlations and in that of groups;
and groups."""
MAX_CARRIERS = 8
MAX_UNMET = 200
"""Entries that are named for each category."""
AXIS_TITLE = "percent of words"
STEP = 22
"""Height of a row."""
HEIGHT = 300
"""Height of a chart over time."""
POSITIVE, NEGATIVE = "rgb(0,114,178)", "rgb(213,94,0)"
"""Colours of positive and negative correlations."""


def build_lookup_page(
    statistics: LookupStatistics, groups: GroupSums | None, title: str, matching: str = "category"
) -> Page:
    """The page: which categories vary, their words, reliability, correlations, groups, and entries never found."""
    check_packages()
    made: dict[str, Section | None] = {
        "variation": variation_section(statistics),
        "groups": None,
        "words": carriers_section(statistics),
        "reliability": reliability_section(statistics),
        "correlations": correlations_section(statistics),
        "unmet": unmet_section(statistics),
        "method": method_section(statistics, MATCHING[matching].description),
    }
    if groups is not None:
        made["groups"] = groups_section(groups.records(), groups.column, statistics.entries.categories)
    number = pluralize(statistics.sums.documents, "document")
    size = pluralize(len(statistics.entries.categories), "category", "categories")
    entries = pluralize(len(statistics.entries.items), "entry", "entries")
    shown = {name: section for name, section in made.items() if section is not None}
    return render_page(
        title, f"{number} and a dictionary of {entries} in {size}.", key_figures(statistics), shown, number
    )


def key_figures(statistics: LookupStatistics) -> list[KeyFigure]:
    """Documents, words, the share of dictionary words, and how much of the dictionary was found."""
    sums = statistics.sums
    found = len({*statistics.entries.pair_entries[sums.pair_present > 0].tolist()})
    return [
        KeyFigure("document" if sums.documents == 1 else "documents", f"{sums.documents:,}"),
        KeyFigure("words", f"{sums.words:,}"),
        KeyFigure("words in the dictionary", format_percent(sums.in_dictionary / max(sums.words, 1))),
        KeyFigure("entries found", format_percent(found / len(statistics.entries.items))),
    ]


def variation_section(statistics: LookupStatistics) -> Section:
    """Which categories vary between documents."""
    records = statistics.records()
    varying = [row for row in records if row["deviation"]]
    lead = (
        f"{pluralize(len(records), 'category', 'categories')}; {len(varying):,} of them "
        f"{'varies' if len(varying) == 1 else 'vary'} between documents. "
        "A category that hardly varies cannot tell documents apart."
    )
    blocks: list[Block] = [Paragraph(lead, "lead")]
    if varying:
        caption = "Mean of each category over documents, with one standard deviation to both sides."
        if len(varying) > MAX_CHART:
            caption += f" The {MAX_CHART} that vary most."
        blocks.append(Figure("variation", caption, spread_chart(varying[:MAX_CHART])))
    headings = {
        "category": "category",
        "entries": "entries",
        "met": "found",
        "matches": "matches",
        "documents": "documents with a match",
        "mean": "mean percent of words",
        "deviation": "standard deviation",
    }
    rows = [row | {"documents": format_percent(row["documents"])} for row in records]
    blocks += folded_table(rows, headings, "categories")
    return Section("Which categories vary", tuple(blocks))


def carriers_section(statistics: LookupStatistics) -> Section:
    """Which entries make up the matches of each category."""
    carriers = statistics.carriers(MAX_CARRIERS)
    order = [row["category"] for row in statistics.records() if row["matches"]]
    rows: list[Record] = [
        {
            "category": name,
            "first": format_percent(carriers[name][0]["share"]),
            "entries": ", ".join(f"{row['entry']} ({format_percent(row['share'])})" for row in carriers[name]),
        }
        for name in order
    ]
    text = (
        "The entries with the most matches of each category, with their share of its matches. Where one entry has most "
        "of the matches, the category measures little else than that entry."
    )
    if not rows:
        return Section("Which words carry each category", (Paragraph("No entry of the dictionary was found."),))
    headings = {"category": "category", "first": "share of the first", "entries": "entries"}
    return Section("Which words carry each category", (Paragraph(text), *folded_table(rows, headings, "categories")))


def reliability_section(statistics: LookupStatistics) -> Section:
    """Cronbach's alpha and KR-20 of each category."""
    rows = sorted(statistics.records(), key=lambda row: (row["alpha"] is None, -(row["alpha"] or 0.0)))
    text = (
        "Both say how far the entries of a category occur in the same documents, as the items of a questionnaire that "
        "measure one thing do: 1 is perfect. Alpha uses the percentage of each entry in the words of a document, KR-20 "
        "whether it occurs. Values for words are much lower than for questionnaires, because a person who has said a "
        "thing need not say it again; short documents make both low. Entries that never occur are left out."
    )
    headings = {"category": "category", "met": "entries found", "alpha": "Cronbach's alpha", "kr20": "KR-20"}
    return Section(
        "Do the words of a category belong together", (Paragraph(text), *folded_table(rows, headings, "categories"))
    )


def correlations_section(statistics: LookupStatistics) -> Section | None:
    """How the percentages of categories go together."""
    pairs = statistics.correlated_pairs()
    if not pairs:
        return None
    names = [row["category"] for row in statistics.records() if row["deviation"]][:MAX_SQUARES]
    places = [statistics.entries.categories.index(name) for name in names]
    values = statistics.correlations()[np.ix_(places, places)]
    cells = [[float(value) if np.isfinite(value) else None for value in row] for row in values]
    caption = "Correlation of the percentages of two categories over documents; the stronger, the more colour."
    if len(names) < len(statistics.entries.categories):
        caption += f" The {len(names)} categories that vary most."
    note = (
        "Categories that share entries correlate by that alone. A category and one below it are not in the table: the "
        "one contains the other."
    )
    headings = {"category": "category", "other": "and", "correlation": "correlation"}
    blocks: list[Block] = [Paragraph(note), Figure("correlations", caption, correlation_chart(names, cells), 420)]
    return Section("Which categories go together", (*blocks, Table.of(pairs, headings)))


def groups_section(records: Sequence[Record], column: str, categories: Sequence[str]) -> Section:
    """The means of categories by group or date."""
    dated = is_time(list(records))
    shown = [row for row in records if not (dated and row["group"].startswith("("))]
    if not dated:
        shown = sorted(shown, key=lambda row: -row["documents"])[:MAX_GROUPS]
        if are_numbers(row["group"] for row in shown if row["group"] != NO_GROUP):
            names = in_order(row["group"] for row in shown)
            shown = sorted(shown, key=lambda row: names.index(row["group"]))
    spread = {name: float(np.std([row[name] for row in shown])) for name in categories}
    compared = sorted(categories, key=lambda name: -spread[name])[:MAX_COMPARED]
    rows = [
        {"group": row["group"], "documents": row["documents"], "category": name, "percent": row[name]}
        for row in shown
        for name in compared
    ]
    unit = f"{period_of(shown[0]['group'])} ({column})" if dated else column
    caption = f"Mean percentage of words by {unit}"
    caption += f": the {len(compared)} categories that differ most." if len(compared) < len(categories) else "."
    if len(shown) < len(records) and not dated:
        caption += f" The {len(shown)} largest of {len(records):,} groups."
    colours = tuple((name, label_colours(compared)[name]) for name in compared)
    figure = Figure("groups", caption, groups_chart(rows, compared, time=dated), legend=colours)
    headings = {"group": column, "documents": "documents"} | {name: name for name in compared}
    title = f"Categories by {unit}"
    unbroken = [row | {"group": row["group"].replace("-", "\u2011")} if dated else row for row in shown]
    return Section(title, (figure, *folded_table(unbroken, headings, "groups")))


def unmet_section(statistics: LookupStatistics) -> Section:
    """Entries that no text has."""
    unmet = {name: items for name, items in statistics.never_met().items() if items}
    total = len({item for items in unmet.values() for item in items})
    entries = len(statistics.entries.items)
    lead = Paragraph(
        f"{total:,} of {pluralize(entries, 'entry', 'entries')} ({format_percent(total / entries)}) "
        f"{'was' if total == 1 else 'were'} never found."
        + (
            " Many of them in one category may be spelling, another language, or words of another time."
            if total
            else ""
        ),
        "lead",
    )
    rows: list[Record] = [
        {
            "category": name,
            "number": len(items),
            "entries": ", ".join(items[:MAX_UNMET])
            + (f" and {len(items) - MAX_UNMET:,} more" if len(items) > MAX_UNMET else ""),
        }
        for name, items in sorted(unmet.items(), key=lambda pair: -len(pair[1]))
    ]
    if not rows:
        return Section("Entries that were never found", (lead,))
    headings = {"category": "category", "number": "never found", "entries": "entries"}
    return Section(
        "Entries that were never found", (lead, Details("The entries by category", Table.of(rows, headings)))
    )


def method_section(statistics: LookupStatistics, description: str) -> Section:
    """How words were counted."""
    sums = statistics.sums
    text = (
        f"{pluralize(len(statistics.entries.items), 'entry', 'entries')} in "
        f"{pluralize(len(statistics.entries.categories), 'category', 'categories')} were counted in "
        f"{pluralize(sums.documents, 'document')} with words ({pluralize(sums.words, 'word')}). A word or phrase "
        f"counts for every category that it is in; matches were chosen in this way: {description}. Means, standard "
        "deviations and correlations are over documents, of the percentage of words that match, so that long documents "
        "count no more than short ones."
    )
    return Section("Method", (Paragraph(text),))


def folded_table(rows: Sequence[Record], headings: dict[str, str], what: str) -> list[Block]:
    """A table whose rows beyond the first are shown on demand.

    >>> [type(block).__name__ for block in folded_table([{"word": "good"}] * MAX_TABLE, {"word": "word"}, "words")]
    ['Table']
    >>> folded_table([{"word": "good"}] * (MAX_TABLE + 3), {"word": "word"}, "words")[1].summary
    '3 more words'
    """
    first: list[Block] = [Table.of(rows[:MAX_TABLE], headings)]
    if len(rows) <= MAX_TABLE:
        return first
    more = f"{len(rows) - MAX_TABLE:,} more {what}"
    return [*first, Details(more, Table.of(rows[MAX_TABLE:], headings))]


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
