"""The sections of the page about categories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from problex._util.formatting import format_percent, pluralize
from problex._util.records import Record
from problex.grouping.dates import period_of
from problex.grouping.grouping import NO_GROUP, are_numbers, in_order
from problex.lookups.statistics import LookupStatistics
from problex.report.blocks import Block, Details, Figure, Paragraph, Section, Table
from problex.report.categories.charts import correlation_chart, groups_chart, spread_chart
from problex.report.chart_style import label_colours
from problex.shares.counting import is_time

MAX_CHART, MAX_TABLE, MAX_SQUARES, MAX_COMPARED, MAX_GROUPS = 25, 30, 14, 6, 30
"""Categories in the chart, in a table before the rest is hidden, in the chart of correlations and in that of groups;
and groups."""
MAX_CARRIERS = 8
MAX_UNMET = 200
"""Entries that are named for each category."""


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
    """A table whose rows beyond the first are shown on demand."""
    first: list[Block] = [Table.of(rows[:MAX_TABLE], headings)]
    if len(rows) <= MAX_TABLE:
        return first
    more = f"{len(rows) - MAX_TABLE:,} more {what}"
    return [*first, Details(more, Table.of(rows[MAX_TABLE:], headings))]
