"""Findings about a lexicon: the words, the reason, the edits that would help, and their expected effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy.special import ndtr

from problex._util.arrays import FloatArray
from problex._util.records import Record
from problex.counting.counts import Counts
from problex.doctor.associations import OUTSIDE, Associations, Change
from problex.doctor.concordance import Context
from problex.doctor.usage import HeldOut, Trial, Usage, Use, measure_usage
from problex.expansion.learn import OutsideView
from problex.lexicon.edits import Edit
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import has_wildcard, item_of
from problex.matching.tokens import Tokenizer

ADDITION_KINDS = ("inflections", "candidate")
"""Kinds of findings about words that are not in the lexicon: review them before they are added."""
MAX_EDITS_SHOWN = 6
MIN_OCCURRENCES = 5
"""Words with fewer occurrences are too rare to be judged."""
MIN_GAIN = 0.0001
"""The gain in AUC below which an edit is not proposed."""


@dataclass(frozen=True)
class Finding:
    """A fault, a word to add or a note, with the edits that would help (none: nothing to edit).

    `before` and `after` are the AUC of counting that is forecast without and with the edits. `certainty` is the
    probability that the finding is true, for the kinds that have one, `support` that of a list of a topic by the other
    words, for findings about a list. `trial` is the change of accuracy on texts that other words labelled, for lists of
    topics.
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
    support: float | None = None
    trial: Trial | None = None

    @property
    def cost(self) -> float:
        """The forecast with the edits minus the forecast without."""
        return self.after - self.before

    @property
    def is_worthwhile(self) -> bool:
        """Whether it is a note, or its edits gain at least `MIN_GAIN` and raised the accuracy when they were tried.

        >>> from dataclasses import replace
        >>> finding = Finding("wildcard", "up", ("a*",), "", before=0.75, after=0.76)
        >>> finding.is_worthwhile, replace(finding, after=0.75005).is_worthwhile
        (True, False)
        >>> replace(finding, trial=Trial(-0.01, 0.02)).is_worthwhile, replace(finding, after=0.75).is_worthwhile
        (False, True)
        """
        return self.cost <= 0 or (self.cost >= MIN_GAIN and (self.trial is None or self.trial.helps))

    @property
    def rank(self) -> tuple[int, float]:
        """Sort key: faults by cost, then words to add by gain, then notes.

        >>> [Finding(kind, "", (), "", before=0.5, after=0.75).rank for kind in ("ambiguous", "candidate")]
        [(0, -0.25), (1, -0.25)]
        >>> Finding("ambiguous", "", (), "", before=0.5, after=0.5).rank[0]
        2
        """
        group = 2 if self.cost <= 0 else 1 if self.kind in ADDITION_KINDS else 0
        return group, -max(self.cost, 0.0)

    @property
    def edit(self) -> str:
        """The edits in words.

        >>> Finding("wrong side", "up", ("a", "b"), "", (Edit("a", "up", "down"), Edit("b", "up", None))).edit
        "move 'a' from up to down; remove 'b' from up"
        """
        text = "; ".join(str(edit) for edit in self.edits[:MAX_EDITS_SHOWN])
        rest = len(self.edits) - MAX_EDITS_SHOWN
        return f"{text}; and {rest:,} more" if rest > 0 else text

    def record(self) -> Record:
        """The finding as plain values."""
        has_forecast = self.before > 0
        return {
            "kind": self.kind,
            "list": self.list,
            "words": list(self.words),
            "why": self.why,
            "edit": self.edit,
            "cost": round(self.cost, 6) if has_forecast else None,
            "certainty": None if self.certainty is None else round(self.certainty, 4),
            "support": None if self.support is None else round(self.support, 4),
            "accuracy_gain": None if self.trial is None else round(self.trial.gain, 6),
            "accuracy_gain_error": None if self.trial is None else round(self.trial.error, 6),
            "forecast_before": round(self.before, 6) if has_forecast else None,
            "forecast_after": round(self.after, 6) if has_forecast else None,
            "contexts": [str(context) for context in self.contexts],
            "edits": [{"word": edit.word, "from": edit.old, "to": edit.new} for edit in self.edits],
        }


@dataclass(frozen=True, eq=False)
class Case:
    """The input of the checks: a lexicon, the counts of a corpus for it, and the associations of its words.

    `view` is, for lists of topics, what the words outside the lists say about some texts.
    """

    lexicon: Lexicon
    tokenizer: Tokenizer
    counts: Counts
    associations: Associations
    view: OutsideView | None = None

    @cached_property
    def before(self) -> float:
        """The forecast for the lexicon as it is."""
        return self.associations.forecast()

    @property
    def support(self) -> Mapping[str, float]:
        """For lists of topics, the support of each list by the other words."""
        names = self.associations.lists
        return {} if self.view is None else dict(zip(names, self.view.support.tolist(), strict=True))

    @cached_property
    def held_out(self) -> HeldOut | None:
        """For three lists or more, texts on which edits are tried; for two the forecast is reliable enough."""
        if self.view is None or len(self.associations.lists) == 2:
            return None
        lists = dict(zip(self.counts.entries, self.counts.list_index.tolist(), strict=True))
        index = np.array([lists.get(word, OUTSIDE) for word in self.view.words], dtype=np.int64)
        return HeldOut(self.view, index, len(self.associations.lists))

    def tried(self, finding: Finding, changes: Iterable[Change]) -> Finding:
        """A finding after its changes were tried; its certainty is then that of a higher accuracy."""
        if self.held_out is None:
            return finding
        words = self.associations.words
        trial = self.held_out.attempt((words[change.word], change.old, change.new) for change in changes)
        why = f"{finding.why}; tried on texts labelled by their other words, accuracy {trial.gain:+.4f}"
        return replace(finding, trial=trial, certainty=trial.certainty, why=f"{why} (standard error {trial.error:.4f})")

    @cached_property
    def usage(self) -> Usage:
        """The lists that lead in the documents of the entries."""
        return measure_usage(self.counts)

    @cached_property
    def _entry_index(self) -> Mapping[str, int]:
        return {entry: at for at, entry in enumerate(self.counts.entries)}

    def use(self, word: int) -> Use:
        """How an entry is used, by its index in the associations."""
        return self.usage.of(self._entry_index[self.associations.words[word]])

    @cached_property
    def _word_index(self) -> Mapping[str, int]:
        return {word: at for at, word in enumerate(self.counts.words.to_pylist())}

    def rates(self, word: int) -> FloatArray:
        """Occurrences of a word per document in which each list leads, without the word itself."""
        if self.associations.list_index[word] != OUTSIDE:
            return self.use(word).rates
        imputed, at = self.counts.imputed, self._word_index.get(self.associations.words[word])
        if imputed is None or at is None:
            return np.zeros(len(self.associations.lists))
        return np.asarray(imputed[at] / np.maximum(self.counts.imputed_documents, 1), dtype=np.float64)

    def qualifies(self, word: int, label: int) -> bool:
        """Whether a word can be proposed for a list: it is associated with it, and most of its uses are the list's."""
        return self.associations.qualifies(word, label) and self.is_mostly(word, label)

    def certainty(self, word: int, label: int) -> float:
        """The probability that a word is associated with a list more than the mean of its entries."""
        associations = self.associations
        excess = associations.estimate[word, label] - associations.list_mean[label]
        return float(ndtr(excess / associations.std_error[word, label]))

    def is_mostly(self, word: int, label: int) -> bool:
        """Whether most uses of a word are those of a list, at the same number of documents of each list."""
        rates = self.rates(word)
        return bool(rates[label] >= rates.sum() / 2)

    @cached_property
    def written(self) -> Mapping[str, tuple[str, ...]]:
        """The entries as they were written, by the item that is counted for them; wildcards are left out."""
        written: dict[str, tuple[str, ...]] = {}
        for entries in self.lexicon.lists.values():
            for entry in entries:
                item, literal = item_of(entry, self.tokenizer)
                if literal or not has_wildcard(item, self.tokenizer.glob):
                    written[item] = (*written.get(item, ()), entry)
        return written

    def edits(self, changes: Iterable[Change]) -> tuple[Edit, ...]:
        """Changes of words as edits of entries."""
        lists, edits = self.associations.lists, []
        for change in changes:
            word = self.associations.words[change.word]
            old = None if change.old == OUTSIDE else lists[change.old]
            new = None if change.new == OUTSIDE else lists[change.new]
            entries = self.written.get(word, (word,)) if old else (word,)
            edits += [Edit(entry, old, new) for entry in entries]
        return tuple(edits)

    def finding(
        self,
        kind: str,
        label: int,
        words: Iterable[str],
        why: str,
        changes: Iterable[Change] = (),
        certainty: float | None = None,
    ) -> Finding:
        """A finding with its forecast."""
        changes = tuple(changes)
        after = self.associations.forecast(changes) if changes else self.before
        name = "" if label == OUTSIDE else self.associations.lists[label]
        finding = Finding(kind, name, tuple(words), why, self.edits(changes), certainty, self.before, after)
        return self.tried(finding, changes) if changes else finding
