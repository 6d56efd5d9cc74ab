"""`explain`: the score of a text as a sum over its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util._rows import capped
from problex._util.arrays import FloatArray
from problex._util.records import Record
from problex.errors import ProblexError
from problex.explanation.views import as_html, headline
from problex.matching.negation import NEGATED
from problex.matching.reference import LocatedMatch, locate_matches
from problex.model.expansion import Expansion
from problex.model.model import Model
from problex.scoring.scorer import Scorer, make_scorer

Values = tuple[float, ...]
LEXICON, BEYOND = "lexicon", "beyond the lexicon"


@dataclass(frozen=True)
class Contribution:
    """The amount that one word adds to each class: weight * effective count * tempering, in favour of `towards`.

    The weight is the difference that one occurrence makes between the class it favours and the others;
    `effective_count` is what all occurrences are worth, in single ones.
    """

    entry: str
    list: str
    source: str
    count: int
    effective_count: float
    weight: float
    towards: str
    values: Values

    @property
    def decision(self) -> float:
        """The share of the decision function, for two classes."""
        return self.values[1] - self.values[0]

    @property
    def strength(self) -> float:
        """The difference between the class that it favours most and the one that it favours least.

        >>> Contribution("good", "up", LEXICON, 1, 1.0, 2.0, "up", (-0.5, 0.25, 1.5)).strength
        2.0
        """
        return max(self.values) - min(self.values)


@dataclass(frozen=True)
class Span:
    """One occurrence of a word in the text, with its share of the word's contribution."""

    entry: str
    start: int
    end: int
    phrase: bool
    values: Values


@dataclass(frozen=True, repr=False)
class Explanation:
    """A document's score, word by word: `contributions` and `prior` add up to `scores`.

    `threshold` is the part of `prior` that is due to the threshold between the labels. It is limited to half of what
    the words say; `whole_threshold` is the same without the limit. Probabilities are the softmax of the scores times
    `certainty`, which is below one for short texts.
    A notebook shows it as HTML; `record` is all of it for JSON, `records` a record per word.
    """

    text: str
    rule: str
    classes: tuple[str, ...]
    label: str
    scores: Values
    probabilities: Values
    calibrated: bool
    prior: Values
    threshold: Values
    whole_threshold: Values
    tempering: float
    certainty: float
    tokens: int
    contributions: tuple[Contribution, ...]
    spans: tuple[Span, ...]
    unlocated: int = 0

    def records(self) -> list[Record]:
        """A record per word, the strongest first."""
        return [
            {
                "entry": part.entry,
                "list": part.list,
                "source": part.source,
                "count": part.count,
                "effective_count": part.effective_count,
                "weight": part.weight,
                "towards": part.towards,
                "contribution": part.decision if len(self.classes) == 2 else part.strength,
            }
            | dict(zip(self.classes, part.values, strict=True))
            for part in self.contributions
        ]

    def sums(self) -> list[Record]:
        """The prior, the threshold, the words of the lexicon, those beyond it, and their sum: the score."""
        prior = tuple(np.subtract(self.prior, self.threshold).tolist())
        parts: dict[str, Sequence[Values]] = {"prior": [prior], "threshold": [self.threshold]}
        for source in (LEXICON, BEYOND):
            parts[source] = [part.values for part in self.contributions if part.source == source]
        parts["score"] = [self.scores]
        rows = []
        for name, values in parts.items():
            total = np.sum(values, axis=0) if values else np.zeros(len(self.classes))
            row: Record = {"part": name, "words": len(values) if name in (LEXICON, BEYOND) else None}
            row |= dict(zip(self.classes, total.tolist(), strict=True))
            rows.append(row | ({"decision": float(total[1] - total[0])} if len(self.classes) == 2 else {}))
        return rows

    def pieces(self) -> list[Record]:
        """The text, cut where matches begin and end; a piece with several matches has their sum."""
        edges = {0, len(self.text)}.union(*((span.start, span.end) for span in self.spans))
        cuts = sorted(edges)
        over: list[list[Span]] = [[] for _ in cuts]
        place = {cut: at for at, cut in enumerate(cuts)}
        for span in self.spans:
            for at in range(place[span.start], place[span.end]):
                over[at].append(span)
        pieces = list(zip(cuts, cuts[1:], over, strict=False))
        sums = [np.sum([span.values for span in here], axis=0) if here else None for *_, here in pieces]
        top = max([0.1, *(float(np.ptp(total)) for total in sums if total is not None)])
        return [
            {"text": self.text[start:end], "start": start, "end": end} | self._mark(here, total, top)
            for (start, end, here), total in zip(pieces, sums, strict=True)
        ]

    def _mark(self, here: list[Span], total: FloatArray | None, top: float) -> Record:
        if total is None:
            return {"entries": []}
        strength = float(np.ptp(total))
        return {
            "entries": [span.entry for span in here],
            "towards": self.classes[int(total.argmax())] if strength > 0 else "",
            "contribution": float(total[1] - total[0]) if len(self.classes) == 2 else strength,
            "intensity": strength / top,
            "phrase": any(span.phrase for span in here),
            "negated": any(span.entry.startswith(NEGATED) for span in here),
        }

    def record(self) -> Record:
        """The whole explanation for JSON, the terminal and pages."""
        return {
            "text": self.text,
            "rule": self.rule,
            "classes": list(self.classes),
            "label": self.label,
            "decision": self.scores[1] - self.scores[0] if len(self.classes) == 2 else None,
            "scores": dict(zip(self.classes, self.scores, strict=True)),
            "probabilities": dict(zip(self.classes, self.probabilities, strict=True)),
            "calibrated": self.calibrated,
            "prior": dict(zip(self.classes, self.prior, strict=True)),
            "threshold": dict(zip(self.classes, self.threshold, strict=True)),
            "whole_threshold": dict(zip(self.classes, self.whole_threshold, strict=True)),
            "tempering": self.tempering,
            "certainty": self.certainty,
            "tokens": self.tokens,
            "unlocated": self.unlocated,
            "sums": self.sums(),
            "contributions": self.records(),
            "pieces": self.pieces(),
        }

    def __repr__(self) -> str:
        return f"Explanation({headline(self.record())})"

    def _repr_html_(self) -> str:
        return as_html(self.record())


def explain(text: str, model: Model, *, rule: str | None = None, temper: str | None = None) -> Explanation:
    """Explain the score of one text.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> why = explain("a fine, fine film, if bad", estimate(count(texts, lexicon), lexicon))
    >>> [(part.entry, part.count, part.list) for part in why.contributions], why.label
    ([('fine', 2, 'positive'), ('bad', 1, 'negative')], 'positive')
    >>> [(span.entry, span.start, span.end) for span in why.spans]
    [('fine', 2, 6), ('fine', 8, 12), ('bad', 22, 25)]
    """
    if not isinstance(text, str):
        raise ProblexError(f"a text was given as {type(text).__name__}, expected one string")
    scorer = make_scorer(model, rule, temper)
    texts = pa.array([text], pa.large_string())
    rows = scorer.count(texts)
    order = np.argsort(rows.columns)
    rows = rows._replace(columns=rows.columns[order], counts=rows.counts[order])
    sums = scorer.add_features(texts, scorer.sums(rows), rows.lengths)
    scores = scorer.finish(sums, rows)
    certainty = float(scorer.certainty(rows.lengths)[0])
    share = 1.0 if scorer.expansion is None else scorer.expansion.lexicon_weight
    factor = certainty * float(scorer.factors(rows.lengths)[0]) / share
    threshold = certainty * capped(scorer.offsets, sums.evidence)[0]
    parts = tuple(_contributions(scorer, rows.columns, rows.counts, factor))
    if scorer.expansion is not None:
        learned = _learned(texts, scorer, scorer.expansion, certainty * scorer.calibration.sharpness, factor)
        parts = (*_scaled(parts, share), *learned)
    known = {part.entry for part in parts}
    located = locate_matches(text, model.items, model.tokenizer)
    named = [replace(one, item=model.items.known_name(one.item, known)) for one in located]
    occurrences = [one for one in named if one.item in known or one.negated]
    return Explanation(
        text=text,
        rule=rule or model.settings.rule,
        classes=model.classes,
        label=str(scores.labels()[0]),
        scores=tuple(scores.values[0].tolist()),
        probabilities=tuple(scores.probabilities[0].tolist()),
        calibrated=scores.platt is not None,
        prior=tuple((scorer.log_prior + threshold).tolist()),
        threshold=tuple(threshold.tolist()),
        whole_threshold=tuple((certainty * scorer.offsets).tolist()),
        tempering=factor,
        certainty=float(scores.calibration.length_factor(scores.lengths)[0]),
        tokens=int(rows.lengths[0]),
        contributions=tuple(sorted(parts, key=lambda part: (-part.strength, part.entry))),
        spans=tuple(_spans(occurrences, parts, len(model.classes))),
        unlocated=sum(one.position is None for one in occurrences),
    )


def _contributions(
    scorer: Scorer, columns: NDArray[Any], counts: NDArray[Any], factor: float
) -> Iterator[Contribution]:
    """A contribution per word; its weight is what the rule gives for one occurrence."""
    whole = scorer.rule.contribution(scorer.weights, columns, counts)
    once = scorer.rule.contribution(scorer.weights, columns, np.ones_like(counts))
    for at, column in enumerate(columns):
        entry, weight = scorer.words[column], float(np.ptp(once[at]))
        own = scorer.items.find(entry)
        yield Contribution(
            entry=entry,
            list="" if own is None else scorer.classes[own],
            source=BEYOND if own is None else LEXICON,
            count=int(counts[at]),
            effective_count=float(np.ptp(whole[at])) / weight if weight else float(counts[at]),
            weight=weight,
            towards=scorer.classes[int(whole[at].argmax())] if weight else "",
            values=tuple((whole[at] * factor).tolist()),
        )


def _scaled(parts: Sequence[Contribution], share: float) -> Iterator[Contribution]:
    """The contributions of the lexicon times its weight relative to the learned words.

    >>> good = Contribution("good", "up", LEXICON, 2, 2.0, 1.0, "up", (0.0, 2.0))
    >>> [(part.weight, part.values, part.effective_count) for part in _scaled([good], 0.25)]
    [(0.25, (0.0, 0.5), 2.0)]
    """
    for part in parts:
        yield replace(part, weight=share * part.weight, values=tuple(share * value for value in part.values))


def _learned(
    texts: pa.Array, scorer: Scorer, expansion: Expansion, scale: float, factor: float
) -> Iterator[Contribution]:
    """What learned words and pairs of neighbours add; their weight is that of one occurrence in a typical document."""
    for entry, count, worth, part in expansion.parts(scorer.tokens(texts, expansion)):
        weight, values = float(np.ptp(worth)), scale * part
        yield Contribution(
            entry=entry,
            list="",
            source=BEYOND,
            count=count,
            effective_count=float(np.ptp(values)) / (weight * factor) if weight else float(count),
            weight=weight,
            towards=scorer.classes[int(worth.argmax())] if weight else "",
            values=tuple(values.tolist()),
        )


def _spans(matches: Sequence[LocatedMatch], parts: Sequence[Contribution], classes: int) -> Iterator[Span]:
    """Each occurrence with its share of the word's contribution; a negated word may be without one.

    >>> good = Contribution("good", "up", LEXICON, 2, 2.0, 1.0, "up", (0.0, 2.0))
    >>> matches = [LocatedMatch("good", position, False) for position in ((0, 4), (5, 9), None)]
    >>> [(span.start, span.end, span.values) for span in _spans(matches, [good], 2)]
    [(0, 4, (0.0, 1.0)), (5, 9, (0.0, 1.0))]
    """
    shares: dict[str, FloatArray] = {}
    for part in parts:
        shares[part.entry] = shares.get(part.entry, np.zeros(classes)) + np.array(part.values) / part.count
    for one in matches:
        if one.position is not None:
            share = shares.get(one.item, np.zeros(classes))
            yield Span(one.item, *one.position, one.phrase, tuple(share.tolist()))
