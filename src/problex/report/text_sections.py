"""The sections of a report about the texts: scores, documents in colour, groups, the doctor's findings, the audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from problex._util.formatting import format_percent, pluralize
from problex.evaluation.corpus_overview import LEAST_CERTAIN, Example
from problex.evaluation.shares import NO_GROUP, is_time
from problex.explanation.views import marked
from problex.report.charts import audit_chart, scores_chart, shares_chart
from problex.report.markup import Section, figure, paragraph, table, text
from problex.report.material import Material

SHOWN = 700
"""Characters of a document that are shown; the rest is counted."""
WORDS = 6
"""Words of a document whose contribution is named."""


def scores(given: Material) -> Section:
    """The distribution of scores and the shares of the labels."""
    seen, classes = given.overview, given.model.classes
    rows = _share_rows(seen.labels)
    two = len(classes) == 2
    says = (
        "Texts far from zero are clear to the model, those near zero are not; the end bars hold all that lies beyond."
        if two
        else "Texts to the right are clear to the model, those to the left are not."
    )
    headings = {"label": "label", "hits": "documents", "share": "share", "range": "95% interval"}
    note = (
        f"Shares are of decided documents; {seen.undecided:,} are undecided. The intervals tell the chance of the "
        "draw, not the errors of the model: for true shares, label a sample (problex audit)."
    )
    html = f"{table(rows, headings)}\n{paragraph(note, 'note')}\n{figure('scores', says)}"
    return Section("Labels and scores", html, {"scores": scores_chart(seen.scores, classes)})


def _share_rows(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    rows = []
    for row in records:
        known = row["share"] is not None
        between = f"{format_percent(row['low'])} to {format_percent(row['high'])}" if known else "–"
        rows.append({**row, "share": format_percent(row["share"]), "range": between})
    return rows


def groups(given: Material) -> Section | None:
    """Shares by a column."""
    if not given.by:
        return None
    records, classes = given.overview.groups, given.model.classes
    time = is_time(records)
    shown = [row for row in records if not (time and row["group"] == NO_GROUP)]
    last = classes[-1]
    known = [row for row in shown if row["label"] == last and row["share"] is not None]
    if not known:
        return Section(f"Shares by {given.by}", paragraph("No document was decided, so there are no shares."))
    most, least = max(known, key=lambda row: row["share"]), min(known, key=lambda row: row["share"])
    says = (
        f"The share of {last} runs from {format_percent(least['share'])} ({least['group']}) to "
        f"{format_percent(most['share'])} ({most['group']}); where intervals overlap, the groups may well be alike."
    )
    names = classes[-1:] if len(classes) == 2 else classes
    headings = {"group": given.by} | {name: name for name in ("label", "documents", "undecided", "share")}
    rows = _share_rows([row for row in records if row["label"] in names])
    whole = f"<details><summary>As a table</summary>{table(rows, headings | {'range': '95% interval'})}</details>"
    note = "Intervals are Wilson's, of the labels that the model gave: errors of the model are not in them."
    html = f"{figure('groups', says)}\n{whole}\n{paragraph(note, 'note')}"
    return Section(f"Shares by {given.by}", html, {"groups": shares_chart(shown, classes, time=time)})


def documents(given: Material) -> Section:
    """The most and the least certain documents, with their words coloured."""
    examples = given.overview.examples
    lead = (
        "Words are coloured by the list they speak for, stronger the more they add. Underlined is a phrase, struck "
        "through a negated word, dotted a word of the lexicon that has no weight here."
    )
    parts = [paragraph(lead, "lead")]
    for name in given.model.classes:
        mine = [example for example in examples if example.kind == name]
        parts += [f"<h3>Most clearly {text(name)}</h3>", *map(_document, mine)] if mine else []
    uncertain = [example for example in examples if example.kind == LEAST_CERTAIN]
    parts += ["<h3>Least certain</h3>", *map(_document, uncertain)] if uncertain else []
    if len(parts) == 1:
        parts.append(paragraph("No document was decided."))
    return Section("Documents, word by word", "\n".join(parts))


def _document(example: Example) -> str:
    """A document with its words marked, as far as there is room, and the words that say most in all of it."""
    record = example.why.record()
    left, pieces = SHOWN, []
    for piece in record["pieces"]:
        if left <= 0:
            break
        plain = not piece["entries"] and len(piece["text"]) > left
        pieces.append({**piece, "text": piece["text"][:left].rsplit(maxsplit=1)[0]} if plain else piece)
        left -= len(piece["text"])
    rest = max(0, len(record["text"]) - sum(len(piece["text"]) for piece in pieces))
    more = f' <span class="rest">… {rest:,} characters more</span>' if rest else ""
    chance = max(record["probabilities"].values())
    sure = _sure(chance)
    strongest = ", ".join(
        f"{part['entry']} {_signed(part['contribution'])}" for part in record["contributions"][:WORDS]
    )
    head = f"Row {example.row:,}: {record['label']}, {sure} by the model; {pluralize(record['tokens'], 'word')}"
    return (
        f'<article class="problex-why"><header>{text(head)}</header>\n'
        f'<p class="text">{marked({**record, "pieces": pieces})}{more}</p>\n'
        f"<footer>Strongest: {text(strongest)}</footer></article>"
    )


def _sure(chance: float) -> str:
    return "over 99%" if chance > 0.99 else f"{chance:.0%}"


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def findings(given: Material) -> Section:
    """What the doctor says about the lexicon."""
    title = "What the doctor found"
    if given.diagnosis is None:
        return Section(title, paragraph(f"The lexicon could not be examined: {given.lacking.get('doctor', '')}."))
    found = given.diagnosis
    lead = (
        "Words that do not behave as their list would have it, the costliest first. The gain is what the edit would "
        "add to the AUC of plain counting, as far as texts without labels can tell. Read the lines "
        "before you follow the advice."
    )
    parts = [paragraph(lead, "lead")]
    faults, lacks, notes = ([one.record() for one in some] for some in (found.faults, found.additions, found.notes))
    for heading, records in (("Faults", faults), ("Words that could be added", lacks)):
        items = "\n".join(f"<li>{_finding(record)}</li>" for record in records)
        parts += [f'<h3>{heading}</h3>\n<ol class="findings">{items}</ol>'] if records else []
    if not faults:
        parts.append(paragraph("No word is at fault."))
    items = "".join(f"<li>{text(_note(record))}</li>" for record in notes)
    parts += [f"<h3>Good to know</h3>\n<ul>{items}</ul>"] if notes else []
    return Section(title, "\n".join(parts))


def _note(record: Mapping[str, Any]) -> str:
    named = f"{record['words'][0]}: " if len(record["words"]) == 1 and not record["list"] else ""
    return f"{record['kind'].capitalize()}: {named}{record['why']}."


def _finding(record: Mapping[str, Any]) -> str:
    words = ", ".join(record["words"][:4]) + (" …" if len(record["words"]) > 4 else "")
    gain = f" (gain {record['cost']:+.4f})" if record["cost"] is not None else ""
    sure = f", {_sure(record['certainty'])} sure" if record["certainty"] is not None else ""
    lines = "".join(f"<li>{text(line)}</li>" for line in record["contexts"])
    shown = f'<details><summary>in context</summary><ul class="lines">{lines}</ul></details>' if lines else ""
    edit = f'<br><span class="edit">{text(record["edit"])}{gain}</span>' if record["edit"] else ""
    kind = f'<span class="kind">{text(record["kind"] + sure)}</span>'
    return f"<b>{text(words)}</b> {kind} {text(record['why'])}.{edit}{shown}"


def audit(given: Material) -> Section | None:
    """What labels say."""
    if given.audit is None:
        return None
    rows = [
        {**row, "range": f"{row['low']:.3f} to {row['high']:.3f}", "label": row["label"] or "all"}
        for row in given.audit.records()
    ]
    headings = {
        "measure": "measure",
        "label": "label",
        "value": "measured",
        "range": "95% interval",
        "expected": "expected by the model",
    }
    notes = "".join(f"<li>{text(note)}</li>" for note in given.audit.notes())
    says = "Dots are what the labels say, with intervals; a diamond off its line is a belief that the labels refute."
    html = f"{figure('audit', says)}\n{table(rows, headings)}\n<ul>{notes}</ul>"
    return Section("Audit: what labels say", html, {"audit": audit_chart(given.audit.records())})
