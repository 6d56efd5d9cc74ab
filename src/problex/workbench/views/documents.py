"""The documents screen: the distribution of the scores, lists of documents, one document with its sum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from problex._util.arrays import BoolArray, IntArray
from problex._util.arrow import pc
from problex._util.records import Record
from problex.errors import ProblexError, check_choice
from problex.explanation import explain
from problex.scoring import UNDECIDED, compare
from problex.workbench.bench import Result
from problex.workbench.opened import Opened
from problex.workbench.views.forms import query_number, query_whole

BARS = 44
SNIPPET = 160
MAX_NUMBER = 500
ORDERS = ("certain", "uncertain", "changed", "search", "brush", "order")


def histogram(result: Result) -> Record:
    """The scores in bars of equal width, by label; the end bars have the outermost .5 % on either side."""
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


def document_line(opened: Opened, result: Result, row: int) -> Record:
    """A document in a list."""
    texts = opened.bench.texts
    line: Record = {
        "row": row,
        "id": texts.name_of(row),
        "group": texts.group_of(row),
        "text": " ".join(texts.text(row)[: 2 * SNIPPET].split())[:SNIPPET],
    }
    if row in opened.audits.blind_rows:
        return line | {"score": None, "probability": None, "label": None, "blind": True}
    probability = float(result.probabilities[row]) if result.labels[row] != UNDECIDED else None
    score, label = float(result.decision[row]), str(result.labels[row])
    return line | {"score": score, "probability": probability, "label": label, "blind": False}


def documents(opened: Opened, query: Mapping[str, Any]) -> Record:
    """A page of a list of documents."""
    by = str(query.get("by") or "certain")
    check_choice("by", by, ORDERS)
    result, before = opened.result, _before(opened, query)
    chosen = _chosen(opened, result, before, query)
    rows = _ordered(result, before, by, np.flatnonzero(chosen))
    first, number = query_whole(query, "first", 0), min(query_whole(query, "number", 50), MAX_NUMBER)
    lines = [document_line(opened, result, row) for row in rows[first : first + number].tolist()]
    if before is not None:
        lines = [line | {"old": _old(before, line)} for line in lines]
    text = str(query.get("text") or "").strip()
    nearest = [word.word for word in result.remembered.completions(text[:3], 8)] if text and not len(rows) else None
    return {"by": by, "total": len(rows), "first": first, "documents": lines, "nearest": nearest}


def _old(before: Result, line: Record) -> Record | None:
    row = line["row"]
    return None if line["blind"] else {"label": str(before.labels[row]), "score": float(before.decision[row])}


def _before(opened: Opened, query: Mapping[str, Any]) -> Result | None:
    """The result that is compared with: of a state, or the one before the last step."""
    if query.get("since") not in (None, ""):
        return opened.result_of(query_whole(query, "since"))
    return opened.previous


def _chosen(opened: Opened, result: Result, before: Result | None, query: Mapping[str, Any]) -> BoolArray:
    """Which documents belong to a list."""
    chosen = np.ones(len(result.labels), dtype=bool)
    if query.get("label"):
        check_choice("label", str(query["label"]), (*result.scores.classes, UNDECIDED))
        chosen &= result.labels == str(query["label"])
    text = str(query.get("text") or "").strip()
    if text:
        found = pc.match_substring(opened.bench.texts.texts, text, ignore_case=True)
        chosen &= found.to_numpy(zero_copy_only=False)
    if query.get("by") == "changed":
        chosen &= (before.labels != result.labels) if before is not None else False
    for name, shown, test in (("low", "the lowest score", np.greater_equal), ("high", "the highest score", np.less)):
        limit = query_number(query, name, shown)
        if limit is not None:
            chosen &= test(result.decision, limit)
    hides = any(query.get(name) for name in ("label", "low", "high")) or query.get("by") in ("certain", "uncertain")
    if hides or query.get("by") == "changed":  # where a document stands would tell its score
        chosen[list(opened.audits.blind_rows)] = False
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


def document(opened: Opened, row: int) -> Record:
    """One document: its text, its columns, and the sum of its words; blind ones have only their text."""
    texts, result = opened.bench.texts, opened.result
    if not 0 <= row < len(texts):
        raise ProblexError(f"document {row + 1:,} was asked for, expected one from 1 to {len(texts):,}")
    blind = row in opened.audits.blind_rows
    record: Record = {
        "row": row,
        "id": texts.name_of(row),
        "text": texts.text(row),
        "blind": blind,
        "columns": {name: texts.cell(name, row) for name in texts.column_names},
    }
    if blind:
        return record | {"explanation": None, "old": None}
    old = opened.previous
    return record | {
        "explanation": explain(texts.text(row), result.model).record(),
        "old": None if old is None else {"label": str(old.labels[row]), "score": float(old.decision[row])},
    }
