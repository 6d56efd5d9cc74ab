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

from problex import Lexicon, LexiconClassifier, score
from problex.audit import draw_sheet
from problex.corpus import rereader
from problex.errors import (
    DocumentError,
    EstimationError,
    EstimationWarning,
    LexiconWarning,
    ProblexError,
    ProblexWarning,
)


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


def test_a_classifier_from_a_model(clf: LexiconClassifier, texts: list[str], tmp_path: Path) -> None:
    clf.model_.save(tmp_path / "m.json")
    for source in (clf.model_, tmp_path / "m.json", str(tmp_path / "m.json")):
        again = LexiconClassifier.from_model(source, undecided=None)
        assert np.array_equal(again.decision_function(texts), clf.decision_function(texts))
        assert again.undecided is None
        assert again.get_params()["negation"] == clf.model_.tokenizer.negation
        with pytest.raises(EstimationError, match="made from a model, which has no counts to add to: call fit"):
            again.partial_fit(texts)
        assert clone(again).fit(texts).model_ == clf.model_


def test_a_model_predicts(clf: LexiconClassifier) -> None:
    new = ["a fine film", "a poor film", "a film"]
    assert clf.model_.predict(new).tolist() == clf.predict(new).tolist()
    assert clf.model_.predict(new, undecided=None).tolist() == clf.predict(new, undecided=None).tolist()
    assert np.array_equal(clf.model_.predict_proba(new), clf.predict_proba(new))


def test_frames_in_and_out(clf: LexiconClassifier) -> None:
    data = {"id": [7, 8, 9], "text": ["a fine film", "a poor film", "a film"], "label": ["x", "y", "z"]}
    results = ["label", "score", "p_negative", "p_positive", "tokens", "matches"]
    pandas_frame = pd.DataFrame(data, index=[30, 10, 20])
    for frame in (pandas_frame, pl.DataFrame(data), pa.table(data)):
        made = clf.predict_frame(frame, text="text")
        assert type(made) is type(frame)
        plain = made if isinstance(made, pd.DataFrame) else made.to_pandas()
        assert list(plain) == ["id", "text", "input_label", *results]
        assert plain["label"].tolist() == ["positive", "negative", "undecided"]
        assert plain["id"].tolist() == [7, 8, 9]
        np.testing.assert_allclose(plain["p_positive"], clf.predict_proba(data["text"])[:, 1])
    assert clf.predict_frame(pandas_frame, text="text").index.tolist() == [30, 10, 20]
    series = clf.predict_frame(pandas_frame["text"])
    assert (list(series), series.index.tolist()) == (results, [30, 10, 20])
    assert list(clf.predict_frame(data["text"])) == results


def test_explanations_and_reports(clf: LexiconClassifier, texts: list[str], tmp_path: Path) -> None:
    why = clf.explain("a fine film")
    assert why.label == "positive"
    assert repr(why).startswith("Explanation(positive")
    frame = pd.DataFrame({"text": texts, "group": ["a", "b"] * (len(texts) // 2)})
    written = clf.report(tmp_path / "r.html", frame, by="group", title="Own title")
    assert "Own title" in written.read_text(encoding="utf-8")
    with pytest.raises(ProblexError, match="exists: choose another name"):
        clf.report(written, texts)
    assert clf.report(written, iter(texts), force=True) == written
    assert f"{len(texts)} documents, classified" in clf.report(written, force=True).read_text(encoding="utf-8")
    fitted_again = [pickle.loads(pickle.dumps(clf)), LexiconClassifier.from_model(clf.model_)]
    fitted_again.append(LexiconClassifier(clf.lexicon).fit(iter(texts)))
    for other in fitted_again:
        with pytest.raises(
            DocumentError, match=r"not kept with the classifier: give texts, clf\.report\(path, texts\)"
        ):
            other.report(tmp_path / "other.html")


def test_shares(clf: LexiconClassifier, texts: list[str]) -> None:
    groups = ["a", "b"] * (len(texts) // 2)
    frame = pd.DataFrame({"text": texts, "group": groups})
    whole, by_column, by_values = clf.shares(texts), clf.shares(frame, by="group"), clf.shares(texts, by=groups)
    numbers = pd.Series(clf.predict(texts)).value_counts()
    assert whole.set_index("label")["hits"].to_dict() == numbers.to_dict()
    pd.testing.assert_frame_equal(by_column, by_values)
    assert by_column.groupby("group")["share"].sum().round(12).eq(1).all()


def test_no_negation_has_one_spelling(lexicon: Lexicon, texts: list[str]) -> None:
    models = [LexiconClassifier(lexicon, negation=value).fit(texts).model_ for value in ("none", None, False)]
    assert models[0] == models[1] == models[2]


def test_values_are_shown_in_one_line(clf: LexiconClassifier, texts: list[str]) -> None:
    assert repr(clf.model_) == "Model(entries of negative: 3, positive: 3; rule dcm)"
    assert repr(clf.counts_).startswith(f"Counts({len(texts)} documents, ")
    assert repr(score(["a fine film", "a film"], clf.model_)) == "Scores(2 documents, 1 decided; negative, positive)"
    html = clf.model_._repr_html_()
    assert "<th>positive</th>" in html
    assert "<td>fine</td>" in html


def test_shares_with_the_labels_of_an_audit(clf: LexiconClassifier, texts: list[str], tmp_path: Path) -> None:
    sheet = tmp_path / "s.csv"
    numbered = [f"{text} no{at}" for at, text in enumerate(texts)]
    frame = pd.DataFrame({"text": numbered, "group": ["a", "b"] * (len(texts) // 2)})
    draw_sheet(clf.model_, rereader(numbered), sheet, 20)
    table = pd.read_csv(sheet)
    table["label"] = ["positive" if "good" in text or "fine" in text else "negative" for text in table["text"]]
    table.to_csv(sheet, index=False)
    found = clf.shares(frame, by="group", text="text", audit=sheet)
    assert list(found.columns)[-4:] == ["estimate", "low", "high", "labels"]
    assert found.drop_duplicates("group")["labels"].sum() == 20
    alone = clf.shares(numbered, audit=[str(sheet)], estimator="difference")
    assert (alone["low"].dropna() <= alone["estimate"].dropna()).all()
    page = clf.report(tmp_path / "r.html", frame, by="group", audit=sheet)
    assert "an estimated" in page.read_text(encoding="utf-8")
    with pytest.raises(ProblexError, match=r"estimator='difference' was given without audit: give the labelled sheets"):
        clf.shares(numbered, estimator="difference")
