"""A text of listed words of one list only never gets the label of another, in models of every kind."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import Lexicon, LexiconClassifier, Model, explain, score
from problex.audit.thresholds import LabelledTexts, with_labels
from problex.expansion import learn
from problex.expansion import texts as training_texts
from tests.model.test_expansion import LISTS, corpus
from tests.scoring.test_no_lean import TOPICS, topic_texts

WRONG = {"negative": "superb", "positive": "vile", "home": "lorry", "road": "sofa", "sea": "plane", "sky": "tide"}
"""Words in the wrong list: what is learned from all words contradicts their list."""
PHRASE, WILDCARD = "well made", "strongn*"


def with_wrong_words(lists: dict[str, list[str]]) -> dict[str, list[str]]:
    wrong = {WRONG[name] for name in lists}
    return {name: [*(word for word in words if word not in wrong), WRONG[name]] for name, words in lists.items()}


@cache
def training(kind: str) -> tuple[Lexicon, tuple[str, ...], tuple[str, ...]]:
    """A lexicon, texts, and their labels; in texts of tone, a phrase and a pair of words contradict their list, too."""
    if kind.startswith("topics"):
        names = list(TOPICS)[: int(kind[-1])]
        texts = topic_texts(names)
        labels = [max(names, key=lambda name: sum(text.count(word) for word in TOPICS[name])) for text in texts]
        return Lexicon(with_wrong_words({name: TOPICS[name] for name in names})), tuple(texts), tuple(labels)
    texts, positive = corpus(share=0.7)
    odd = ~positive & (np.arange(len(texts)) % 4 == 0)
    texts = [f"great good {text} well made" if marked else text for text, marked in zip(texts, odd, strict=True)]
    lists = with_wrong_words(LISTS)
    lists["positive"] += [PHRASE, WILDCARD]  # 'strongneg' is a word of negative texts
    return Lexicon(lists), tuple(texts), tuple(np.where(positive, "positive", "negative").tolist())


@cache
def model_of(kind: str, expand: bool | str, labels: int) -> Model:
    """A model, after so many labels of an audit."""
    lexicon, texts, truth = training(kind)
    clf = LexiconClassifier(lexicon, expand=expand, language="en")
    with ExitStack() as patches:
        if kind == "tone":
            patches.enter_context(patch.object(training_texts, "are_topics", return_value=False))
            patches.enter_context(patch.object(learn, "themes_are_the_lists", return_value=False))
        model = clf.fit(texts).model_
    assert (model.expansion is not None) == (expand is True)
    if not labels:
        return model
    codes = np.array([model.classes.index(label) for label in truth[:labels]])
    return with_labels(model, LabelledTexts(texts[:labels], codes, np.ones(labels)))


def words_of(model: Model, name: str) -> list[str]:
    """The words of a list; for a wildcard a word that it matches."""
    return [word.replace("*", "eg") for word in model.lexicon.lists[name]]


BOUNDED = {"tone": ["superb", "well made", "great good"], "topics2": ["lorry", "sofa"], "topics4": ["lorry"]}
"""Features that contradict the list of their words."""
CASES = [
    (kind, expand, n) for kind in ("tone", "topics2", "topics4") for expand in (False, "lexicon", True) for n in (0, 40)
]


@pytest.mark.parametrize(("kind", "expand", "labels"), CASES)
def test_a_listed_word_alone_never_gets_another_list(kind: str, expand: bool | str, labels: int) -> None:
    model = model_of(kind, expand, labels)
    for name in model.classes:
        words = words_of(model, name)
        for times in (1, 2, 5, 1000):
            found = score([" ".join([word] * times) for word in words], model).labels().tolist()
            assert set(found) <= {name, "undecided"}, dict(zip(words, found, strict=True))


@pytest.mark.parametrize(("kind", "expand", "labels"), CASES)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_listed_words_of_one_list_never_get_another(
    kind: str, expand: bool | str, labels: int, data: st.DataObject
) -> None:
    model = model_of(kind, expand, labels)
    name = data.draw(st.sampled_from(model.classes))
    words = data.draw(st.lists(st.sampled_from(words_of(model, name)), min_size=1, max_size=30))
    text = " ".join([*words, *data.draw(st.lists(st.just("unknown"), max_size=3))])
    scores, why = score([text], model), explain(text, model)
    assert scores.labels()[0] in (name, "undecided")
    assert why.label == scores.labels()[0]
    total = np.sum([part.values for part in why.contributions], axis=0) + why.prior
    np.testing.assert_allclose(total, scores.values[0], rtol=0, atol=1e-9)


@pytest.mark.parametrize(("kind", "bounded"), BOUNDED.items())
def test_what_is_learned_of_listed_words_and_their_pairs_never_favours_another_list(
    kind: str, bounded: list[str]
) -> None:
    model = model_of(kind, True, 0)
    assert model.expansion is not None
    vocabulary, weights = model.expansion.vocabulary, model.expansion.weights
    lists = np.array([-1 if own is None else own for own in map(model.items.find, vocabulary.words)])
    first, second = lists[vocabulary.first], lists[vocabulary.second]
    inside = np.flatnonzero((first >= 0) & ((vocabulary.second < 0) | (first == second)))
    own = weights[inside, first[inside]]
    assert np.all(own[:, None] >= weights[inside])
    ahead = np.sort(weights, axis=1)[:, -2:]
    equal = {name for at, name in enumerate(vocabulary.names) if ahead[at, 0] == ahead[at, 1]}
    assert equal >= set(bounded)
    assert equal <= {vocabulary.name(at) for at in inside.tolist()}
