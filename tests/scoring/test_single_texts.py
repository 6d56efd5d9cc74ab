"""A text at a time: a model is prepared once, and the work for a text does not depend on the size of the lexicon."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from problex import Lexicon, LexiconClassifier, Model, count, estimate, expand, explain, score
from problex.counting import counters
from problex.counting.counters import make_closed_plan
from problex.scoring import make_scorer
from tests.work import calls_of, made_up_words, peak_memory

TEXTS = [
    f"{words} {thing}"
    for words in ("good fine sunny", "good sunny", "fine sunny", "bad poor rainy", "bad rainy", "poor rainy")
    for thing in ("day", "film", "walk", "week", "story", "day in town", "week in town", "film and walk", "tale")
]
TEXT = "not a good film, but a fine and sunny day, if poor"


def lexicon_of(more: int, form: str = "{}") -> Lexicon:
    words = [form.format(word) for word in made_up_words(more)]
    return Lexicon({"up": ["good", "fine", *words[::2]], "down": ["bad", "poor", *words[1::2]]})


def model_of(more: int, expanded: bool = False, form: str = "{}") -> Model:
    lexicon = lexicon_of(more, form)
    model = estimate(count(TEXTS, lexicon), lexicon)
    return expand(model, TEXTS) if expanded else model


shared_model = lru_cache(maxsize=2)(model_of)
"""A small and a large model, for several tests one after the other."""
CALLS: dict[str, Callable[[Model], Any]] = {
    "score": lambda model: score([TEXT], model).labels(),
    "score by a rule": lambda model: score([TEXT], model, rule="count", temper="none").labels(),
    "explain": lambda model: explain(TEXT, model),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("expanded", [False, True])
@pytest.mark.parametrize("form", ["{}", "{}*", "*{}*", "so {}"])
def test_the_work_for_a_text_does_not_depend_on_the_size_of_the_lexicon(call: str, expanded: bool, form: str) -> None:
    """Neither the number of calls nor the memory: a copy of the columns would be one call, but 160 kB."""
    calls, memory = [], []
    for more in (20, 20_000):
        model = shared_model(more, expanded, form)
        assert (model.expansion is not None) == expanded
        CALLS[call](model)
        CALLS[call](model)
        calls.append(calls_of(lambda model=model: CALLS[call](model)))  # type: ignore[misc]
        memory.append(peak_memory(lambda model=model: CALLS[call](model)))  # type: ignore[misc]
    assert calls[0] == calls[1]
    assert memory[1] < memory[0] + 10_000


def test_the_work_of_the_classifier_does_not_depend_on_the_size_of_the_lexicon() -> None:
    calls = []
    for more in (20, 20_000):
        classifier = LexiconClassifier(lexicon_of(more)).fit(TEXTS)
        classifier.predict([TEXT])
        calls.append(calls_of(lambda classifier=classifier: classifier.predict([TEXT])))  # type: ignore[misc]
    assert calls[0] == calls[1]


def test_the_own_rule_by_name_is_the_same_scorer_unless_all_words_count() -> None:
    model, expanded = model_of(0), model_of(0, expanded=True)
    own = model.settings
    assert make_scorer(model, own.rule, own.temper) is make_scorer(model)
    assert make_scorer(model, "count") is not make_scorer(model)
    assert make_scorer(expanded).expansion is not None
    assert make_scorer(expanded, own.rule).expansion is None


def test_threads_that_come_first_together_prepare_a_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    plans, make = [], make_closed_plan

    def made(*given: Any) -> Any:
        plans.append(given)
        return make(*given)

    monkeypatch.setattr(counters, "make_closed_plan", made)
    model = model_of(2000)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: score([TEXT], model).values.tolist(), range(64)))
    assert len(plans) == 1
    assert found == [found[0]] * 64


def test_what_is_prepared_goes_with_the_model() -> None:
    model = model_of(20, expanded=True)
    score([TEXT], model)
    scorer = weakref.ref(make_scorer(model))
    assert scorer() is not None
    del model
    gc.collect()
    assert scorer() is None


def test_what_is_prepared_is_not_copied() -> None:
    classifier = LexiconClassifier(lexicon_of(20), expand=True).fit(TEXTS)
    before = len(pickle.dumps(classifier))
    expected = classifier.predict_proba([TEXT])
    assert len(pickle.dumps(classifier)) == before
    restored = pickle.loads(pickle.dumps(classifier))
    for again in (copy.deepcopy(classifier), restored, clone(classifier).fit(TEXTS)):
        assert "cache" not in vars(again.model_)
        assert again is not restored or "columns" not in vars(again.model_.expansion.vocabulary)
        assert np.array_equal(again.predict_proba([TEXT]), expected)
