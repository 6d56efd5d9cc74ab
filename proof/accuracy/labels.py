"""Accuracy by the number of audit labels, against the label-free threshold, on the cases of `cases.py`.

Run with the project's own Python: `.venv/bin/python proof/accuracy/labels.py [DRAWS] [CASE ...]`, with
`PROBLEX_DATA`. It prints a row per case and model, and writes proof/results/labels.json.
"""

from __future__ import annotations

import json
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from cases import CASES

from problex import count, estimate, score
from problex.audit import draw
from problex.audit.thresholds import LabelledTexts, with_labels
from problex.expansion import expand
from problex.matching.tokens import Tokenizer
from problex.scoring import make_scorer

SIZES = (20, 40, 60, 100, 200)


def main() -> None:
    warnings.simplefilter("ignore")
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    rows = []
    for name in sys.argv[2:] or CASES:
        case = CASES[name]()
        tokenizer = Tokenizer(case.language)
        lexicon = estimate(count(case.texts, case.lexicon, tokenizer=tokenizer), case.lexicon, tokenizer=tokenizer)
        codes = np.array([lexicon.classes.index(label) for label in case.labels])
        for kind, model in (("lexicon", lexicon), ("expanded", expand(lexicon, case.texts))):
            texts = pa.array(list(case.texts), pa.large_string())
            scorer = replace(make_scorer(model), has_cap=True)  # many lists have no threshold before the labels
            rows_of = scorer.count(texts)
            sums = scorer.add_features(texts, scorer.sums(rows_of), rows_of.lengths)
            scores = make_scorer(model).finish(sums, rows_of.lengths)
            row = {"case": name, "model": kind, "label-free": float(np.mean(scores.labels() == case.labels))}
            for size in SIZES:
                found = []
                for seed in range(draws):
                    sample = draw(scores, size, seed=seed)
                    drawn = [case.texts[at] for at in sample.rows]
                    labelled = LabelledTexts(drawn, codes[sample.rows], 1.0 / sample.probabilities())
                    moved = with_labels(model, labelled)
                    ratio = moved.calibration.sharpness / model.calibration.sharpness  # all that changes in the sums
                    same = sums._replace(values=sums.values * ratio, evidence=sums.evidence * ratio)
                    labels = make_scorer(moved).finish(same, rows_of.lengths).labels()
                    if seed == 0:
                        assert np.array_equal(labels, score(case.texts, moved).labels())
                    found.append(np.mean(labels == case.labels))
                row[f"{size} labels"] = float(np.mean(found))
            rows.append(row)
            print(
                " | ".join(f"{value:.3f}" if isinstance(value, float) else str(value) for value in row.values()),
                flush=True,
            )
    path = Path(__file__).parents[1] / "results" / "labels.json"
    path.write_text(json.dumps({"draws": draws, "rows": rows}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
