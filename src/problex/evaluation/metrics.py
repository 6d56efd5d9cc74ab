"""How good it is where labels exist: AUC and friends with bootstrap intervals, and the supervised bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex.errors import ProblexError
from problex.evaluation.ranking import auc
from problex.scoring.scores import Scores


@dataclass(frozen=True)
class Measure:
    """One figure with its interval."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Evaluation:
    """Measures of a model against labels, and its reliability by bins of confidence."""

    documents: int
    undecided: int
    measures: tuple[Measure, ...]
    reliability: tuple[dict[str, float], ...]

    def records(self) -> list[dict[str, Any]]:
        """A record per measure."""
        return [
            {"measure": m.name, "value": round(m.value, 4), "low": round(m.low, 4), "high": round(m.high, 4)}
            for m in self.measures
        ]

    def __getitem__(self, name: str) -> float:
        return next(measure.value for measure in self.measures if measure.name == name)


def evaluate(
    labels: Sequence[str] | NDArray[Any], scores: Scores, *, resamples: int = 200, level: float = 0.95, seed: int = 0
) -> Evaluation:
    """Compare scores with true labels; intervals by resampling documents. An undecided document counts as wrong."""
    truth = np.asarray(labels, dtype=object)
    _check_labels(truth, scores)
    codes = np.array([scores.classes.index(label) for label in truth])
    decided = ~scores.undecided
    chosen = np.where(decided, scores.values.argmax(axis=1), -1)
    probabilities = scores.probabilities

    def measure(rows: NDArray[np.int64]) -> dict[str, float]:
        return _measures(codes[rows], chosen[rows], scores.values[rows], probabilities[rows])

    everything = np.arange(len(codes))
    whole = measure(everything)
    random = np.random.default_rng(seed)
    draws = [_resample(random, codes) for _ in range(resamples)]
    samples = [measure(rows) for rows in draws]
    tail = (1 - level) / 2
    found = []
    for name, value in whole.items():
        values = np.array([sample[name] for sample in samples]) if samples else np.array([value])
        low, high = np.quantile(values, [tail, 1 - tail])
        found.append(Measure(name, value, float(low), float(high)))
    return Evaluation(len(codes), int((~decided).sum()), tuple(found), tuple(reliability(codes, probabilities)))


def _resample(random: np.random.Generator, codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Draw documents with replacement within each label, so that every resample has all of them."""
    parts = [np.flatnonzero(codes == label) for label in np.unique(codes)]
    return np.concatenate([random.choice(part, len(part)) for part in parts])


def _measures(codes: Any, chosen: Any, values: FloatArray, probabilities: FloatArray) -> dict[str, float]:
    """Every measure, in plain numpy: scikit-learn checks its input each time, which a bootstrap need not."""
    present = np.unique(codes)
    found = {"auc": auc(codes, values)} if len(present) > 1 else {}
    found["accuracy"] = float(np.mean(chosen == codes))
    found["f1"] = float(np.mean([_f1(codes == label, chosen == label) for label in present]))
    found["log_loss"] = float(-np.mean(np.log(np.clip(probabilities[np.arange(len(codes)), codes], 1e-15, 1.0))))
    found["calibration_error"] = calibration_error(codes, probabilities)
    return found


def _f1(truth: NDArray[np.bool_], guess: NDArray[np.bool_]) -> float:
    return float(2 * np.sum(truth & guess) / (np.sum(truth) + np.sum(guess)))


def reliability(codes: NDArray[np.int64], probabilities: FloatArray, bins: int = 10) -> list[dict[str, float]]:
    """Confidence against accuracy in equal bins of the top probability; empty bins are left out."""
    confidence, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == codes
    bin_of = np.minimum((confidence * bins).astype(int), bins - 1)
    rows = []
    for at in np.unique(bin_of):
        inside = bin_of == at
        row: dict[str, float] = {"documents": int(inside.sum()), "confidence": float(confidence[inside].mean())}
        rows.append(row | {"accuracy": float(right[inside].mean())})
    return rows


def calibration_error(codes: NDArray[np.int64], probabilities: FloatArray) -> float:
    """Expected calibration error: how far confidence is from accuracy, on average over documents."""
    rows = reliability(codes, probabilities)
    return float(sum(r["documents"] * abs(r["confidence"] - r["accuracy"]) for r in rows) / max(len(codes), 1))


def _check_labels(truth: NDArray[Any], scores: Scores) -> None:
    if len(truth) != len(scores.values):
        raise ProblexError(f"{len(truth)} labels were given for {len(scores.values)} documents, expected one for each")
    unknown = sorted({str(label) for label in truth} - set(scores.classes))
    if unknown:
        raise ProblexError(
            f"the labels {unknown[:5]} are not lists of the lexicon, expected {list(scores.classes)}: rename them, or "
            "leave out those documents"
        )
    if not len(truth):
        raise ProblexError("no labelled documents were given, expected at least one")


def supervised_bound(
    texts: Sequence[str],
    labels: NDArray[Any],
    tokenizer: Callable[[str], Sequence[str]],
    *,
    folds: int = 5,
    vocabulary: int | None = 50_000,
) -> float:
    """AUC of logistic regression trained WITH labels, five-fold cross-validated: what the labels would buy."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler

    counter = CountVectorizer(analyzer=tokenizer, max_features=vocabulary, dtype=np.float64)
    matrix = counter.fit_transform(texts)
    regression = make_pipeline(MaxAbsScaler(), LogisticRegression(C=1.0, max_iter=1000))
    split = StratifiedKFold(folds, shuffle=True, random_state=0)
    return float(np.mean(cross_val_score(regression, matrix, labels, cv=split, scoring="roc_auc")))
