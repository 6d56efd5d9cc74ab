"""Sections of a report about the texts: labels and scores, groups, the audit, documents, the doctor's findings."""

from __future__ import annotations

from collections.abc import Sequence

from problex._util.formatting import format_percent, pluralize
from problex._util.records import Record
from problex.evaluation.corpus_overview import LEAST_CERTAIN, Example
from problex.evaluation.date_choice import NO_DATE
from problex.evaluation.shares import is_time
from problex.explanation.views import text_marks
from problex.report.blocks import (
    Block,
    Bullets,
    Details,
    Figure,
    FindingItem,
    FindingList,
    Heading,
    MarkedDocument,
    Paragraph,
    Section,
    Table,
)
from problex.report.document_charts import audit_chart, scores_chart
from problex.report.material import Material
from problex.report.share_figures import share_figure

MAX_CHARACTERS = 700
"""Characters of a document that are shown."""
MAX_CONTRIBUTIONS = 6
"""Words of a document whose contributions are listed."""
MAX_WORDS = 4
"""Words of a finding that are listed."""


def scores_section(material: Material) -> Section:
    """The shares of the labels and the distribution of scores."""
    overview, classes = material.overview, material.model.classes
    headings = {"label": "label", "hits": "documents", "share": "share", "range": "95% interval"}
    note = (
        f"Shares of all documents, of which {overview.undecided:,} are undecided. The intervals are those of counting: "
        "they do not include errors of the classification. To estimate true shares, label a sample (problex audit)."
    )
    caption = "The model is certain about texts on the right and uncertain about those on the left."
    if len(classes) == 2:
        caption = (
            "The model is certain about texts far from zero and uncertain about those near zero; the outermost bars "
            "include everything beyond them."
        )
    blocks = (
        Table.of(_share_rows(overview.labels), headings),
        Paragraph(note, "note"),
        Figure("scores", caption, scores_chart(overview.scores, classes)),
    )
    return Section("Labels and scores", blocks)


def _share_rows(records: Sequence[Record]) -> list[Record]:
    rows = []
    for row in records:
        interval = "–" if row["share"] is None else f"{format_percent(row['low'])} to {format_percent(row['high'])}"
        rows.append({**row, "share": format_percent(row["share"]), "range": interval})
    return rows


def groups_section(material: Material) -> Section | None:
    """Shares of the labels by the values of a column."""
    if not material.by:
        return None
    title = f"Shares by {material.by}"
    records, classes = material.overview.groups, material.model.classes
    time = is_time(records)
    charted = [row for row in records if not (time and row["group"] == NO_DATE)]
    last = classes[-1]
    decided = [row for row in charted if row["label"] == last and row["share"] is not None]
    if all(row["share_decided"] is None for row in decided):
        return Section(title, (Paragraph("No document is decided, so there are no shares."),))
    high, low = max(decided, key=lambda row: row["share"]), min(decided, key=lambda row: row["share"])
    caption = (
        f"The share of {last} is between {format_percent(low['share'])} ({low['group']}) and "
        f"{format_percent(high['share'])} ({high['group']}); groups with overlapping intervals may not differ."
    )
    headings = {"group": material.by} | {name: name for name in ("label", "documents", "share")}
    rows = _share_rows(records)
    note = "The intervals are those of counting (Wilson's): they do not include errors of the classification."
    blocks = (
        Figure("groups", caption, share_figure(charted, classes, time=time)),
        Details("As a table", Table.of(rows, headings | {"range": "95% interval"})),
        Paragraph(note, "note"),
    )
    return Section(title, blocks)


def audit_section(material: Material) -> Section | None:
    """The estimates of the audit."""
    if material.audit is None:
        return None
    records = material.audit.records()
    rows = [
        {**row, "range": f"{row['low']:.3f} to {row['high']:.3f}", "label": row["label"] or "all"} for row in records
    ]
    headings = {
        "measure": "measure",
        "label": "label",
        "value": "measured",
        "range": "95% interval",
        "expected": "expected by the model",
    }
    caption = (
        "Dots are estimates from the labels, with intervals; diamonds are the values expected by the model. If a "
        "diamond is outside the interval, the labels contradict the model."
    )
    blocks = (
        Figure("audit", caption, audit_chart(records)),
        Table.of(rows, headings),
        Bullets(tuple(material.audit.notes())),
    )
    return Section("Audit: accuracy measured with labels", blocks)


def documents_section(material: Material) -> Section:
    """The most and the least certain documents, with their matches marked."""
    lead = (
        "Words have the colour of the label that they support, stronger for larger contributions. Phrases are "
        "underlined, negated words are struck through, and entries without weight have a dotted line."
    )
    blocks: list[Block] = [Paragraph(lead, "lead")]
    headings = {name: f"Most certain: {name}" for name in material.model.classes} | {LEAST_CERTAIN: "Least certain"}
    for kind, heading in headings.items():
        examples = [example for example in material.overview.examples if example.kind == kind]
        if examples:
            blocks += [Heading(heading), *map(_marked_document, examples)]
    if len(blocks) == 1:
        blocks.append(Paragraph("No document is decided."))
    return Section("Documents, word by word", tuple(blocks))


def _marked_document(example: Example) -> MarkedDocument:
    """The beginning of a document with its matches marked, and the strongest contributions in all of it."""
    record = example.why.record()
    pieces = _beginning(record["pieces"])
    probability = _format_probability(max(record["probabilities"].values()))
    strongest = [f"{part['entry']} {_signed(part['contribution'])}" for part in record["contributions"]]
    return MarkedDocument(
        heading=f"Row {example.row:,}: {record['label']}, probability {probability} by the model; "
        f"{pluralize(record['tokens'], 'word')}",
        marks=tuple(text_marks(pieces, record["classes"])),
        characters_left=max(0, len(record["text"]) - sum(len(piece["text"]) for piece in pieces)),
        strongest=", ".join(strongest[:MAX_CONTRIBUTIONS]),
    )


def _beginning(pieces: Sequence[Record]) -> list[Record]:
    """The first pieces of a text, cut between words."""
    left, beginning = MAX_CHARACTERS, []
    for piece in pieces:
        if left <= 0:
            break
        too_long = not piece["entries"] and len(piece["text"]) > left
        cut = {**piece, "text": piece["text"][:left].rsplit(maxsplit=1)[0]} if too_long else piece
        beginning.append(cut)
        left -= len(piece["text"])
    return beginning


def _format_probability(probability: float) -> str:
    """A probability as a percentage; never 100%.

    >>> [_format_probability(value) for value in (0.5, 0.99, 0.991, 1.0)]
    ['50%', '99%', 'over 99%', 'over 99%']
    """
    return "over 99%" if probability > 0.99 else f"{probability:.0%}"


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def findings_section(material: Material) -> Section:
    """The findings of the doctor."""
    title = "Findings of the doctor"
    diagnosis = material.diagnosis
    if diagnosis is None:
        reason = material.unavailable.get("doctor", "")
        return Section(title, (Paragraph(f"The lexicon could not be checked: {reason}."),))
    lead = (
        "Entries that are not associated with their list as expected, the costliest first. The gain is the forecast "
        "increase in the AUC of plain counting after the edit, without labels. Read the words in context before you "
        "apply an edit."
    )
    blocks: list[Block] = [Paragraph(lead, "lead")]
    for heading, findings in (("Faults", diagnosis.faults), ("Words that could be added", diagnosis.additions)):
        if findings:
            items = tuple(_finding_item(finding.record()) for finding in findings)
            blocks += [Heading(heading), FindingList(items)]
    if not diagnosis.faults:
        blocks.append(Paragraph("There are no faults."))
    if diagnosis.notes:
        blocks += [Heading("Notes"), Bullets(tuple(_note(finding.record()) for finding in diagnosis.notes))]
    return Section(title, tuple(blocks))


def _note(record: Record) -> str:
    word = f"{record['words'][0]} " if len(record["words"]) == 1 and not record["list"] else ""
    return f"{record['kind'].capitalize()}: {word}{record['why']}."


def _finding_item(record: Record) -> FindingItem:
    certainty, cost = record["certainty"], record["cost"]
    probability = "" if certainty is None else f", probability {_format_probability(certainty)}"
    gain = f" (gain {cost:+.4f})" if record["edit"] and cost is not None else ""
    return FindingItem(
        words=", ".join(record["words"][:MAX_WORDS]) + (" …" if len(record["words"]) > MAX_WORDS else ""),
        kind=record["kind"] + probability,
        reason=record["why"],
        edit=record["edit"] + gain,
        contexts=tuple(record["contexts"]),
    )
