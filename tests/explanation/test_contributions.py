from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon, Model, count, estimate, score
from problex.errors import ProblexError
from problex.explanation.contributions import Explanation, explain
from problex.explanation.views import as_html
from problex.model.calibration import Platt
from problex.model.rules import RULES, TEMPERS

TEXTS = [
    "good fine day day",
    "fine well made film",
    "bad poor film the",
    "poor bad day",
    "good bad weird",
    "weird day",
    "not good, not a good film, poor",
    "never bad, fine",
] * 9
LISTS = {"positive": ["good", "fine", "well made"], "negative": ["bad", "poor"], "odd": ["weird"], "time": ["day"]}


def model_of(lists: int) -> Model:
    chosen = list(LISTS.items())[:lists]
    lexicon = Lexicon({name: {word: 0.3 + at for at, word in enumerate(words)} for name, words in chosen})
    prior = {name: at + 1 for at, name in enumerate(lexicon.names)}
    return estimate(count(TEXTS, lexicon, associations=True), lexicon, rule="pmi", prior=prior, keep_discordant=True)


MODELS = {lists: model_of(lists) for lists in (2, 3, 4)}
MODEL = MODELS[3]
WORDS = ["good", "Fine", "well", "made", "BAD", "poor", "weird", "film", "the", "day", ",", "not", "é"]
DOCUMENT = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)


@given(DOCUMENT, st.sampled_from(list(RULES)), st.sampled_from(list(TEMPERS)), st.sampled_from(list(MODELS)))
def test_contributions_and_prior_add_up_to_the_score(text: str, rule: str, temper: str, lists: int) -> None:
    model = MODELS[lists]
    why = explain(text, model, rule=rule, temper=temper)
    total = np.sum([[0.0] * lists, *(part.values for part in why.contributions)], axis=0) + np.array(why.prior)
    expected = score([text], model, rule=rule, temper=temper)
    np.testing.assert_allclose(total, expected.values[0], rtol=0, atol=1e-9)
    if lists == 2:
        decision = sum(part.decision for part in why.contributions) + why.prior[1] - why.prior[0]
        assert decision == pytest.approx(expected.decision[0], abs=1e-9)
    assert why.label == expected.labels()[0]
    sums = {row["part"]: row for row in why.sums()}
    for at, name in enumerate(why.classes):
        parts = sum(sums[part][name] for part in ("prior", "threshold", "lexicon", "beyond the lexicon"))
        assert parts == pytest.approx(expected.values[0, at], abs=1e-9)


@given(DOCUMENT, st.sampled_from(list(RULES)), st.sampled_from(list(MODELS)))
def test_every_contribution_is_weight_times_effective_count(text: str, rule: str, lists: int) -> None:
    why = explain(text, MODELS[lists], rule=rule)
    for part in why.contributions:
        assert part.strength == pytest.approx(part.weight * part.effective_count * why.tempering, abs=1e-12)
        assert part.effective_count <= part.count + 1e-9 or not part.weight


@given(DOCUMENT, st.sampled_from(list(RULES)), st.sampled_from(list(MODELS)))
def test_the_marked_text_is_the_text_and_carries_the_score(text: str, rule: str, lists: int) -> None:
    why = explain(text, MODELS[lists], rule=rule)
    assert "".join(piece["text"] for piece in why.pieces()) == text
    whole = np.sum([[0.0] * lists, *(span.values for span in why.spans)], axis=0)
    np.testing.assert_allclose(whole, np.array(why.scores) - np.array(why.prior), atol=1e-9)
    counted = {part.entry: part.count for part in why.contributions}
    marked = Counter(span.entry for span in why.spans)
    assert {entry: marked[entry] for entry in counted} == counted
    assert all(entry in counted or entry.startswith("NOT ") for entry in marked)


def test_records_name_the_word_its_list_and_how_often() -> None:
    why = explain("Good, good and well-made; if bad", MODEL, rule="dcm")
    found = {(record["entry"], record["list"], record["count"]) for record in why.records()}
    assert found == {("good", "positive", 2), ("well made", "positive", 1), ("bad", "negative", 1)}
    strengths = [part.strength for part in why.contributions]
    assert strengths == sorted(strengths, reverse=True)
    assert {piece["text"]: piece["phrase"] for piece in why.pieces() if piece["entries"]} == {
        "Good": False,
        "good": False,
        "well-made": True,
        "bad": False,
    }


def test_a_negated_word_speaks_for_the_other_list_and_is_marked() -> None:
    why = explain("Not good, but fine", MODELS[2], rule="dcm")
    negated = next(record for record in why.records() if record["entry"] == "NOT good")
    assert (negated["list"], negated["source"]) == ("negative", "lexicon")
    marks = {piece["text"]: piece["negated"] for piece in why.pieces() if piece["entries"]}
    assert marks == {"good": True, "fine": False}
    dropped = explain("Not good, but fine", MODELS[3], rule="dcm")  # with three lists there is no other one
    assert [record["entry"] for record in dropped.records()] == ["fine"]
    assert {piece["text"]: piece["negated"] for piece in dropped.pieces() if piece["entries"]} == marks


def test_words_beyond_the_lexicon_are_said_to_be_so() -> None:
    why = explain("good film film", MODEL, rule="pmi")
    assert {(record["entry"], record["source"]) for record in why.records()} == {
        ("good", "lexicon"),
        ("film", "beyond the lexicon"),
    }
    assert [row["words"] for row in why.sums()] == [None, None, 1, 1, None]


def test_overlapping_words_share_their_piece() -> None:
    """Words and pairs of words may both have a say: where they overlap, the text shows their sum."""
    why = explain("good fine day", MODEL, rule="count")
    pair = replace(why.spans[0], entry="good fine", end=9, phrase=True, values=(0.0, 0.5, 2.0))
    pieces = replace(why, spans=(*why.spans, pair)).pieces()
    assert [(piece["text"], piece["entries"]) for piece in pieces] == [
        ("good", ["good", "good fine"]),
        (" ", ["good fine"]),
        ("fine", ["fine", "good fine"]),
        (" day", []),
    ]
    assert pieces[0]["contribution"] == pytest.approx(3.0)


def test_the_record_is_json_and_a_calibrated_model_says_so() -> None:
    why = explain("good day", replace(MODEL, platt=Platt(0.5, (0.0, 0.0, 0.0), 60)))
    record = json.loads(json.dumps(why.record()))
    assert record["calibrated"]
    assert record["label"] == why.label
    assert record["decision"] is None
    assert set(record["scores"]) == {"negative", "odd", "positive"}
    assert not explain("good day", MODEL).calibrated


def shown(html: str) -> str:
    """The text of the marked paragraph, without tags."""
    paragraph = re.search(r'<p class="text">(.*?)</p>', html, re.S)
    assert paragraph is not None
    return unescape(re.sub(r"<[^>]*>", "", paragraph[1]))


@given(st.lists(st.sampled_from([*WORDS, "<script>", "&amp;", '"', "'>"]), max_size=20).map(" ".join))
def test_html_shows_the_text_and_nothing_of_it_is_markup(text: str) -> None:
    html = explain(text, MODEL, rule="dcm")._repr_html_()
    assert shown(html) == text
    assert "<script" not in html


def test_html_marks_colour_phrases_and_negation() -> None:
    why = explain("well made, but bad & odd", MODEL, rule="dcm")
    negated = replace(why.spans[1], entry='NOT "bad"')
    html = as_html(replace(why, spans=(why.spans[0], negated), label="<b>").record())
    assert re.search(r'<mark class="phrase" style="--c:0 114 178;--a:0\.\d\d" title="well made: [^"]*">well made', html)
    assert '<mark class="negated"' in html
    assert "NOT &#34;bad&#34;: " in html
    assert "<b>&lt;b&gt;</b>" in html


def test_a_text_without_a_word_of_the_lexicon() -> None:
    why = explain("", MODEL, rule="dcm")
    assert (why.label, why.contributions, why.pieces()) == ("undecided", (), [])
    assert "No word of the text has a weight." in why._repr_html_()


def test_only_a_text_can_be_explained() -> None:
    with pytest.raises(ProblexError, match="a text was given as list, expected one string"):
        explain(["x"], MODEL)  # type: ignore[arg-type]


def test_words_that_a_tokenizer_changed_are_counted_though_not_marked() -> None:
    lexicon = Lexicon({"a": ["fine"], "b": ["poor"]})
    from problex.matching.tokens import Tokenizer

    tokenizer = Tokenizer(custom=lambda text: ["poor" if word == "worse" else word for word in text.lower().split()])
    model = estimate(count(TEXTS, lexicon, tokenizer=tokenizer), lexicon, tokenizer=tokenizer)
    why: Explanation = explain("fine and worse", model)
    assert why.unlocated == 1
    assert "1 match is not marked: the tokenizer changed the words" in why._repr_html_()
