"""How well a known predictiveness is estimated from corpora drawn from the model, by number of documents.

Run with the project's own Python: `.venv/bin/python benchmarks/recovery.py`.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from test_moments import PLAIN, recovered

from problex import estimate
from synthetic import draw


def main() -> None:
    warnings.simplefilter("ignore")
    for prior in ([0.5, 0.5], [0.2, 0.8], [0.1, 0.2, 0.3, 0.4], [0.25] * 4):
        balance = {f"list{a}": share for a, share in enumerate(prior)}
        for documents in (1_250, 5_000, 20_000):
            truth = draw(documents, prior, seed=1)
            found = recovered(truth, estimate(truth.counts, truth.lexicon, balance=balance, **PLAIN))
            error = float(np.sqrt(np.mean((found - truth.predictiveness) ** 2)))
            correlation = float(np.corrcoef(found, truth.predictiveness)[0, 1])
            print(f"priors {prior}, {documents:,} documents: correlation {correlation:.4f}, error {error:.4f}")


if __name__ == "__main__":
    main()
