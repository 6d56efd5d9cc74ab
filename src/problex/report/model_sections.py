"""The sections of a report about the model: what was done, what the words weigh, what the model believes of itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from problex._util.formatting import format_percent, pluralize
from problex.estimation.moments import coverage
from problex.evaluation.forecasts import WARNING
from problex.report.basic_charts import forecast_chart
from problex.report.charts import POINTS, cloud_words, cross_chart, forest_chart, frequency_chart, size_chart
from problex.report.markup import Section, callout, figure, paragraph, table, text
from problex.report.material import Material
from problex.report.methods import BIBTEX, methods


def what_was_done(given: Material) -> Section:
    """The method in words, and what to cite."""
    words = "\n".join(paragraph(part) for part in methods(given.model, given.overview))
    html = (
        f"{paragraph('To paste into a paper, and to shorten as needed:', 'lead')}\n"
        f'<blockquote>{words}</blockquote>\n<pre class="bibtex">{text(BIBTEX)}</pre>'
    )
    return Section("What was done", html)


def covered(given: Material) -> Section:
    """How much of the texts the lists cover, and what was left out."""
    model, seen = given.model, given.overview
    share = coverage(model.evidence, np.ones(len(model.evidence.entries), dtype=bool))
    rows = []
    for at, name in enumerate(model.classes):
        mine = model.evidence.list_index == at
        found = mine & (model.evidence.occurrences > 0)
        rows.append(
            {
                "list": name,
                "entries": len(model.lexicon.lists[name]),
                "found": int(found.sum()),
                "weighted": int((found & (model.predictiveness > 0)).sum()),
                "against": int((mine & model.evidence.discordant).sum()),
                "share": format_percent(float(share[at])),
            }
        )
    headings = {
        "list": "list",
        "entries": "entries",
        "found": "items found",
        "weighted": "with weight",
        "against": "misfits",
        "share": "of all words",
    }
    told = seen.documents - seen.unmatched
    lead = (
        f"{told:,} of {pluralize(seen.documents, 'document')} ({format_percent(told / seen.documents)}) have a word "
        f"with a weight; {seen.matches / max(seen.tokens, 1):.1%} of all words have a say."
    )
    losses = {"empty": seen.empty, "missing": seen.missing, "unreadable": seen.invalid}
    lost = ", ".join(f"{number:,} {what}" for what, number in losses.items() if number)
    note = (
        "Items are what is counted: the words that wildcards have caught, and negated forms such as "
        "“NOT good” in the opposite list, are items too. "
        "Misfits meet the other list more often than chance. Counted where the weights were learned."
    )
    parts = [paragraph(lead, "lead"), table(rows, headings), paragraph(note, "note")]
    return Section("Coverage", "\n".join([*parts, paragraph(f"Left out or without words: {lost}.")] if lost else parts))


def weights(given: Material) -> Section:
    """What the words are worth."""
    classes, entries, cloud = given.model.classes, given.entries, cloud_words(given.entries)
    charts: dict[str, Any] = {f"weights-{at}": forest_chart(entries, classes, name) for at, name in enumerate(classes)}
    ranged = all(row.get("low") is not None for row in entries)
    lead = (
        "Predictiveness says how strongly a word parts the texts: 0 is a word that both sides use alike, 1 would be a "
        "word that only its own side uses. It was learned from texts and says nothing about what a word means."
    )
    bars = "lines are 95% intervals" if ranged else "this model has no intervals"
    says = (
        "{} words: the heaviest among the frequent ones, and below them frequent ones that say nothing; " + bars + "."
    )
    forests = "\n".join(figure(f"weights-{at}", says.format(name.capitalize())) for at, name in enumerate(classes))
    left = sum(row["count"] > 0 for row in entries) - len(cloud)
    more = f" The {POINTS:,} most frequent are shown." if left > 0 else ""
    says = (
        "Every dot is a word; point at it to read it. Words to the right are frequent and decide many texts; "
        "words at the top weigh most." + more
    )
    charts["frequency"] = frequency_chart(cloud, classes)
    html = f'{paragraph(lead, "lead")}\n<div class="pair">{forests}</div>\n{figure("frequency", says)}'
    return Section("What the words weigh", html + _beyond(given), charts)


def _beyond(given: Material) -> str:
    """The strongest words that the lexicon does not have, if some were learned."""
    expansion = given.model.expansion
    if expansion is None:
        return ""
    tables = []
    for name in given.model.classes:
        rows = [row for row in given.learned if row["list"] == name]
        headings = {"entry": f"speaks for {name}", "documents": "documents", "weight": "weight"}
        tables.append(f"<div>{table(rows, headings)}</div>")
    words = (
        f"{len(expansion.vocabulary.names):,} words and pairs of neighbours also have a say, learned from what the "
        "lexicon says. These are the strongest that it does not have. Look at names and topics among them: they may "
        "not hold elsewhere."
    )
    return f'\n<h3>Beyond the lexicon</h3>\n{paragraph(words)}\n<div class="pair">{"".join(tables)}</div>'


def meetings(given: Material) -> Section:
    """The evidence: expected and observed cross counts."""
    entries = [row for row in given.entries if row["count"] > 0]
    above = sum(bool(row["discordant"]) for row in entries)
    lead = (
        "This is what the weights of the lexicon rest on. If a word had nothing to do with the labels, it would meet "
        "the words of the other list as often as chance has it. Words that meet them less often are telling."
    )
    says = (
        "Dots below the dashed line meet the other list less often than chance: the farther below, the more they tell. "
        f"Rare words, to the left, stray by chance. {above:,} of {pluralize(len(entries), 'word')} lie above the line."
    )
    charts = {"meetings": cross_chart(cloud_words(entries), given.model.classes)}
    return Section("Expected and observed meetings", f"{paragraph(lead, 'lead')}\n{figure('meetings', says)}", charts)


def beliefs(given: Material) -> Section:
    """Predicted accuracy by length, as a belief."""
    if given.forecast is None:
        return Section("Predicted accuracy", paragraph(f"There is none: {given.lacking.get('forecast', '')}."))
    parts = [callout(WARNING)]
    if given.believed is not None:
        typical = f"half of the documents have more than {given.typical_length:,} words"
        parts.append(
            paragraph(
                f"For the lengths of these texts ({typical}) the model believes in {given.believed:.1%} right.", "lead"
            )
        )
    if given.audit is not None and given.audit.labelled:
        found = given.audit["accuracy"]
        says = f"Labels say {found.value:.1%} ({found.low:.1%} to {found.high:.1%}): see the audit. Trust the labels."
        parts.append(paragraph(says, "lead"))
    else:
        parts.append(paragraph("No labels were given, so nobody knows: problex audit draws a sample to label."))
    if given.model.expansion is not None:
        parts.append(paragraph("The forecast is of the lexicon alone: words beyond it are not in it.", "note"))
    says = (
        "Both lines rise with length; the lower one (dcm) allows for words that come in bursts, the upper one "
        "(multinomial) takes every word as new evidence. Real accuracy rises less, or not at all."
    )
    charts = {"accuracy": forecast_chart(given.forecast.records(), WARNING)}
    return Section("Predicted accuracy, a belief", "\n".join([*parts, figure("accuracy", says)]), charts)


def sizes(given: Material) -> Section | None:
    """How many words are needed: the dilemma of who makes a lexicon."""
    if not given.sizes:
        return None
    counting, learned = (
        _enough([row for row in given.sizes if row["rule"] == rule]) for rule in ("counting", "learned weights")
    )
    lead = (
        "A short list of strong words misses many texts; a long list brings in weak words. Counting pays for each weak "
        "word with noise, learned weights do not: a weak word weighs little."
    )
    says = (
        f"Predicted for texts of {given.typical_length:,} words: counting does best with {counting['entries']:,} words "
        f"({counting['order']}: {counting['accuracy']:.1%}), learned weights with {learned['entries']:,} "
        f"({learned['order']}: {learned['accuracy']:.1%}). Like every forecast this is a belief."
    )
    charts = {"size": size_chart(given.sizes)}
    return Section("How many words are enough", f"{paragraph(lead, 'lead')}\n{figure('size', says)}", charts)


def _enough(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The smallest lexicon that is as good as the best, but for a tenth of a percent."""
    best = max(row["accuracy"] for row in rows)
    return min((row for row in rows if row["accuracy"] >= best - 0.001), key=lambda row: row["entries"])
