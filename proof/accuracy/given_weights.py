"""Weights of the lexicon as the centre of shrinkage: `given_weights.py [--draws N] [--output FILE]`.

For lexicons with weights (VADER, AFINN, Pattern's adjectives as in TextBlob, SenticNet in Spanish) and every corpus of
the paper: AUC and accuracy of the default, of `shrink_to="given"` and of counting, plain (`rule="count"`) and weighted
(`rule="given"`). Models are learned from random samples of 200, 500 and 2,000 texts and measured on the same texts, as
they are used; then on all texts. Undecided texts count as wrong. Needs `pip install vaderSentiment afinn textblob
senticnet`.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from problex import Lexicon, count, estimate, read_lexicon, score
from problex.evaluation.metrics import evaluate
from problex.matching import Tokenizer
from problex.paper.datasets import DataSet, data_folder, paper_corpora

SIZES = (200, 500, 2000)
LEXICONS = {
    "VADER": ("vaderSentiment", "vader_lexicon.txt"),
    "AFINN": ("afinn", "data/AFINN-en-165.txt"),
    "Pattern": ("textblob", "en/en-sentiment.xml"),
}
SYSTEMS: dict[str, dict[str, str]] = {
    "default": {},
    "given": {"shrink_to": "given"},
    "counting": {"rule": "count"},
    "weighted counting": {"rule": "given"},
}


def weighted_lexicon(name: str) -> Lexicon:
    """A lexicon with weights from a package; SenticNet's Spanish words are those of one word, without accents."""
    if name == "SenticNet":
        from senticnet.babel.senticnet_es import senticnet

        fold, lists = Tokenizer("es"), {"positive": dict[str, float](), "negative": dict[str, float]()}
        for concept, values in senticnet.items():
            words, weight = fold(concept.replace("_", " ")), float(values[6])
            if len(words) == 1 and weight:
                lists["positive" if weight > 0 else "negative"].setdefault(words[0], weight)
        return Lexicon(lists)
    package, file = LEXICONS[name]
    return read_lexicon(Path(str(files(package).joinpath(file))))


def measured(corpus: DataSet, lexicon: Lexicon, rows: NDArray[np.int64]) -> dict[str, tuple[float, float]]:
    """AUC and accuracy of every system that learns from some texts and labels them."""
    texts, tokenizer = [corpus.texts[row] for row in rows], Tokenizer(corpus.language)
    counts, found = count(texts, lexicon, tokenizer=tokenizer), {}
    for name, settings in SYSTEMS.items():
        scores = score(texts, estimate(counts, lexicon, tokenizer=tokenizer, **settings))
        measures = {one.name: one.value for one in evaluate(corpus.labels[rows], scores, resamples=0).measures}
        found[name] = measures["auc"], measures["accuracy"]
    return found


def results(draws: int) -> Iterator[dict[str, object]]:
    """A record per corpus, lexicon, size and system: the means, and the standard error of the gain over the default."""
    for corpus in paper_corpora(data_folder()):
        for name in LEXICONS if corpus.language == "en" else ["SenticNet"]:
            lexicon, total = weighted_lexicon(name), len(corpus.texts)
            for size in [*(size for size in SIZES if 2 * size <= total), total]:
                orders = [
                    np.random.default_rng(draw).permutation(total) for draw in range(draws if size < total else 1)
                ]
                parts = [measured(corpus, lexicon, order[:size]) for order in orders]
                for system in SYSTEMS:
                    auc, accuracy = np.array([part[system] for part in parts]).T
                    gains = auc - np.array([part["default"][0] for part in parts])
                    error = float(gains.std(ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else 0.0
                    record = {"corpus": corpus.name, "lexicon": name, "texts": size, "draws": len(parts)}
                    figures = {"auc": auc.mean(), "accuracy": accuracy.mean(), "gain": gains.mean(), "error": error}
                    yield record | {"system": system} | {key: round(float(value), 5) for key, value in figures.items()}


def main() -> None:
    """Print a line per record, and write them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--output", type=Path, default=Path(__file__).parents[1] / "results" / "given_weights.json")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    records = []
    for record in results(options.draws):
        records.append(record)
        print(*record.values(), flush=True)
    lines = ",\n".join(json.dumps(record) for record in records)
    options.output.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
