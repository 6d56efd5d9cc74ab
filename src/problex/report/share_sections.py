"""The sections that open a report: the shares of the labels in all documents, and by group or date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from problex._util.formatting import format_percent, pluralize
from problex._util.records import Record
from problex.evaluation.date_bins import period_of
from problex.evaluation.shares import is_time
from problex.report.blocks import Block, Details, Figure, Paragraph, Section, SideBySide, Table
from problex.report.chart_style import label_colours
from problex.report.material import Material
from problex.report.share_charts import MAX_LABELS as MAX_CHARTED
from problex.report.share_charts import dated, largest_labels, number_of_documents, shares_chart
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
        Figure("labels", caption, shares_chart(overview.labels, classes, title="Shares of the labels")),
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
    title, records = f"Shares by {material.by}", material.overview.groups
    blocks = _group_figures(records, material.model.classes, title)
    return Section(title, (*blocks, Details("As a table", _group_table(records, material.by))))


def _group_figures(records: Sequence[Record], classes: tuple[str, ...], title: str) -> list[Block]:
    """One chart; over time a chart for each of more than two labels, because many lines cross."""
    colours, caption = label_colours(classes), _caption(records, classes)
    if not is_time(records) or len(classes) == 2:
        legend = tuple((label, colours[label]) for label in largest_labels(records, classes))
        return [Figure("groups", caption, shares_chart(records, classes, title=title), legend=legend)]
    figures = []
    for at, (label, colour) in enumerate(colours.items()):
        chart = shares_chart(records, classes, only=label, title=f"{title}: {label}")
        low, high = _lowest_and_highest(dated(records), label)
        name = label if label != UNDECIDED else "undecided documents"
        about = f"Share of {name}: from {_share_of(low)} to {_share_of(high)}."
        figures.append(Figure(f"groups-{at}", about, chart, SMALL_WIDTH, legend=((label, colour),)))
    return [SideBySide(tuple(figures)), Paragraph(caption, "note")]


def _caption(records: Sequence[Record], classes: Sequence[str]) -> str:
    """What the charts of groups show, and what they leave out."""
    shown, time = dated(records), is_time(records)
    sentences = [_differences(shown, classes)]
    undated = number_of_documents(records) - number_of_documents(shown)
    if time and len(classes) == 2:
        sentences.append(f"Grey bars: documents per {period_of(shown[0]['group'])}.")
    if undated:
        sentences.append(f"{pluralize(undated, 'document')} without a date: not in the chart.")
    if not time and len(classes) > MAX_CHARTED:
        sentences.append(f"The chart shows the {MAX_CHARTED} largest of {len(classes)} labels.")
    return " ".join(sentences)


def _differences(records: Sequence[Record], classes: Sequence[str]) -> str:
    """The label whose share differs most between groups, and where it is lowest and highest."""
    ranges = [_lowest_and_highest(records, label) for label in classes]
    low, high = max(ranges, key=lambda pair: pair[1]["share"] - pair[0]["share"])
    if low["group"] == high["group"]:
        return "Share of each label, with 95% intervals."
    return (
        f"Share of each label, with 95% intervals. The share of {low['label']} differs most: from {_share_of(low)} to "
        f"{_share_of(high)}. {'Periods' if is_time(records) else 'Groups'} with overlapping intervals may not differ."
    )


def _lowest_and_highest(records: Sequence[Record], label: str) -> tuple[Record, Record]:
    """The records of a label with its lowest and its highest share; groups without documents have none."""
    rows = [row for row in records if row["label"] == label and row["share"] is not None]
    return min(rows, key=lambda row: row["share"]), max(rows, key=lambda row: row["share"])


def _share_of(row: Record) -> str:
    return f"{format_percent(row['share'])} ({row['group']})"


def _group_table(records: Sequence[Record], by: str) -> Table:
    """A row per group: its documents, and the share of each label with its interval, if it has documents."""
    rows: dict[str, Record] = {}
    for row in records:
        line = rows.setdefault(row["group"], {"group": row["group"], "documents": row["documents"]})
        line[f"share {row['label']}"] = _share_and_interval(row)
    labels = dict.fromkeys(row["label"] for row in records)
    headings = {"group": by, "documents": "documents"} | {f"share {label}": label for label in labels}
    return Table.of(list(rows.values()), headings)


def _share_and_interval(row: Record) -> str | None:
    if row["share"] is None:
        return None
    low, high = (f"{100 * row[bound]:.1f}" for bound in ("low", "high"))
    return f"{format_percent(row['share'])} ({low} to {high})"
