"""An open session: the bench, the log and its file, and the table; one step after the other, each stored at once."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.errors import ProblexError
from problex.model import Settings
from problex.scoring import Changes, compare
from problex.workbench.audits import Audits
from problex.workbench.bench import Bench, Plan, Result
from problex.workbench.session import Session, now
from problex.workbench.steps import CHANGES, MOVES, ConflictError, Log, Step, check_conflict
from problex.workbench.table import Table, View
from problex.workbench.texts import TextSource

FIGURES_STORED = ("coverage", "undecided")


@dataclass(eq=False)
class Request:
    """A step that was asked for, and where its answer goes."""

    kind: str
    body: Record
    base: int | None
    tab: str
    answer: Future[Answer] = field(default_factory=Future)


@dataclass(frozen=True, eq=False)
class Answer:
    """What a step did: the results before and after it, the documents that changed, the table."""

    step: Step
    before: Result
    after: Result
    view: View
    first_new_row: int

    @cached_property
    def changes(self) -> Changes:
        """The documents whose label changed."""
        return compare(self.before.scores, self.after.scores)

    @property
    def text(self) -> str:
        """What happened, in a sentence."""
        changed, total = len(self.changes.changed), len(self.after.labels)
        return f"{self.step.text}: {changed:,} of {pluralize(total, 'document')} changed label"


@dataclass(eq=False)
class Opened:
    """A session that is open."""

    bench: Bench
    session: Session
    log: Log
    audits: Audits
    table: Table
    result: Result
    view: View
    before: Result | None = None
    """The result before the last step, once it was computed: see `previous`."""
    source: TextSource | None = None
    notes: list[str] = field(default_factory=list)
    read_only: str | None = None
    waiting: deque[Request] = field(default_factory=deque)
    lock: threading.RLock = field(default_factory=threading.RLock)

    @classmethod
    def of(cls, bench: Bench, session: Session, log: Log) -> Opened:
        """A session with its texts: the result of its last state."""
        audits = Audits.of(session, bench.texts)
        plan = make_plan(log, log.state, audits)
        result = bench.result(plan)
        table = Table(log.loaded, result.model.tokenizer)
        for edit in (edit for step in log.steps for edit in step.edits):
            table.add(edit.entry)
        return cls(bench, session, log, audits, table, result, table.show(result))

    @property
    def previous(self) -> Result | None:
        """The result before the last step, None before the first; after opening, computed when first used."""
        if self.before is None and self.log.state:
            self.before = self.result_of(self.log.changes[self.log.state].before)
        return self.before

    def result_of(self, state: int, settings: Mapping[str, Any] | None = None) -> Result:
        """The result of any state, with some settings changed if they are given."""
        plan = make_plan(self.log, state, self.audits)
        if settings:
            plan = replace(plan, settings=dict(plan.settings) | dict(settings))
        return self.bench.result(plan)

    def ask(self, kind: str, body: Record, base: int | None, tab: str) -> Answer:
        """Take a step. Steps that wait for another one are computed together, and stored one by one."""
        request = Request(kind, body, base, tab)
        self.waiting.append(request)
        with self.lock:
            self._take_all()
        return request.answer.result()

    def _take_all(self) -> None:
        requests = []
        while self.waiting:
            requests.append(self.waiting.popleft())
        if not requests:
            return
        try:
            self._take(requests)
        except ProblexError as error:
            if len(requests) == 1:
                requests[0].answer.set_exception(error)
                return
            for request in requests:  # one of them cannot be computed: the others can
                try:
                    self._take([request])
                except ProblexError as own:
                    request.answer.set_exception(own)
        except BaseException as error:
            for request in requests:
                if not request.answer.done():
                    request.answer.set_exception(error)
            raise

    def _take(self, requests: list[Request]) -> None:
        if self.read_only:
            raise ProblexError(self.read_only)
        log, steps, taken = self.log.copy(), list[Step](), list[Request]()
        plan, refused = self.result.plan, list[tuple[Request, ProblexError]]()
        for request in requests:
            try:
                step, plan = self._step(log, plan, request)
            except ProblexError as error:
                refused.append((request, error))
                continue
            log.add(step)
            steps.append(step)
            taken.append(request)
        if steps:
            self._store(log, plan, steps, taken)
        for request, reason in refused:
            request.answer.set_exception(reason)

    def _step(self, log: Log, plan: Plan, request: Request) -> tuple[Step, Plan]:
        """The next step of a log, and the plan that it leads to."""
        kind, body = request.kind, request.body
        self._check_base(request)
        if kind in MOVES:
            step = log.move(kind, body.get("state"), request.tab, now())
            plan = make_plan(log, step.state, self.audits)
        elif kind in CHANGES:
            step = log.change(kind, body, request.tab, now())
            if step.edits:
                check_conflict(plan.lexicon, step.edits)
                plan = replace(plan, lexicon=plan.lexicon.edited(step.edits))
            elif kind == "settings":
                chosen = {k: v for k, v in (dict(plan.settings) | body["settings"]).items() if v is not None}
                Settings.from_options(**chosen)
                plan = replace(plan, settings=chosen)
            elif kind == "labels":
                labels = self.audits.labelled_texts(body["audit"], body["last"]) if body["on"] else None
                plan = replace(plan, labels=labels)
            else:
                raise ProblexError("the change has no edits, expected at least one")
        else:
            raise ProblexError(f"unknown kind of change {kind!r}, expected one of {', '.join(CHANGES)}")
        return replace(step, print=plan.lexicon.fingerprint), plan

    def _check_base(self, request: Request) -> None:
        """Raise if a request is for another revision: a move for any other, a change for one that is still to come."""
        present, base = self.log.revision, request.base
        if base is not None and (base > present or (base < present and request.kind in MOVES)):
            raise ConflictError(
                f"the lexicon was changed elsewhere (revision {present}, expected {base}), for example in another tab: "
                f"look at it as it is now, then {request.kind} again"
            )

    def _store(self, log: Log, plan: Plan, steps: list[Step], requests: list[Request]) -> None:
        """Compute the last of some steps, write them all, and answer."""
        before, first_new_row = self.result, len(self.table.words)
        after = self.bench.result(plan)
        figures = {name: after.figures[name] for name in FIGURES_STORED}
        steps[-1] = replace(steps[-1], figures=figures)
        self.session.append(steps)
        log.replace_last(steps[-1])
        view = self.table.show(after)
        self.log, self.before, self.result, self.view = log, before, after, view
        for step, request in zip(steps, requests, strict=True):
            request.answer.set_result(Answer(step, before, after, view, first_new_row))

    def close(self) -> None:
        """Close the file of the session."""
        with self.lock:
            self.session.close()


def make_plan(log: Log, state: int, audits: Audits) -> Plan:
    """The plan of a state."""
    used = log.labels_of(state)
    labels = None if used is None else audits.labelled_texts(used["audit"], used["last"])
    return Plan(log.lexicon(state), estimation_settings(log.settings_of(state)), labels)


def estimation_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a session's settings that concern the estimate; the others are those of the tokenizer."""
    return {name: value for name, value in settings.items() if name in Settings.__dataclass_fields__}
