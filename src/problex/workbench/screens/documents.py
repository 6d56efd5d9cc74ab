"""The documents screen: the distribution of the scores, lists of documents, one document with its sum."""

from __future__ import annotations

import numpy as np

from problex._util.arrays import BoolArray, IntArray
from problex._util.arrow import pc
from problex._util.records import Record
from problex.errors import ProblexError, check_choice
from problex.explanation import explain
from problex.scoring import UNDECIDED, compare
from problex.workbench.open_session import OpenSession
from problex.workbench.requests import Document, Documents
from problex.workbench.results import Result

BARS = 44
SNIPPET = 160
MAX_NUMBER = 500
ORDERS = ("certain", "uncertain", "changed", "search", "brush", "order")


def histogram(session: OpenSession) -> Record:
    """The scores in bars of equal width, by label; the end bars have the outermost .5 % on either side."""
    result = session.result
    values, labels = result.decision, result.labels
    low, high = np.quantile(values, [0.005, 0.995]) if len(values) else (0.0, 1.0)
    width = max(float(high - low), 1e-6) / BARS
    first = np.floor(low / width)  # zero is the border of a bar
    edges = (first + np.arange(BARS + 2)) * width
    place = np.clip(np.floor(values / width) - first, 0, BARS).astype(np.int64)
    counts = {
        name: np.bincount(place[labels == name], minlength=BARS + 1).tolist()
        for name in (*result.scores.classes, UNDECIDED)
    }
    names = result.scores.classes
    two = f"score of {names[1]} minus {names[0]}"
    return {
        "edges": edges.tolist(),
        "counts": counts,
        "undecided": int((labels == UNDECIDED).sum()),
        "score": two if len(names) == 2 else "score of the highest list minus the second",
    }


def document_line(session: OpenSession, result: Result, row: int) -> Record:
    """A document in a list."""
    texts = session.texts
    line: Record = {
        "row": row,
        "id": texts.name_of(row),
        "group": texts.cell(texts.group_by, row),
        "text": " ".join(texts.text(row)[: 2 * SNIPPET].split())[:SNIPPET],
    }
    if row in session.audits.blind_rows:
        return line | {"score": None, "probability": None, "label": None, "blind": True}
    probability = float(result.probabilities[row]) if result.labels[row] != UNDECIDED else None
    return line | {"probability": probability, "blind": False} | result.scored(row)


def documents(session: OpenSession, query: Documents) -> Record:
    """A page of a list of documents."""
    check_choice("by", query.by, ORDERS)
    result = session.result
    before = session.previous if query.since is None else session.result_of(query.since)
    rows = _ordered(result, before, query.by, np.flatnonzero(_chosen(session, before, query)))
    shown = rows[query.first : query.first + min(query.number, MAX_NUMBER)].tolist()
    lines = [document_line(session, result, row) for row in shown]
    if before is not None:
        lines = [line | {"old": None if line["blind"] else before.scored(line["row"])} for line in lines]
    text = query.text.strip()
    nearest = [word.word for word in result.index.completions(text[:3], 8)] if text and not len(rows) else None
    return {"by": query.by, "total": len(rows), "first": query.first, "documents": lines, "nearest": nearest}


def _chosen(session: OpenSession, before: Result | None, query: Documents) -> BoolArray:
    """Which documents belong to a list."""
    result, text = session.result, query.text.strip()
    chosen = np.ones(len(result.labels), dtype=bool)
    if query.label:
        check_choice("label", query.label, (*result.scores.classes, UNDECIDED))
        chosen &= result.labels == query.label
    if text:
        has_text = pc.match_substring(session.texts.texts, text, ignore_case=True)
        chosen &= has_text.to_numpy(zero_copy_only=False)
    if query.by == "changed":
        chosen &= (before.labels != result.labels) if before is not None else False
    if query.low is not None:
        chosen &= result.decision >= query.low
    if query.high is not None:
        chosen &= result.decision < query.high
    tells = query.label or query.low is not None or query.high is not None
    if tells or query.by in ("certain", "uncertain", "changed"):  # where a document stands would tell its score
        chosen[list(session.audits.blind_rows)] = False
    return chosen


def _ordered(result: Result, before: Result | None, by: str, rows: IntArray) -> IntArray:
    """The rows of a list in its order."""
    if by in ("search", "order"):
        return rows
    if by == "changed" and before is not None:
        return rows[np.argsort(-compare(before.scores, result.scores).moves[rows], kind="stable")]
    margin = np.abs(result.decision[rows])
    if by == "brush":
        return rows[np.argsort(result.decision[rows], kind="stable")]
    if by == "uncertain":
        decided = result.labels[rows] != UNDECIDED
        return rows[np.lexsort((margin, ~decided))]
    return rows[np.argsort(-margin, kind="stable")]


def document(session: OpenSession, query: Document) -> Record:
    """One document: its text, its columns, and the sum of its words; blind ones have only their text."""
    texts, row = session.texts, query.row
    if row >= len(texts):
        raise ProblexError(f"document {row + 1:,} was requested, expected one from 1 to {len(texts):,}")
    blind, old = row in session.audits.blind_rows, session.previous
    return {
        "row": row,
        "id": texts.name_of(row),
        "text": texts.text(row),
        "blind": blind,
        "columns": {name: texts.cell(name, row) for name in texts.column_names},
        "explanation": None if blind else explain(texts.text(row), session.result.model).record(),
        "old": None if blind or old is None else old.scored(row),
    }
