"""What a lexicon under some settings makes of the texts, which are remembered as counts of words.

No web and no files: an `EstimationPlan` comes in (lexicon, settings, labels), and a `Result` goes out (model, scores,
figures).
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex._util.records import Record
from problex.audit.design import model_fingerprint
from problex.audit.thresholds import LabelledTexts, with_labels
from problex.estimation import estimate
from problex.index import WordIndex
from problex.lexicon import Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from problex.model import Model, Settings
from problex.model.evidence import coverage
from problex.scoring import Scores, score_indexed
from problex.workbench.texts import Texts

K = TypeVar("K")
V = TypeVar("V")
KEPT_RESULTS = 8
"""Results that are kept, so that an undo or a comparison need not compute them again."""
KEPT_CORPORA = 2


@dataclass(frozen=True, eq=False)
class EstimationPlan:
    """A lexicon, the settings of its estimate by name, and the labels that move its threshold, if any are used."""

    lexicon: Lexicon
    settings: Mapping[str, Any] = field(default_factory=dict)
    labels: LabelledTexts | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What the result depends on.

        >>> lexicon = Lexicon({"up": ["good"], "down": ["bad"]})
        >>> one, other = {"rule": "count", "shrinkage": 1}, {"shrinkage": 1, "rule": "count"}
        >>> EstimationPlan(lexicon, one).key == EstimationPlan(lexicon, other).key
        True
        """
        labels = None if self.labels is None else (tuple(self.labels.texts), self.labels.codes.tobytes())
        return self.lexicon.fingerprint, repr(sorted(self.settings.items())), labels


@dataclass(frozen=True, eq=False)
class Result:
    """What a plan makes of the texts."""

    plan: EstimationPlan
    model: Model
    scores: Scores
    index: WordIndex

    @cached_property
    def labels(self) -> NDArray[np.object_]:
        """The label of each text."""
        return self.scores.labels()

    @cached_property
    def decision(self) -> FloatArray:
        """One number per text: for two lists the score, for more the margin of the highest list."""
        if len(self.scores.classes) == 2:
            return self.scores.decision
        ordered = np.sort(self.scores.values, axis=1)
        return np.asarray(ordered[:, -1] - ordered[:, -2], dtype=np.float64)

    def scored(self, row: int) -> Record:
        """The label and the score of a text."""
        return {"label": str(self.labels[row]), "score": float(self.decision[row])}

    @cached_property
    def probabilities(self) -> FloatArray:
        """The probability of the label of each text."""
        return np.asarray(self.scores.probabilities.max(axis=1), dtype=np.float64)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the model without labels."""
        return model_fingerprint(self.model)

    @cached_property
    def list_tokens(self) -> FloatArray:
        """How many tokens of each list every text has: a row per text, a column per list."""
        evidence = self.model.evidence
        member = np.zeros((len(evidence.entries), len(self.scores.classes)))
        member[np.arange(len(evidence.entries)), evidence.list_index] = 1.0
        return np.asarray(self.index.rows(evidence.entries) @ member, dtype=np.float64)

    @cached_property
    def figures(self) -> Record:
        """The figures that stand above every screen."""
        evidence, names = self.model.evidence, (*self.scores.classes, "undecided")
        numbers = Counter(self.labels.tolist())
        seen = evidence.occurrences > 0
        return {
            "coverage": float(coverage(evidence, np.ones(len(seen), dtype=bool)).sum()),
            "undecided": numbers["undecided"],
            "undecided_share": numbers["undecided"] / max(len(self.labels), 1),
            "documents": len(self.labels),
            "entries": len(self.model.lexicon),
            "used": int(((self.model.predictiveness != 0) & seen).sum()),
            "unseen": int((~seen).sum()),
            "labels": [{"label": name, "documents": numbers[name]} for name in names],
            "fallback": self.fallback,
            "balance": self.balance,
            "threshold_source": self.model.threshold_source,
        }

    @property
    def fallback(self) -> str | None:
        """A sentence if the weights could not be estimated, so that words are only counted."""
        if not self.model.solution.fallback:
            return None
        return "The texts say too little about these lists to learn weights: every word counts the same."

    @property
    def balance(self) -> str | None:
        """A sentence if the share of a list depends much on the balance of the lists, unless labels have settled it."""
        shift = self.model.balance_shift
        if shift is None or self.model.calibration.labels:
            return None
        ways = "compare with the balance '{balance}' on the screen Compare", "label 40 texts on the screen Audit"
        return f"{shift.describe(*ways)}."


class Recent(OrderedDict[K, V]):
    """The values that were used last, at most `size` of them.

    >>> squares = Recent(2)
    >>> [squares.get_or_make(number, lambda number=number: number**2) for number in (1, 2, 1, 3)], list(squares)
    ([1, 4, 1, 9], [1, 3])
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def get_or_make(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key; one that is not here is made."""
        if key not in self:
            self[key] = make()
            if len(self) > self.size:
                self.popitem(last=False)
        self.move_to_end(key)
        return self[key]


@dataclass(eq=False)
class Results:
    """Texts, the way they are tokenised, and the results of the last plans."""

    texts: Texts
    tokenizer: Tokenizer
    corpora: Recent[tuple[object, ...], WordIndex] = field(default_factory=lambda: Recent(KEPT_CORPORA))
    kept: Recent[tuple[object, ...], Result] = field(default_factory=lambda: Recent(KEPT_RESULTS))
    lock: threading.RLock = field(default_factory=threading.RLock)

    def index(self, lexicon: Lexicon, progress: Callable[[float], None] | None = None) -> WordIndex:
        """The texts as counts of words; those with the phrases and literals of the lexicon."""
        items, texts = items_of(lexicon, self.tokenizer), self.texts.texts

        def make() -> WordIndex:
            if self.corpora:
                return next(reversed(self.corpora.values())).updated(texts, lexicon)
            return WordIndex.of(texts, lexicon, self.tokenizer, progress=progress)

        with self.lock:
            key = (frozenset(items.phrases), frozenset(items.literals), items.segmented)
            return self.corpora.get_or_make(key, make)

    def of(self, plan: EstimationPlan) -> Result:
        """The model and the scores of a plan; raise if nothing can be learned with it."""
        with self.lock:
            return self.kept.get_or_make(plan.key, lambda: self._compute(plan))

    def _compute(self, plan: EstimationPlan) -> Result:
        settings, index = Settings.from_options(**plan.settings), self.index(plan.lexicon)
        counts = index.counts(plan.lexicon)
        model = estimate(counts, plan.lexicon, tokenizer=index.tokenizer, **vars(settings))
        if plan.labels is not None:
            model = with_labels(model, plan.labels)
        return Result(plan, model, score_indexed(index, model), index)
