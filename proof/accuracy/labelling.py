"""Rivals that take every word of a lexicon as a labelling function, and combine their votes into a score per text.

Each is `rival(texts, lexicon, language)`: higher scores are for the second list, and zero is its own threshold.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logit
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from problex._util.arrays import FloatArray
from problex.counting.tables import CountTable, tabulate
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer

FUNCTIONS = 500
"""The words that label most texts: models of all pairs of words cannot take thousands."""


def all_words(texts: Sequence[str], lexicon: Lexicon, language: str) -> tuple[CountTable, NDArray[np.int64]]:
    """Counts of every word, and its sign: 1 in the second list, -1 in the first, 0 in none. Negation is not used."""
    tokenizer = Tokenizer(language, negation=None)
    items = items_of(lexicon, tokenizer)
    table = tabulate(texts, items, tokenizer)
    found = [items.find(word) for word in table.words]
    return table, np.array([0 if of is None else 2 * of - 1 for of in found])


def majority(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
    """Every word of the lexicon votes once where it occurs; the share of votes."""
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


def snorkel(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
    """Snorkel's label model with its default settings and even classes: log-odds of its probability."""
    from snorkel.labeling.model import LabelModel

    spoken, _, sign = functions(texts, lexicon, language)
    votes = np.where(spoken.toarray() > 0, (sign > 0).astype(np.int64), -1)  # -1 is Snorkel's sign for no vote
    model = LabelModel(cardinality=2, verbose=False)
    model.fit(votes, class_balance=[0.5, 0.5], seed=0, progress_bar=False)
    return np.asarray(logit(np.clip(model.predict_proba(votes)[:, 1], 1e-9, 1 - 1e-9)), dtype=np.float64)


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
