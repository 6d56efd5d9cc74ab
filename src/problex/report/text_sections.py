"""Sections of a report about the texts: documents with their words marked, and the findings of the doctor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.explanation.views import Mark, text_marks, word_mark
from problex.report.blocks import (
    Block,
    Bullets,
    FindingItem,
    FindingList,
    Heading,
    MarkedDocument,
    Paragraph,
    Section,
)
from problex.report.material import Material
from problex.report.overview import LEAST_CERTAIN, Example

MAX_CHARACTERS = 700
"""Characters of a document that are shown."""
BEGINNING, AROUND = 120, 70
"""Characters of a long document that are shown in any case, and around each of its strongest words."""
MAX_CONTRIBUTIONS = 5
"""Words of a document that are listed, for its label and against it."""
MIN_PROBABILITY = 0.01
"""The probability from which the second label of a document is named."""
ELLIPSIS = " … "
MAX_WORDS = 4
"""Words of a finding that are listed."""


def documents_section(material: Material) -> Section:
    """The most and the least certain documents, with their matches marked."""
    lead = (
        "Words have the colour of the label that they support, stronger for larger contributions. Phrases are "
        "underlined, negated words are struck through, and entries without weight have a dotted line. Of a long "
        "document, its beginning and the words that decided the label are shown."
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
    """The parts of a document with its strongest matches, and the strongest contributions in all of it."""
    record = example.why.record()
    by_probability = sorted(record["probabilities"].items(), key=lambda pair: (pair[0] != record["label"], -pair[1]))
    shown = [pair for at, pair in enumerate(by_probability[:2]) if at == 0 or pair[1] >= MIN_PROBABILITY]
    probabilities = ", ".join(f"{name} {_format_probability(probability)}" for name, probability in shown)
    pieces, characters = _excerpt(record["text"], record["pieces"])
    return MarkedDocument(
        heading=f"Row {example.row:,}: {probabilities}; {pluralize(record['tokens'], 'word')}",
        marks=tuple(text_marks(pieces, record["classes"])),
        characters_left=len(record["text"]) - characters,
        reasons=_reasons(record),
    )


def _reasons(record: Record) -> tuple[tuple[str, tuple[Mark, ...]], ...]:
    """The strongest words for the label, and those for other labels."""
    words = [part for part in record["contributions"] if part["towards"]]
    sides = {
        f"For {record['label']}": [part for part in words if part["towards"] == record["label"]],
        "For other labels" if len(record["classes"]) > 2 else "Against": [
            part for part in words if part["towards"] != record["label"]
        ],
    }
    return tuple(
        (heading, tuple(word_mark(part, record["classes"]) for part in side[:MAX_CONTRIBUTIONS]))
        for heading, side in sides.items()
        if side
    )


def _excerpt(text: str, pieces: Sequence[Record]) -> tuple[list[Record], int]:
    """The pieces of a text to show, with an ellipsis for each gap, and the number of characters that are shown.

    A long text is cut between words: its beginning, and as much around its strongest matches as there is space for.
    """
    shown = np.ones(len(text), dtype=bool)
    if len(text) > MAX_CHARACTERS:
        shown[:] = False
        shown[slice(*_whole_words(text, 0, BEGINNING))] = True
        matches = sorted((piece for piece in pieces if piece["entries"]), key=lambda piece: -piece["intensity"])
        for piece in matches:
            window = slice(*_whole_words(text, piece["start"] - AROUND, piece["end"] + AROUND))
            if shown.sum() + (~shown[window]).sum() <= MAX_CHARACTERS:
                shown[window] = True
    excerpt: list[Record] = []
    for piece in pieces:
        part = shown[piece["start"] : piece["end"]]
        edges = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), len(part)]
        for start, end in pairwise(edges):
            if part[start]:
                excerpt.append({**piece, "text": piece["text"][start:end]})
            elif not excerpt or excerpt[-1]["text"] != ELLIPSIS:
                excerpt.append({"text": ELLIPSIS, "entries": []})
    return excerpt, int(shown.sum())


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """A part of a text, made shorter until it begins and ends with whole words.

    >>> text = "one two three four"
    >>> text[slice(*_whole_words(text, 2, 16))], text[slice(*_whole_words(text, -5, 7))]
    ('two three', 'one two')
    """
    start, end = max(start, 0), min(end, len(text))
    if start > 0 and not text[start - 1].isspace():
        space = next((at for at in range(start, end) if text[at].isspace()), start)
        start = space + (space > start or text[start].isspace())
    if end < len(text) and not text[end].isspace():
        end = next((at for at in range(end, start, -1) if text[at - 1].isspace()), end + 1) - 1
    return start, end


def _format_probability(probability: float) -> str:
    """A probability as a percentage; never 100%.

    >>> [_format_probability(value) for value in (0.5, 0.99, 0.991, 1.0)]
    ['50%', '99%', 'over 99%', 'over 99%']
    """
    return "over 99%" if probability > 0.99 else f"{probability:.0%}"


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
