"""The lexicon screen: the table as columns, steps and what they did, the history, completions, settings, findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from problex._util.records import Record
from problex.errors import ProblexError, check_choice
from problex.lexicon.edits import edits_between
from problex.model import RULES, SOLVERS, Settings
from problex.model.settings import BALANCES
from problex.workbench.loading import lexicon_of
from problex.workbench.open_session import Answer, OpenSession
from problex.workbench.requests import ChangeSettings, Complete, Edits, GoTo, Import, TakeStep, UseLabels
from problex.workbench.server_state import ServerState
from problex.workbench.table import pack

MAX_COMPLETIONS = 200
CHOICES = {
    "rule": [name for name, rule in RULES.items() if not (rule.all_words or rule.given)],
    "balance": list(BALANCES),
    "solver": list(SOLVERS),
}
NAMES = ("rule", "balance", "shrinkage", "keep_discordant", "solver", "prior")


def table(session: OpenSession) -> bytes:
    """The whole table."""
    with session.lock:
        result, view = session.result, session.view
        head = session.position() | {"lists": list(result.model.classes), "figures": result.figures}
        return pack(head | view.head(), view.all_columns)


# -- steps


def edit(state: ServerState, form: Edits) -> bytes:
    """Edit the lexicon."""
    if not form.edits:
        raise ProblexError("the request has no edits, expected at least one")
    return _take(state, form, form.kind, {"edits": [asdict(edit) for edit in form.edits]})


def bring_in(state: ServerState, form: Import) -> bytes:
    """Bring in the words of another lexicon: added to those there are, or in their place."""
    present = state.session.result.plan.lexicon
    edits = edits_between(present.lists, lexicon_of(form.lexicon, state.uploads).lists, replace=form.replace)
    if not edits:
        raise ProblexError("the lexicon has all these words already, so that nothing would change")
    records = [{"word": edit.entry, "old": edit.old, "new": edit.new} for edit in edits]
    return _take(state, form, "import", {"name": form.name or "another lexicon", "edits": records})


def undo(state: ServerState, form: TakeStep) -> bytes:
    """Go to the state before."""
    return _take(state, form, "undo", {})


def redo(state: ServerState, form: TakeStep) -> bytes:
    """Take back an undo."""
    return _take(state, form, "redo", {})


def go_to(state: ServerState, form: GoTo) -> bytes:
    """Go to any state."""
    return _take(state, form, "goto", {"state": form.state})


def change_settings(state: ServerState, form: ChangeSettings) -> bytes:
    """Estimate with other settings."""
    return _take(state, form, "settings", {"settings": check_settings(form.settings)})


def use_labels(state: ServerState, form: UseLabels) -> bytes:
    """Move the threshold by the labels so far, or no longer."""
    if not form.on:
        return _take(state, form, "labels", {"on": False})
    audit = state.session.audits.require()
    if not any(label is not None for label in audit.labels().values()):
        raise ProblexError("no document has a label yet: label a few dozen first")
    return _take(state, form, "labels", {"on": True, "audit": audit.stored.id, "last": audit.events[-1].number})


def _take(state: ServerState, form: TakeStep, kind: str, body: Record) -> bytes:
    session = state.session
    return answer(session, state.take(kind, body, form.base, form.tab))


def answer(session: OpenSession, done: Answer) -> bytes:
    """What a step did, and the table after it."""
    head = session.position() | {
        "revision": done.step.number if done.after is not session.result else session.log.revision,
        "figures": {"before": done.before.figures, "after": done.after.figures},
        "changed": {"documents": done.changed},
        "text": done.text,
    }
    return pack(head | done.view.head(done.first_new_row), done.view.all_columns)


def history(session: OpenSession) -> Record:
    """Every step that was taken."""
    log = session.log
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
    return session.position() | {"steps": steps}


def complete(session: OpenSession, query: Complete) -> Record:
    """Words of the texts that begin like what was typed."""
    number = min(query.number, MAX_COMPLETIONS)
    words = session.result.index.completions(query.prefix, number) if query.prefix.strip() else []
    rows = [session.view.record(word.word) for word in words]
    return {
        "completions": [
            {"word": word.word, "count": word.count, "documents": word.documents, "list": row["list"] if row else None}
            for word, row in zip(words, rows, strict=True)
        ]
    }


def findings(state: ServerState) -> Record:
    """The doctor's findings."""
    return state.checkup.record() if state.session else {}


# -- settings


def settings(session: OpenSession) -> Record:
    """The settings of the present state, and their choices."""
    model = session.result.model
    negation = session.log.settings.get("negation", "auto")
    return {
        "settings": {name: getattr(model.settings, name) for name in NAMES},
        "choices": CHOICES,
        "tokenizer": {"language": model.tokenizer.language, "negation": negation},
    }


def check_settings(chosen: Mapping[str, Any]) -> Record:
    """Settings of a request; raise if there are none, or one has no such value."""
    if not chosen:
        raise ProblexError("no settings were given, expected at least one")
    for name, value in chosen.items():
        if name in CHOICES and value is not None:
            check_choice(name, value, CHOICES[name])
    Settings.from_options(**{name: value for name, value in chosen.items() if value is not None})
    return dict(chosen)
