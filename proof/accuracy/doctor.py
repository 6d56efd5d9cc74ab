"""The effect of the doctor's edits on counting and on the learned model, for sentiment and for topics.

    python proof/accuracy/doctor.py [EDITS [WORDS]]

Corrects the first EDITS faults of each lexicon, or adds the first WORDS words (20 by default), and measures accuracy
and AUC before and after with the labels, which the doctor does not use. Needs the paper's corpora (PROBLEX_DATA);
`proof/accuracy/topics.py` describes the corpora of topics.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from topics import topic_corpora

from problex._util.arrays import FloatArray
from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.cli.output import render
from problex.counting import count
from problex.counting.tables import tabulate
from problex.doctor import apply_edits, doctor
from problex.estimation import estimate
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from problex.paper.datasets import DataSet, data_folder, paper_corpora
from problex.scoring import score

MEASURES = ("per token", "raw", "counting", "model AUC", "model")
"""AUC of counting per token and raw, accuracy of counting, AUC and accuracy of the learned model."""


def accuracy(values: FloatArray, truth: NDArray[np.int64]) -> float:
    """Share of the texts whose label has the largest value; a tie of n labels counts as 1 / n."""
    best = values >= values.max(axis=1, keepdims=True) - 1e-12
    return float(np.mean(best[np.arange(len(truth)), truth] / best.sum(axis=1)))


def mean_auc(values: FloatArray, truth: NDArray[np.int64]) -> float:
    """AUC of each label against the others, averaged; a label's score is its value minus the mean of the others."""
    labels = range(values.shape[1])
    margins = (values - values.mean(axis=1, keepdims=True)) * len(labels) / (len(labels) - 1)
    return float(np.mean([roc_auc_score(truth == label, margins[:, label]) for label in labels]))


def measure(data: DataSet, lexicon: Lexicon) -> dict[str, float]:
    """The measures of a lexicon on a corpus; counting is plain, negated words count for the other of two lists."""
    tokenizer = Tokenizer(data.language)
    items = items_of(lexicon, tokenizer)
    truth = np.array([items.lists.index(label) for label in data.labels])
    table = tabulate(data.texts, items, tokenizer, {name: at for at, name in enumerate(items.names)})
    counted = np.asarray(table.matrix @ np.eye(len(items.lists))[items.list_index], dtype=np.float64)
    learned = score(data.texts, estimate(count(data.texts, lexicon, tokenizer=tokenizer), lexicon))
    numbers = (
        mean_auc(counted / (table.lengths[:, None] + 0.1), truth),
        mean_auc(counted, truth),
        accuracy(counted, truth),
        mean_auc(learned.values, truth),
        accuracy(learned.probabilities, truth),
    )
    return dict(zip(MEASURES, numbers, strict=True))


def with_misplaced(lexicon: Lexicon) -> Lexicon:
    """The lexicon with the fourth word of each list, in alphabetical order, in the next list."""
    names, lists = lexicon.names, {name: list(words) for name, words in lexicon.lists.items()}
    for name, following in zip(names, (*names[1:], names[0]), strict=True):
        word = lexicon.lists[name][3]
        lists[name].remove(word)
        lists[following].append(word)
    return Lexicon(lists)


def effects(data: DataSet, edits: int, added: int) -> Iterator[Record]:
    """The measures of the lexicon as it is, and the gains of the first faults and of the first words to add."""
    found = doctor(data.texts, data.lexicon, tokenizer=Tokenizer(data.language), top=edits)
    before = measure(data, data.lexicon)
    yield {"corpus": data.name, "lexicon": "as it is"} | {name: f"{value:.4f}" for name, value in before.items()}
    for kind, findings in (("edit", found.faults[:edits]), ("word added", found.additions[:added])):
        after = measure(data, apply_edits(data.lexicon, findings)[0])
        gains = {name: f"{after[name] - before[name]:+.4f}" for name in MEASURES}
        noun = pluralize(len(findings), kind, "words added" if kind == "word added" else None)
        yield {"corpus": "", "lexicon": noun} | gains
        words = " ".join(finding.words[0] for finding in findings[:12])
        print(f"{data.name}, {noun}: {words}", file=sys.stderr)


def main(edits: int = 20, added: int = 20) -> None:
    """Print three rows for each corpus, and the same for lexicons with misplaced words."""
    warnings.simplefilter("ignore")
    rows: list[Record] = []
    for data in paper_corpora(data_folder()):
        rows += effects(data, edits, added)
    for data in topic_corpora():
        rows += effects(data, edits, added)
        rows += effects(replace(data, name=f"{data.name}*", lexicon=with_misplaced(data.lexicon)), edits, added)
    print(render(rows, "csv"))
    print("* one word of each list is in the next list")


if __name__ == "__main__":
    main(*(int(value) for value in sys.argv[1:]))
