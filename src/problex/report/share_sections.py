"""The sections that open a report: the shares of the labels in all documents, and by group or date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from problex._util.formatting import format_percent, pluralize
from problex._util.records import Record
from problex.evaluation.shares import is_time
from problex.report.blocks import Block, Details, Figure, Paragraph, Section, SideBySide, Table
from problex.report.chart_style import label_colours
from problex.report.material import Material
from problex.report.share_charts import labels_chart, shares_chart
from problex.scoring.scores import UNDECIDED

MAX_LABELS = 7
"""Labels with a key figure each at the top of the page; of more, the largest."""
SMALL_WIDTH = 220
"""Width of drawn charts that are side by side."""
INTERVALS = (
    "The intervals show the uncertainty due to the number of documents, not that due to wrong labels. To estimate the "
    "true shares, label a sample (problex audit)."
)


@dataclass(frozen=True)
class KeyFigure:
    """A figure at the top of the page; those of labels have the colour of the label."""

    name: str
    value: str
    colour: str = ""


def key_figures(material: Material) -> list[KeyFigure]:
    """The number of documents, the share of each label and of undecided documents, and the accuracy."""
    overview, colours = material.overview, label_colours(material.model.classes)
    figures = [KeyFigure("document" if overview.documents == 1 else "documents", f"{overview.documents:,}")]
    decided = [row for row in overview.labels if row["label"] != UNDECIDED]
    if len(decided) > MAX_LABELS:
        decided = sorted(decided, key=lambda row: -row["hits"])[:MAX_LABELS]
    for row in decided:
        figures.append(KeyFigure(row["label"], format_percent(row["share"]), colours[row["label"]]))
    left_out = len(material.model.classes) - len(decided)
    if left_out:
        rest = overview.documents - overview.undecided - sum(row["hits"] for row in decided)
        share = format_percent(rest / overview.documents)
        figures.append(KeyFigure(pluralize(left_out, "other label"), share))
    undecided = format_percent(overview.undecided / overview.documents)
    figures.append(KeyFigure(UNDECIDED, undecided, colours[UNDECIDED]))
    if material.audit is not None:
        figures.append(KeyFigure("correct, measured with labels (audit)", f"{material.audit['accuracy'].value:.1%}"))
    elif material.expected_accuracy is not None:
        name = "correct, as forecast; true accuracy is usually lower"
        figures.append(KeyFigure(name, f"{material.expected_accuracy:.1%}"))
    return figures


def labels_section(material: Material) -> Section:
    """The shares of the labels, with intervals, undecided documents and the shares estimated by an audit."""
    overview, classes = material.overview, material.model.classes
    headings = {"label": "label", "hits": "documents", "share": "share", "range": "95% interval"}
    rows = [
        {**row, "share": format_percent(row["share"]), "range": _interval(row["low"], row["high"])}
        for row in overview.labels
    ]
    if material.audit is not None:
        true = {one.label: one for one in material.audit.estimates if one.measure == "prevalence"}
        for row in rows:
            one = true.get(row["label"])
            row["true"] = "–" if one is None else f"{format_percent(one.value)} ({_interval(one.low, one.high)})"
        headings["true"] = "true share, estimated by the audit (95% interval)"
    caption = "Share of each label in all documents; the lines are 95% intervals."
    blocks: list[Block] = [
        Paragraph(_answer(overview.labels), "lead"),
        Figure("labels", caption, labels_chart(overview.labels, classes)),
        Table.of(rows, headings),
        Paragraph(INTERVALS, "note"),
    ]
    return Section("Shares of the labels", tuple(blocks))


def _answer(records: Sequence[Record]) -> str:
    """The shares in one sentence."""
    shares = [f"{format_percent(row['share'])} {row['label']}" for row in records if row["label"] != UNDECIDED]
    shares[0] = shares[0].replace(" ", " are ", 1)
    undecided = next(row for row in records if row["label"] == UNDECIDED)
    return (
        f"Of {pluralize(undecided['documents'], 'document')}, {', '.join(shares[:-1])} and {shares[-1]}; "
        f"{format_percent(undecided['share'])} are undecided: they have no word with a weight, or a tie."
    )


def _interval(low: float, high: float) -> str:
    return f"{format_percent(low)} to {format_percent(high)}"


def groups_section(material: Material) -> Section | None:
    """Shares of the labels by the values of a column."""
    if not material.by:
        return None
    records, classes = material.overview.groups, material.model.classes
    time = is_time(records)
    without = [row for row in records if row["group"].startswith("(")]
    charted = [row for row in records if not (time and row in without)]
    caption = _differences(charted, classes)
    if time and without:
        caption += f" {pluralize(without[0]['documents'], 'document')} without a date: not in the chart."
    blocks: list[Block] = [*_group_figures(charted, classes, caption, time=time)]
    blocks.append(Details("As a table", _group_table(records, material.by)))
    return Section(f"Shares by {material.by}", tuple(blocks))


def _group_figures(records: Sequence[Record], classes: tuple[str, ...], caption: str, *, time: bool) -> list[Block]:
    """One chart; over time a chart for each of more than two labels, because many lines cross."""
    colours = label_colours(classes)
    if not time or len(classes) == 2:
        chart = shares_chart(records, classes, time=time)
        return [Figure("groups", caption, chart, legend=tuple(colours.items()))]
    figures = [
        Figure(
            f"groups-{at}",
            f"Share of {label}." if label != UNDECIDED else "Share of undecided documents.",
            shares_chart(records, classes, time=True, only=label),
            SMALL_WIDTH,
        )
        for at, label in enumerate(colours)
    ]
    return [SideBySide(tuple(figures)), Paragraph(caption, "note")]


def _differences(records: Sequence[Record], classes: Sequence[str]) -> str:
    """The label whose share differs most between groups, and where it is lowest and highest."""
    ranges = []
    for label in classes:
        rows = sorted((row for row in records if row["label"] == label), key=lambda row: row["share"])
        ranges.append((rows[-1]["share"] - rows[0]["share"], rows[0], rows[-1]))
    _, low, high = max(ranges, key=lambda one: one[0])
    if low["group"] == high["group"]:
        return "Share of each label, with 95% intervals."
    return (
        f"Share of each label, with 95% intervals. The share of {low['label']} differs most: from "
        f"{format_percent(low['share'])} ({low['group']}) to {format_percent(high['share'])} ({high['group']}). "
        "Groups with overlapping intervals may not differ."
    )


def _group_table(records: Sequence[Record], by: str) -> Table:
    """A row per group: its documents, and the share of each label with its interval."""
    rows: dict[str, Record] = {}
    for row in records:
        line = rows.setdefault(row["group"], {"group": row["group"], "documents": row["documents"]})
        low, high = (f"{100 * row[bound]:.1f}" for bound in ("low", "high"))
        line[f"share {row['label']}"] = f"{format_percent(row['share'])} ({low} to {high})"
    labels = dict.fromkeys(row["label"] for row in records)
    headings = {"group": by, "documents": "documents"} | {f"share {label}": label for label in labels}
    return Table.of(list(rows.values()), headings)
