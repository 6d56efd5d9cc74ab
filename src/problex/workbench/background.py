"""Work in the background: one long job at a time, the doctor after a pause, and the events that tell all tabs."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
import traceback
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass, field

from problex._util.records import Record, to_json
from problex.doctor import Diagnosis, Finding
from problex.doctor.diagnosis import examine
from problex.errors import ProblexError, python_option
from problex.workbench.open_session import OpenSession

PROGRESS_SECONDS = 0.2
"""The time between two reports of progress."""
MAX_KEPT = 50
SILENCE = 15.0
"""Seconds after which a comment is sent, so that a closed connection is noticed."""
MAX_WAITING = 1000
PAUSE = 1.0
"""Seconds without an edit before the doctor begins."""
FLAGGED = (
    "wrong side",
    "ambiguous",
    "dominates",
    "wildcard",
    "in both lists",
    "not matchable",
    "never seen",
    "too rare",
)
"""The kinds of findings that are flags of words in the table."""
SUGGESTIONS_SHOWN, WORDS_SHOWN = 200, 20
SECTIONS = ("fault", "addition", "note")
MAX_SENTENCE = 1000
"""Characters of a message: some quote what was given."""


class JobCancelledError(Exception):
    """Raised inside a job that was cancelled, at its next report of progress."""


class BusyError(ProblexError):
    """A job was asked for while another one runs."""


@dataclass
class Job:
    """A piece of work: `done` of `total` units; `state` is running, done, failed or cancelled."""

    id: str
    kind: str
    on_change: Callable[[Job], None]
    state: str = "running"
    done: int = 0
    total: int | None = None
    unit: str = ""
    message: str = ""
    error: str | None = None
    result: Record | None = None
    started: float = field(default_factory=time.monotonic)
    ended: float | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)
    finished: threading.Event = field(default_factory=threading.Event)
    reported: float = 0.0

    def progress(self, message: str, done: int = 0, total: int | None = None, unit: str = "") -> None:
        """Report progress; raise if the job was cancelled.

        >>> job = Job("1", "learn", on_change=lambda job: print(job.message, job.done, job.total))
        >>> job.progress("reading", 10, 20)
        reading 10 20
        >>> job.progress("reading", 11, 20)  # too soon after the last one
        >>> job.cancelled.set()
        >>> job.progress("reading", 12, 20)
        Traceback (most recent call last):
        problex.workbench.background.JobCancelledError
        """
        if self.cancelled.is_set():
            raise JobCancelledError
        is_new = message != self.message
        self.message, self.done, self.total, self.unit = message, done, total, unit
        if is_new or time.monotonic() - self.reported >= PROGRESS_SECONDS:
            self.reported = time.monotonic()
            self.on_change(self)

    def record(self) -> Record:
        """The job for the page."""
        names = ("id", "kind", "state", "done", "total", "unit", "message", "error", "result")
        seconds = (self.ended or time.monotonic()) - self.started
        return {name: getattr(self, name) for name in names} | {"seconds": round(seconds, 2)}


@dataclass
class Jobs:
    """All jobs since the server started; the last one may be running."""

    on_change: Callable[[Job], None]
    jobs: dict[str, Job] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def last(self) -> Job | None:
        """The job that was started last."""
        return next(reversed(self.jobs.values()), None)

    @property
    def shown(self) -> Job | None:
        """The job that a page should show: one that runs, or failed and was the last.

        >>> jobs = Jobs(lambda job: None)
        >>> for name, state in (("1", "failed"), ("2", "done")):
        ...     jobs.jobs[name] = Job(name, "learn", jobs.on_change, state)
        ...     print(jobs.shown and jobs.shown.id)
        1
        None
        """
        return self.last if self.last is not None and self.last.state in ("running", "failed") else None

    def start(self, kind: str, work: Callable[[Job], Record | None]) -> Job:
        """Begin a job; raise if one runs."""
        with self.lock:
            if self.last is not None and self.last.state == "running":
                raise BusyError(
                    "other work is still running, expected one thing at a time: wait until it is done, or cancel it"
                )
            job = Job(secrets.token_hex(8), kind, self.on_change)
            self.jobs[job.id] = job
            for old in list(self.jobs)[:-MAX_KEPT]:
                del self.jobs[old]
        threading.Thread(target=self._run, args=(job, work), daemon=True, name=f"job-{kind}").start()
        return job

    def _run(self, job: Job, work: Callable[[Job], Record | None]) -> None:
        state = "failed"
        try:
            job.result = work(job)
            state = "done"
        except JobCancelledError:
            state, job.message = "cancelled", "cancelled"
        except (ProblexError, OSError) as error:
            job.error = sentence_of(error)
        except MemoryError:
            job.error = "there is not enough memory for these texts: close other programs, or give fewer texts"
        except Exception as error:
            traceback.print_exc()
            job.error = f"a fault of the workbench, not of your files: {type(error).__name__}: {error}"
        job.ended = time.monotonic()
        job.state = state
        self.on_change(job)
        job.finished.set()

    def cancel(self, name: str) -> Job:
        """Ask a job to stop at its next report of progress."""
        job = self.find(name)
        job.cancelled.set()
        return job

    def find(self, name: str) -> Job:
        """A job by its id."""
        if name not in self.jobs:
            raise ProblexError(f"there is no job {name[:80]!r}: it may be of an earlier start of the workbench")
        return self.jobs[name]


def sentence_of(error: Exception) -> str:
    """An error in words: the library's own, or that of the system with the name of the file.

    >>> sentence_of(OSError(28, "No space left on device", "scores.csv"))
    'scores.csv: No space left on device'
    """
    if isinstance(error, OSError) and not isinstance(error, ProblexError):
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror or error}"
    message = str(error)
    return message if len(message) <= MAX_SENTENCE else f"{message[:MAX_SENTENCE]}..."


def page_option(name: str, value: object) -> str:
    """An option in a message on the page, which has a field for the column of the texts.

    >>> page_option("text", ...), page_option("on_error", "skip")
    ("the choice 'text column'", 'on_error="skip"')
    """
    return "the choice 'text column'" if name == "text" else python_option(name, value)


# -- the doctor


@dataclass(eq=False)
class Checkup:
    """The findings about a revision; `on_ready` is called with it when they are there."""

    on_ready: Callable[[int], None]
    diagnosis: Diagnosis | None = None
    revision: int | None = None
    error: str | None = None
    timer: threading.Timer | None = None
    running: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)
    stopped: bool = False

    def ask(self, session: OpenSession) -> None:
        """Examine the lexicon after a pause; an earlier request that has not begun is dropped."""
        with self.lock:
            if self.timer is not None:
                self.timer.cancel()
            if self.stopped:
                return
            self.timer = threading.Timer(PAUSE, self._run, [session])
            self.timer.daemon = True
            self.timer.start()

    def stop(self) -> None:
        """Begin no more work."""
        with self.lock:
            self.stopped = True
            if self.timer is not None:
                self.timer.cancel()

    def _run(self, session: OpenSession) -> None:
        revision, result = session.log.revision, session.result
        self.running = True
        try:
            lexicon = result.model.lexicon
            counts = result.index.counts(lexicon, associations=True)
            diagnosis, error = examine(counts, lexicon, tokenizer=result.model.tokenizer), None
        except ProblexError as problem:
            diagnosis, error = None, str(problem)
        finally:
            self.running = False
        if session.log.revision != revision or self.stopped:
            return  # a later request is on its way
        self.diagnosis, self.revision, self.error = diagnosis, revision, error
        self.on_ready(revision)

    def state(self) -> Record:
        """Which revision was examined, and whether the doctor is at work."""
        waits = self.timer is not None and self.timer.is_alive()
        return {"revision": self.revision, "running": self.running or waits}

    def record(self) -> Record:
        """The findings for the page."""
        flags: dict[str, list[str]] = {}
        findings = () if self.diagnosis is None else self.diagnosis.findings
        for finding in findings:
            if finding.kind in FLAGGED:
                for word in dict.fromkeys((*finding.words, *(edit.word for edit in finding.edits))):
                    flags.setdefault(word, []).append(finding.kind)
        shown = [
            {"id": f"{self.revision}-{at}"} | _suggestion(finding)
            for at, finding in enumerate(findings[:SUGGESTIONS_SHOWN])
        ]
        left_out = 0 if self.diagnosis is None else self.diagnosis.left_out
        return self.state() | {"flags": flags, "suggestions": shown, "left_out": left_out, "error": self.error}


def _suggestion(finding: Finding) -> Record:
    """A finding for the page."""
    return {
        "kind": finding.kind,
        "list": finding.list,
        "text": finding.why,
        "words": list(finding.words[:WORDS_SHOWN]),
        "edits": [asdict(edit) for edit in finding.edits],
        "sentence": finding.edit,
        "gain": finding.cost if finding.before > 0 else None,
        "before": finding.before or None,
        "after": finding.after or None,
        "certainty": finding.certainty,
        "contexts": [str(context) for context in finding.contexts],
        "section": SECTIONS[finding.rank[0]],
    }


# -- events


@dataclass
class Events:
    """The open streams; `publish` may be called by any thread."""

    listeners: set[asyncio.Queue[str | None]] = field(default_factory=set)
    loop: asyncio.AbstractEventLoop | None = None

    def publish(self, name: str, **data: object) -> None:
        """Send an event to every stream."""
        text = format_event(name, data)
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._send, text)

    def _send(self, text: str | None) -> None:
        for queue in list(self.listeners):
            if queue.qsize() < MAX_WAITING:  # a tab that sleeps fetches the state when it wakes
                queue.put_nowait(text)

    def close(self) -> None:
        """End all streams, so that the server can stop; called by the server's thread."""
        self._send(None)

    async def stream(self, hello: Record) -> AsyncIterator[str]:
        """The events from now on; the first is `hello`."""
        self.loop = asyncio.get_running_loop()
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.listeners.add(queue)
        try:
            yield format_event("hello", hello)
            while True:
                try:
                    text = await asyncio.wait_for(queue.get(), SILENCE)
                except TimeoutError:
                    text = ": still here\n\n"
                if text is None:
                    return
                yield text
        finally:
            self.listeners.discard(queue)


def format_event(name: str, data: Record) -> str:
    r"""An event as the stream has it.

    >>> format_event("revision", {"revision": 3})
    'event: revision\ndata: {"revision": 3}\n\n'
    """
    return f"event: {name}\ndata: {to_json(data)[0]}\n\n"
