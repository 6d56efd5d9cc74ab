"""Sections of a report on how good the labels are: the audit, the forecast and the certainty of the labels."""

from __future__ import annotations

from problex._util.formatting import format_interval, format_percent, pluralize
from problex.evaluation.forecasts import WARNING
from problex.report.blocks import Block, Bullets, Figure, Paragraph, Section, Table
from problex.report.chart_style import label_colours
from problex.report.document_charts import audit_chart, forecast_chart, reliability_chart, scores_chart
from problex.report.material import Material


def audit_section(material: Material) -> Section | None:
    """The estimates of the audit."""
    if material.audit is None:
        return None
    records = material.audit.records()
    rows = [
        {**row, "range": format_interval(row["low"], row["high"], "{:.3f}".format), "label": row["label"] or "all"}
        for row in records
    ]
    headings = {
        "measure": "measure",
        "label": "label",
        "value": "measured",
        "range": "95% interval",
        "expected": "expected without labels",
    }
    caption = (
        "Dots are measured with the labels, with 95% intervals; diamonds were expected without labels. A diamond "
        "outside its interval was wrong."
    )
    notes = tuple(note[0].upper() + note[1:] + "." for note in material.audit.notes())
    blocks: list[Block] = [Figure("audit", caption, audit_chart(records)), Table.of(rows, headings), Bullets(notes)]
    if material.audit.reliability:
        caption = (
            "Calibration curve: the share of right labels among labelled documents of about the same probability, with "
            "95% intervals. Below the dashed line the model is too sure of itself, above it too modest."
        )
        blocks.append(Figure("reliability", caption, reliability_chart(material.audit.reliability)))
    return Section("Accuracy measured with labels (audit)", tuple(blocks))


def forecast_section(material: Material) -> Section:
    """What the model expects of itself by length, with its warning, and the accuracy by labels if there are some."""
    title = "Expected accuracy (forecast)"
    if material.forecast is None:
        return Section(title, (Paragraph(f"Not available: {material.unavailable.get('forecast', '')}."),))
    blocks: list[Block] = [Paragraph(WARNING, "callout")]
    if material.audit is not None and material.audit.labelled:
        accuracy = material.audit["accuracy"]
        interval = format_interval(accuracy.low, accuracy.high)
        text = f"The accuracy measured by the audit is {accuracy.value:.1%} ({interval}). Use it, not the forecast."
        blocks.append(Paragraph(text, "lead"))
    else:
        text = "There are no labels, so the true accuracy is unknown. Draw a sample to label with problex audit sample."
        blocks.append(Paragraph(text))
    if material.model.expansion is not None:
        text = "The forecast is for the lexicon alone, without the words that were learned beyond it."
        blocks.append(Paragraph(text, "note"))
    caption = (
        "Expected accuracy by the length of the documents. “Words come in bursts” takes into account "
        "that a word which occurs once in a text tends to occur again. True accuracy rises less, or not at all."
    )
    blocks.append(Figure("accuracy", caption, forecast_chart(material.forecast.records(), WARNING)))
    return Section(title, tuple(blocks))


def certainty_section(material: Material) -> Section:
    """The distribution of scores or probabilities, and whether the probabilities were checked with labels."""
    overview, model = material.overview, material.model
    if model.calibration.labels:
        number = pluralize(model.calibration.labels, "label")
        text = f"Threshold and probabilities were set by {number} of an audit."
    elif model.platt is not None:
        text = "The probabilities were calibrated with the labels of an audit."
    else:
        text = (
            "The probabilities were not checked with labels. They show which documents are more certain than others, "
            "but 90% need not mean that 9 of 10 labels are right."
        )
    share = format_percent(overview.undecided / overview.documents)
    grey = f"undecided documents ({overview.undecided:,} of {overview.documents:,}, {share}) are grey."
    caption = f"Documents by the probability of their label. Labels on the left are the least certain; {grey}"
    if len(model.classes) == 2:
        caption = (
            "Documents by their score. Labels far from zero are certain, labels near zero are not. The outermost bars "
            f"include everything beyond them; {grey}"
        )
    colours = tuple(label_colours(model.classes).items())
    figure = Figure("scores", caption, scores_chart(overview.scores, model.classes), legend=colours)
    return Section("Certainty of the labels", (Paragraph(text), figure))
