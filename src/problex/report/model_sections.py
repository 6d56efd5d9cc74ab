"""Sections of a report about the model: coverage, weights, cross counts, size; how good the labels are; the method."""

from __future__ import annotations

from collections.abc import Sequence

from problex._util.formatting import format_interval, format_percent, pluralize
from problex._util.records import Record
from problex.evaluation.forecasts import WARNING
from problex.expansion.constants import TUNED
from problex.report.blocks import Block, Bullets, Code, Figure, Heading, Paragraph, Quote, Section, SideBySide, Table
from problex.report.chart_style import label_colours
from problex.report.charts import (
    MAX_POINTS,
    audit_chart,
    cross_count_chart,
    forecast_chart,
    forest_chart,
    frequency_chart,
    reliability_chart,
    scatter_words,
    scores_chart,
    size_chart,
)
from problex.report.material import Material
from problex.report.methods import bibliography, methods

FOREST_WIDTH = 220
"""Width of the drawn charts of weights, which are side by side."""
ACCURACY_TOLERANCE = 0.001
"""Forecasts of accuracy that differ by no more than this are taken as equal."""


def method_section(material: Material) -> Section:
    """The methods paragraph, and what to cite."""
    lead = Paragraph("Text for the methods section of a paper; shorten it as needed:", "lead")
    shares = [table for table in (material.shares, material.group_shares) if table is not None]
    paragraphs = Quote(tuple(methods(material.model, material.overview, shares)))
    return Section("Method", (lead, paragraphs, Code(bibliography(shares))))


def coverage_section(material: Material) -> Section:
    """The coverage of the lists, and the documents that were left out."""
    overview = material.overview
    matched = overview.documents - overview.unmatched
    lead = (
        f"{matched:,} of {pluralize(overview.documents, 'document')} ({format_percent(matched / overview.documents)}) "
        f"{'has' if matched == 1 else 'have'} a word with a weight; "
        f"{format_percent(overview.matches / max(overview.tokens, 1))} of all tokens have a weight."
    )
    headings = {
        "list": "list",
        "entries": "entries",
        "found": "found",
        "weighted": "with weight",
        "discordant": "often with other lists",
        "share": "of all words",
    }
    records: list[Record] = [vars(row) | {"share": format_percent(row.share)} for row in material.entry_counts]
    if any(row.negated for row in material.entry_counts):
        headings["negated"] = "negated forms"
    note = (
        "Entries are counted as they are in the lists; a wildcard is one entry. “Often with other lists” are entries "
        "that occur together with entries of other lists more often than by chance."
    )
    if "negated" in headings:
        note += (
            " Negated forms such as “not good” are counted apart, in the opposite list, with a weight of their own; "
            "the share of all words includes them."
        )
    note += " The table is about the texts from which the weights were learned."
    blocks: list[Block] = [
        Paragraph(lead, "lead"),
        Table.of(records, headings),
        Paragraph(note, "note"),
    ]
    left_out = {"empty": overview.empty, "missing": overview.missing, "unreadable": overview.invalid}
    numbers = ", ".join(f"{number:,} {kind}" for kind, number in left_out.items() if number)
    if numbers:
        blocks.append(Paragraph(f"Documents left out or without words: {numbers}."))
    if overview.copies:
        blocks.append(Paragraph(f"{overview.copies[:1].upper()}{overview.copies[1:]}."))
    return Section("Words found in the texts", tuple(blocks))


def weights_section(material: Material) -> Section:
    """The weights of the words."""
    classes, entries = material.model.classes, material.entries
    lead = (
        "Predictiveness is how strongly a word indicates its label. A word with predictiveness 0 is equally frequent "
        "in the texts of all labels; a word with predictiveness 1 occurs only in texts of its own label. It was "
        "learned from the texts and does not depend on the meaning of the word."
    )
    has_intervals = all(row.get("low") is not None for row in entries)
    intervals = "lines are 95% intervals" if has_intervals else "this model has no intervals"
    legend = (
        "For each list, the frequent words with the largest weights, and below them frequent words without weight; "
        f"{intervals}."
    )
    forests = [
        Figure(f"weights-{label}", f"Words for {name}.", forest_chart(entries, classes, name), FOREST_WIDTH)
        for label, name in enumerate(classes)
    ]
    words = scatter_words(entries)
    caption = (
        "Each dot is a word; point at it to read it. Words on the right are frequent and decide many texts; words at "
        "the top have the largest weights."
    )
    if sum(row["count"] > 0 for row in entries) > len(words):
        caption += f" The {MAX_POINTS:,} most frequent words are shown."
    frequency = Figure("frequency", caption, frequency_chart(words, classes), legend=_legend(classes))
    blocks = (
        Paragraph(lead, "lead"),
        SideBySide(tuple(forests)),
        Paragraph(legend, "note"),
        frequency,
        *_learned_words(material),
    )
    return Section("Weights of the words", blocks)


def _learned_words(material: Material) -> list[Block]:
    """The strongest words that were learned beyond the lexicon, if there are any."""
    expansion = material.model.expansion
    if expansion is None:
        return []
    tables = []
    for name in material.model.classes:
        rows = [row for row in material.learned if row["list"] == name]
        if rows:
            headings = {"entry": f"words for {name}", "documents": "documents", "weight": "weight"}
            tables.append(Table.of(rows, headings))
    text = (
        f"{len(expansion.vocabulary.names):,} words and pairs of neighbouring words outside the lexicon also have a "
        "weight, learned from the scores of the lexicon. The tables show those with the largest weights. Check names "
        "and topics among them: they may not generalise to other texts."
    )
    return [Heading("Beyond the lexicon"), Paragraph(text), *_support(material), SideBySide(tuple(tables))]


def _support(material: Material) -> list[Block]:
    """For lists of topics, how far the other words of the texts support each list."""
    expansion = material.model.expansion
    if expansion is None or expansion.support is None:
        return []
    notes = ("", "its topic may be absent")
    rows = [
        {"list": name, "support": format_percent(value), "note": notes[value < TUNED.min_support]}
        for name, value in zip(material.model.classes, expansion.support.tolist(), strict=True)
    ]
    text = (
        "Support is how far the words outside the lists agree with a list, on average over the texts that the list "
        f"leads in. Below {TUNED.min_support:.0%} its topic may be absent from the texts."
    )
    return [Paragraph(text), Table.of(rows, {"list": "list", "support": "support", "note": ""})]


def cross_counts_section(material: Material) -> Section:
    """The evidence for the weights: expected and observed cross counts."""
    entries, classes = [row for row in material.entries if row["count"] > 0], material.model.classes
    discordant = sum(bool(row["discordant"]) for row in entries)
    lead = (
        "The weights of the lexicon are estimated from cross counts: how often a word occurs together with words of "
        "the other lists. The expected cross count is the cross count by chance, as if the word were independent of "
        "the labels. Words with a lower cross count than expected are predictive."
    )
    caption = (
        "Words below the dashed line occur together with the other lists less often than by chance: the farther below, "
        "the more predictive. Rare words, on the left, vary by chance. "
        f"{discordant:,} of {pluralize(len(entries), 'word')} {'is' if discordant == 1 else 'are'} above the line; "
        "words matched by a wildcard and negated words are counted one by one here."
    )
    figure = Figure(
        "cross-counts", caption, cross_count_chart(scatter_words(entries), classes), legend=_legend(classes)
    )
    return Section("Evidence for the weights", (Paragraph(lead, "lead"), figure))


def _legend(classes: Sequence[str]) -> tuple[tuple[str, str], ...]:
    colours = label_colours(classes)
    return tuple((name, colours[name]) for name in classes)


def sizes_section(material: Material) -> Section | None:
    """Expected accuracy by the size of the lexicon."""
    if not material.sizes:
        return None
    counting, learned = (
        _smallest_sufficient([row for row in material.sizes if row["rule"] == rule])
        for rule in ("counting", "learned weights")
    )
    lead = (
        "A short list of strong words matches few texts; a long list includes weak words. Weak words add noise to "
        "counting, but little to learned weights, because their weights are small."
    )
    caption = (
        f"Forecast for texts of median length ({pluralize(material.typical_length, 'word')}): counting needs "
        f"{pluralize(counting['entries'], 'word')} of the lexicon for its best accuracy ({counting['order']}), learned "
        f"weights need {learned['entries']:,} ({learned['order']}). Negated forms are not counted. As with every "
        "forecast, true accuracy is usually lower."
    )
    blocks = (Paragraph(lead, "lead"), Figure("size", caption, size_chart(material.sizes)))
    return Section("Size of the lexicon", blocks)


def _smallest_sufficient(rows: list[Record]) -> Record:
    """The smallest lexicon with the best accuracy, up to the tolerance.

    >>> sizes = [(10, 0.7), (20, 0.7985), (30, 0.7995), (40, 0.8)]
    >>> _smallest_sufficient([{"entries": entries, "accuracy": accuracy} for entries, accuracy in sizes])
    {'entries': 30, 'accuracy': 0.7995}
    """
    best = max(row["accuracy"] for row in rows)
    sufficient = (row for row in rows if row["accuracy"] >= best - ACCURACY_TOLERANCE)
    return min(sufficient, key=lambda row: row["entries"])


# -- how good the labels are


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
