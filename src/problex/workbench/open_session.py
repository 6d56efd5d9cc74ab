"""An open session: its log and file, results and table; one step after the other, each stored at once."""

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
from problex.workbench.audits import Audits
from problex.workbench.results import EstimationPlan, Result, Results
from problex.workbench.session_file import SessionFile, now
from problex.workbench.steps import MOVES, ConflictError, Log, Step, check_conflict
from problex.workbench.table import LexiconTable, View
from problex.workbench.texts import Texts, TextSource

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
    """What a step did: the results before and after it, and the table."""

    step: Step
    before: Result
    after: Result
    view: View
    first_new_row: int

    @cached_property
    def changed(self) -> int:
        """How many documents have another label."""
        return int((self.before.labels != self.after.labels).sum())

    @property
    def text(self) -> str:
        """What happened, in a sentence."""
        return f"{self.step.text}: {self.changed:,} of {pluralize(len(self.after.labels), 'document')} changed label"


@dataclass(eq=False)
class OpenSession:
    """A session that is open."""

    results: Results
    file: SessionFile
    log: Log
    audits: Audits
    table: LexiconTable
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
    def of(cls, results: Results, file: SessionFile, log: Log) -> OpenSession:
        """A session with its texts: the result of its last state."""
        audits = Audits.of(file, results.texts)
        result = results.of(make_plan(log, log.state, audits))
        table = LexiconTable(log.loaded, result.model.tokenizer)
        for edit in (edit for step in log.steps for edit in step.edits):
            table.add(edit.entry)
        return cls(results, file, log, audits, table, result, table.show(result))

    @property
    def texts(self) -> Texts:
        """The texts of the session."""
        return self.results.texts

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
        return self.results.of(plan)

    def position(self) -> Record:
        """Where in its history the session is."""
        log = self.log
        return {"revision": log.revision, "state": log.state, "undo": log.can_undo, "redo": log.can_redo}

    def take(self, kind: str, body: Record, base: int | None = None, tab: str = "") -> Answer:
        """Take a step. Steps that wait for another one are computed together, and stored one by one."""
        request = Request(kind, body, base, tab)
        self.waiting.append(request)
        with self.lock:
            if not request.answer.done():
                self._take_all([self.waiting.popleft() for _ in range(len(self.waiting))])
        return request.answer.result()

    def _take_all(self, requests: list[Request]) -> None:
        """Take steps together; if that cannot be computed, one by one."""
        try:
            self._take(requests)
        except Exception as error:
            if len(requests) == 1:
                requests[0].answer.set_exception(error)
                return
            for request in requests:
                self._take_all([request])

    def _take(self, requests: list[Request]) -> None:
        self.check_writable()
        log, plan = self.log.copy(), self.result.plan
        steps: list[tuple[Request, Step]] = []
        refused: list[tuple[Request, ProblexError]] = []
        for request in requests:
            try:
                step, plan = self._step(log, plan, request)
            except ProblexError as error:
                refused.append((request, error))
            else:
                log.add(step)
                steps.append((request, step))
        if steps:
            self._store(log, plan, steps)
        for request, reason in refused:
            request.answer.set_exception(reason)

    def _step(self, log: Log, plan: EstimationPlan, request: Request) -> tuple[Step, EstimationPlan]:
        """The next step of a log, and the plan that it leads to."""
        kind, body = request.kind, request.body
        self._check_base(request)
        if kind in MOVES:
            step = log.move(kind, body.get("state"), request.tab, now())
            plan = make_plan(log, step.state, self.audits)
        else:
            step = log.change(kind, body, request.tab, now())
            if kind == "settings":
                chosen = {k: v for k, v in (dict(plan.settings) | body["settings"]).items() if v is not None}
                Settings.from_options(**chosen)
                plan = replace(plan, settings=chosen)
            elif kind == "labels":
                plan = replace(plan, labels=self.audits.labels_of(body))
            else:
                check_conflict(plan.lexicon, step.edits)
                plan = replace(plan, lexicon=plan.lexicon.edited(step.edits))
        return replace(step, print=plan.lexicon.fingerprint), plan

    def _check_base(self, request: Request) -> None:
        """Raise if a request is for another revision: a move for any other, a change for one that is still to come."""
        present, base = self.log.revision, request.base
        if base is not None and (base > present or (base < present and request.kind in MOVES)):
            raise ConflictError(
                f"the lexicon was changed elsewhere (revision {present}, expected {base}), for example in another tab: "
                f"look at it as it is now, then {request.kind} again"
            )

    def _store(self, log: Log, plan: EstimationPlan, taken: list[tuple[Request, Step]]) -> None:
        """Compute the last of some steps, write them all, and answer."""
        before, first_new_row = self.result, len(self.table.words)
        after, steps = self.results.of(plan), [step for _, step in taken]
        steps[-1].figures.update({name: after.figures[name] for name in FIGURES_STORED})
        self.file.append(steps)
        view = self.table.show(after)
        self.log, self.before, self.result, self.view = log, before, after, view
        for request, step in taken:
            request.answer.set_result(Answer(step, before, after, view, first_new_row))

    def check_writable(self) -> None:
        """Raise if nothing may be changed."""
        if self.read_only:
            raise ProblexError(self.read_only)

    def close(self) -> None:
        """Close the file of the session."""
        with self.lock:
            self.file.close()


def make_plan(log: Log, state: int, audits: Audits) -> EstimationPlan:
    """The plan of a state."""
    labels = audits.labels_of(log.labels_of(state))
    return EstimationPlan(log.lexicon(state), estimation_settings(log.settings_of(state)), labels)


def estimation_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a session's settings that concern the estimate; the others are those of the tokenizer.

    >>> estimation_settings({"language": "en", "rule": "count"})
    {'rule': 'count'}
    """
    return {name: value for name, value in settings.items() if name in Settings.__dataclass_fields__}
