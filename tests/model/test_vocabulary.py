"""Words and pairs of neighbours, compared with scikit-learn's."""

from __future__ import annotations

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from problex.counting.tables import TokenIds, token_ids
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from problex.model.vocabulary import vocabulary_of

ITEMS = items_of(Lexicon({"a": ["qqq"], "b": ["zzz"]}), Tokenizer())
TEXTS = ["the film was good fun", "the film was bad", "good fun, good fun", "was it good", "the end", ""]


def tokens_of(texts: list[str]) -> TokenIds:
    return token_ids(texts, ITEMS, Tokenizer())


def test_rows_are_those_of_scikit_learn() -> None:
    tokens = tokens_of(TEXTS)
    found = vocabulary_of(tokens, min_documents=2)
    peer = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, token_pattern=r"[a-z]+")
    expected = peer.fit_transform(TEXTS).toarray()
    names = list(peer.get_feature_names_out())
    assert set(found.names) == set(names)
    order = [names.index(name) for name in found.names]
    assert np.allclose(found.rows(tokens).toarray(), expected[:, order], atol=1e-6)


def test_new_texts_are_counted_by_the_known_words() -> None:
    found = vocabulary_of(tokens_of(TEXTS), min_documents=2)
    new = token_ids(["good unheard fun", "good fun"], ITEMS, Tokenizer(), found.columns)
    counts = found.count(new).matrix().toarray()
    pair = found.names.index("good fun")
    assert counts[:, pair].tolist() == [0.0, 1.0]  # a word between them, though unknown, parts them
    assert counts.sum() == 5.0


def test_pairs_do_not_cross_documents() -> None:
    found = vocabulary_of(tokens_of(["one two", "three one", "two three", "one two"]), min_documents=1)
    assert {name for name in found.names if " " in name} == {"one two", "three one", "two three"}


def test_too_many_features_leave_the_most_frequent() -> None:
    found = vocabulary_of(tokens_of(TEXTS), min_documents=1, max_features=3)
    assert len(found.names) == 3
    assert found.documents.min() >= 3
