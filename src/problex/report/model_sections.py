"""Sections of a report about the model: method, coverage, weights, cross counts, forecasts."""

from __future__ import annotations

import numpy as np

from problex._util.formatting import format_percent, pluralize
from problex._util.records import Record
from problex.estimation.moments import coverage
from problex.evaluation.forecasts import WARNING
from problex.expansion.topics import MIN_SUPPORT
from problex.report.blocks import Block, Code, Figure, Heading, Paragraph, Quote, Section, SideBySide, Table
from problex.report.document_charts import forecast_chart, size_chart
from problex.report.material import Material
from problex.report.methods import BIBTEX, methods
from problex.report.word_charts import MAX_POINTS, cross_count_chart, forest_chart, frequency_chart, scatter_words

FOREST_WIDTH = 220
"""Width of the drawn charts of weights, which are side by side."""
ACCURACY_TOLERANCE = 0.001
"""Forecasts of accuracy that differ by no more than this are taken as equal."""


def method_section(material: Material) -> Section:
    """The methods paragraph, and what to cite."""
    lead = Paragraph("Text for the methods section of a paper; shorten it as needed:", "lead")
    return Section("Method", (lead, Quote(tuple(methods(material.model, material.overview))), Code(BIBTEX)))


def coverage_section(material: Material) -> Section:
    """The coverage of the lists, and the documents that were left out."""
    overview = material.overview
    matched = overview.documents - overview.unmatched
    lead = (
        f"{matched:,} of {pluralize(overview.documents, 'document')} ({format_percent(matched / overview.documents)}) "
        f"have a word with a weight; {overview.matches / max(overview.tokens, 1):.1%} of all words have a weight."
    )
    headings = {
        "list": "list",
        "entries": "entries",
        "occurring": "items found",
        "weighted": "with weight",
        "discordant": "discordant",
        "share": "of all words",
    }
    note = (
        "An item is what is counted for an entry. Words matched by a wildcard are items, and so are negated words such "
        "as “NOT good” in the opposite list. Discordant items occur together with the other lists more often than by "
        "chance. All figures in the table are from the texts from which the weights were learned."
    )
    blocks: list[Block] = [
        Paragraph(lead, "lead"),
        Table.of(_coverage_records(material), headings),
        Paragraph(note, "note"),
    ]
    left_out = {"empty": overview.empty, "missing": overview.missing, "unreadable": overview.invalid}
    numbers = ", ".join(f"{number:,} {kind}" for kind, number in left_out.items() if number)
    if numbers:
        blocks.append(Paragraph(f"Documents left out or without words: {numbers}."))
    return Section("Coverage", tuple(blocks))


def _coverage_records(material: Material) -> list[Record]:
    model, evidence = material.model, material.model.evidence
    shares = coverage(evidence, np.ones(len(evidence.entries), dtype=bool))
    records = []
    for label, name in enumerate(model.classes):
        members = evidence.list_index == label
        occurring = members & (evidence.occurrences > 0)
        records.append(
            {
                "list": name,
                "entries": len(model.lexicon.lists[name]),
                "occurring": int(occurring.sum()),
                "weighted": int((occurring & (model.predictiveness > 0)).sum()),
                "discordant": int((members & evidence.discordant).sum()),
                "share": format_percent(float(shares[label])),
            }
        )
    return records


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
    forests = [
        Figure(
            f"weights-{label}",
            f"{name.capitalize()} words: the frequent words with the largest weights, and below them frequent words "
            f"without weight; {intervals}.",
            forest_chart(entries, classes, name),
            FOREST_WIDTH,
        )
        for label, name in enumerate(classes)
    ]
    words = scatter_words(entries)
    caption = (
        "Each dot is a word; point at it to read it. Words on the right are frequent and decide many texts; words at "
        "the top have the largest weights."
    )
    if sum(row["count"] > 0 for row in entries) > len(words):
        caption += f" The {MAX_POINTS:,} most frequent words are shown."
    frequency = Figure("frequency", caption, frequency_chart(words, classes))
    blocks = (Paragraph(lead, "lead"), SideBySide(tuple(forests)), frequency, *_learned_words(material))
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
        {"list": name, "support": format_percent(value), "note": notes[value < MIN_SUPPORT]}
        for name, value in zip(material.model.classes, expansion.support.tolist(), strict=True)
    ]
    text = (
        "Support is how far the words outside the lists agree with a list, on average over the texts that the list "
        f"leads in. Below {MIN_SUPPORT:.0%} its topic may be absent from the texts."
    )
    return [Paragraph(text), Table.of(rows, {"list": "list", "support": "support", "note": ""})]


def cross_counts_section(material: Material) -> Section:
    """The evidence for the weights: expected and observed cross counts."""
    entries = [row for row in material.entries if row["count"] > 0]
    discordant = sum(bool(row["discordant"]) for row in entries)
    lead = (
        "The weights of the lexicon are estimated from cross counts: how often a word occurs together with words of "
        "the other lists. The expected cross count is the cross count by chance, as if the word were independent of "
        "the labels. Words with a lower cross count than expected are predictive."
    )
    caption = (
        "Words below the dashed line occur together with the other lists less often than by chance: the farther below, "
        "the more predictive. Rare words, on the left, vary by chance. "
        f"{discordant:,} of {pluralize(len(entries), 'word')} are above the line."
    )
    chart = cross_count_chart(scatter_words(entries), material.model.classes)
    return Section(
        "Expected and observed cross counts", (Paragraph(lead, "lead"), Figure("cross-counts", caption, chart))
    )


def forecast_section(material: Material) -> Section:
    """Expected accuracy by length, with its warning, and the accuracy by labels if there are some."""
    title = "Expected accuracy (forecast)"
    if material.forecast is None:
        return Section(title, (Paragraph(f"Not available: {material.unavailable.get('forecast', '')}."),))
    blocks: list[Block] = [Paragraph(WARNING, "callout")]
    if material.expected_accuracy is not None:
        text = (
            f"For documents of these lengths (median {material.typical_length:,} words) the forecast is "
            f"{material.expected_accuracy:.1%} correct labels."
        )
        blocks.append(Paragraph(text, "lead"))
    if material.audit is not None and material.audit.labelled:
        accuracy = material.audit["accuracy"]
        interval = f"{accuracy.low:.1%} to {accuracy.high:.1%}"
        text = f"The accuracy measured by the audit is {accuracy.value:.1%} ({interval}). Use it, not the forecast."
        blocks.append(Paragraph(text, "lead"))
    else:
        text = "There are no labels, so the true accuracy is unknown. Draw a sample to label with problex audit sample."
        blocks.append(Paragraph(text))
    if material.model.expansion is not None:
        text = "The forecast is for the lexicon alone, without the words that were learned beyond it."
        blocks.append(Paragraph(text, "note"))
    caption = (
        "Both lines rise with the length of the documents. The lower line (dcm) takes burstiness into account; the "
        "upper line (multinomial) treats every word as new evidence. True accuracy rises less, or not at all."
    )
    blocks.append(Figure("accuracy", caption, forecast_chart(material.forecast.records(), WARNING)))
    return Section(title, tuple(blocks))


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
        f"Forecast for texts of {material.typical_length:,} words: counting is best with {counting['entries']:,} words "
        f"({counting['order']}: {counting['accuracy']:.1%}), learned weights with {learned['entries']:,} "
        f"({learned['order']}: {learned['accuracy']:.1%}). As with every forecast, true accuracy is usually lower."
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
