"""What a model makes of a corpus: one pass over scored batches, keeping only what is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex.corpus import Batch, strip_markup
from problex.errors import DocumentError
from problex.estimation.model import Model
from problex.evaluation.shares import Grouping, share_records
from problex.explanation.contributions import Explanation, explain
from problex.scoring.scores import UNDECIDED, Scores

FINE = 0.01
"""Scores are counted in steps of this size, which are joined to bars in the end."""
BARS = 44
TORN = "torn"


@dataclass(frozen=True)
class Example:
    """A document worth showing: `kind` is the label it is most certain of, or "torn"."""

    kind: str
    row: int
    margin: float
    why: Explanation


@dataclass(frozen=True)
class Overview:
    """A corpus as a model sees it, in figures, and a few documents."""

    documents: int
    tokens: int
    matches: int
    empty: int
    unmatched: int
    undecided: int
    missing: int
    invalid: int
    labels: list[dict[str, Any]]
    groups: list[dict[str, Any]]
    scores: list[dict[str, Any]]
    lengths: IntArray
    examples: tuple[Example, ...]


def overview(
    scored: Iterable[tuple[Batch, Scores]],
    model: Model,
    *,
    by: str | None = None,
    certain: int = 3,
    torn: int = 4,
    markup: bool = False,
) -> Overview:
    """Go through scored documents once. `by` is a column that the batches have kept.

    >>> from problex import Lexicon, count, estimate
    >>> from problex.corpus import batches
    >>> from problex.scoring.scorer import score_batches
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad", "a day"] * 20
    >>> model = estimate(count(texts, lexicon), lexicon)
    >>> found = overview(score_batches(batches(texts), model), model)
    >>> found.documents, found.unmatched, [row["hits"] for row in found.labels]
    (120, 20, [40, 40])
    """
    wanted = dict.fromkeys(model.classes, certain) | {TORN: torn}
    seen = _Seen(Grouping.of(by) if by else None, wanted)
    for batch, scores in scored:
        seen.add(batch, scores, markup)
    total = seen.total
    if not total["documents"]:
        raise DocumentError("there are no documents to report on, expected at least one text")
    names = ("documents", "tokens", "matches", "empty", "unmatched", "undecided", "missing", "invalid")
    examples = [
        Example(kind, row, margin, explain(text, model)) for kind in seen.kept for margin, row, text in seen.kept[kind]
    ]
    return Overview(
        **{name: total[name] for name in names},
        labels=share_records({("", label): number for label, number in seen.labels.items()}, model.classes),
        groups=share_records(seen.grouping.tally, model.classes) if seen.grouping else [],
        scores=bars(seen.steps),
        lengths=_quantiles(seen.lengths),
        examples=tuple(examples),
    )


@dataclass
class _Seen:
    """The sums of a pass, and the best examples so far."""

    grouping: Grouping | None
    wanted: Mapping[str, int]
    total: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    steps: Counter[tuple[int, str]] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    kept: dict[str, list[tuple[float, int, str]]] = field(default_factory=dict)

    def add(self, batch: Batch, scores: Scores, markup: bool) -> None:
        labels, values = scores.labels(), _shown_score(scores)
        self.total.update(
            documents=len(labels), tokens=int(scores.lengths.sum()), matches=int(scores.matches.sum()),
            empty=int((scores.lengths == 0).sum()), unmatched=int((scores.matches == 0).sum()),
            undecided=int(scores.undecided.sum()), missing=batch.missing, invalid=batch.invalid,
        )  # fmt: skip
        self.labels.update(labels.tolist())
        steps = np.floor(np.clip(values, -1000.0, 1000.0) / FINE + 1e-9).astype(np.int64)
        self.steps.update(zip(steps.tolist(), labels.tolist(), strict=True))
        self.lengths.update(scores.lengths.tolist())
        if self.grouping is not None and batch.columns is not None:
            self.grouping.add(batch.columns[self.grouping.column].to_pylist(), labels.tolist())
        self._keep(batch, scores, labels, markup)

    def _keep(self, batch: Batch, scores: Scores, labels: NDArray[np.object_], markup: bool) -> None:
        """The documents with the widest margins of each label, and those with the narrowest that have words to say."""
        ordered = np.sort(scores.values, axis=1)
        margins = ordered[:, -1] - ordered[:, -2]
        for kind, number in self.wanted.items():
            fits = (labels != UNDECIDED) & (scores.matches >= 2) if kind == TORN else labels == kind
            places = np.flatnonzero(fits)
            sign = 1.0 if kind == TORN else -1.0
            # A few more than wanted, because texts that stand there twice are shown once.
            best = places[np.argsort(sign * margins[places], kind="stable")[: 4 * number]]
            texts = strip_markup(batch.texts.take(best)) if markup else batch.texts.take(best)
            new = zip(margins[best].tolist(), (best + batch.first_row).tolist(), texts.to_pylist(), strict=True)
            both = sorted([*self.kept.get(kind, []), *new], key=lambda one: (sign * one[0], one[1]))
            first = {one[2]: one for one in reversed(both)}  # of texts that are the same, the first
            self.kept[kind] = sorted(first.values(), key=both.index)[:number]


def _shown_score(scores: Scores) -> NDArray[np.float64]:
    """The decision of two classes; of more, the chance of the chosen one."""
    return scores.decision if len(scores.classes) == 2 else scores.probabilities.max(axis=1)


def bars(steps: Mapping[tuple[int, str], int], *, number: int = BARS) -> list[dict[str, Any]]:
    """Fine steps of scores as bars of even width, a record per bar and label; the outermost 1 % go into the end bars.

    >>> bars({(-10, "bad"): 1, (10, "good"): 3}, number=2)[-1]
    {'low': 0.0, 'high': 0.11, 'label': 'good', 'documents': 3}
    """
    places = sorted(steps)
    values, counts = np.array([at for at, _ in places]), np.array([steps[place] for place in places])
    share = np.cumsum(counts) / counts.sum()
    low, high = values[np.searchsorted(share, [0.005, 0.995])]
    width = max(1, int(np.ceil((high - low + 1) / number)))
    found: Counter[tuple[int, str]] = Counter()
    for (at, label), documents in steps.items():
        found[int(np.clip(at, low, high)) // width, label] += documents
    return [
        {
            "low": round(at * width * FINE, 6),
            "high": round((at + 1) * width * FINE, 6),
            "label": label,
            "documents": documents,
        }
        for (at, label), documents in sorted(found.items())
    ]


def _quantiles(lengths: Mapping[int, int], number: int = 50) -> IntArray:
    """So many lengths that stand for all: enough for a forecast of three digits."""
    sizes = np.array(sorted(lengths), dtype=np.int64)
    share = np.cumsum([lengths[size] for size in sizes.tolist()])
    wanted = (np.arange(number) + 0.5) / number * share[-1]
    return np.asarray(sizes[np.searchsorted(share, wanted)], dtype=np.int64)
