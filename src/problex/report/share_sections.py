"""The sections that open a report: the shares of the labels in all documents, and by group or date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from problex._util.formatting import format_interval, format_percent, pluralize
from problex._util.records import Record
from problex.grouping.dates import period_of
from problex.report.blocks import Block, Bullets, Details, Figure, Paragraph, Section, SideBySide, Table
from problex.report.chart_style import label_colours
from problex.report.material import Material
from problex.report.share_charts import MAX_LABELS as MAX_CHARTED
from problex.report.share_charts import dated, is_estimated, largest_labels, number_of_documents, shares_chart
from problex.scoring.scores import UNDECIDED
from problex.shares.counting import format_estimate, is_time
from problex.shares.differences import describe_differences
from problex.shares.estimates import ShareTable
from problex.shares.estimators import ESTIMATORS

MAX_LABELS = 7
"""Labels with a key figure each at the top of the page; of more, the largest."""
SMALL_WIDTH = 220
"""Width of drawn charts that are side by side."""
PREDICTED = (
    "These are shares of predicted labels. They have no intervals, because without labels their distance from the "
    "shares of the true labels is unknown, and can exceed 30 points. To estimate the true shares, label a sample "
    "(problex audit sample) and give it to this report (--audit)."
)
DIFFERENCES = (
    "Without labels, a difference between groups is stated if both the probabilities of the texts and the words of the "
    "lists differ by more than two standard errors, or more if several groups are compared."
)


@dataclass(frozen=True)
class KeyFigure:
    """A figure at the top of the page; those of labels have the colour of the label."""

    name: str
    value: str
    colour: str = ""


def key_figures(material: Material) -> list[KeyFigure]:
    """The number of documents, the share of each label and of undecided documents, and the accuracy by an audit."""
    overview, colours = material.overview, label_colours(material.model.classes)
    figures = [KeyFigure("document" if overview.documents == 1 else "documents", f"{overview.documents:,}")]
    decided = [row for row in overview.labels if row["label"] != UNDECIDED]
    if len(decided) > MAX_LABELS:
        decided = sorted(decided, key=lambda row: -row["hits"])[:MAX_LABELS]
    for row in decided:
        figures.append(KeyFigure(*_label_figure(row, material.shares), colours[row["label"]]))
    if material.shares is not None:
        return [*figures, *_accuracy_figure(material)]
    left_out = len(material.model.classes) - len(decided)
    if left_out:
        rest = overview.documents - overview.undecided - sum(row["hits"] for row in decided)
        share = format_percent(rest / overview.documents)
        figures.append(KeyFigure(pluralize(left_out, "other label"), share))
    undecided = format_percent(overview.undecided / overview.documents)
    figures.append(KeyFigure(UNDECIDED, undecided, colours[UNDECIDED]))
    return [*figures, *_accuracy_figure(material)]


def _label_figure(row: Record, shares: ShareTable | None) -> tuple[str, str]:
    """The name and the share of a label: the estimate of an audit with its interval, or that of predicted labels."""
    if shares is None:
        return row["label"], format_percent(row["share"])
    found = next(one for one in shares.records if one["label"] == row["label"])
    return f"{row['label']} ({format_interval(found['low'], found['high'])})", format_percent(found["estimate"])


def _accuracy_figure(material: Material) -> list[KeyFigure]:
    if material.audit is None:
        return []
    return [KeyFigure("correct, measured with labels (audit)", f"{material.audit['accuracy'].value:.1%}")]


def labels_section(material: Material) -> Section:
    """The shares of the predicted labels and of undecided documents, and those estimated by an audit."""
    records, classes = material.overview.labels, material.model.classes
    headings = {"label": "label", "hits": "documents", "share": "share of predicted labels"}
    rows = [{**row, "share": format_percent(row["share"])} for row in records]
    caption, lead, note = "Share of each predicted label in all documents.", _answer(records), PREDICTED
    charted = records
    if material.shares is not None:
        charted = material.shares.records
        for row, found in zip(rows, charted, strict=True):
            row["true"] = "–" if found["estimate"] is None else _estimate(found)
        caption = "Estimated share of each true label in all documents; the lines are 95% intervals."
        lead, note = _estimated_answer(charted, material.shares.labelled), estimator_note(material.shares)
    elif material.audit is not None:
        true = {one.label: one for one in material.audit.estimates if one.measure == "prevalence"}
        for row in rows:
            one = true.get(row["label"])
            row["true"] = "–" if one is None else f"{format_percent(one.value)} ({format_interval(one.low, one.high)})"
    if "true" in rows[0]:
        headings["true"] = "true share, estimated by the audit (95% interval)"
    blocks: list[Block] = [
        Paragraph(lead, "lead"),
        Figure("labels", caption, shares_chart(charted, classes, title="Shares of the labels")),
        Table.of(rows, headings),
        Paragraph(note, "note"),
    ]
    if material.model.balance_shift is not None and material.audit is None:
        blocks.insert(1, Paragraph(f"{material.model.balance_shift.describe()}.", "callout"))
    return Section("Shares of the labels", tuple(blocks))


def estimator_note(shares: ShareTable) -> str:
    """How the shares were estimated, and what is missing."""
    estimator = ESTIMATORS[shares.estimator]
    notes = "".join(f" {note[0].upper()}{note[1:]}." for note in shares.notes()[1:])
    return f"Estimated from {pluralize(shares.labelled, 'label')} by {estimator.description}.{notes}"


def _answer(records: Sequence[Record]) -> str:
    """The shares of predicted labels in one sentence.

    >>> rows = [("bad", 0.25), ("good", 0.7), ("undecided", 0.05)]
    >>> _answer([{"label": name, "share": share, "documents": 1000} for name, share in rows])[:67]
    'Of 1,000 documents, the model labels 25.0% bad and 70.0% good; 5.0%'
    """
    shares = [f"{format_percent(row['share'])} {row['label']}" for row in records if row["label"] != UNDECIDED]
    undecided = next(row for row in records if row["label"] == UNDECIDED)
    return (
        f"Of {pluralize(undecided['documents'], 'document')}, the model labels {', '.join(shares[:-1])} and "
        f"{shares[-1]}; {format_percent(undecided['share'])} are undecided: they have no word with a weight, or a tie."
    )


def _estimated_answer(records: Sequence[Record], labels: int) -> str:
    """The estimated shares of the true labels in one sentence."""
    shares = [f"{_estimate(row)} {row['label']}" for row in records if row["estimate"] is not None]
    return (
        f"Of {pluralize(records[0]['documents'], 'document')}, an estimated {', '.join(shares[:-1])} and {shares[-1]} "
        f"(95% intervals, from {pluralize(labels, 'label')})."
    )


def _estimate(row: Record) -> str:
    return f"{format_percent(row['estimate'])} ({format_interval(row['low'], row['high'])})"


def groups_section(material: Material) -> Section | None:
    """Shares of the labels by the values of a column, with the estimates of an audit if there are labels."""
    if not material.by:
        return None
    title, shares = f"Shares by {material.by}", material.group_shares
    records = material.overview.groups if shares is None else shares.records
    blocks = _group_figures(records, material.model.classes, title)
    if shares is not None:
        blocks.append(Paragraph(estimator_note(shares), "note"))
    elif material.differences:
        sentences = [f"{one[0].upper()}{one[1:]}." for one in describe_differences(material.differences)]
        blocks += [Bullets(tuple(sentences)), Paragraph(DIFFERENCES, "note")]
    return Section(title, (*blocks, Details("As a table", _group_table(records, material.by))))


def _group_figures(records: Sequence[Record], classes: tuple[str, ...], title: str) -> list[Block]:
    """One chart; over time a chart for each of more than two labels, because many lines cross."""
    colours, caption = label_colours(classes), _caption(records, classes)
    if not is_time(records) or len(classes) == 2:
        labels = [name for name in largest_labels(records, classes) if name != UNDECIDED or not is_estimated(records)]
        legend = tuple((label, colours[label]) for label in labels)
        return [Figure("groups", caption, shares_chart(records, classes, title=title), legend=legend)]
    figures = []
    if is_estimated(records):
        colours.pop(UNDECIDED)
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
    """What the chart shows; with estimates also where the label that differs most is lowest and highest."""
    if not is_estimated(records):
        return "Share of each predicted label."
    ranges = [_lowest_and_highest(records, label) for label in classes]
    low, high = max(ranges, key=lambda pair: _drawn_share(pair[1]) - _drawn_share(pair[0]))
    start = "Estimated share of each true label, with 95% intervals."
    if low["group"] == high["group"]:
        return start
    return (
        f"{start} The share of {low['label']} differs most: from {_share_of(low)} to {_share_of(high)}. "
        f"{'Periods' if is_time(records) else 'Groups'} with overlapping intervals may not differ."
    )


def _drawn_share(row: Record) -> float:
    """The share that a chart shows: the estimate if there is one."""
    return float(row["estimate"] if "estimate" in row else row["share"])


def _lowest_and_highest(records: Sequence[Record], label: str) -> tuple[Record, Record]:
    """The records of a label with its lowest and its highest share; groups without documents have none."""
    name = "estimate" if is_estimated(records) else "share"
    rows = [row for row in records if row["label"] == label and row[name] is not None]
    return min(rows, key=_drawn_share), max(rows, key=_drawn_share)


def _share_of(row: Record) -> str:
    return f"{format_percent(_drawn_share(row))} ({row['group']})"


def _group_table(records: Sequence[Record], by: str) -> Table:
    """A row per group: its documents, and the share of each label; with estimates also its labels and intervals."""
    estimated = is_estimated(records)
    rows: dict[str, Record] = {}
    labels = [name for name in dict.fromkeys(row["label"] for row in records) if name != UNDECIDED or not estimated]
    for row in records:
        start = {name: row[name] for name in ("group", "documents", *(["labels"] if estimated else []))}
        line = rows.setdefault(row["group"], start)
        line[f"share {row['label']}"] = _cell(row, estimated=estimated)
    headings = {"group": by, "documents": "documents"} | ({"labels": "labels"} if estimated else {})
    return Table.of(list(rows.values()), headings | {f"share {label}": label for label in labels})


def _cell(row: Record, *, estimated: bool) -> str | None:
    if estimated:
        return None if row["estimate"] is None else format_estimate(row)
    return None if row["share"] is None else format_percent(row["share"])
