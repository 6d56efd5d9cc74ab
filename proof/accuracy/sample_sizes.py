"""How accurate an expansion is by the size of the sample that it learns from.

Run with the project's own Python: `.venv/bin/python proof/accuracy/sample_sizes.py [SIZE ...]`, with `PROBLEX_DATA`.
Of the IMDB reviews four fifths are for learning, and a fifth is scored. The lexicon model is always that of all texts
for learning; only the sample of the expansion is smaller. Writes proof/results/sample_sizes.json.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from cases import base

from problex import Model, count, estimate, score
from problex._util.memory import parse_size
from problex.evaluation.metrics import auc
from problex.expansion import expand

SIZES = ("1MiB", "2MiB", "4MiB", "8MiB", "16MiB", "32MiB")
RESULTS = Path(__file__).parents[1] / "results" / "sample_sizes.json"


def main() -> None:
    warnings.simplefilter("ignore")
    corpus = base("imdb")
    texts, labels = np.array(corpus.texts, dtype=object), np.array(corpus.labels)
    is_new = np.arange(len(texts)) % 5 == 0
    known, new, truth = texts[~is_new].tolist(), texts[is_new].tolist(), labels[is_new]
    model = estimate(count(known, corpus.lexicon), corpus.lexicon)
    rows = [{"sample": "none", "documents": 0, **measures(model, new, truth)}]
    for size in sorted(sys.argv[1:] or SIZES, key=parse_size):
        began = time.process_time()
        expanded = expand(model, known, expand_sample=size)
        seconds = time.process_time() - began
        documents = expanded.expansion.documents if expanded.expansion else 0
        found = {"sample": size, "documents": documents, **measures(expanded, new, truth)}
        rows.append(found | {"processor_seconds": round(seconds, 1)})
        print(rows[-1], flush=True)
    RESULTS.write_text(json.dumps({"learning": len(known), "scored": len(new), "rows": rows}, indent=1) + "\n")
    print("| sample | documents | AUC | accuracy |\n|---|---|---|---|")
    for row in rows:
        print(f"| {row['sample']} | {row['documents']:,} | {row['auc']:.3f} | {row['accuracy']:.3f} |")


def measures(model: Model, texts: list[str], truth: np.ndarray) -> dict[str, float]:
    """The AUC and the accuracy of new texts; an undecided text counts as wrong."""
    scores = score(texts, model)
    area = auc((truth == model.classes[1]).astype(np.int64), scores.values)
    return {"auc": round(float(area), 4), "accuracy": round(float(np.mean(scores.labels() == truth)), 4)}


if __name__ == "__main__":
    main()
