"""Long work in a thread of its own: one job at a time, with progress, cancelling and a result."""

from __future__ import annotations

import secrets
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field

from problex._util.records import Record
from problex.errors import ProblexError, python_option

PROGRESS_SECONDS = 0.2
"""The time between two reports of progress."""
MAX_KEPT = 50
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
        """Report progress; raise if the job was cancelled."""
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
        """The job that a page should show: one that runs, or failed and was the last."""
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
    """An error in words: the library's own, or that of the system with the name of the file."""
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
