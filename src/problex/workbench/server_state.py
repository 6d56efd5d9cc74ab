"""What the server has: the folder of the sessions, uploads, jobs, open tabs, and the session that is open."""

from __future__ import annotations

import os
import shutil
import threading
import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from problex._util.formatting import pluralize
from problex._util.records import Record
from problex._version import __version__
from problex.errors import DocumentWarning, EstimationWarning, LexiconWarning, ProblexError
from problex.workbench.background import Checkup, Events, Job, Jobs
from problex.workbench.export import Downloads
from problex.workbench.loading import (
    Learning,
    TextsNeededError,
    begin,
    demo_lexicon,
    free_path,
    resume,
    source_of,
    stored_source,
)
from problex.workbench.open_session import Answer, OpenSession
from problex.workbench.session_file import SUFFIX
from problex.workbench.texts import TextSource
from problex.workbench.uploads import MAX_UPLOAD, Upload, Uploads, private_folder

NOTED = (DocumentWarning, EstimationWarning, LexiconWarning)
MAX_NOTES = 20


class NothingLoadedError(ProblexError):
    """Something was asked for that needs texts, and none are loaded."""


@dataclass(eq=False)
class ServerState:
    """The state of a server."""

    folder: Path
    max_upload: int = MAX_UPLOAD
    events: Events = field(default_factory=Events)
    opened: OpenSession | None = None
    notes: list[str] = field(default_factory=list)
    last_path: Path | None = None
    kept: set[Path] = field(default_factory=set)
    downloads: Downloads = field(default_factory=Downloads)
    lock: threading.RLock = field(default_factory=threading.RLock)
    peeking: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.jobs = Jobs(lambda job: self.events.publish("job", **job.record()))
        self.uploads = Uploads(self.folder / "uploads" / f"{os.getpid()}-{id(self):x}")
        self.checkup = Checkup(lambda revision: self.events.publish("doctor", revision=revision))

    @property
    def session(self) -> OpenSession:
        """The open session; raise if there is none."""
        if self.opened is None:
            raise NothingLoadedError("no texts are loaded yet: choose texts and a lexicon, or open the demo")
        return self.opened

    # -- jobs that open a session

    def learn(self, learning: Learning) -> Job:
        """Begin a new session."""
        return self.jobs.start("learn", lambda job: self._show(begin(learning, self.folder, job.progress)))

    def demo(self) -> Job:
        """Open the demo's session, or begin it."""

        def work(job: Job) -> Record:
            path = self.folder / f"demo{SUFFIX}"
            if self.opened is not None and self.opened.file.path == path:
                return self._show(self.opened)
            if path.exists():
                return self._show(resume(path, job.progress))
            source = TextSource("film reviews of the demo")
            learning = Learning(source, demo_lexicon(), "Demo", {"language": "en"}, path)
            return self._show(begin(learning, self.folder, job.progress))

        return self.jobs.start("learn", work)

    def open(self, path: Path, source: TextSource | None = None) -> Job:
        """Open a session file."""

        self.last_path = path

        def work(job: Job) -> Record:
            is_open = self.opened is not None and self.opened.file.path == path
            current = self.opened.file if self.opened is not None and is_open else None
            try:
                return self._show(resume(path, job.progress, source, current=current))
            except TextsNeededError as error:
                job.result = {"needs": error.needs}
                raise

        return self.jobs.start("open", work)

    def _show(self, session: OpenSession) -> Record:
        with self.lock:
            before, self.opened = self.opened, session
        session.notes[:0] = self.take_notes()
        self.kept -= set(session.source.paths if session.source is not None else ())
        if before is not None and before.file is not session.file:
            before.close()
        self.events.publish("session")
        self.checkup.ask(session)
        return {"documents": len(session.texts)}

    def take_notes(self) -> list[str]:
        """The warnings since the last call.

        >>> state = ServerState(Path("data"), notes=["a text is missing", "two columns", "a text is missing"])
        >>> state.take_notes(), state.take_notes()
        (['a text is missing', 'two columns'], [])
        """
        with self.lock:
            notes, self.notes = list(dict.fromkeys(self.notes)), []
        return notes[:MAX_NOTES]

    def collect_warnings(self) -> None:
        """Keep warnings for the page, instead of printing them."""

        def keep(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
            if issubclass(category, NOTED):
                self.notes.append(str(message))

        warnings.simplefilter("always", DocumentWarning)
        warnings.showwarning = keep

    # -- files

    def keep(self, upload: Upload) -> Path:
        """Move texts that were sent to the data folder, where a session finds them again."""
        folder = private_folder(self.folder / "texts")
        if upload.path.parent == folder:
            return upload.path
        path = upload.path.rename(folder / upload.path.name)
        self.kept.add(path)
        self.uploads.files[upload.id] = replace(upload, path=path)
        return path

    def adopt(self, upload: Upload) -> Path:
        """Move a session that was sent to the data folder."""
        path = free_path(private_folder(self.folder), Path(upload.name).stem)
        shutil.copyfile(upload.path, path)
        path.chmod(0o600)
        return path

    def source_of(self, path: Path) -> tuple[TextSource, bool]:
        """The texts that a session file names, and whether the reader has said so."""
        if self.opened is not None and self.opened.file.path == path:
            return source_of(self.opened.file.source()), self.opened.file.is_own
        return stored_source(path)

    # -- steps

    def take(self, kind: str, body: Record, base: int | None, tab: str) -> Answer:
        """Take a step in the open session, and tell the other tabs."""
        session = self.session
        answer = session.take(kind, body, base, tab)
        self.events.publish("revision", revision=session.log.revision, state=session.log.state, tab=tab)
        self.checkup.ask(session)
        return answer

    # -- what is shown everywhere

    def record(self) -> Record:
        """What the frame of the page shows."""
        job = self.jobs.shown
        record: Record = {
            "version": __version__,
            "ready": self.opened is not None,
            "max_upload": self.max_upload,
            "job": None if job is None else job.record(),
            "notes": list(self.notes),
            "session": None,
        }
        return record if self.opened is None else record | _shown(self.opened) | {"doctor": self.checkup.state()}

    def close(self) -> None:
        """Stop the work, close the session, delete uploads that no session uses."""
        self.checkup.stop()
        job = self.jobs.last
        if job is not None and job.state == "running":
            job.cancelled.set()
            job.finished.wait(5)
        if self.opened is not None:
            self.opened.close()
        for path in self.kept:  # texts that no session was begun with
            path.unlink(missing_ok=True)
        self.uploads.remove()
        self.downloads.remove()


def _shown(session: OpenSession) -> Record:
    """What the frame of the page shows of a session."""
    texts, file, meta, audit = session.texts, session.file, session.file.meta(), session.audits.open
    lengths = session.result.index.lengths
    empty = int((lengths == 0).sum())
    return session.position() | {
        "lists": list(session.result.model.classes),
        "figures": session.result.figures,
        "texts": {
            "name": texts.name,
            "documents": len(texts),
            "tokens": int(lengths.sum()),
            "missing": texts.missing,
            "invalid": texts.invalid,
            "empty": empty,
            "sampled_from": texts.total if texts.is_sample else None,
            "columns": texts.column_names,
            "id": texts.id,
            "group_by": texts.group_by,
        },
        "session": {
            "title": meta.get("title", ""),
            "file": file.path.name,
            "folder": str(file.path.parent),
            "created": meta.get("created", ""),
            "with_texts": file.has_texts,
            "read_only": session.read_only,
        },
        "notes": [*_reading_notes(session, empty), *session.notes],
        "audit": None
        if audit is None
        else {"open": bool(audit.left), "labelled": len(audit.labels()), "size": len(audit.rows)},
    }


def _reading_notes(session: OpenSession, empty: int) -> list[str]:
    """Sentences on texts that were left out, and on copies, for every screen."""
    texts = session.texts
    notes = [session.read_only] if session.read_only else []
    if texts.is_sample:
        notes.append(f"A random sample of {len(texts):,} of {pluralize(texts.total, 'text')} is shown.")
    for number, what in ((texts.missing, "missing"), (texts.invalid, "unreadable"), (empty - texts.missing, "empty")):
        if number > 0:
            notes.append(f"{pluralize(number, 'text is', 'texts are')} {what}.")
    copies = session.result.scores.describe_copies()
    if copies:
        notes.append(f"{copies[0].upper()}{copies[1:]}.")
    return notes
