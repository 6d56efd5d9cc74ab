"""Coverage of the intervals of an audit: how often they contain the true value, over many audits of known populations.

Run with the project's own Python: `.venv/bin/python proof/accuracy/audit_coverage.py [TIMES]`. With the paper's corpora
(`PROBLEX_DATA`) it also audits the model on each of these, with their real labels.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from populations import Population, coverage, populations
from problex import count, estimate, score
from problex.audit.results import MEASURES
from problex.errors import ProblexError
from problex.matching.tokens import Tokenizer
from problex.paper.datasets import data_folder, paper_corpora


def corpora() -> list[Population]:
    try:
        folder = data_folder(None)
    except ProblexError:
        return []
    found = []
    for corpus in paper_corpora(folder, None):
        tokenizer = Tokenizer(corpus.language)
        model = estimate(count(corpus.texts, corpus.lexicon, tokenizer=tokenizer), corpus.lexicon, tokenizer=tokenizer)
        codes = np.array([model.classes.index(label) for label in corpus.labels])
        found.append(Population(corpus.name, score(corpus.texts, model), codes))
    return found


def main() -> None:
    warnings.simplefilter("ignore")
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(
        "| population | accuracy, AUC | labels | " + " | ".join(MEASURES) + " |\n|---|---|---|" + "---|" * len(MEASURES)
    )
    every = []
    for population in [*populations(), *corpora()]:
        truth = population.truth
        for size in (40, 60, 100):
            found = coverage(population, size, times)
            every += [share for share, _ in found.values()]
            cells = []
            for measure in MEASURES:
                mine = [found[name] for name in found if name[0] == measure]
                cells.append(
                    "/".join(f"{share:.3f}" for share, _ in mine) + f" ±{np.mean([w for _, w in mine]) / 2:.2f}"
                )
            known = f"{truth['accuracy', '']:.2f}, {truth['auc', '']:.2f}"
            print(f"| {population.name} | {known} | {size} | " + " | ".join(cells) + " |", flush=True)
    shares = np.array(every)
    low = [f"below .{bar}: {np.mean(shares < bar / 100):.1%}" for bar in (94, 93, 92, 90)]
    print(f"\n{len(shares)} cells, mean {shares.mean():.4f}, lowest {shares.min():.3f}; {', '.join(low)}")


if __name__ == "__main__":
    main()
