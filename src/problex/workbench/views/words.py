"""The word screen: a word's figures, what it occurs with, and all its places in context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from problex._util.records import Record
from problex.errors import ProblexError, check_choice
from problex.index.keywords import keyword_lines
from problex.matching.negation import NEGATED
from problex.workbench.bench import Result
from problex.workbench.opened import Opened
from problex.workbench.table import MATCHED, NEGATED_FORM, WILDCARD
from problex.workbench.views.forms import query_whole

ORDERS = {"text": "row", "left": "left", "right": "right", "score": "score"}
"""The orders of the page, by the names of the library."""
FORMS_SHOWN = 50
NEAREST_SHOWN = 8
MAX_LINES = 500
FIGURES = ("count", "documents", "predictiveness", "low", "high", "weight", "observed", "expected", "discordant")


def word(opened: Opened, name: str, flags: Mapping[str, list[str]]) -> Record:
    """The figures of a word, in the lexicon or not."""
    result, view = opened.result, opened.view
    shown = " ".join(name.split())
    shown = shown if shown.startswith(NEGATED) else shown.lower()
    if not shown:
        raise ProblexError("no word was given: type one, or choose one from the table")
    row = view.record(shown) or _outside(result, shown)
    item = shown if row["kind"] in (MATCHED, NEGATED_FORM, "") else opened.table.item(shown)[0]
    negated = view.record(NEGATED + item)
    figures = {name: row.get(name) for name in ("word", "list", "kind", "from", *FIGURES)}
    return figures | {
        "flags": flags.get(shown, []),
        "meets": [] if row["kind"] == WILDCARD else meets(result, item),
        "negated": None if negated is None else {key: negated[key] for key in ("word", "list", "count", *FIGURES[2:])},
        "forms": _forms(opened, item) if row["kind"] == WILDCARD else [],
        "nearest": [] if row["count"] else nearest(result, item),
        "editable": row["kind"] != NEGATED_FORM,
    }


def _outside(result: Result, shown: str) -> Record:
    """The figures of a word that is in no list."""
    column = result.remembered.column(shown)
    documents = int(np.diff(result.remembered.matrix.indptr)[column])
    count = int(result.remembered.occurrences[column])
    return {"word": shown, "list": None, "kind": "", "from": None, "count": count, "documents": documents}


def meets(result: Result, item: str) -> list[Record]:
    """How often a word occurs together with the other words of each list, and how often by chance.

    Pairs of tokens of the same document are counted; by chance there are s mu_i mu_list of them, as in the paper.
    """
    remembered, evidence = result.remembered, result.model.evidence
    column = remembered.column(item)
    counts = np.zeros(len(remembered.lengths))
    start, end = remembered.matrix.indptr[column : column + 2]
    counts[remembered.matrix.indices[start:end]] = remembered.matrix.data[start:end]
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


def _forms(opened: Opened, pattern: str) -> list[Record]:
    """The words that a wildcard matches, the most frequent first."""
    view, counts = opened.view, opened.view.columns["count"]
    rows = [row for row, origin in view.origin.items() if origin == pattern]
    rows.sort(key=lambda row: -counts[row])
    return [{"word": view.table.words[row], "count": int(counts[row])} for row in rows[:FORMS_SHOWN]]


def nearest(result: Result, text: str) -> list[str]:
    """Words of the texts that begin like a text, with as many letters as possible."""
    for length in range(len(text), 0, -1):
        found = result.remembered.completions(text[:length], NEAREST_SHOWN)
        if found:
            return [one.word for one in found]
    return []


def lines(opened: Opened, query: Mapping[str, Any]) -> Record:
    """A page of the places of a word in context."""
    name, order = str(query.get("word") or "").strip(), str(query.get("order") or "text")
    check_choice("order", order, ORDERS)
    if not name:
        raise ProblexError("no word was given: type one, or choose one from the table")
    result, blind = opened.result, opened.audits.blind_rows
    scores = np.array(result.decision, dtype=np.float64)
    if blind:  # their place in the order would tell their scores
        scores[list(blind)] = np.inf
    first, number = query_whole(query, "first", 0), min(query_whole(query, "number", 50), MAX_LINES)
    page = keyword_lines(
        opened.bench.texts.texts,
        result.remembered,
        name,
        order=ORDERS[order],
        first=first,
        number=number,
        scores=scores if order == "score" else None,
    )
    shown = [
        {
            "row": line.row,
            "id": opened.bench.texts.name_of(line.row),
            "left": line.left,
            "word": line.keyword,
            "right": line.right,
            "score": None if line.row in blind else float(result.decision[line.row]),
            "label": None if line.row in blind else str(result.labels[line.row]),
            "negated": line.negated,
        }
        for line in page.lines
    ]
    counts = {"total": page.total, "negated": page.negated, "documents": page.documents}
    return {"word": name, "order": order, "first": first, "lines": shown} | counts
