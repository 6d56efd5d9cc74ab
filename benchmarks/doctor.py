"""The effect of the doctor's first fixes on counting: `python benchmarks/doctor.py [fixes]`. Labels only measure it.

Needs the paper's corpora (PROBLEX_DATA). AUC of counting, per token as in the paper and raw, before and after.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from problex.cli.output import render
from problex.counting.tables import tabulate
from problex.doctor import apply_edits, doctor
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from problex.paper.datasets import data_folder, paper_corpora


def counting_auc(
    texts: Sequence[str], lexicon: Lexicon, tokenizer: Tokenizer, positive: NDArray[np.bool_]
) -> list[float]:
    """AUC of counting, divided by length and not."""
    items = items_of(lexicon, tokenizer)
    table = tabulate(texts, items, tokenizer, {name: at for at, name in enumerate(items.names)})
    margin = table.matrix @ np.where(items.list_index == items.lists.index("positive"), 1.0, -1.0)
    return [float(roc_auc_score(positive, values)) for values in (margin / (table.lengths + 0.1), margin)]


def main(fixes: int = 20) -> None:
    """Print a row for each corpus."""
    warnings.simplefilter("ignore")
    rows = []
    for corpus in paper_corpora(data_folder()):
        tokenizer = Tokenizer(corpus.language)
        found = doctor(corpus.texts, corpus.lexicon, tokenizer=tokenizer, top=fixes)
        edited, _ = apply_edits(corpus.lexicon, found.faults[:fixes])
        positive = corpus.labels == "positive"
        before = counting_auc(corpus.texts, corpus.lexicon, tokenizer, positive)
        after = counting_auc(corpus.texts, edited, tokenizer, positive)
        row: dict[str, object] = {"corpus": corpus.name}
        for name, old, new in zip(("per token", "raw"), before, after, strict=True):
            row |= {
                f"{name} before": round(old, 4),
                f"{name} after": round(new, 4),
                f"{name} gain": round(new - old, 4),
            }
        rows.append(row | {"first words": " ".join(fix.words[0] for fix in found.faults[:8])})
    print(render(rows))


if __name__ == "__main__":
    main(*(int(value) for value in sys.argv[1:]))
