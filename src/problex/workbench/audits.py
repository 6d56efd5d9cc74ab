"""Audits of a session: a sample is drawn, labelled blind, one document after the other, and evaluated.

Every label, skip and undo is an event in the session's file; what is labelled follows from the events.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from problex.audit import Audit, AuditSample, audit, draw
from problex.audit.design import Design, dump_design, expected_measures, parse_design, text_fingerprint
from problex.audit.results import labelled_texts, running_width
from problex.audit.sample import labelling_order
from problex.audit.thresholds import LabelledTexts
from problex.errors import ProblexError
from problex.scoring import Scores
from problex.workbench.results import Result
from problex.workbench.session_file import LabelEvent, SessionFile, StoredAudit, now
from problex.workbench.texts import Texts

SUGGESTED_SIZE = 60
MIN_LABELS = 5
"""Labels below which the interval is not shown: it would be nearly the whole range."""


@dataclass(eq=False)
class Labelling:
    """One audit while it is labelled: its design, and the events so far."""

    stored: StoredAudit
    design: Design
    events: list[LabelEvent]

    @property
    def rows(self) -> list[int]:
        """The documents in the order of labelling."""
        return [int(row) for row in self.design.sample.rows]

    def active(self, last: int | None = None) -> list[LabelEvent]:
        """The labels and skips that were not undone, up to an event.

        >>> events = [LabelEvent(1, 1, 7, "up"), LabelEvent(2, 1, 3, "down"), LabelEvent(3, 1, 3, None, kind="undo")]
        >>> labelling = Labelling(None, None, events)
        >>> [event.row for event in labelling.active()], [event.row for event in labelling.active(2)]
        ([7], [7, 3])
        """
        active: list[LabelEvent] = []
        for event in self.events:
            if last is not None and event.number > last:
                break
            if event.kind == "undo":
                if active:
                    active.pop()
            else:
                active.append(event)
        return active

    def labels(self, last: int | None = None) -> dict[int, str | None]:
        """The label of each labelled document; None for "cannot say"."""
        return {event.row: event.label for event in self.active(last) if event.kind == "label"}

    def in_order(self, last: int | None = None) -> list[str | None]:
        """The label of each document of the sample; None for those without."""
        labels = self.labels(last)
        return [labels.get(row) for row in self.rows]

    @property
    def left(self) -> list[int]:
        """The documents that have no label yet, those that were skipped last.

        >>> from types import SimpleNamespace
        >>> design = SimpleNamespace(sample=SimpleNamespace(rows=[7, 3, 5]))
        >>> events = [LabelEvent(1, 1, 7, None, kind="skip"), LabelEvent(2, 1, 3, "up")]
        >>> Labelling(None, design, events).left  # 3 has a label, 7 was skipped
        [5, 7]
        """
        labels, skipped = self.labels(), [event.row for event in self.active() if event.kind == "skip"]
        waiting = [row for row in self.rows if row not in labels]
        return sorted(waiting, key=lambda row: len(skipped) - skipped[::-1].index(row) if row in skipped else 0)

    def evaluate(self, result: Result) -> Audit:
        """The audit of the labels so far, for the model of a result, which may be another than that of the sample."""
        return audit(self.design.sample, self.in_order(), self.design.expected, self._scores(result))

    def _scores(self, result: Result) -> Scores | None:
        """The scores of the sample by another model than the one it was drawn with; None by the same."""
        if result.fingerprint == self.design.model:
            return None
        return result.scores.take(self.design.sample.rows)

    def width(self, result: Result) -> float | None:
        """Half the width of the interval of the accuracy; None for few labels."""
        if sum(label is not None for label in self.labels().values()) < MIN_LABELS:
            return None
        return running_width(self.design.sample, self.in_order(), self._scores(result))


@dataclass(eq=False)
class Audits:
    """The audits of a session; the last one is open."""

    file: SessionFile
    texts: Texts
    all: list[Labelling] = field(default_factory=list)

    @classmethod
    def of(cls, file: SessionFile, texts: Texts) -> Audits:
        """The audits that are stored in a session."""
        name, stored = file.path.name, []
        for one in file.audits():
            try:
                design = parse_design(one.design, name)
            except ProblexError:
                raise
            except (ValueError, zlib.error) as error:
                raise ProblexError(f"{name} is damaged (audit {one.id}: {error}): restore a copy of the file") from None
            stored.append(Labelling(one, design, file.label_events(one.id)))
        return cls(file, texts, stored)

    @property
    def open(self) -> Labelling | None:
        """The audit that is being labelled."""
        return self.all[-1] if self.all else None

    @property
    def blind_rows(self) -> frozenset[int]:
        """Documents of the open audit without a label: their scores are shown nowhere."""
        return frozenset(self.open.left if self.open is not None else ())

    def require(self) -> Labelling:
        """The open audit; raise if there is none."""
        if self.open is None:
            raise ProblexError(f"no sample was drawn yet: draw one first, for example of {SUGGESTED_SIZE} documents")
        return self.open

    def draw(self, result: Result, size: int, seed: int, revision: int, state: int) -> Labelling:
        """Draw a sample with the model of a result, whose labels must not be those of an audit."""
        sample = in_order(draw(result.scores, size, seed=seed), seed)
        texts = tuple(text_fingerprint(self.texts.text(row)) for row in sample.rows.tolist())
        expected = expected_measures(result.scores)
        design = Design(sample, result.fingerprint, seed, texts, expected)
        stored = StoredAudit(0, now(), revision, state, seed, size, dump_design(design))
        labelling = Labelling(replace(stored, id=self.file.add_audit(stored)), design, [])
        self.all.append(labelling)
        return labelling

    def add(self, kind: str, row: int, label: str | None, seconds: float | None, tab: str) -> None:
        """Store a label or a skip of a document of the open audit."""
        labelling = self.require()
        if row not in labelling.rows:
            raise ProblexError(f"document {row + 1:,} is not in the sample, expected one of it")
        if row in labelling.labels():
            raise ProblexError(f"document {row + 1:,} has a label already, perhaps from another tab: undo it first")
        classes = labelling.design.sample.classes
        if label is not None and label not in classes:
            raise ProblexError(f"the label {label!r} was given, expected one of {', '.join(classes)}")
        self._store(labelling, row, label, kind, seconds, tab)

    def undo(self, tab: str) -> int:
        """Take back the last label or skip; return its document."""
        labelling = self.require()
        active = labelling.active()
        if not active:
            raise ProblexError("there is no label to undo")
        self._store(labelling, active[-1].row, None, "undo", None, tab)
        return active[-1].row

    def _store(
        self, labelling: Labelling, row: int, label: str | None, kind: str, seconds: float | None, tab: str
    ) -> None:
        self.file.add_label(LabelEvent(0, labelling.stored.id, row, label, now(), seconds, tab, kind))
        labelling.events[:] = self.file.label_events(labelling.stored.id)

    def reveal(self, result: Result) -> tuple[Audit, int]:
        """The results of the open audit; looking is logged. Also returns how often they were looked at."""
        labelling = self.require()
        if not any(labelling.labels().values()):
            raise ProblexError("no document has a label yet: label a few dozen first")
        found = labelling.evaluate(result)
        self.file.add_look(labelling.stored.id)
        labelling.stored = replace(labelling.stored, looks=labelling.stored.looks + 1)
        return found, labelling.stored.looks

    def labels_of(self, used: Mapping[str, Any] | None) -> LabelledTexts | None:
        """The labelled texts that a step uses to move the threshold: those of an audit up to an event; None if none."""
        if used is None or not used["on"]:
            return None
        labelling = self.by_id(used["audit"])
        if max(labelling.rows, default=0) >= len(self.texts):
            raise ProblexError(
                f"the labels are of {max(labelling.rows) + 1:,} documents or more, but there are {len(self.texts):,}: "
                "give the texts as they were"
            )
        texts = [self.texts.text(row) for row in labelling.rows]
        return labelled_texts(labelling.design.sample, labelling.in_order(used["last"]), texts)

    def by_id(self, audit: int) -> Labelling:
        """An audit by its number in the session's file."""
        return next(one for one in self.all if one.stored.id == audit)


def in_order(sample: AuditSample, seed: int) -> AuditSample:
    """The sample in the order of labelling, of which every beginning is a fair sample."""
    order = labelling_order(sample, seed=seed)
    return replace(sample, rows=sample.rows[order], stratum=sample.stratum[order], values=sample.values[order])
