"""Coverage and width of the intervals of shares and regressions that rest on a few labels.

`PROBLEX_DATA=... .venv/bin/python proof/accuracy/shares.py [TIMES]` composes corpora of known truth
(`compositions.py`), draws an audit from each and compares: the hierarchical and the difference estimator of problex,
PyPI's `ppi-python` (if it is installed), the labels alone, and the predicted labels. It writes
`proof/results/shares.json` and prints the tables of docs/shares.md and docs/regression.md. TIMES is the number of
compositions of each kind (120).
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from compositions import Composition, compose_topics, compositions, topic_pool
from scipy.stats import norm

from problex._util.arrays import FloatArray, IntArray
from problex.audit import Groups, draw
from problex.audit.sample import LabelledSample
from problex.shares.estimators import GroupedLabels, ShareEstimates, estimate_shares
from problex.shares.grid import GRID, STEPS, GridCounts, grid_positions
from problex.shares.regression import Outcomes

try:
    import ppi_py
except ImportError:
    ppi_py = None
RESULTS = Path(__file__).parents[1] / "results" / "shares.json"
LABELS = (60, 100, 200, 300)
REGRESSION_LABELS = (100, 200, 300, 500)
KINDS = ("same kind", "different kinds", "synthetic")
Z = float(norm.ppf(0.975))
Cells = dict[str, dict[str, list[FloatArray]]]


def counted(one: Composition) -> GridCounts:
    """The composition as `problex shares` counts it."""
    groups, classes = int(one.group.max()) + 1, len(one.scores.classes)
    places = np.stack([grid_positions(column) for column in one.scores.probabilities.T])
    documents = np.zeros((classes, groups, len(GRID)), dtype=np.int64)
    for at in range(classes):
        np.add.at(documents[at], (one.group, places[at]), 1)
    steps = np.rint(np.log(one.scores.lengths) * STEPS) / STEPS
    lengths = np.bincount(one.group, steps) / np.bincount(one.group)
    return GridCounts(tuple(map(str, range(groups))), documents, lengths, one.group, places)


def audited(one: Composition, size: int, seed: int, *, by_group: bool) -> LabelledSample:
    """An audit with the true labels."""
    names = Groups("group", one.group.astype(str).astype(object)) if by_group else None
    sample = draw(one.scores, size, seed=seed, groups=names)
    return LabelledSample.of(sample, one.codes[sample.rows])


def grouped(one: Composition, counts: GridCounts, sample: LabelledSample) -> GroupedLabels:
    rows = sample.rows
    return GroupedLabels(
        counts.documents, one.group[rows], counts.labelled_positions[:, rows], sample.codes, 1 / sample.probabilities
    )


def wilson(hits: FloatArray, total: FloatArray) -> ShareEstimates:
    """Wilson's interval: of the predicted labels as if they were true, and of the labels alone."""
    share, pull = hits / total, Z**2 / total
    centre, half = (share + pull / 2) / (1 + pull), np.sqrt(share * (1 - share) * pull + pull**2 / 4) / (1 + pull)
    return ShareEstimates(share, centre - half, centre + half)


def predicted(one: Composition) -> ShareEstimates:
    label = one.scores.labels() == one.scores.classes[1]
    return wilson(np.bincount(one.group, label).astype(float), np.bincount(one.group).astype(float))


def labels_alone(one: Composition, data: GroupedLabels) -> ShareEstimates:
    """The weighted share among the labels of each group, with the effective number of labels."""
    groups = data.documents.shape[1]
    sums, squares, hits = (
        np.bincount(data.group, part, minlength=groups)
        for part in (data.weights, data.weights**2, data.weights * (data.codes == 1))
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        total = sums**2 / squares
        return wilson(hits / sums * total, total)


def prediction_powered(one: Composition, data: GroupedLabels, sample: LabelledSample) -> ShareEstimates:
    """`ppi_py.ppi_mean_ci` in each group with two labels or more."""
    p, found = one.scores.probabilities[:, 1], np.full((3, data.documents.shape[1]), np.nan)
    for group in np.flatnonzero(data.labels > 1):
        own = data.group == group
        rest = np.setdiff1d(np.flatnonzero(one.group == group), sample.rows)
        weights = data.weights[own] / data.weights[own].mean()
        y, f, unlabelled = (data.codes[own] == 1).astype(float), p[sample.rows[own]], p[rest]
        low, high = ppi_py.ppi_mean_ci(y, f, unlabelled, alpha=0.05, w=weights)
        found[:, group] = (float(low[0]) + float(high[0])) / 2, float(low[0]), float(high[0])
    return ShareEstimates(*found)


def record(cells: Cells, key: str, name: str, found: ShareEstimates, truth: FloatArray) -> None:
    """Whether each interval has the truth, half its width, and the error of the estimate."""
    inside = (found.low - 1e-9 <= truth) & (truth <= found.high + 1e-9)
    rows = np.stack([inside, (found.high - found.low) / 2, np.abs(found.values - truth)], axis=1)
    cells[key][name].append(rows[np.isfinite(found.values)])


def shares_of(one: Composition, kind: str, seed: int, cells: Cells) -> None:
    counts, truth = counted(one), one.truth()
    record(cells, f"{kind}|-|0", "predicted labels, Wilson", predicted(one), truth)
    for size in LABELS:
        for by_group in (True, False):
            sample = audited(one, size, seed, by_group=by_group)
            data = grouped(one, counts, sample)
            key = f"{kind}|{'group and score' if by_group else 'score'}|{size}"
            for name in ("hierarchical", "difference"):
                record(cells, key, name, estimate_shares(data, name)[1], truth)
            record(cells, key, "labels alone", labels_alone(one, data), truth)
            if ppi_py is not None:
                record(cells, key, "ppi-python", prediction_powered(one, data, sample), truth)


def worst_groups(chosen: list[tuple[str, Composition]], times: int, size: int = 100) -> dict[str, dict[str, float]]:
    """Coverage of each group over many audits of the same composition: the mean and the worst group of each."""
    found: dict[str, dict[str, list[FloatArray]]] = defaultdict(lambda: defaultdict(list))
    for kind, one in chosen:
        counts, truth = counted(one), one.truth()
        inside = defaultdict(list)
        for seed in range(times):
            data = grouped(one, counts, audited(one, size, seed, by_group=True))
            for name in ("hierarchical", "difference"):
                shares = estimate_shares(data, name)[1]
                inside[name].append((shares.low - 1e-9 <= truth) & (truth <= shares.high + 1e-9))
        for name, rows in inside.items():
            found[kind][name].append(np.mean(rows, axis=0))
    return {
        f"{kind}|{name}": {
            "mean": float(np.mean(np.concatenate(parts))),
            "worst group, mean over compositions": float(np.mean([part.min() for part in parts])),
            "worst group of all": float(np.min([part.min() for part in parts])),
        }
        for kind, names in found.items()
        for name, parts in names.items()
    }


def errors_without_labels(chosen: list[tuple[str, Composition]]) -> dict[str, float]:
    """Within what 95 % of the errors of predicted shares lie."""
    errors = defaultdict(list)
    for kind, one in chosen:
        errors[kind].append(np.abs(predicted(one).values - one.truth()))
    return {kind: float(np.quantile(np.concatenate(parts), 0.95)) for kind, parts in errors.items()}


def topics(times: int) -> dict[str, dict[str, float]]:
    """Four labels: coverage of every label and group."""
    random, kinds, cells = np.random.default_rng(7), topic_pool(), _cells()
    for seed in range(times):
        one = compose_topics(kinds, random)
        counts = counted(one)
        for size in LABELS:
            data = grouped(one, counts, audited(one, size, seed, by_group=True))
            for name in ("hierarchical", "difference"):
                for at, found in enumerate(estimate_shares(data, name)):
                    record(cells, f"four topics|group and score|{size}", name, found, one.truth(at))
    return summary(cells)


def least_squares(
    design: FloatArray, y: FloatArray, weights: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Coefficients and their HC1 standard errors."""
    w = np.ones(len(y)) if weights is None else weights
    inverse = np.linalg.inv(design.T @ (design * w[:, None]))
    beta = inverse @ (design.T @ (w * y))
    scores = design * (w * (y - design @ beta))[:, None]
    variance = inverse @ (scores.T @ scores) @ inverse * len(y) / (len(y) - design.shape[1])
    return beta, np.sqrt(np.diag(variance))


def regression_of(one: Composition, kind: str, seed: int, cells: Cells) -> None:
    """A trend by month, the length of the texts, and a difference between two halves of the groups."""
    random = np.random.default_rng(seed)
    months = np.arange(12)
    tilt = 0.4 * (2 * months / 11 - 1)  # the share rises by .4 in a year, if half of the documents are positive
    month = np.empty(len(one.codes))
    for code, sign in ((0, -1), (1, 1)):
        chances = (1 + sign * tilt) / 12
        month[one.codes == code] = random.choice(months, (one.codes == code).sum(), p=chances) / 11
    length = np.log(one.scores.lengths.astype(float))
    columns = [np.ones(len(month)), month, one.group % 2]
    columns += [length - length.mean()] if np.ptp(length) else []
    design = np.stack(columns, axis=1).astype(float)
    y, p = (one.codes == 1).astype(float), one.scores.probabilities[:, 1]
    truth = np.linalg.lstsq(design, y, rcond=None)[0]

    def add(key: str, name: str, beta: FloatArray, low: FloatArray, high: FloatArray) -> None:
        record(cells, key, name, ShareEstimates(beta[1:], low[1:], high[1:]), truth[1:])

    def normal(key: str, name: str, beta: FloatArray, error: FloatArray) -> None:
        add(key, name, beta, beta - Z * error, beta + Z * error)

    labels = (one.scores.labels() == one.scores.classes[1]).astype(float)
    normal(f"{kind}|-|0", "predicted labels", *least_squares(design, labels))
    for size in REGRESSION_LABELS:
        key = f"{kind}|score|{size}"
        sample = audited(one, size, seed, by_group=False)
        weights, rows = 1 / sample.probabilities, sample.rows
        outcomes = Outcomes.learn(rows, sample.values, sample.codes, weights).of(np.arange(len(y)), one.scores.values)
        normal(key, "problex", *least_squares(design, outcomes[:, 1]))
        normal(key, "labels alone", *least_squares(design[rows], y[rows], weights))
        if ppi_py is not None:
            rest = np.setdiff1d(np.arange(len(y)), rows)
            low, high = ppi_py.ppi_ols_ci(
                design[rows], y[rows], p[rows], design[rest], p[rest], alpha=0.05, w=weights / weights.mean()
            )
            add(key, "ppi-python", (low + high) / 2, low, high)


def _cells() -> Cells:
    return defaultdict(lambda: defaultdict(list))


def summary(cells: Cells) -> dict[str, dict[str, float]]:
    """By kind, design, number of labels and estimator: coverage, half width, error, and the number of intervals."""
    found = {}
    for key, names in cells.items():
        for name, parts in names.items():
            rows = np.concatenate(parts)
            values = dict(zip(("coverage", "half width", "error"), rows.mean(axis=0).tolist(), strict=True))
            found[f"{key}|{name}"] = {**values, "intervals": len(rows)}
    return found


def table(found: dict[str, dict[str, float]], designs: tuple[str, ...], sizes: tuple[int, ...]) -> str:
    """Coverage and half width, a row per kind, design and estimator, a column per number of labels."""
    lines = ["| corpora | drawn by | estimator | " + " | ".join(f"{size} labels" for size in sizes) + " |"]
    lines.append("|---|---|---|" + "---|" * len(sizes))
    keys = [key.split("|") for key in found]
    for kind in dict.fromkeys(key[0] for key in keys):
        for design in designs:
            for name in dict.fromkeys(key[3] for key in keys if key[:2] == [kind, design]):
                cells = [found[f"{kind}|{design}|{size}|{name}"] for size in sizes]
                shown = " | ".join(f"{cell['coverage']:.3f} ±{cell['half width']:.2f}" for cell in cells)
                lines.append(f"| {kind} | {design} | {name} | {shown} |")
        plain = [found[key] for key in found if key.startswith(f"{kind}|-|0|")]
        for cell in plain:
            lines.append(
                f"| {kind} | - | predicted labels | {cell['coverage']:.3f} ±{cell['half width']:.2f}"
                + " |" * len(sizes)
            )
    return "\n".join(lines)


def timed(run: Callable[[], IntArray | object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    chosen = list(compositions(times))
    shares, regressions, seconds = _cells(), _cells(), []
    for seed, (kind, one) in enumerate(chosen):
        shares_of(one, kind, seed, shares)
        regression_of(one, kind, seed, regressions)
        data = grouped(one, counted(one), audited(one, 100, seed, by_group=True))
        seconds.append([timed(lambda: estimate_shares(data, name)) for name in ("hierarchical", "difference")])  # noqa: B023
    repeated = [pair for kind in KINDS for pair in [pair for pair in chosen if pair[0] == kind][: max(2, times // 12)]]
    results = {
        "compositions of each kind": times,
        "shares": summary(shares),
        "shares of four labels": topics(max(2, times // 3)),
        "worst groups at 100 labels": worst_groups(repeated, max(10, times // 2)),
        "95 % of errors of predicted shares within": errors_without_labels(chosen),
        "regressions": summary(regressions),
        "milliseconds, hierarchical and difference": (1000 * np.median(seconds, axis=0)).round(1).tolist(),
    }
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(table(results["shares"], ("group and score", "score"), LABELS), "\n")
    print(table(results["shares of four labels"], ("group and score",), LABELS), "\n")
    print(table(results["regressions"], ("score",), REGRESSION_LABELS), "\n")
    for name in (
        "worst groups at 100 labels",
        "95 % of errors of predicted shares within",
        "milliseconds, hierarchical and difference",
    ):
        print(name, json.dumps(results[name], indent=1))


if __name__ == "__main__":
    main()
