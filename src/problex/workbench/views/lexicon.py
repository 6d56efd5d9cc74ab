"""The lexicon screen: the table as columns, what a step did, the history, completions and findings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from problex._util.records import Record
from problex.errors import ProblexError
from problex.lexicon.edits import edits_between
from problex.workbench.loading import lexicon_of
from problex.workbench.opened import Answer, Opened
from problex.workbench.uploads import Uploads
from problex.workbench.views.documents import document_line, histogram
from problex.workbench.wire import pack

CHANGED_SHOWN = 10


def table(opened: Opened) -> bytes:
    """The whole table."""
    with opened.lock:
        head = position(opened) | {"lists": list(opened.result.model.classes), "figures": opened.result.figures}
        return pack(head | opened.view.head(), opened.view.all_columns)


def position(opened: Opened) -> Record:
    """Where in its history a session is."""
    log = opened.log
    return {"revision": log.revision, "state": log.state, "undo": log.can_undo, "redo": log.can_redo}


def answer(opened: Opened, done: Answer) -> bytes:
    """What a step did, and the table after it."""
    changes = done.changes
    moves = [
        {"old": row["before"], "new": row["after"], "documents": row["documents"]}
        for row in changes.records()
        if row["before"] != row["after"]
    ]
    blind = opened.audits.blind_rows
    first = [row for row in changes.changed[: CHANGED_SHOWN + len(blind)].tolist() if row not in blind]
    head = position(opened) | {
        "revision": done.step.number if done.after is not opened.result else opened.log.revision,
        "figures": {"before": done.before.figures, "after": done.after.figures},
        "changed": {
            "documents": len(changes.changed),
            "moves": moves,
            "first": [changed_line(opened, done, row) for row in first[:CHANGED_SHOWN]],
        },
        "text": done.text,
        "histogram": histogram(done.after),
    }
    return pack(head | done.view.head(done.first_new_row), done.view.all_columns)


def changed_line(opened: Opened, done: Answer, row: int) -> Record:
    """A document that changed label."""
    line = document_line(opened, done.after, row)
    old, new = (
        {"label": str(result.labels[row]), "score": float(result.decision[row])} for result in (done.before, done.after)
    )
    return {"row": row, "id": line["id"], "text": line["text"], "old": old, "new": new}


def imported(opened: Opened, uploads: Uploads, body: Mapping[str, Any]) -> Record:
    """The edits that bring the words of another lexicon in: added to those there are, or in their place."""
    present, given = opened.result.plan.lexicon, lexicon_of(body.get("lexicon") or {}, uploads)
    edits = edits_between(present.lists, given.lists, replace=bool(body.get("replace")))
    if not edits:
        raise ProblexError("the lexicon has all these words already, so that nothing would change")
    return {
        "name": str(body.get("name") or "another lexicon")[:80],
        "edits": [{"word": edit.entry, "old": edit.old, "new": edit.new} for edit in edits],
    }


def history(opened: Opened) -> Record:
    """Every step that was taken."""
    log = opened.log
    on_path = {step.number for step in log.path(log.state)}
    steps = [
        {
            "number": step.number,
            "at": step.at,
            "tab": step.tab,
            "kind": step.kind,
            "text": step.text,
            "state": step.state,
            "parent": step.before,
            "figures": step.figures or None,
            "on_path": step.number in on_path,
        }
        for step in log.steps
    ]
    return position(opened) | {"steps": steps}


def complete(opened: Opened, prefix: str, number: int) -> Record:
    """Words of the texts that begin like what was typed."""
    found = opened.result.remembered.completions(prefix, number) if prefix.strip() else []
    rows = [opened.view.record(word.word) for word in found]
    return {
        "completions": [
            {"word": word.word, "count": word.count, "documents": word.documents, "list": row["list"] if row else None}
            for word, row in zip(found, rows, strict=True)
        ]
    }
