"""AUC and accuracy at the default threshold on every case, against counting: `accuracy.py [case]`.

One default setting for all. Counting has two forms, raw and per token. Undecided documents count as wrong, for
counting as for the model. Intervals are bootstrap intervals over documents. `-` marks results below the better form of
counting. `--rivals` adds the AUC of other methods without labels and of the supervised bound (`rivals.py`) to cases of
two lists. `--extra FOLDER` measures the cases of a folder instead (`cases.py` says what it has). `--halves` learns from
a random half of each corpus and measures on the other. `--plain` counts without negation. `--folder FOLDER` measures
cases of your own (`folder.py` says what it has) against plain counting, and says what is below it.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from cases import CASES, HELD_OUT, extra_cases, halves
from folder import Figures, folder_cases, report
from rivals import areas, bound, shown

from problex import LexiconClassifier, score
from problex.evaluation.metrics import Evaluation, evaluate
from problex.paper.datasets import DataSet
from problex.scoring.scores import Scores

System = Callable[[DataSet, DataSet], Scores]


def _fitted(train: DataSet, **settings: object) -> LexiconClassifier:
    return LexiconClassifier(train.lexicon, language=train.language, **settings).fit(list(train.texts))  # type: ignore[arg-type]


def counting(train: DataSet, test: DataSet, negation: str = "auto") -> Scores:
    """Whichever list has more words; negated words count for the other list, or for their own without negation."""
    return score(list(test.texts), _fitted(train, rule="count", negation=negation).model_)


def counting_per_token(train: DataSet, test: DataSet, negation: str = "auto") -> Scores:
    """The same, by the length of the text."""
    found = counting(train, test, negation)
    return Scores(**{**vars(found), "values": found.values / np.maximum(found.lengths, 1)[:, None]})


def lexicon_model(train: DataSet, test: DataSet) -> Scores:
    """The default."""
    return score(list(test.texts), _fitted(train).model_)


def listed_words(train: DataSet, test: DataSet) -> Scores:
    """The words of the lexicon alone, weighed with the help of all others."""
    return _fitted(train, expand="lexicon")._score(list(test.texts))


def expanded(train: DataSet, test: DataSet) -> Scores:
    """All words of the texts."""
    return _fitted(train, expand=True)._score(list(test.texts))


SYSTEMS: dict[str, System] = {
    "counting": counting,
    "per token": counting_per_token,
    "lexicon model": lexicon_model,
    "listed words": listed_words,
    "expanded": expanded,
}
"""Who is compared; a new one is one function and one line."""


def _cell(found: Evaluation, measure: str, bar: float) -> str:
    figure = next(m for m in found.measures if m.name == measure)
    return f"{figure.value:.3f}{'-' if figure.value < bar - 5e-4 else ' '}({figure.low:.3f} {figure.high:.3f})"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--extra", type=Path)
    parser.add_argument("--folder", type=Path)
    for name in ("--rivals", "--halves", "--plain"):
        parser.add_argument(name, action="store_true")
    return parser.parse_args()


def plain_areas(train: DataSet, test: DataSet) -> dict[str, float]:
    """The AUC of the better form of plain counting, of the default, and of both kinds of expansion."""
    forms = [system(train, test, negation="none") for system in (counting, counting_per_token)]
    models = {"default": lexicon_model, "lexicon": listed_words, "expanded": expanded}
    found = {name: _area(test, system(train, test)) for name, system in models.items()}
    return {"counting": max(_area(test, form) for form in forms), **found}


def _area(test: DataSet, scores: Scores) -> float:
    return evaluate(test.labels, scores, resamples=0)["auc"]


def measure_folder(folder: Path, wanted: list[str], with_halves: bool) -> list[Figures]:
    """Measure the cases of a folder, all or the wanted ones."""
    known, found = folder_cases(folder), []
    for name in wanted or known:
        case = known[name]()
        unseen = plain_areas(*halves(case)) if with_halves else {}
        found.append(Figures(name, len(case.texts), plain_areas(case, case), unseen))
        print(f"{name} measured", file=sys.stderr, flush=True)
    return found


def main() -> None:
    """Print a line per case: AUC and accuracy of every system, and the calibration error of the last ones."""
    warnings.simplefilter("ignore")
    options = _options()
    if options.folder:
        print(report(measure_folder(options.folder, options.cases, options.halves)))
        return
    known = extra_cases(options.extra) if options.extra else CASES
    wanted = options.cases or [*known, *([] if options.extra or options.halves else HELD_OUT)]
    systems = SYSTEMS
    if options.plain:
        plain = {"counting": counting, "per token": counting_per_token}
        systems = SYSTEMS | {name: partial(system, negation="none") for name, system in plain.items()}
    heads = [f"{name} {measure}" for measure in ("AUC", "accuracy") for name in systems]
    print(f"{'case':24s} documents  " + "  ".join(f"{head[:22]:22s}" for head in heads) + "  calibration error")
    for name in wanted:
        train, test = (make() for make in HELD_OUT[name]) if name in HELD_OUT else (known[name](),) * 2
        if options.halves:
            train, test = halves(test)
        found = {key: evaluate(test.labels, system(train, test), resamples=100) for key, system in systems.items()}
        cells = []
        for measure in ("auc", "accuracy"):
            bar = max(found[key][measure] for key in ("counting", "per token"))
            cells += [_cell(each, measure, bar) for each in found.values()]
        errors = " ".join(f"{found[key]['calibration_error']:.3f}" for key in list(systems)[2:])
        line = "  ".join(f"{cell:22s}" for cell in cells)
        print(f"{name:24s} {len(test.texts):9,d}  {line}  {errors}", flush=True)
        if options.rivals and len(test.lexicon.names) == 2:
            for rival, area in (areas(test) | {"supervised bound": bound(test)}).items():
                print(f"    {rival:31s} {shown(area)}", flush=True)


if __name__ == "__main__":
    main()
