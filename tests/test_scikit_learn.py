"""The classifier inside scikit-learn: its checks, pipelines, searches, ensembles and types of labels."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import classification_report
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks

from problex import Lexicon, LexiconClassifier
from problex.classifier import class_labels
from problex.model.settings import DEFAULT

LABELS = ["positive", "positive", "negative", "negative", "positive", "negative", "positive", "negative"] * 5


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
    labels = np.array(LABELS)
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


@pytest.mark.parametrize(
    ("y", "expected"),
    [
        ([0, 1], [0, 1]),
        ([1.0, 1.0], [0, 1]),
        ([False, True], [False, True]),
        ([-1, 1], [-1, 1]),
        (["positive"], ["negative", "positive"]),
        ([0, 2], ["negative", "positive"]),
        ([], ["negative", "positive"]),
        (None, ["negative", "positive"]),
    ],
)
def test_the_type_of_the_classes_is_that_of_the_labels(y: object, expected: list[object]) -> None:
    classes = class_labels(["negative", "positive"], y).tolist()
    assert classes == expected
    assert [type(value) for value in classes] == [type(value) for value in expected]
    assert class_labels(["a", "b", "c"], [0, 1]).tolist() == ["a", "b", "c"]


@pytest.mark.parametrize("pair", [(0, 1), (False, True), (-1, 1)])
def test_labels_that_are_numbers(lexicon: Lexicon, texts: list[str], pair: tuple[int, int]) -> None:
    y = np.array([pair[name == "positive"] for name in LABELS])
    by_name, clf = LexiconClassifier(lexicon).fit(texts), LexiconClassifier(lexicon).fit(texts, y)
    assert clf.classes_.tolist() == list(pair)
    always = by_name.predict(texts, undecided=None)
    assert clf.predict(texts).tolist() == [pair[name == "positive"] for name in always]
    assert clf.predict(texts).dtype == y.dtype
    assert "undecided" in clf.predict(["nothing"], undecided="undecided").tolist()
    assert clf.score(texts, y) == np.mean(clf.predict(texts) == y)
    assert by_name.score([*texts, "nothing"], [*LABELS, "positive"]) == pytest.approx(
        (np.sum(by_name.predict(texts) == LABELS) + np.sum(by_name.predict(texts) == "undecided") / 2 + 1 / 2)
        / (len(texts) + 1)
    )
    assert by_name.score(["nothing", texts[0]], ["positive", "?"], sample_weight=[3, 1]) == pytest.approx(3 / 8)
    assert "precision" in classification_report(y, clf.predict(texts))


def test_a_class_for_every_text_on_request(lexicon: Lexicon, texts: list[str]) -> None:
    clf = LexiconClassifier(lexicon, undecided=None).fit(texts)
    assert "undecided" not in clf.predict(["nothing", "good"]).tolist()
    assert clf.predict(["nothing"], undecided="?").tolist() == ["?"]
    assert LexiconClassifier(lexicon, undecided="none").fit(texts).predict(["nothing"]).tolist() == ["none"]


def test_in_company(lexicon: Lexicon, texts: list[str]) -> None:
    column, y = np.array(texts, dtype=object), np.array([int(name == "positive") for name in LABELS])
    clf = LexiconClassifier(lexicon, threads=1)
    for scoring in ("accuracy", "f1", "roc_auc", "neg_log_loss"):
        assert np.isfinite(cross_val_score(clf, column, y, scoring=scoring, cv=3)).all()
    search = GridSearchCV(clf, {"rule": ["count", "dcm"]}, cv=2).fit(column, y)
    assert search.best_score_ > 0.5
    other = make_pipeline(CountVectorizer(), LogisticRegression())
    vote = VotingClassifier([("lexicon", clf), ("words", other)], voting="soft").fit(column, y)
    assert vote.predict(["a fine film", "a poor film"]).tolist() == [1, 0]
    stack = StackingClassifier([("lexicon", clf), ("words", other)], LogisticRegression()).fit(column, y)
    assert stack.predict(["a fine film", "a poor film"]).tolist() == [1, 0]
