"""The log of a session: every step that was taken, and the lexicon that it led to. Nothing is ever deleted.

Edits and changes of settings make new states, each with the state before it as its parent. Undo, redo and `goto` are
steps, too: they lead to a state that exists. A new edit after an undo begins a branch; the old one can be gone to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.errors import ProblexError
from problex.lexicon import Edit, Lexicon
from problex.workbench.fields import JsonObject, one_of

MOVES = ("undo", "redo", "goto")
CHANGES = ("edit", "accept", "import", "settings", "labels")
"""The kinds of steps: those that lead to a state that exists, and those that make a new one."""
EDITS_SHOWN = 3


class ConflictError(ProblexError):
    """A step that does not fit the present state, because another tab has changed it."""


@dataclass(frozen=True)
class Step:
    """A step: `body` is what was asked for, `state` the one it led to, `before` the one it was taken in.

    `print` is the fingerprint of the lexicon after it, `figures` what was shown then.
    """

    number: int
    at: str
    tab: str
    kind: Annotated[str, one_of(*CHANGES, *MOVES)]
    body: JsonObject
    state: int
    before: int
    print: str = ""
    figures: JsonObject = field(default_factory=dict)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits of the step."""
        return tuple(Edit(edit["word"], edit["old"], edit["new"]) for edit in self.body.get("edits", ()))

    @property
    def text(self) -> str:
        """The step in words.

        >>> [Step(4, "", "", kind, {"on": True}, 2, 3).text for kind in ("undo", "redo", "labels")]
        ['undo: back to state 2', 'redo: state 2', 'threshold from labels']
        >>> Step(1, "", "", "settings", {"settings": {"rule": "count"}}, 1, 0).text
        'settings: rule count'
        """
        if self.kind == "settings":
            return "settings: " + ", ".join(f"{name} {value}" for name, value in self.body["settings"].items())
        if self.kind == "labels":
            return "threshold from labels" if self.body["on"] else "threshold without labels"
        if self.kind in MOVES:
            return f"{self.kind}: back to state {self.state}" if self.kind != "redo" else f"redo: state {self.state}"
        if self.kind == "import":
            return f"import {self.body['name']} ({tally(self.edits)})"
        return describe(self.edits)


def describe(edits: Sequence[Edit]) -> str:
    """Edits in words.

    >>> describe([Edit("good", "positive", None)])
    "remove 'good' from positive"
    """
    text = "; ".join(map(str, edits[:EDITS_SHOWN]))
    rest = len(edits) - EDITS_SHOWN
    return f"{text}; and {pluralize(rest, 'more edit')}" if rest > 0 else text


def tally(edits: Sequence[Edit]) -> str:
    """How many entries edits add, move and remove.

    >>> tally([Edit("good", None, "positive"), Edit("odd", "positive", "negative"), Edit("dull", None, "negative")])
    '2 entries added, 1 moved'
    """
    kinds = Counter("removed" if edit.new is None else "added" if edit.old is None else "moved" for edit in edits)
    parts = [(kinds[kind], kind) for kind in ("added", "moved", "removed") if kinds[kind]]
    first = f"{pluralize(parts[0][0], 'entry', 'entries')} {parts[0][1]}"
    return ", ".join([first, *(f"{number:,} {kind}" for number, kind in parts[1:])])


@dataclass(eq=False)
class Log:
    """All steps of a session, and the states that they led to.

    >>> log = Log(Lexicon({"up": ["good", "fine"], "down": ["bad"]}))
    >>> log.add(log.change("edit", {"edits": [{"word": "fine", "old": "up", "new": None}]}))
    >>> log.add(log.move("undo"))
    >>> log.lexicon(log.state) == log.loaded, log.revision, log.can_redo
    (True, 2, True)
    """

    loaded: Lexicon
    settings: Mapping[str, Any] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    changes: dict[int, Step] = field(default_factory=dict)
    state: int = 0
    later: dict[int, int] = field(default_factory=dict)

    @property
    def revision(self) -> int:
        """The number of the last step; 0 before the first."""
        return self.steps[-1].number if self.steps else 0

    @property
    def can_undo(self) -> bool:
        """Whether there is a state before the present one."""
        return self.state != 0

    @property
    def can_redo(self) -> bool:
        """Whether an undo can be taken back."""
        return self.state in self.later

    def path(self, state: int) -> list[Step]:
        """The steps that made a state, the first one first.

        >>> log = Log(Lexicon({"up": ["good", "fine"], "down": ["bad"]}))
        >>> for step in ("edit", "undo", "edit"):  # the second edit begins where the first one did
        ...     log.add(log.move(step) if step in MOVES else log.change(step, {"edits": []}))
        >>> [step.number for step in log.path(1)], [step.number for step in log.path(3)]
        ([1], [3])
        """
        steps: list[Step] = []
        while state:
            if state not in self.changes:
                raise ProblexError(f"there is no state {state} in this session, expected one of its history")
            steps.append(self.changes[state])
            state = self.changes[state].before
        return steps[::-1]

    def edits(self, state: int) -> list[Edit]:
        """All edits that lead from the lexicon as loaded to a state."""
        return [edit for step in self.path(state) for edit in step.edits]

    def lexicon(self, state: int) -> Lexicon:
        """The lexicon of a state."""
        edits = self.edits(state)
        return self.loaded.edited(edits) if edits else self.loaded

    def settings_of(self, state: int) -> dict[str, Any]:
        """The settings of a state.

        >>> log = Log(Lexicon({"up": ["good"], "down": ["bad"]}), {"language": "en", "rule": "count"})
        >>> log.add(log.change("settings", {"settings": {"rule": None, "balance": 0.4}}))  # None: the usual one again
        >>> log.settings_of(1)
        {'language': 'en', 'balance': 0.4}
        """
        chosen = dict(self.settings)
        for step in self.path(state):
            chosen |= step.body.get("settings", {})
        return {name: value for name, value in chosen.items() if value is not None}

    def labels_of(self, state: int) -> Record | None:
        """The labels that move the threshold of a state: the audit, and its last label; None if none do.

        >>> log = Log(Lexicon({"up": ["good"], "down": ["bad"]}))
        >>> for on in (True, False):
        ...     log.add(log.change("labels", {"on": on, "audit": 1, "last": 40}))
        >>> log.labels_of(1)["last"], log.labels_of(2)
        (40, None)
        """
        used = [step.body for step in self.path(state) if step.kind == "labels"]
        return used[-1] if used and used[-1]["on"] else None

    def change(self, kind: str, body: Record, tab: str = "", at: str = "") -> Step:
        """A step that makes a new state; it is not added yet."""
        number = self.revision + 1
        return Step(number, at, tab, kind, body, number, self.state)

    def move(self, kind: str, state: int | None = None, tab: str = "", at: str = "") -> Step:
        """A step to a state that exists: the one before, the one after, or any.

        >>> log = Log(Lexicon({"up": ["good"], "down": ["bad"]}))
        >>> log.add(log.change("edit", {"edits": []}))
        >>> log.move("undo").state, log.move("goto", 0).state
        (0, 0)
        >>> log.move("redo")
        Traceback (most recent call last):
        problex.errors.ProblexError: there is nothing to redo: redo takes back an undo, before the next edit
        """
        if kind == "undo":
            if not self.can_undo:
                raise ProblexError("there is nothing to undo: this is the lexicon as it was loaded")
            state = self.changes[self.state].before
        elif kind == "redo":
            if not self.can_redo:
                raise ProblexError("there is nothing to redo: redo takes back an undo, before the next edit")
            state = self.later[self.state]
        elif state is None or (state != 0 and state not in self.changes):
            raise ProblexError(f"there is no state {state} in this session, expected one of its history")
        return Step(self.revision + 1, at, tab, kind, {}, state, self.state)

    def add(self, step: Step) -> None:
        """Add a step that was taken."""
        if step.number != self.revision + 1:
            raise ProblexError(f"step {step.number} follows step {self.revision} in the session, expected the next")
        self.steps.append(step)
        if step.kind in MOVES:
            if step.kind == "undo":
                self.later[step.state] = step.before
        else:
            self.changes[step.state] = step
            self.later.pop(step.before, None)
        self.state = step.state

    @classmethod
    def replay(cls, loaded: Lexicon, settings: Mapping[str, Any], steps: Iterable[Step]) -> Log:
        """The log of steps that were stored."""
        log = cls(loaded, settings)
        for step in steps:
            log.add(step)
        return log

    def copy(self) -> Log:
        """A log to try steps on."""
        return Log(self.loaded, self.settings, list(self.steps), dict(self.changes), self.state, dict(self.later))


def check_conflict(lexicon: Lexicon, edits: Sequence[Edit]) -> None:
    """Raise if an edit expects its word in another list than it is in.

    >>> check_conflict(Lexicon({"up": ["good"], "down": ["bad"]}), [Edit("good", None, "down")])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.workbench.steps.ConflictError: 'good' is now in 'up', not in no list, because it was changed elsewhere, ...
    """
    lists = {word: name for name, words in lexicon.lists.items() for word in words}
    for edit in edits[:1] if len({edit.entry for edit in edits}) == 1 else edits:
        present = lists.get(edit.entry)
        if present != edit.old:
            is_now, expected = ("in no list" if name is None else f"in {name!r}" for name in (present, edit.old))
            raise ConflictError(
                f"{edit.entry!r} is now {is_now}, not {expected}, because it was changed elsewhere, for example in "
                "another tab: look at the lexicon as it is now, and edit that"
            )
