"""What a check of a lexicon has found: the words, why, the edit that would mend it, and what that edit would do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from problex.counting.counts import Counts
from problex.doctor.associations import OUTSIDE, Change, Company
from problex.doctor.concordance import Context
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import item_of
from problex.matching.tokens import Tokenizer

LACKS = ("inflections", "candidate")
"""Kinds of findings about words that a lexicon has not: a person should look at them before they are added."""


@dataclass(frozen=True)
class Edit:
    """A change of one entry: it leaves the list `old` and goes to the list `new`; None is no list."""

    word: str
    old: str | None
    new: str | None

    def __str__(self) -> str:
        if self.new is None:
            return f"remove {self.word!r} from {self.old}"
        return (
            f"add {self.word!r} to {self.new}"
            if self.old is None
            else f"move {self.word!r} from {self.old} to {self.new}"
        )


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, or worth knowing, and the edits that would mend it (none: nothing to edit).

    `before` and `after` forecast the AUC of counting without and with the edits. `certainty` is the probability that
    the finding holds, where there is one.
    """

    kind: str
    list: str
    words: tuple[str, ...]
    why: str
    edits: tuple[Edit, ...] = ()
    certainty: float | None = None
    before: float = 0.0
    after: float = 0.0
    contexts: tuple[Context, ...] = field(default=(), compare=False)

    @property
    def cost(self) -> float:
        """What the finding costs: the forecast with its edits less the forecast without."""
        return self.after - self.before

    @property
    def rank(self) -> tuple[int, float]:
        """The place among findings: faults by their cost, then what is missing by its worth, then what is to know."""
        group = 2 if self.cost <= 0 else 1 if self.kind in LACKS else 0
        return group, -max(self.cost, 0.0)

    @property
    def edit(self) -> str:
        """The edits in words."""
        shown = "; ".join(str(edit) for edit in self.edits[:6])
        return shown + (f"; and {len(self.edits) - 6:,} more" if len(self.edits) > 6 else "")

    def record(self) -> dict[str, Any]:
        """The finding as plain values."""
        forecast = self.before > 0
        return {
            "kind": self.kind,
            "list": self.list,
            "words": list(self.words),
            "why": self.why,
            "edit": self.edit,
            "cost": round(self.cost, 6) if forecast else None,
            "certainty": None if self.certainty is None else round(self.certainty, 4),
            "forecast_before": round(self.before, 6) if forecast else None,
            "forecast_after": round(self.after, 6) if forecast else None,
            "contexts": [str(line) for line in self.contexts],
            "edits": [{"word": edit.word, "from": edit.old, "to": edit.new} for edit in self.edits],
        }


@dataclass(frozen=True, eq=False)
class Case:
    """What the checks look at: a lexicon, the counts of a corpus for it, and the company of its words."""

    lexicon: Lexicon
    tokenizer: Tokenizer
    counts: Counts
    company: Company

    @cached_property
    def before(self) -> float:
        """The forecast for the lexicon as it is."""
        return self.company.forecast()

    @cached_property
    def written(self) -> Mapping[str, tuple[str, ...]]:
        """The entries of the lexicon as they were written, by what is counted for them."""
        found: dict[str, tuple[str, ...]] = {}
        for words in self.lexicon.lists.values():
            for word in words:
                item, literal = item_of(word, self.tokenizer)
                if literal or "*" not in item:
                    found[item] = (*found.get(item, ()), word)
        return found

    def edits(self, changes: Iterable[Change]) -> tuple[Edit, ...]:
        """Changes of words as edits of the entries that stand for them."""
        lists, found = self.company.lists, []
        for change in changes:
            word = self.company.words[change.word]
            old = None if change.old == OUTSIDE else lists[change.old]
            new = None if change.new == OUTSIDE else lists[change.new]
            found += [Edit(entry, old, new) for entry in (self.written.get(word, (word,)) if old else (word,))]
        return tuple(found)

    def finding(self, kind: str, label: int, words: Iterable[str], why: str, changes: Iterable[Change] = (),
                certainty: float | None = None) -> Finding:  # fmt: skip
        """A finding with its forecast."""
        changes = tuple(changes)
        after = self.company.forecast(changes) if changes else self.before
        name = "" if label == OUTSIDE else self.company.lists[label]
        return Finding(kind, name, tuple(words), why, self.edits(changes), certainty, self.before, after)
