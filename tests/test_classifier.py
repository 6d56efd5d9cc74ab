"""The scikit-learn contract, as far as it can hold for texts."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks

from problex import Lexicon, LexiconClassifier
from problex.errors import (
    DocumentError,
    EstimationError,
    EstimationWarning,
    LexiconWarning,
    ProblexError,
    ProblexWarning,
)
from problex.estimation.settings import DEFAULT


@pytest.fixture
def clf(lexicon: Lexicon, texts: list[str]) -> LexiconClassifier:
    return LexiconClassifier(lexicon).fit(texts)


def test_predictions(clf: LexiconClassifier) -> None:
    assert clf.classes_.tolist() == ["negative", "positive"]
    new = ["a fine film", "a poor film", "a film", "well-made"]
    assert clf.predict(new).tolist() == ["positive", "negative", "undecided", "positive"]
    assert clf.predict(new, undecided=None)[2] == "negative"
    decision = clf.decision_function(new)
    np.testing.assert_allclose(clf.predict_proba(new)[:, 1], 1 / (1 + np.exp(-decision)))
    assert (decision > 0).tolist() == [True, False, False, True]


def test_what_is_not_confident_enough_is_undecided(clf: LexiconClassifier) -> None:
    new = ["a fine film", "good but bad and poor and fine", "a poor film"]
    best = clf.predict_proba(new).max(axis=1)
    limit = float(np.sort(best)[1])
    expected = np.where(best < limit, "?", clf.predict(new))
    assert clf.predict(new, undecided="?", confidence=limit).tolist() == expected.tolist()
    assert (clf.predict(new, confidence=1.0) == "undecided").all()
    with pytest.raises(ProblexError, match=r"confidence=2 .* expected a probability from 0 to 1"):
        clf.predict(new, confidence=2)


@pytest.mark.parametrize("expand", [False, True])
def test_a_warning_about_the_lexicon_comes_once(texts: list[str], expand: bool) -> None:
    words = {"positive": ["good", "fine", "odd"], "negative": ["bad", "poor", "odd"]}
    with pytest.warns(ProblexWarning) as caught:
        clf = LexiconClassifier(words, expand=expand).fit(texts)
    assert [str(warning.message) for warning in caught].count(
        "1 entry is in two lists, left out of both: 'odd' (positive, entry 3 and negative, entry 3)"
    ) == 1
    with pytest.warns(LexiconWarning) as caught:
        clf.partial_fit(texts)
    assert len([warning for warning in caught if warning.category is LexiconWarning]) == 1


def test_labels_are_accepted_and_ignored(lexicon: Lexicon, texts: list[str]) -> None:
    random_labels = np.random.default_rng(0).choice(["positive", "negative"], len(texts))
    one = LexiconClassifier(lexicon).fit(texts, random_labels)
    two = LexiconClassifier(lexicon).fit(texts)
    assert one.model_ == two.model_


def test_partial_fit_in_any_batches_is_fit(lexicon: Lexicon, texts: list[str]) -> None:
    whole = LexiconClassifier(lexicon).fit(texts)
    parts = LexiconClassifier(lexicon).partial_fit(texts[30:]).partial_fit(texts[:30])
    assert parts.model_ == whole.model_
    assert parts.counts_ == whole.counts_
    assert np.array_equal(parts.decision_function(texts), whole.decision_function(texts))
    assert parts.fit(texts[:20]).counts_.documents == 20


def test_a_batch_that_does_not_suffice_is_kept(lexicon: Lexicon, texts: list[str]) -> None:
    clf = LexiconClassifier(lexicon)
    with pytest.warns(EstimationWarning, match="no model yet, but the counts are kept: no entry of list 'negative'"):
        clf.partial_fit(["a good day", "a fine day"])
    with pytest.raises(NotFittedError):
        clf.predict(["good"])
    assert clf.partial_fit(texts).counts_.documents == len(texts) + 2
    assert clf.model_ == LexiconClassifier(lexicon).fit(["a good day", "a fine day", *texts]).model_


def test_a_failed_fit_changes_nothing(clf: LexiconClassifier, texts: list[str]) -> None:
    before = clf.decision_function(texts)
    with pytest.raises(EstimationError):
        clf.fit(["good day", "fine day"])
    assert np.array_equal(clf.decision_function(texts), before)
    assert clf.counts_.documents == len(texts)


def test_weights_are_a_frame(clf: LexiconClassifier) -> None:
    frame = clf.weights_
    assert isinstance(frame, pd.DataFrame)
    assert {"entry", "list", "count", "expected_cross_count", "cross_count", "predictiveness", "weight"} <= set(frame)
    assert len(frame) == 6
    assert frame["weight"].is_monotonic_decreasing


def test_every_kind_of_column_gives_the_same(clf: LexiconClassifier, texts: list[str], tmp_path: Path) -> None:
    pd.DataFrame({"text": texts}).to_parquet(tmp_path / "t.parquet")
    expected = clf.decision_function(texts)
    for kind in (
        np.array(texts, dtype=object),
        np.array(texts),
        pd.Series(texts, index=range(100, 100 + len(texts))),
        pl.Series(texts),
        pa.array(texts),
        pa.chunked_array([texts[:9], texts[9:]]),
        iter(texts),
        tmp_path / "t.parquet",
    ):
        assert np.array_equal(clf.decision_function(kind), expected)


def test_clone_parameters_and_pickle(clf: LexiconClassifier, texts: list[str]) -> None:
    fresh = clone(clf)
    assert not hasattr(fresh, "model_")
    assert fresh.get_params()["rule"] == "dcm"
    assert fresh.set_params(rule="count", shrinkage=5.0).shrinkage == 5.0
    again = pickle.loads(pickle.dumps(clf))
    assert np.array_equal(again.decision_function(texts), clf.decision_function(texts))
    assert "LexiconClassifier" in repr(clf)


def test_the_defaults_have_one_home() -> None:
    params = LexiconClassifier(Lexicon({"a": ["x"], "b": ["y"]})).get_params()
    for name, value in vars(DEFAULT).items():
        if name != "solver_options":
            assert params[name] == value, name


def test_pipelines_and_cross_validation(lexicon: Lexicon, texts: list[str]) -> None:
    labels = np.array(
        ["positive", "positive", "negative", "negative", "positive", "negative", "positive", "negative"] * 5
    )
    upper = FunctionTransformer(lambda column: [text.upper() for text in column])
    pipeline: Pipeline = make_pipeline(upper, LexiconClassifier(lexicon, threads=1))
    pipeline.fit(texts)
    assert pipeline.predict(["FINE"]).tolist() == ["positive"]
    column = np.array(texts, dtype=object)
    scores = cross_val_score(LexiconClassifier(lexicon, threads=1), column, labels, scoring="roc_auc", cv=3)
    assert np.all(scores > 0.6)
    search = GridSearchCV(LexiconClassifier(lexicon), {"rule": ["count", "dcm"]}, scoring="roc_auc", cv=2)
    assert search.fit(column, labels).best_params_["rule"] in ("count", "dcm")


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_no_attributes_set_in_init,
        estimator_checks.check_parameters_default_constructible,
        estimator_checks.check_get_params_invariance,
        estimator_checks.check_set_params,
        estimator_checks.check_estimator_repr,
        estimator_checks.check_estimator_cloneable,
        estimator_checks.check_estimator_tags_renamed,
        estimator_checks.check_valid_tag_types,
    ],
)
def test_scikit_learn_agrees(check: object, lexicon: Lexicon) -> None:
    check("LexiconClassifier", LexiconClassifier(lexicon))  # type: ignore[operator]


def test_a_plain_dictionary_will_do(texts: list[str]) -> None:
    clf = LexiconClassifier({"positive": ["good", "fine"], "negative": ["bad", "poor"]}).fit(texts)
    assert clf.predict(["fine"]).tolist() == ["positive"]


def test_the_paper_in_one_line(lexicon: Lexicon, texts: list[str]) -> None:
    clf = LexiconClassifier.paper(lexicon, rule="multinomial").fit(texts)
    assert (clf.solver, clf.balance, clf.shrinkage, clf.rule) == ("admm", "equal", 0.0, "multinomial")
    assert clf.predict(["fine and good"]).tolist() == ["positive"]


def test_the_published_solver_with_shrinkage(lexicon: Lexicon, texts: list[str]) -> None:
    clf = LexiconClassifier(lexicon, solver="admm").fit(texts)
    exact = LexiconClassifier(lexicon).fit(texts)
    assert np.corrcoef(clf.decision_function(texts), exact.decision_function(texts))[0, 1] > 0.9


def test_languages_and_tokenizers() -> None:
    lexicon = Lexicon({"bueno": ["bonito", "genial"], "malo": ["feo", "pésimo"]})
    texts = ["un día bonito y genial", "qué feo y pesimo", "genial, bonito", "feo pésimo día", "bonito feo"] * 10
    clf = LexiconClassifier(lexicon, language="es").fit(texts)
    assert clf.predict(["PÉSIMO", "génial"]).tolist() == ["malo", "bueno"]
    letters = LexiconClassifier({"x": ["好"], "y": ["坏"]}, tokenizer=list).fit(
        ["好好天", "坏坏天", "好天", "坏天", "好坏天天天"]
    )
    assert letters.predict(["好天", "坏"]).tolist() == ["x", "y"]


def test_errors(lexicon: Lexicon, clf: LexiconClassifier) -> None:
    with pytest.raises(NotFittedError):
        LexiconClassifier(lexicon).predict(["x"])
    with pytest.raises(NotFittedError):
        _ = LexiconClassifier(lexicon).weights_
    with pytest.raises(DocumentError, match="there are no documents to learn from"):
        LexiconClassifier(lexicon).fit([])
    with pytest.raises(DocumentError, match="If it is a text, put it in a list"):
        clf.predict("one text")
    for bad in (None, float("nan"), 3, {"text": "x"}):
        with pytest.raises(DocumentError, match="document 1"):
            clf.predict(["good", bad])
    lenient = LexiconClassifier(lexicon, missing="empty").fit(["good fine", None, "bad poor", "good bad day x y"] * 9)
    assert lenient.counts_.missing == 9
    assert lenient.predict(["good", None]).tolist() == ["positive", "undecided"]
