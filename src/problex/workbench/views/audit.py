"""The audit screen: draw, label, skip, undo; the results only when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from problex._util.records import Record
from problex.errors import ProblexError
from problex.workbench.audits import SUGGESTED_SIZE, without_commands
from problex.workbench.opened import Opened
from problex.workbench.steps import ConflictError
from problex.workbench.views.forms import tab_of

MAX_SIZE = 10_000


def state(opened: Opened) -> Record:
    """The open audit, without its results."""
    with opened.lock:
        used = opened.log.labels_of(opened.log.state) is not None
        return opened.audits.state(opened.result, opened.log.revision, used=used)


def draw(opened: Opened, body: Mapping[str, Any]) -> Record:
    """Draw a sample to label."""
    given, seed = body.get("size"), body.get("seed")
    size = SUGGESTED_SIZE if given is None else given
    if not 1 <= size <= MAX_SIZE:
        raise ProblexError(f"a sample of {size:,} was requested, expected from 1 to {MAX_SIZE:,}")
    with opened.lock:
        current = opened.audits.open
        if current is not None and current.left and not body.get("fresh"):
            raise ConflictError(
                f"a sample is being labelled ({len(current.labels())} of {len(current.rows)} have a label): finish it, "
                "or draw a fresh one"
            )
        _check_writable(opened)
        plan = replace(opened.result.plan, labels=None)  # stored labels must not change what is drawn
        seed = len(opened.audits.all) if seed is None else seed
        opened.audits.draw(opened.bench.result(plan), size, seed, opened.log.revision, opened.log.state)
    return state(opened)


def next_document(opened: Opened) -> Record:
    """The document to label next."""
    return opened.audits.next()


def add(opened: Opened, body: Mapping[str, Any], kind: str) -> Record:
    """A label or a skip."""
    with opened.lock:
        _check_writable(opened)
        opened.audits.add(kind, body["row"], body.get("label"), body.get("seconds"), tab_of(body))
        return state(opened) | {"next": opened.audits.next()}


def undo(opened: Opened, body: Mapping[str, Any]) -> Record:
    """Take back the last label or skip, and show its document again."""
    with opened.lock:
        _check_writable(opened)
        row = opened.audits.undo(tab_of(body))
        return state(opened) | {"next": opened.audits.next(row)}


def reveal(opened: Opened) -> Record:
    """The results."""
    with opened.lock:
        found, looks = opened.audits.reveal(opened.result)
    records = found.records()
    early = opened.audits.require().left
    note = "More labels after looking make the intervals too narrow: decide now whether to stop." if early else None
    return {
        "estimates": [{key: row[key] for key in ("measure", "label", "value", "low", "high")} for row in records],
        "expected": [
            {"measure": row["measure"], "label": row["label"], "value": row["expected"]}
            for row in records
            if row["expected"] is not None
        ],
        "log_loss": list(found.log_loss),
        "labelled": found.labelled,
        "unlabelled": found.unlabelled,
        "notes": without_commands(found.notes()),
        "note": note,
        "looks": looks,
    }


def _check_writable(opened: Opened) -> None:
    if opened.read_only:
        raise ProblexError(opened.read_only)
