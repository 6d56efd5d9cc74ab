"""The audit screen: draw, label, skip, undo; the results only when asked for."""

from __future__ import annotations

import re
from dataclasses import replace

from problex._util.records import Record
from problex.errors import ProblexError
from problex.workbench.audits import SUGGESTED_SIZE
from problex.workbench.open_session import OpenSession
from problex.workbench.requests import Draw, FromTab, Label, Skip
from problex.workbench.server_state import ServerState
from problex.workbench.steps import ConflictError

MAX_SIZE = 10_000
USED_NOTE = (
    "The lexicon was changed after labelling. Labels that were used to choose edits no longer measure them: draw a "
    "fresh sample to measure the lexicon as it is now."
)


def shown(session: OpenSession) -> Record:
    """The open audit, without its results."""
    with session.lock:
        audit, result, log = session.audits.open, session.result, session.log
        if audit is None:
            return {"audit": None, "suggested_size": min(SUGGESTED_SIZE, len(session.texts))}
        labels, stored = audit.labels(), audit.stored
        record = {
            "id": stored.id,
            "size": stored.size,
            "labelled": sum(label is not None for label in labels.values()),
            "unsure": sum(label is None for label in labels.values()),
            "left": len(audit.left),
            "classes": list(audit.design.sample.classes),
            "revision": stored.revision,
            "state": stored.state,
            "now": log.revision,
            "width": audit.width(result),
            "revealed": stored.looks > 0,
            "looks": stored.looks,
            "note": USED_NOTE if result.fingerprint != audit.design.model and labels else None,
            "seed": stored.seed,
            "used": log.labels_of(log.state) is not None,
        }
        return {"audit": record, "suggested_size": SUGGESTED_SIZE}


def next_document(session: OpenSession) -> Record:
    """The document to label next: its text alone."""
    return _document(session)


def _document(session: OpenSession, row: int | None = None) -> Record:
    """The document to label next, or an earlier one that has no label any more."""
    audit = session.audits.require()
    left, texts = audit.left, session.texts
    if not left:
        return {"done": True}
    row = row if row in left else left[0]
    position = len(audit.rows) - len(left) + 1
    document = {"row": row, "id": texts.name_of(row), "text": texts.text(row)}
    return {"done": False} | document | {"position": position, "of": len(audit.rows)}


def draw(state: ServerState, form: Draw) -> Record:
    """Draw a sample to label."""
    session, size = state.session, SUGGESTED_SIZE if form.size is None else form.size
    if not 1 <= size <= MAX_SIZE:
        raise ProblexError(f"a sample of {size:,} was requested, expected from 1 to {MAX_SIZE:,}")
    with session.lock:
        current = session.audits.open
        if current is not None and current.left and not form.fresh:
            raise ConflictError(
                f"a sample is being labelled ({len(current.labels())} of {len(current.rows)} have a label): finish it, "
                "or draw a fresh one"
            )
        session.check_writable()
        plan = replace(session.result.plan, labels=None)  # stored labels must not change what is drawn
        seed = len(session.audits.all) if form.seed is None else form.seed
        session.audits.draw(session.results.of(plan), size, seed, session.log.revision, session.log.state)
    return _told(state, form, shown(session))


def label(state: ServerState, form: Label) -> Record:
    """Give a document a label, and show the next one."""
    return _add(state, form, "label", form.label, form.seconds)


def skip(state: ServerState, form: Skip) -> Record:
    """Leave a document for later, and show the next one."""
    return _add(state, form, "skip")


def _add(
    state: ServerState, form: Label | Skip, kind: str, label: str | None = None, seconds: float | None = None
) -> Record:
    session = state.session
    with session.lock:
        session.check_writable()
        session.audits.add(kind, form.row, label, seconds, form.tab)
        return _told(state, form, shown(session) | {"next": _document(session)})


def undo(state: ServerState, form: FromTab) -> Record:
    """Take back the last label or skip, and show its document again."""
    session = state.session
    with session.lock:
        session.check_writable()
        row = session.audits.undo(form.tab)
        return _told(state, form, shown(session) | {"next": _document(session, row)})


def reveal(state: ServerState, form: FromTab) -> Record:
    """The results."""
    session = state.session
    with session.lock:
        audit, looks = session.audits.reveal(session.result)
    records = audit.records()
    early = session.audits.require().left
    note = "More labels after looking make the intervals too narrow: decide now whether to stop." if early else None
    record = {
        "estimates": [{key: row[key] for key in ("measure", "label", "value", "low", "high")} for row in records],
        "expected": [
            {"measure": row["measure"], "label": row["label"], "value": row["expected"]}
            for row in records
            if row["expected"] is not None
        ],
        "log_loss": list(audit.log_loss),
        "labelled": audit.labelled,
        "unlabelled": audit.unlabelled,
        "notes": [note for note in audit.notes() if not re.search(r"problex |--\w", note)],  # no commands
        "note": note,
        "looks": looks,
    }
    return _told(state, form, record)


def _told(state: ServerState, form: FromTab, record: Record) -> Record:
    """The answer to a step of an audit, which other tabs are told about."""
    state.events.publish("audit", tab=form.tab)
    return record
