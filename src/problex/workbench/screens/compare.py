"""The compare screen: two lexicons, states or settings on the same texts."""

from __future__ import annotations

import numpy as np

from problex._util.records import Record
from problex.errors import ProblexError
from problex.scoring import compare
from problex.workbench.loading import lexicon_of
from problex.workbench.open_session import OpenSession, estimation_settings
from problex.workbench.requests import Compare, Side
from problex.workbench.results import EstimationPlan, Result
from problex.workbench.screens.documents import document_line
from problex.workbench.screens.lexicon import check_settings
from problex.workbench.server_state import ServerState

DOCUMENTS_SHOWN = 50
WORDS_SHOWN = 200


def compare_sides(state: ServerState, form: Compare) -> Record:
    """Two sides on the same texts: how often they agree, where they differ most, and their weights."""
    session = state.session
    (name_a, a), (name_b, b) = (_side(state, side) for side in (form.a, form.b))
    if a.scores.classes != b.scores.classes:
        raise ProblexError(
            f"the lists of A are {', '.join(a.scores.classes)}, those of B {', '.join(b.scores.classes)}, expected the "
            "same names: rename the lists of one of them"
        )
    changes = compare(a.scores, b.scores)
    blind = session.audits.blind_rows
    differ = [row for row in changes.changed.tolist() if row not in blind][:DOCUMENTS_SHOWN]
    total = len(changes.before)
    return {
        "a": {"name": name_a, "figures": a.figures},
        "b": {"name": name_b, "figures": b.figures},
        "lists": list(a.scores.classes),
        "agree": float((changes.before == changes.after).mean()) if total else None,
        "documents": total,
        "table": [{"a": row["before"], "b": row["after"], "documents": row["documents"]} for row in changes.records()],
        "differ": [_document(session, a, b, row) for row in differ],
        "words": _words(a, b),
    }


def _side(state: ServerState, side: Side | None) -> tuple[str, Result]:
    """The name and the result of one side."""
    if side is None:
        raise ProblexError("one side of the comparison is missing, expected two: choose a revision or a lexicon")
    session, settings = state.session, check_settings(side.settings) if side.settings else {}
    if side.lexicon is not None:
        settings = estimation_settings(session.log.settings) | settings
        plan = EstimationPlan(lexicon_of(side.lexicon, state.uploads), settings)
        return side.name or "another lexicon", session.results.of(plan)
    at = session.log.state if side.state is None else side.state
    name = "the lexicon as loaded" if at == 0 else f"state {at}"
    if settings:
        name += " with " + ", ".join(f"{key} {value}" for key, value in settings.items())
    return name, session.result_of(at, settings)


def _document(session: OpenSession, a: Result, b: Result, row: int) -> Record:
    line = document_line(session, a, row)
    return {"row": row, "id": line["id"], "text": line["text"], "a": a.scored(row), "b": b.scored(row)}


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
