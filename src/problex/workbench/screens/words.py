"""The word screen: a word's figures, what it occurs with, and all its places in context."""

from __future__ import annotations

import numpy as np

from problex._util.records import Record
from problex.errors import ProblexError, check_choice
from problex.index.keywords import keyword_lines
from problex.matching.negation import NEGATED
from problex.workbench.open_session import OpenSession
from problex.workbench.requests import Lines, Word
from problex.workbench.results import Result
from problex.workbench.server_state import ServerState
from problex.workbench.table import MATCHED, NEGATED_FORM, WILDCARD

ORDERS = {"text": "row", "left": "left", "right": "right", "score": "score"}
"""The orders of the page, by the names of the library."""
FORMS_SHOWN = 50
NEAREST_SHOWN = 8
MAX_LINES = 500
FIGURES = ("count", "documents", "predictiveness", "low", "high", "weight", "observed", "expected", "discordant")


def word(state: ServerState, query: Word) -> Record:
    """The figures of a word, in the lexicon or not."""
    session = state.session
    result, view = session.result, session.view
    shown = " ".join(query.word.split())
    shown = shown if shown.startswith(NEGATED) else shown.lower()
    if not shown:
        raise ProblexError("no word was given: type one, or choose one from the table")
    row = view.record(shown) or _outside(result, shown)
    item = shown if row["kind"] in (MATCHED, NEGATED_FORM, "") else session.table.item(shown)[0]
    negated = view.record(NEGATED + item)
    figures = {name: row.get(name) for name in ("word", "list", "kind", "from", *FIGURES)}
    return figures | {
        "flags": state.checkup.record()["flags"].get(shown, []),
        "meets": [] if row["kind"] == WILDCARD else meets(result, item),
        "negated": None if negated is None else {key: negated[key] for key in ("word", "list", "count", *FIGURES[2:])},
        "forms": _forms(session, item) if row["kind"] == WILDCARD else [],
        "nearest": [] if row["count"] else nearest(result, item),
        "editable": row["kind"] != NEGATED_FORM,
    }


def _outside(result: Result, shown: str) -> Record:
    """The figures of a word that is in no list."""
    column = result.index.column(shown)
    documents = int(np.diff(result.index.matrix.indptr)[column])
    count = int(result.index.occurrences[column])
    return {"word": shown, "list": None, "kind": "", "from": None, "count": count, "documents": documents}


def meets(result: Result, item: str) -> list[Record]:
    """How often a word occurs together with the other words of each list, and how often by chance.

    Pairs of tokens of the same document are counted; by chance there are s mu_i mu_list of them, as in the paper.
    """
    index, evidence = result.index, result.model.evidence
    column = index.column(item)
    counts = np.zeros(len(index.lengths))
    start, end = index.matrix.indptr[column : column + 2]
    counts[index.matrix.indices[start:end]] = index.matrix.data[start:end]
    own = evidence.list_index[list(evidence.entries).index(item)] if item in evidence.entries else -1
    rows = []
    for at, name in enumerate(result.model.classes):
        together = float(counts @ result.list_tokens[:, at])
        rate = float(evidence.base_rates[evidence.list_index == at].sum())
        if at == own:
            together -= float((counts**2).sum())
            rate -= counts.sum() / max(evidence.tokens, 1)
        expected = evidence.token_pairs * counts.sum() / max(evidence.tokens, 1) * rate
        rows.append({"list": name, "observed": together, "expected": float(expected)})
    return rows


def _forms(session: OpenSession, pattern: str) -> list[Record]:
    """The words that a wildcard matches, the most frequent first."""
    view, counts = session.view, session.view.columns["count"]
    rows = [row for row, origin in view.origin.items() if origin == pattern]
    rows.sort(key=lambda row: -counts[row])
    return [{"word": view.table.words[row], "count": int(counts[row])} for row in rows[:FORMS_SHOWN]]


def nearest(result: Result, text: str) -> list[str]:
    """Words of the texts that begin like a text, with as many letters as possible."""
    for length in range(len(text), 0, -1):
        found = result.index.completions(text[:length], NEAREST_SHOWN)
        if found:
            return [one.word for one in found]
    return []


def lines(session: OpenSession, query: Lines) -> Record:
    """A page of the places of a word in context."""
    check_choice("order", query.order, ORDERS)
    name = query.word.strip()
    if not name:
        raise ProblexError("no word was given: type one, or choose one from the table")
    result, blind = session.result, session.audits.blind_rows
    scores = np.array(result.decision, dtype=np.float64)
    scores[list(blind)] = np.inf  # their place in the order would tell their scores
    page = keyword_lines(
        session.texts.texts,
        result.index,
        name,
        order=ORDERS[query.order],
        first=query.first,
        number=min(query.number, MAX_LINES),
        scores=scores if query.order == "score" else None,
    )
    shown = [
        {
            "row": line.row,
            "id": session.texts.name_of(line.row),
            "left": line.left,
            "word": line.keyword,
            "right": line.right,
            "negated": line.negated,
        }
        | ({"score": None, "label": None} if line.row in blind else result.scored(line.row))
        for line in page.lines
    ]
    counts = {"total": page.total, "negated": page.negated, "documents": page.documents}
    return {"word": name, "order": query.order, "first": query.first, "lines": shown} | counts
