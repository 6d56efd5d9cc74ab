"""The compare screen: two lexicons, states or settings on the same texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from problex._util.records import Record
from problex.errors import ProblexError
from problex.scoring import compare
from problex.workbench.bench import Plan, Result
from problex.workbench.loading import lexicon_of
from problex.workbench.opened import Opened, estimation_settings
from problex.workbench.uploads import Uploads
from problex.workbench.views.documents import document_line
from problex.workbench.views.settings import checked

DOCUMENTS_SHOWN = 50
WORDS_SHOWN = 200


def compare_sides(opened: Opened, uploads: Uploads, body: Mapping[str, Any]) -> Record:
    """Two sides on the same texts: how often they agree, where they differ most, and their weights."""
    (name_a, a), (name_b, b) = (side(opened, uploads, body.get(key)) for key in ("a", "b"))
    if a.scores.classes != b.scores.classes:
        raise ProblexError(
            f"the lists of A are {', '.join(a.scores.classes)}, those of B {', '.join(b.scores.classes)}, expected the "
            "same names: rename the lists of one of them"
        )
    changes = compare(a.scores, b.scores)
    blind = opened.audits.blind_rows
    differ = [row for row in changes.changed.tolist() if row not in blind][:DOCUMENTS_SHOWN]
    total = len(changes.before)
    return {
        "a": {"name": name_a, "figures": a.figures},
        "b": {"name": name_b, "figures": b.figures},
        "lists": list(a.scores.classes),
        "agree": float((changes.before == changes.after).mean()) if total else None,
        "documents": total,
        "table": [{"a": row["before"], "b": row["after"], "documents": row["documents"]} for row in changes.records()],
        "differ": [_document(opened, a, b, row) for row in differ],
        "words": _words(a, b),
    }


def side(opened: Opened, uploads: Uploads, given: object) -> tuple[str, Result]:
    """The name and the result of one side."""
    if not isinstance(given, dict):
        raise ProblexError("one side of the comparison is missing, expected two: choose a revision or a lexicon")
    settings = checked(given["settings"]) if given.get("settings") else None
    if given.get("lexicon"):
        lexicon = lexicon_of(given["lexicon"], uploads)
        plan = Plan(lexicon, estimation_settings(opened.log.settings) | (settings or {}))
        return str(given.get("name") or "another lexicon")[:80], opened.bench.result(plan)
    state = opened.log.state if given.get("state") is None else given["state"]
    name = "the lexicon as loaded" if state == 0 else f"state {state}"
    if settings:
        name += " with " + ", ".join(f"{key} {value}" for key, value in settings.items())
    return name, opened.result_of(state, settings)


def _document(opened: Opened, a: Result, b: Result, row: int) -> Record:
    line = document_line(opened, a, row)
    sides = {
        key: {"label": str(one.labels[row]), "score": float(one.decision[row])} for key, one in (("a", a), ("b", b))
    }
    return {"row": row, "id": line["id"], "text": line["text"]} | sides


def _words(a: Result, b: Result) -> list[Record]:
    """The words whose weights differ most, signed by their lists."""
    sides = [_weights(one) for one in (a, b)]
    nothing = (None, 0, 0.0)
    rows = []
    for word in sides[0].keys() | sides[1].keys():
        (list_a, count_a, weight_a), (list_b, count_b, weight_b) = (one.get(word, nothing) for one in sides)
        signed = weight_b - weight_a if list_a == list_b else weight_a + weight_b
        if list_a != list_b or abs(signed) > 0:
            rows.append((abs(signed), word, list_a, list_b, max(count_a, count_b), weight_a, weight_b))
    rows.sort(key=lambda row: (-row[0], row[1]))
    names = ("word", "list_a", "list_b", "count", "weight_a", "weight_b")
    return [
        dict(zip(names, row[1:], strict=True))
        | {"weight_a": row[5] if row[2] is not None else None, "weight_b": row[6] if row[3] is not None else None}
        for row in rows[:WORDS_SHOWN]
    ]


def _weights(result: Result) -> dict[str, tuple[str | None, int, float]]:
    """The list, the count and the weight of every entry that occurs."""
    evidence, names = result.model.evidence, result.model.classes
    seen = np.flatnonzero(evidence.occurrences > 0)
    return {
        evidence.entries[at]: (
            names[evidence.list_index[at]],
            int(evidence.occurrences[at]),
            float(result.model.weights[at]),
        )
        for at in seen.tolist()
    }
