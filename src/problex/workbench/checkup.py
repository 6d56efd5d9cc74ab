"""The doctor in the background: findings about the lexicon as it is, once a person has paused."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from problex._util.records import Record
from problex.doctor import Diagnosis
from problex.doctor.diagnosis import examine
from problex.errors import ProblexError
from problex.workbench.opened import Opened

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
SHOWN = 200


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

    def ask(self, opened: Opened) -> None:
        """Examine the lexicon after a pause; an earlier request that has not begun is dropped."""
        with self.lock:
            if self.timer is not None:
                self.timer.cancel()
            if self.stopped:
                return
            self.timer = threading.Timer(PAUSE, self._run, [opened])
            self.timer.daemon = True
            self.timer.start()

    def stop(self) -> None:
        """Begin no more work."""
        with self.lock:
            self.stopped = True
            if self.timer is not None:
                self.timer.cancel()

    def _run(self, opened: Opened) -> None:
        revision, result = opened.log.revision, opened.result
        self.running = True
        try:
            lexicon = result.model.lexicon
            counts = result.remembered.counts(lexicon, associations=True)
            found, error = examine(counts, lexicon, tokenizer=result.model.tokenizer), None
        except ProblexError as problem:
            found, error = None, str(problem)
        finally:
            self.running = False
        if opened.log.revision != revision or self.stopped:
            return  # a later request is on its way
        self.diagnosis, self.revision, self.error = found, revision, error
        self.on_ready(revision)

    def state(self) -> Record:
        """Which revision was examined, and whether the doctor is at work."""
        waits = self.timer is not None and self.timer.is_alive()
        return {"revision": self.revision, "running": self.running or waits}

    def record(self) -> Record:
        """The findings for the page."""
        flags: dict[str, list[str]] = {}
        suggestions: list[Record] = []
        found = self.diagnosis
        for number, finding in enumerate(found.findings if found is not None else ()):
            if finding.kind in FLAGGED:
                for word in dict.fromkeys((*finding.words, *(edit.word for edit in finding.edits))):
                    flags.setdefault(word, []).append(finding.kind)
            if len(suggestions) < SHOWN:
                suggestions.append(
                    {
                        "id": f"{self.revision}-{number}",
                        "kind": finding.kind,
                        "list": finding.list,
                        "text": finding.why,
                        "words": list(finding.words[:20]),
                        "edits": [{"word": edit.word, "old": edit.old, "new": edit.new} for edit in finding.edits],
                        "sentence": finding.edit,
                        "gain": finding.cost if finding.before > 0 else None,
                        "before": finding.before or None,
                        "after": finding.after or None,
                        "certainty": finding.certainty,
                        "contexts": [str(context) for context in finding.contexts],
                        "section": ("fault", "addition", "note")[finding.rank[0]],
                    }
                )
        left_out = 0 if found is None else found.left_out
        return self.state() | {"flags": flags, "suggestions": suggestions, "left_out": left_out, "error": self.error}
