"""Documents whose scores and true labels are known: what an audit should find out from a few of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from problex.audit.results import estimate_measures
from problex.audit.sample import draw
from problex.scoring.scores import Scores

SIZE = 5000
Name = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Population:
    name: str
    scores: Scores
    codes: NDArray[np.int64]

    @property
    def truth(self) -> dict[Name, float]:
        """Every measure over all documents; for the accuracy, ties and documents without evidence count 1 / K."""
        classes = self.scores.classes
        guess = self.scores.labels()
        right = np.where(guess == "undecided", 1 / len(classes), guess == np.array(classes, dtype=object)[self.codes])
        found = {("accuracy", ""): float(np.mean(right))}
        for at, label in enumerate(classes):
            found["prevalence", label] = float(np.mean(self.codes == at))
            found["recall", label] = float(np.mean(guess[self.codes == at] == label))
            found["precision", label] = float(np.mean(self.codes[guess == label] == at))
        from problex.evaluation.metrics import auc

        return found | {("auc", ""): auc(self.codes, self.scores.values)}


def of_values(name: str, values: NDArray[np.float64], codes: NDArray[np.int64]) -> Population:
    classes = tuple("abcdef"[: values.shape[1]])
    return Population(name, Scores(classes, values, np.full(len(codes), 9), np.ones(len(codes), np.int64)), codes)


def two_classes(
    name: str,
    prevalence: float,
    distance: float,
    *,
    shift: float = 0,
    scale: float = 1,
    wide: float = 1,
    noise: float = 0,
) -> Population:
    """Normal scores `distance` apart; `shift` misplaces the threshold, `scale` makes the model too sure of itself,
    `wide` spreads one class, `noise` turns labels round: confident mistakes."""
    random = np.random.default_rng(1)
    codes = (random.random(SIZE) < prevalence).astype(np.int64)
    decision = random.standard_normal(SIZE) * np.where(codes == 1, wide, 1) + (codes - 0.5) * distance + shift
    codes = np.where(random.random(SIZE) < noise, 1 - codes, codes)
    return of_values(name, np.stack([np.zeros(SIZE), decision * scale], axis=1), codes)


def populations() -> list[Population]:
    random = np.random.default_rng(2)
    codes = (random.random(SIZE) < 0.6).astype(np.int64)
    tied = np.round(random.standard_normal(SIZE) + (codes - 0.5) * 1.8)
    three = random.choice(3, SIZE, p=[0.5, 0.3, 0.2])
    spread = random.standard_normal((SIZE, 3)) + 2 * np.eye(3)[three]
    return [
        two_classes("even", 0.5, 1.7),
        two_classes("even, accuracy .95", 0.5, 3.3, scale=3),
        two_classes("even, accuracy .65", 0.5, 0.8, scale=3),
        two_classes("prevalence .1", 0.1, 2.5, shift=-0.8),
        two_classes("prevalence .1, accuracy .97", 0.1, 3.4, shift=-0.5, scale=3),
        two_classes("prevalence .1, threshold too low", 0.1, 1.8, shift=0.3),
        two_classes("prevalence .9, threshold too high", 0.9, 2.2, shift=-0.3),
        two_classes("confident mistakes", 0.3, 3, wide=1.7, noise=0.06),
        of_values("ties, some undecided", np.stack([np.zeros(SIZE), tied], axis=1), codes),
        of_values("three classes", spread, three),
    ]


def small(classes: int, documents: int, seed: int) -> Population:
    """A small corpus: normal scores, uneven classes, a misplaced threshold and a model of any accuracy."""
    random = np.random.default_rng(seed)
    codes = random.choice(classes, documents, p=random.dirichlet(np.full(classes, 4.0)))
    values = random.standard_normal((documents, classes)) + random.uniform(1, 3) * np.eye(classes)[codes]
    return of_values("small", values + random.normal(0, 0.4, classes), codes)


def repeated(population: Population, size: int, times: int) -> Iterator[dict[Name, tuple[float, float]]]:
    """Intervals of as many audits, each with its own sample."""
    for seed in range(times):
        sample = draw(population.scores, size, seed=seed)
        estimates = estimate_measures(sample, population.codes[sample.rows])
        yield {(one.measure, one.label): (one.low, one.high) for one in estimates}


def coverage(population: Population, size: int, times: int) -> dict[Name, tuple[float, float]]:
    """For each measure how often the interval has the truth in it, and how wide it is."""
    truth = population.truth
    found: dict[Name, list[tuple[float, float]]] = {name: [] for name in truth}
    for intervals in repeated(population, size, times):
        for name, interval in intervals.items():
            found[name].append(interval)
    return {
        name: (
            float(np.mean([low - 1e-9 <= truth[name] <= high + 1e-9 for low, high in limits])),
            float(np.mean([high - low for low, high in limits])),
        )
        for name, limits in found.items()
        if limits
    }
