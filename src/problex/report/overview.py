"""Totals, shares, scores and example documents of a corpus, in one pass over scored batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex._util.records import Record
from problex.corpus import Batch, strip_markup
from problex.errors import DocumentError
from problex.explanation.contributions import Explanation, explain
from problex.grouping.grouping import make_grouping
from problex.model.model import Model
from problex.scoring.scores import UNDECIDED, Scores
from problex.shares.counting import ALL_DOCUMENTS, MAX_GROUPS, Labelled, ShareCounter, share_records
from problex.shares.grid import GridCounts

STEP = 0.01
"""Scores are counted in steps of this size, which are joined to the bars of a histogram in the end."""
MAX_SCORE = 1000.0
BARS = 44
MIN_MATCHES = 2
"""Matches that the least certain documents must have to be shown."""
LEAST_CERTAIN = "least certain"


@dataclass(frozen=True)
class Example:
    """A document to show: `kind` is its label if it is among the most certain, or `LEAST_CERTAIN`."""

    kind: str
    row: int
    margin: float
    why: Explanation


@dataclass(frozen=True)
class Overview:
    """The figures of a corpus under a model, and a few documents.

    `labels` and `groups` are the records of `share_records`, `grid` has the documents by group and probability.
    `lengths` has the number of documents of each length, `copies` says how many are copies of others.
    """

    documents: int
    tokens: int
    matches: int
    empty: int
    unmatched: int
    undecided: int
    missing: int
    invalid: int
    labels: list[Record]
    groups: list[Record]
    scores: list[Record]
    lengths: Mapping[int, int]
    examples: tuple[Example, ...]
    copies: str = ""
    grid: GridCounts | None = None


def overview(
    scored: Iterable[tuple[Batch, Scores]],
    model: Model,
    *,
    by: str | None = None,
    every: str | None = None,
    date_order: str | None = None,
    certain: int = 3,
    uncertain: int = 4,
    markup: bool = False,
    labelled: Labelled | None = None,
) -> Overview:
    """Summarize scored documents in one pass.

    `by` is a column that the batches have kept, `every` and `date_order` are those of `Grouping`; `certain` and
    `uncertain` are the numbers of example documents, `labelled` are documents of an audit.

    >>> from problex import Lexicon, count, estimate
    >>> from problex.corpus import batches
    >>> from problex.scoring.scorer import score_batches
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad", "a day"] * 20
    >>> model = estimate(count(texts, lexicon), lexicon)
    >>> summary = overview(score_batches(batches(texts), model), model)
    >>> summary.documents, summary.unmatched, [row["hits"] for row in summary.labels]
    (120, 20, [40, 40, 40])
    """
    numbers = dict.fromkeys(model.classes, certain) | {LEAST_CERTAIN: uncertain}
    counter = ShareCounter.for_classes(make_grouping(by, every, date_order), model.classes, labelled)
    sums = _Sums(counter, numbers)
    for batch, scores in scored:
        sums.add(batch, scores, markup)
    total = sums.total
    if not total["documents"]:
        raise DocumentError("there are no documents to report on, expected at least one text")
    names = ("documents", "tokens", "matches", "empty", "unmatched", "undecided", "missing", "invalid")
    examples = [
        Example(kind, row, margin, explain(text, model))
        for kind, rows in sums.best.items()
        for margin, row, text in rows
    ]
    return Overview(
        **{name: total[name] for name in names},
        labels=share_records({(ALL_DOCUMENTS, label): n for label, n in counter.labels.items()}, model.classes),
        groups=share_records(counter.tally(), model.classes) if counter.grouping else [],
        grid=counter.grid_counts(MAX_GROUPS) if counter.grid else None,
        scores=histogram(sums.steps),
        lengths=dict(sorted(sums.lengths.items())),
        examples=tuple(examples),
        copies=counter.copies.describe(),
    )


@dataclass
class _Sums:
    """The sums over the batches so far, and the best examples of each kind as (margin, row, text)."""

    counter: ShareCounter
    numbers: Mapping[str, int]
    total: Counter[str] = field(default_factory=Counter)
    steps: Counter[tuple[int, str]] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    best: dict[str, list[tuple[float, int, str]]] = field(default_factory=dict)

    def add(self, batch: Batch, scores: Scores, markup: bool) -> None:
        labels, values = scores.labels(), _plain_scores(scores)
        self.total.update(
            documents=len(labels),
            tokens=int(scores.lengths.sum()),
            matches=int(scores.matches.sum()),
            empty=int((scores.lengths == 0).sum()),
            unmatched=int((scores.matches == 0).sum()),
            undecided=int(scores.undecided.sum()),
            missing=batch.missing,
            invalid=batch.invalid,
        )
        self.counter.add(batch, scores)
        steps = np.floor(np.clip(values, -MAX_SCORE, MAX_SCORE) / STEP + 1e-9).astype(np.int64)
        self.steps.update(zip(steps.tolist(), labels.tolist(), strict=True))
        self.lengths.update(scores.lengths.tolist())
        self._update_examples(batch, scores, labels, markup)

    def _update_examples(self, batch: Batch, scores: Scores, labels: NDArray[np.object_], markup: bool) -> None:
        """Keep the documents with the largest margins of each label, and those with the smallest; each text once."""
        ordered = np.sort(scores.values, axis=1)
        margins = ordered[:, -1] - ordered[:, -2]
        for kind, number in self.numbers.items():
            fits = labels == kind
            if kind == LEAST_CERTAIN:
                fits = (labels != UNDECIDED) & (scores.matches >= MIN_MATCHES)
            places = np.flatnonzero(fits)
            sign = 1.0 if kind == LEAST_CERTAIN else -1.0
            # More than the number, because a text that occurs several times is shown once.
            best = places[np.argsort(sign * margins[places], kind="stable")[: 4 * number]]
            texts = strip_markup(batch.texts.take(best)) if markup else batch.texts.take(best)
            new = zip(margins[best].tolist(), (best + batch.first_row).tolist(), texts.to_pylist(), strict=True)
            both = sorted([*self.best.get(kind, []), *new], key=lambda one: (sign * one[0], one[1]))
            first = {one[2]: one for one in reversed(both)}  # of equal texts the first
            self.best[kind] = sorted(first.values(), key=both.index)[:number]


def _plain_scores(scores: Scores) -> FloatArray:
    """One number per document: the decision function of two classes, of more the largest probability."""
    return scores.decision if len(scores.classes) == 2 else scores.probabilities.max(axis=1)


def histogram(steps: Mapping[tuple[int, str], int]) -> list[Record]:
    """Counts by step and label as bars of equal width: a record per bar and label.

    The end bars contain the outermost .5 % of the documents on either side. Zero is always the border of a bar.

    >>> histogram({(-10, "bad"): 1, (10, "good"): 3})[-1]
    {'low': 0.1, 'high': 0.11, 'label': 'good', 'documents': 3}
    """
    keys = sorted(steps)
    values, counts = np.array([step for step, _ in keys]), np.array([steps[key] for key in keys])
    share = np.cumsum(counts) / counts.sum()
    low, high = values[np.searchsorted(share, [0.005, 0.995])]
    width = max(1, int(np.ceil((high - low + 1) / BARS)))
    bars: Counter[tuple[int, str]] = Counter()
    for (step, label), documents in steps.items():
        bars[int(np.clip(step, low, high)) // width, label] += documents
    return [
        {
            "low": round(bar * width * STEP, 6),
            "high": round((bar + 1) * width * STEP, 6),
            "label": label,
            "documents": documents,
        }
        for (bar, label), documents in sorted(bars.items())
    ]
