"""Coverage of the intervals of an audit where a large part of a small corpus is labelled.

`.venv/bin/python proof/accuracy/small_audits.py [CORPORA] [AUDITS]`: made-up corpora, each audited several times; a
row has the coverage of each measure, that of accuracy in the worst corpus, and half the width of its interval.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.populations import coverage, small

CASES = (
    *((2, 100, labels) for labels in (30, 60, 85)),
    *((2, 300, labels) for labels in (100, 250)),
    *((classes, 100, 30) for classes in (3, 4)),
    *((classes, 300, labels) for classes in (3, 4) for labels in (60, 100)),
    (2, 2_000, 60),
    (4, 2_000, 60),
)
"""Classes, documents and labels."""
MEASURES = ("accuracy", "precision", "recall", "prevalence")


def main() -> None:
    corpora, audits = (int(word) for word in (sys.argv[1:] + ["20", "50"][len(sys.argv) - 1 :])[:2])
    print(f"| classes | documents | labels | {' | '.join(MEASURES)} | lowest corpus | half width |\n|{'---|' * 9}")
    for classes, documents, labels in CASES:
        held, widths, lowest = defaultdict(list), [], []
        for seed in range(corpora):
            found = coverage(small(classes, documents, seed), labels, audits)
            for (measure, _), (share, _) in found.items():
                held[measure].append(share)
            widths.append(found["accuracy", ""][1] / 2)
            lowest.append(found["accuracy", ""][0])
        cells = [f"{np.mean(held[measure]):.3f}" for measure in MEASURES]
        row = [str(classes), f"{documents:,}", str(labels), *cells, f"{min(lowest):.2f}", f"±{np.mean(widths):.3f}"]
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
