"""How good probabilities are, before and after: `python proof/accuracy/calibration.py [case ...]`.

For every case of `cases.py` and every kind of model: log loss, Brier score and calibration error of the probabilities,
under the present rule and under the previous one (threshold not capped by the evidence, no factor for the length), on
the texts that the model was fitted on, on shorter forms of them and on other texts. The labels only measure. All
results go to proof/results/calibration.json, from which `calibration_page.py` makes the tables and the curve of
docs/probabilities.md.
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from cases import CASES, base

from problex import LexiconClassifier, Model, score
from problex.counting.counts import Sample
from problex.counting.tables import tabulate
from problex.estimation.calibration import SHARE_LIMITS, label_share, prevalence, sharpness, threshold_at
from problex.evaluation.metrics import evaluate
from problex.model.calibration import Calibration
from problex.model.rules import RULES, TEMPERS
from problex.paper.datasets import DataSet
from problex.scoring.scorer import make_scorer
from problex.scoring.scores import Scores

FILE = Path(__file__).parents[1] / "results" / "calibration.json"
MODELS: dict[str, bool | str] = {"lexicon": False, "listed words": "lexicon", "expanded": True}
MEASURES = ("log_loss", "brier", "calibration_error", "accuracy")
MOST = 2_000
"""Texts that are measured, of each form."""
OTHER = {"amazon": "rotten", "imdb": "rotten", "cornell": "rotten", "rotten": "amazon"}
"""Other texts with the same labels."""


def previous(model: Model, texts: Sequence[str]) -> Model:
    """The model under the previous rule: the reference that the present one is compared with."""
    if model.expansion is None:
        return uncapped(replace(model, calibration=previous_calibration(model, texts)))
    expansion, calibration = model.expansion, model.calibration
    offset, ratio = np.array(calibration.intercepts or (0.0, 0.0)), 1.0
    if len(model.classes) == 2:
        raw = replace(model, calibration=Calibration())
        decision = score(texts, raw).decision
        above = float(np.mean(score(texts, model).decision > 0))
        at = float(np.quantile(decision, 1.0 - above, method="midpoint"))
        if expansion.kind == "tone":
            lexicon = uncapped(replace(model, expansion=None, calibration=previous_calibration(model, texts)))
            ratio = float(score(texts, lexicon).decision.std() / decision.std())
        offset = np.array([at / 2, -at / 2])
    scaled = replace(expansion, weights=ratio * expansion.weights, lexicon_weight=ratio * expansion.lexicon_weight)
    intercepts = tuple((ratio * offset).tolist())
    return uncapped(replace(model, expansion=scaled, calibration=Calibration(intercepts=intercepts)))


def uncapped(model: Model) -> Model:
    """The model whose threshold is not limited by the evidence of a text."""
    model.cache[None, None] = replace(make_scorer(model), has_cap=False)
    return model


def previous_calibration(model: Model, texts: Sequence[str]) -> Calibration:
    """The threshold at the same share, not capped, and the sharpness with that share as it is."""
    if model.calibration.prevalence is None and len(model.classes) == 2 and model.expansion is None:
        return model.calibration
    sample = model.sample if model.cotrained is None and model.sample is not None else _sample(model, texts)
    rows = np.flatnonzero(np.diff(sample.matrix.indptr) > 0)
    matrix, weights, rule = sample.matrix[rows], model.entry_weights, RULES[model.settings.rule]
    lengths, repeats = sample.lengths[rows].astype(np.float64), sample.repeats[rows].astype(np.float64)
    factor = TEMPERS[model.settings.temper].factor(lengths, weights.concentration)
    bursts = TEMPERS["burstiness"].factor(lengths, weights.concentration) / factor
    if len(model.classes) != 2:
        return Calibration(float(np.average(bursts, weights=repeats)))
    parts = rule.contribution(weights, matrix.indices.astype(np.int64), matrix.data)
    signed = replace_data(matrix, parts[:, 1] - parts[:, 0])
    lists = np.eye(2)[weights.list_index]
    totals, distinct = (np.asarray(each @ lists, dtype=np.float64) for each in (matrix, matrix > 0))
    found = model.calibration.prevalence or prevalence(signed, totals, distinct, lengths, repeats)
    part = label_share(signed, lists, distinct, lengths, repeats)
    limited = float(np.clip(found.share, *SHARE_LIMITS))
    slope = sharpness(signed, factor, repeats, found.share, part)
    slope *= np.sqrt(limited * (1 - limited) / (found.share * (1 - found.share)))
    scores = np.asarray(signed.sum(axis=1)).reshape(-1) * factor
    at = threshold_at(scores, repeats, found.share) if model.calibration.threshold or model.expansion else 0.0
    return Calibration(slope or float(np.average(bursts, weights=repeats)), at, found)


def replace_data(matrix: Any, values: Any) -> Any:
    """The sparse matrix with other values in the same places."""
    return type(matrix)((values, matrix.indices, matrix.indptr), shape=matrix.shape)


def _sample(model: Model, texts: Sequence[str]) -> Sample:
    """All texts, as calibration reads them."""
    columns = {entry: at for at, entry in enumerate(model.evidence.entries)}
    table = tabulate(pa.array(list(texts), pa.large_string()), model.items, model.tokenizer, columns)
    size = len(table.lengths)
    keys = np.arange(size, dtype=np.uint64)
    return Sample(keys, keys, np.ones(size, np.int64), table.lengths, table.matrix, size)


def thinned(text: str, words: int, random: np.random.Generator) -> str:
    """Some words of a text at random, in order."""
    found = text.split()
    chosen = np.sort(random.choice(len(found), min(words, len(found)), replace=False)) if found else []
    return " ".join(found[at] for at in chosen)


def sentence(text: str) -> str:
    """The first sentence of five words or more."""
    parts = [part for part in re.split(r"(?<=[.!?])\s+", text) if len(part.split()) >= 5]
    return parts[0] if parts else text[:150]


def forms(name: str, case: DataSet) -> dict[str, tuple[list[str], Any]]:
    """The texts and labels that a model of a case is measured on: its own, shorter ones and others."""
    rows = np.random.default_rng(0).permutation(len(case.texts))[:MOST]
    texts, labels = [case.texts[row] for row in rows], case.labels[rows]
    random = np.random.default_rng(1)
    found = {"own": (texts, labels)}
    if "sentence" not in name and not name.startswith("rotten"):
        found["first sentences"] = ([sentence(text) for text in texts], labels)
    for words in (5, 20, 60):
        found[f"{words} words"] = ([thinned(text, words, random) for text in texts], labels)
    other = OTHER.get(re.split(r"[, ]", name)[0])
    if other is not None:
        corpus = base(other)
        some = np.random.default_rng(2).permutation(len(corpus.texts))[:MOST]
        found["other texts"] = ([corpus.texts[row] for row in some], corpus.labels[some])
    return found


def measures(labels: Any, scores: Scores) -> dict[str, Any]:
    """The measures, mean confidence, the share of texts whose most probable label is right, and both by bins."""
    found = evaluate(labels, scores, resamples=0)
    probabilities = scores.probabilities
    codes = np.array([scores.classes.index(label) for label in labels])
    more = {"confidence": probabilities.max(axis=1).mean(), "right": np.mean(probabilities.argmax(axis=1) == codes)}
    figures = {name: round(float(value), 4) for name, value in ({m: found[m] for m in MEASURES} | more).items()}
    bins = ("documents", "confidence", "accuracy")
    return figures | {"curve": [[round(row[name], 4) for name in bins] for row in found.reliability]}


def run(name: str, make: Callable[[], DataSet]) -> dict[str, Any]:
    """The measures of one case: by kind of model, form of the texts, and rule."""
    case = make()
    result: dict[str, Any] = {}
    for kind, expand in MODELS.items():
        clf = LexiconClassifier(case.lexicon, language=case.language, expand=expand)  # type: ignore[arg-type]
        model = clf.fit(list(case.texts)).model_
        if kind != "lexicon" and model.cotrained is None and model.expansion is None:
            continue  # too little to learn from: it is the lexicon model
        rules = {"before": previous(model, list(case.texts)), "after": model}
        result[kind] = {
            form: {rule: measures(labels, score(texts, each)) for rule, each in rules.items()}
            for form, (texts, labels) in forms(name, case).items()
        }
        line = "  ".join(
            f"{form} {found['before']['log_loss']:.3f} {found['after']['log_loss']:.3f}"
            for form, found in result[kind].items()
        )
        print(f"{name:24s} {kind:12s} {line}", flush=True)
    return result


def main() -> None:
    """Measure the cases, all by default, and write the results to the file."""
    warnings.simplefilter("ignore")
    wanted = [name for name in sys.argv[1:] if name in CASES] or list(CASES)
    found = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for name in wanted:
        found[name] = run(name, CASES[name])
        ordered = {case: found[case] for case in CASES if case in found}
        FILE.write_text(json.dumps(ordered) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
