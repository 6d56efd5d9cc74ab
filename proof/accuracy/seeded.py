"""Rivals that take the words of a lexicon as seeds of topics or of word vectors, and score texts by those.

Each is `rival(texts, lexicon, language)`: higher scores are for the second list, and zero is its own threshold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from labelling import all_words
from numpy.typing import NDArray
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import normalize

from problex._util.arrays import FloatArray
from problex.lexicon.lexicon import Lexicon
from problex.matching.tokens import Tokenizer

OTHER_TOPICS = 5
"""Topics without seeds, besides one for each list."""
ITERATIONS = 200
DIMENSIONS = 300
MIN_DOCUMENTS = 5


def seeded_lda(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
    """Seeded LDA (Lu et al. 2011) with tomotopy: seeds have pseudo-counts in their topic, one per cent of all tokens.

    The score of a text is the logarithm of the second topic's share over that of the first.
    """
    import tomotopy

    table, sign = all_words(texts, lexicon, language)
    topics, tokens = 2 + OTHER_TOPICS, float(table.matrix.sum())
    frequent = np.asarray((table.matrix > 0).sum(axis=0)).reshape(-1) >= MIN_DOCUMENTS
    model = tomotopy.LDAModel(k=topics, alpha=0.5, eta=0.1, seed=1)
    known = {word for word, kept in zip(table.words, frequent, strict=True) if kept}
    for at in np.flatnonzero(frequent & (sign != 0)).tolist():
        prior = np.full(topics, 0.1)
        prior[int(sign[at] > 0)] += 0.01 * tokens / int((frequent & (sign == sign[at])).sum())
        model.set_word_prior(table.words[at], prior.tolist())
    tokenizer = Tokenizer(language, negation=None)
    documents = [[token for token in tokenizer(text) if token in known] for text in texts]
    for document in documents:
        if document:
            model.add_doc(document)
    model.train(ITERATIONS, workers=1)
    filled, scores = [at for at, document in enumerate(documents) if document], np.zeros(len(texts))
    for at, document in zip(filled, model.docs, strict=True):
        shares = document.get_topic_dist()
        scores[at] = np.log(shares[1] / shares[0])
    return scores


def keyword_topics(texts: Sequence[str], lexicon: Lexicon, language: str, rounds: int = 100) -> FloatArray:
    """The model of keyATM (Eshima, Imai and Sasaki 2024), by expectation and maximisation in place of sampling.

    A word of topic k comes from the topic's keywords with probability pi_k and from all words otherwise:
    p(w | k) = pi_k keyword_k(w) + (1 - pi_k) all_k(w). Dirichlet priors: 0.1 keywords, 0.01 words, 1/7 topics of a text
    (one more than each, as modes need), and Beta(1, 1) for pi. The score is the logarithm of the shares of two topics.
    """
    table, sign = all_words(texts, lexicon, language)
    kept = np.asarray((table.matrix > 0).sum(axis=0)).reshape(-1) >= MIN_DOCUMENTS
    counts, sign = sparse.coo_array(table.matrix[:, kept].astype(np.float64)), sign[kept]
    topics, words = 2 + OTHER_TOPICS, counts.shape[1]
    key = np.zeros((topics, words))
    key[0], key[1] = sign < 0, sign > 0
    keyword = normalize(key, norm="l1")
    base = np.asarray(counts.sum(axis=0)).reshape(-1) / max(float(counts.sum()), 1.0)
    every = normalize(base * np.random.default_rng(0).uniform(0.5, 1.5, (topics, words)), norm="l1")
    rate = np.where(key.any(axis=1), 0.5, 0.0)
    shares = np.full((counts.shape[0], topics), 1.0 / topics)
    row, column = counts.coords
    for _ in range(rounds):
        from_key, from_all = (rate[:, None] * keyword)[:, column], ((1 - rate)[:, None] * every)[:, column]
        joint = shares[row].T * (from_key + from_all)
        belief = counts.data * joint / np.maximum(joint.sum(axis=0), 1e-300)
        keyed = belief * from_key / np.maximum(from_key + from_all, 1e-300)
        keyword = normalize((_sums(keyed, column, words) + 0.1) * key, norm="l1")
        every = normalize(_sums(belief - keyed, column, words) + 0.01, norm="l1")
        rate = np.where(key.any(axis=1), keyed.sum(axis=1) / np.maximum(belief.sum(axis=1), 1e-300), 0.0)
        shares = normalize(_sums(belief, row, len(texts)).T + 1.0 / topics, norm="l1")
    return np.asarray(np.log(shares[:, 1] / shares[:, 0]), dtype=np.float64)


def _sums(values: FloatArray, places: NDArray[np.int32], size: int) -> FloatArray:
    """For each row of the values, their sums by place."""
    return np.stack([np.bincount(places, weights=row, minlength=size) for row in values])


def latent_semantic_scaling(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
    """Latent semantic scaling (Watanabe 2021): words as vectors by an SVD of sentences x words, k = 300.

    The polarity of word f is g_f = sum_s p_s cos(v_s, v_f) over the seeds, p_s one over the number of seeds of its
    list, negative for the first; a text is sum_f g_f h_f / N over its words, less the mean of all texts.
    """
    sentences = [part for text in texts for part in re.split(r"(?<=[.!?])\s+|\n+", text) if part.strip()]
    table, sign = all_words(sentences, lexicon, language)
    often = np.asarray(table.matrix.sum(axis=0)).reshape(-1) >= MIN_DOCUMENTS
    kept = [word for word, seen in zip(table.words, often, strict=True) if seen]
    by_sentence, sign = sparse.csr_array(table.matrix[:, often].astype(np.float64)), sign[often]
    size = min(DIMENSIONS, min(by_sentence.shape) - 1)
    vectors = normalize(TruncatedSVD(size, random_state=0).fit(by_sentence).components_.T)
    seeds = vectors[sign > 0].mean(axis=0) - vectors[sign < 0].mean(axis=0)
    polarity = dict(zip(kept, (vectors @ seeds).tolist(), strict=True))
    whole, _ = all_words(texts, lexicon, language)
    weights = np.array([polarity.get(word, 0.0) for word in whole.words])
    known = np.array([word in polarity for word in whole.words], dtype=np.float64)
    scores = np.asarray(whole.matrix @ weights) / np.maximum(np.asarray(whole.matrix @ known), 1.0)
    return np.asarray(scores - scores.mean(), dtype=np.float64)


@lru_cache
def _word_llama() -> Any:
    from pathlib import Path

    import wordllama

    folder = Path(wordllama.__file__).parent  # version 0.4.0 looks for the tokenizer in a folder that is not there
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


def static_embedding(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
    """WordLlama, word vectors from large language models whose weights are in the package: nothing is downloaded.

    The cosine of a text with the mean vector of the words of the second list, less that with the first.
    """
    model = _word_llama()
    embedded = normalize(model.embed(list(texts)))
    ends = [normalize(normalize(model.embed(list(words))).mean(axis=0)[None])[0] for words in lexicon.lists.values()]
    return np.asarray(embedded @ (ends[1] - ends[0]), dtype=np.float64)
