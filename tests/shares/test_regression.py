"""Regressions of labels that few documents have: against the regression of all true labels."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from problex import Lexicon, LexiconClassifier
from problex.audit import draw_sheet
from problex.corpus import rereader
from problex.errors import DocumentWarning, ProblexError
from problex.shares import regress

Case = tuple[pd.DataFrame, pd.DataFrame, Path]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """1,200 texts; the share of positive ones rises by month, but those of later months have fewer positive words.

    The frame, its predictions, and a sheet with 200 labels.
    """
    random = np.random.default_rng(3)
    month = random.integers(0, 12, 1200)
    positive = random.random(1200) < 0.3 + 0.4 * month / 11
    texts = []
    for at in range(1200):
        own = ["good", "fine"] if positive[at] else ["bad", "poor"]
        flips = 0.1 + 0.25 * month[at] / 11 * positive[at]
        words = [random.choice(own if random.random() > flips else ["bad", "good"]) for _ in range(2)]
        texts.append(f"{' '.join(words)} film {at}x")
    frame = pd.DataFrame({"text": texts, "month": month / 11, "party": np.where(random.random(1200) < 0.5, "a", "b")})
    frame["truth"] = np.where(positive, "positive", "negative")
    classifier = LexiconClassifier(Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})).fit(texts)
    sheet = tmp_path_factory.mktemp("audit") / "s.csv"
    draw_sheet(classifier.model_, rereader(texts), sheet, 200)
    table = pd.read_csv(sheet)
    table["label"] = frame["truth"].to_numpy()[table["row"]]
    table.to_csv(sheet, index=False)
    return frame, classifier.predict_frame(frame, text="text"), sheet


def slope(outcome: pd.Series, month: pd.Series) -> float:
    return float(np.polyfit(month, outcome, 1)[0])


def test_the_interval_contains_the_slope_of_the_true_labels(case: Case) -> None:
    frame, predictions, sheet = case
    result = regress("positive ~ month", predictions, sheet)
    truth = slope((frame["truth"] == "positive").astype(float), frame["month"])
    low, high = result.conf_int().loc["month"]
    assert low <= truth <= high
    assert high - low < 0.5
    naive = slope((predictions["label"] == "positive").astype(float), frame["month"])
    assert naive < truth - 0.03
    assert result.cov_type == "HC1"
    assert result.nobs == 1200


def test_labels_are_opposite_and_frames_of_other_libraries_do(case: Case) -> None:
    _, predictions, sheet = case
    one, other = (regress(f"{label} ~ month + C(party)", predictions, [sheet]) for label in ("positive", "negative"))
    assert one.params["month"] == pytest.approx(-other.params["month"])
    again = regress("positive ~ month + C(party)", pl.from_pandas(predictions), str(sheet))
    assert again.params.to_dict() == pytest.approx(one.params.to_dict())


def test_rows_by_number_may_be_in_any_order_or_some_only(case: Case) -> None:
    _, predictions, sheet = case
    numbered = predictions.assign(row=np.arange(len(predictions))).drop(columns="text")
    whole = regress("positive ~ month", predictions, sheet).params
    assert regress(
        "positive ~ month", numbered.sample(frac=1, random_state=0), sheet
    ).params.to_dict() == pytest.approx(whole.to_dict())
    half = regress("positive ~ month", numbered[numbered["party"] == "a"], sheet)
    assert half.nobs == (predictions["party"] == "a").sum()


def test_documents_with_missing_values_are_counted(case: Case) -> None:
    _, predictions, sheet = case
    holes = predictions.assign(month=predictions["month"].where(predictions.index > 6))
    with pytest.warns(DocumentWarning, match="7 documents left out, because a value is missing"):
        assert regress("positive ~ month", holes, sheet).nobs == 1193


def test_what_is_refused(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    _, predictions, sheet = case
    with pytest.raises(ProblexError, match="the formula 'happy ~ month' was given, expected a label on the left"):
        regress("happy ~ month", predictions, sheet)
    with pytest.raises(ProblexError, match="the formula 'positive' was given"):
        regress("positive", predictions, sheet)
    with pytest.raises(ProblexError, match=r"row \d+ of the texts is not the text that was drawn"):
        regress("positive ~ month", predictions.iloc[::-1], sheet)
    with pytest.raises(ProblexError, match=r"\d+ labelled documents of the sheets, such as row \d+, are not among the"):
        regress("positive ~ month", predictions.head(300), sheet)
    with pytest.raises(ProblexError, match="expected 'text' with the texts, or 'row' with the numbers"):
        regress("positive ~ month", predictions.drop(columns="text"), sheet)
    with pytest.raises(ProblexError, match="the frame has no column 'p_negative', expected the predictions"):
        regress("positive ~ month", predictions[["text", "month"]], sheet)
    with pytest.raises(ProblexError, match="the column 'row' has a number twice"):
        regress("positive ~ month", predictions.drop(columns="text").assign(row=1), sheet)
    with pytest.raises(ProblexError, match="none of the labelled documents is in the frame"):
        regress("positive ~ month", predictions.drop(columns="text").assign(row=np.arange(5000, 6200)), sheet)
    with pytest.raises(ProblexError, match="str was given as the frame, expected one of pandas, polars or Arrow"):
        regress("positive ~ month", "frame.csv", sheet)
    monkeypatch.setitem(sys.modules, "statsmodels.formula.api", None)
    with pytest.raises(ProblexError, match=r"regress needs the package statsmodels: pip install 'problex\[reg"):
        regress("positive ~ month", predictions, sheet)
