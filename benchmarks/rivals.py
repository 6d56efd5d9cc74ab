"""Other methods without labels on the same texts, most of them with the same words: `python benchmarks/rivals.py`.

`RIVALS[name](texts, lexicon, language)` gives a score per text, higher for the second list. All are for two lists. The
table has their AUC on samples of the paper's corpora (in the folder PROBLEX_DATA) with bootstrap intervals, then that
of the lexicon model on the same documents, and the supervised bound, which alone uses the labels.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from problex._util.arrays import FloatArray

sys.path.insert(0, str(Path(__file__).parent))

import peers

from problex import LexiconClassifier
from problex.counting.tables import Table, tabulate
from problex.evaluation.metrics import Measure, evaluate, supervised_bound
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from problex.paper.datasets import DataSet, data_folder, paper_corpora
from problex.scoring.scores import Scores

Rival = Callable[[Sequence[str], Lexicon, str], FloatArray]
SAMPLE, FUNCTIONS, DIMENSIONS = 4000, 500, 300


def english(score: Callable[[Sequence[str]], FloatArray]) -> Rival:
    """A tool with words of its own, all of them English: for other languages it has no score."""

    def rival(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
        return score(texts) if language == "en" else np.full(len(texts), np.nan)

    return rival


def all_words(texts: Sequence[str], lexicon: Lexicon, language: str) -> tuple[Table, NDArray[np.int64]]:
    """Counts of every word, and its sign: 1 in the second list, -1 in the first, 0 in none. Negation is not used."""
    tokenizer = Tokenizer(language, negation=None)
    items = items_of(lexicon, tokenizer)
    table = tabulate(texts, items, tokenizer)
    found = [items.find(word) for word in table.words]
    return table, np.array([0 if of is None else 2 * of - 1 for of in found])


def majority(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
    """Every word of the lexicon is a labelling function that votes once where it occurs; the share of votes."""
    table, sign = all_words(texts, lexicon, language)
    votes = (table.matrix > 0).astype(np.float64)
    return np.asarray(votes @ sign) / np.maximum(votes @ np.abs(sign), 1.0)


def functions(
    texts: Sequence[str], lexicon: Lexicon, language: str
) -> tuple[sparse.csr_array, FloatArray, NDArray[np.int64]]:
    """The 500 words of the lexicon that most texts have, as labelling functions: who speaks where, shares, signs."""
    table, sign = all_words(texts, lexicon, language)
    frequency = np.asarray((table.matrix > 0).sum(axis=0)).reshape(-1) * (sign != 0)
    chosen = np.argsort(-frequency, kind="stable")[:FUNCTIONS]
    chosen = chosen[frequency[chosen] > 0]
    spoken = sparse.csr_array((table.matrix[:, chosen] > 0).astype(np.float64))
    return spoken, frequency[chosen] / frequency[chosen].sum(), sign[chosen]


def label_model(texts: Sequence[str], lexicon: Lexicon, language: str, rounds: int = 200) -> FloatArray:
    """Labelling functions that are independent given the label and the number of them that speak, by moments.

    With even classes function j is the one that speaks with probability f_j + d_j under the second label and f_j - d_j
    under the first, so that two that speak are i and j with probability f_i f_j + d_i d_j. The d are fitted to these by
    turns, from functions that are right seven times in ten; none may be worse than chance. Without the number of
    speakers the length of the texts is all that this finds (AUC .63 to .69).
    """
    spoken, share, sign = functions(texts, lexicon, language)
    speakers = np.asarray(spoken.sum(axis=1)).reshape(-1)
    excess = (spoken.T @ spoken).toarray() / max(speakers @ (speakers - 1), 1.0) - np.outer(share, share)
    np.fill_diagonal(excess, 0.0)
    strength = 0.4 * share
    for _ in range(rounds):
        before = strength.copy()
        for j in range(len(strength)):
            others = max(float(strength @ strength - strength[j] ** 2), 1e-300)
            pull = sign[j] * float(excess[j] @ (sign * strength)) / others
            strength[j] = min(max(pull, 0.0), 0.98 * share[j])
        if np.abs(strength - before).max() < 1e-9:
            break
    return np.asarray(spoken @ (sign * np.log((share + strength) / (share - strength))), dtype=np.float64)


def label_model_em(texts: Sequence[str], lexicon: Lexicon, language: str, rounds: int = 100) -> FloatArray:
    """The same model by expectation and maximisation, with seven made-up texts per label as a prior."""
    spoken, share, sign = functions(texts, lexicon, language)
    start = np.stack([share * (1 - 0.4 * sign), share * (1 + 0.4 * sign)])
    rates = start / start.sum(axis=1, keepdims=True)
    per_text = spoken.sum() / len(texts)
    for _ in range(rounds):
        belief = expit(spoken @ np.log(rates[1] / rates[0]))
        met = np.stack([spoken.T @ (1 - belief), spoken.T @ belief]) + 7 * per_text * start
        rates = met / met.sum(axis=1, keepdims=True)
        worse = sign * (rates[1] - rates[0]) < 0
        rates[:, worse] = rates[:, worse].mean(axis=0)
    return np.asarray(spoken @ np.log(rates[1] / rates[0]), dtype=np.float64)


def latent_semantic_scaling(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
    """Words by an SVD of the document-term matrix; a word's polarity is its mean cosine to the seeds of each list.

    The seeds are the words of the lexicon, each list weighing the same; a text is the mean polarity of its words.
    """
    table, sign = all_words(texts, lexicon, language)
    documents = np.asarray((table.matrix > 0).sum(axis=0)).reshape(-1)
    kept = documents >= 5
    counts, sign = table.matrix[:, kept].astype(np.float64), sign[kept]
    weighted = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
    size = min(DIMENSIONS, min(weighted.shape) - 1)
    words = normalize(TruncatedSVD(size, random_state=0).fit(weighted.T).transform(weighted.T))
    seeds = words[sign > 0].mean(axis=0) - words[sign < 0].mean(axis=0)
    polarity = words @ seeds
    polarity -= np.average(polarity, weights=documents[kept])
    return np.asarray(counts @ polarity / np.maximum(counts.sum(axis=1), 1.0), dtype=np.float64)


def trained_on_counting(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
    """Counting's labels, undecided texts left out, train a logistic regression on tf-idf of all words and pairs."""
    tokenizer = Tokenizer(language, negation=None)
    table, sign = all_words(texts, lexicon, language)
    margin = np.asarray(table.matrix @ sign)
    vectors = TfidfVectorizer(
        tokenizer=tokenizer, token_pattern=None, lowercase=False, ngram_range=(1, 2), min_df=2, sublinear_tf=True
    )
    features = vectors.fit_transform(texts)
    decided = margin != 0
    if len(np.unique(margin[decided] > 0)) < 2:
        return margin.astype(np.float64)
    regression = LogisticRegression(max_iter=1000).fit(features[decided], margin[decided] > 0)
    return np.asarray(regression.decision_function(features), dtype=np.float64)


RIVALS: dict[str, Rival] = {
    "VADER": english(peers.vader),
    "VADER by sentence": english(peers.vader_by_sentence),
    "TextBlob": english(peers.textblob),
    "AFINN": english(peers.afinn),
    "majority vote": majority,
    "label model": label_model,
    "label model by EM": label_model_em,
    "latent semantic scaling": latent_semantic_scaling,
    "counting -> logistic regression": trained_on_counting,
}
"""Who is compared; a new one is one function and one line."""

NEEDS = {"VADER": "vaderSentiment", "VADER by sentence": "vaderSentiment", "TextBlob": "textblob", "AFINN": "afinn"}
"""The package of those that are not written here: `pip install 'problex[bench]'`."""


def available() -> dict[str, Rival]:
    """The rivals whose packages are installed."""
    return {name: rival for name, rival in RIVALS.items() if find_spec(NEEDS.get(name, "problex")) is not None}


def sample(corpus: DataSet, most: int = SAMPLE) -> DataSet:
    """Some of its documents."""
    rows = np.sort(np.random.default_rng(0).permutation(len(corpus.texts))[:most])
    return replace(corpus, texts=[corpus.texts[int(row)] for row in rows], labels=corpus.labels[rows])


def area(corpus: DataSet, scores: FloatArray) -> Measure | None:
    """AUC with its interval by bootstrap over documents; None for a rival that has no score here."""
    if np.isnan(scores).any():
        return None
    none = np.zeros(len(scores), np.int64)
    both = Scores(corpus.lexicon.names, np.stack([-scores / 2, scores / 2], axis=1), none, none + 1)
    return next(m for m in evaluate(corpus.labels, both, resamples=100).measures if m.name == "auc")


def areas(corpus: DataSet) -> dict[str, Measure | None]:
    """Every rival on a corpus of two lists."""
    found = {name: rival(corpus.texts, corpus.lexicon, corpus.language) for name, rival in available().items()}
    return {name: area(corpus, scores) for name, scores in found.items()}


def ours(corpus: DataSet) -> dict[str, Measure | None]:
    """The default on the same documents, without and with expansion."""
    found = {}
    for name, expand in (("problex", False), ("problex, expand=True", True)):
        fitted = LexiconClassifier(corpus.lexicon, language=corpus.language, expand=expand).fit(corpus.texts)
        found[name] = area(corpus, fitted.decision_function(corpus.texts))
    return found


def bound(corpus: DataSet) -> Measure:
    """Logistic regression with labels, five-fold: no interval."""
    positive = np.asarray(corpus.labels == corpus.lexicon.names[1])
    value = supervised_bound(corpus.texts, positive, Tokenizer(corpus.language))
    return Measure("auc", value, value, value)


def shown(found: Measure | None) -> str:
    """A cell of the table."""
    if found is None:
        return "-"
    return f"{found.value:.3f}" if found.low == found.high else f"{found.value:.3f} ({found.low:.3f} {found.high:.3f})"


def main() -> None:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("corpora", nargs="*", default=["Amazon", "Cornell", "Cine", "IMDB"])
    parser.add_argument("--most", type=int, default=SAMPLE, help="documents of each corpus")
    given = parser.parse_args()
    table = {}
    for corpus in paper_corpora(data_folder(), given.corpora):
        some = sample(corpus, given.most)
        table[f"{corpus.name} {len(some.texts):,}"] = areas(some) | ours(some) | {"supervised bound": bound(some)}
    print(f"{'AUC':34s}" + "".join(f"{name:>22s}" for name in table))
    for name in next(iter(table.values())):
        print(f"{name:34s}" + "".join(f"{shown(found[name]):>22s}" for found in table.values()))


if __name__ == "__main__":
    main()
