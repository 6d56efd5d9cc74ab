"""Scores, labels and suggestions that were worked out on paper."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from problex import Lexicon, Model, count, estimate, score
from problex.errors import ModelError, ProblexError
from problex.expansion import suggestions
from problex.model.calibration import Calibration, Platt
from problex.model.expansion import Expansion
from problex.model.vocabulary import Vocabulary
from problex.scoring import Scores, make_scorer

LEXICON = Lexicon({"negative": ["bad", "poor"], "positive": ["good", "fine"]})
TEXTS = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
HALF = np.log(0.5)


def plain(**settings: Any) -> Model:
    """A model whose score is the sum of its weights."""
    chosen: dict[str, Any] = {"rule": "multinomial", "temper": "none", "calibration": "none"} | settings
    return estimate(count(TEXTS, LEXICON), LEXICON, **chosen)


def weight(model: Model, entry: str) -> float:
    return float(model.weights[model.evidence.entries.index(entry)])


def expanded(model: Model, documents: int = 9) -> Model:
    """`sunny` adds (0, 3) and `good` (0, 1) to (negative, positive); both are as frequent as can be: rarity one.

    Rows have length one: a document with one of them adds its weights, one with both adds 1 / sqrt(2) of each.
    """
    vocabulary = Vocabulary(("good", "sunny"), np.array([0, 1]), np.array([-1, -1]), np.array([9, 9]), 9)
    weights, offset = np.array([[0.0, 1.0], [0.0, 3.0]]), np.array([0.25, -0.25])
    return replace(model, expansion=Expansion(vocabulary, weights, 2.0, offset, documents, 0.5, 1, 1.0))


def values(text: str, model: Model, **options: Any) -> list[float]:
    return [float(value) for value in score([text], model, **options).values[0]]


def test_an_expanded_score_is_twice_the_lexicon_plus_features_plus_offset_plus_the_log_prior() -> None:
    """The prior 1 : 3 is added once, and not multiplied by the weight of the lexicon."""
    model = expanded(plain(prior={"negative": 1, "positive": 3}))
    quarter, rest = np.log(0.25), np.log(0.75)
    assert values("x", model) == pytest.approx([quarter, rest], rel=1e-12)  # no evidence: the prior alone
    assert values("sunny", model) == pytest.approx([0.25 + quarter, 2.75 + rest], rel=1e-6)
    assert values("bad", model) == pytest.approx([2 * weight(model, "bad") + 0.25 + quarter, -0.25 + rest], rel=1e-12)
    good = 2 * weight(model, "good") + 1.0 - 0.25
    assert values("good", model) == pytest.approx([0.25 + quarter, good + rest], rel=1e-6)


def test_matches_are_entries_and_features_and_no_more_than_the_length() -> None:
    scores = score(["bad sunny x y", "good sunny", "x sunny", "good bad z"], expanded(plain()))
    # bad + sunny; good twice and sunny, of two tokens; sunny; good twice and bad.
    assert scores.matches.tolist() == [2, 2, 1, 3]


@pytest.mark.parametrize("options", [{"rule": "multinomial"}, {"temper": "none"}])
def test_with_a_rule_or_a_temper_an_expanded_model_scores_by_its_lexicon(options: dict[str, Any]) -> None:
    model = expanded(plain())
    assert values("sunny", model, **options) == pytest.approx([HALF, HALF])
    assert values("good sunny", model, **options) == pytest.approx([HALF, HALF + weight(model, "good")])


def test_the_sharpness_multiplies_the_sum_and_half_the_threshold_is_added_and_subtracted() -> None:
    """Sharpness 2 and threshold 0.6: offsets 2 * 0.6 / 2 = 0.6 for the first label and -0.6 for the second."""
    model = replace(plain(), calibration=Calibration(2.0, 0.6))
    good = weight(model, "good")
    assert values("good good good", model) == pytest.approx([HALF + 0.6, HALF - 0.6 + 6 * good])
    assert values("good", model, rule="multinomial", temper="none") == values("good", model)


def test_the_threshold_is_at_most_half_of_the_evidence() -> None:
    """Sharpness 2 and threshold 2: the labels differ by 4 if the evidence is 8 or more. Without evidence by nothing.

    One word of weight w has the evidence 2 w, for a difference of w: w / 2 for each label. A word of each list has
    2 (w + v).
    """
    model = replace(plain(), calibration=Calibration(2.0, 2.0))
    good, bad = weight(model, "good"), weight(model, "bad")
    assert 1 < good < 2
    assert values("x", model) == pytest.approx([HALF, HALF])
    assert values("good", model) == pytest.approx([HALF + good / 2, HALF + 2 * good - good / 2])
    both = min(4.0, good + bad) / 2
    assert values("good bad", model) == pytest.approx([HALF + 2 * bad + both, HALF + 2 * good - both])
    mirrored = replace(model, calibration=Calibration(2.0, -2.0))
    assert values("good good good good", model) == pytest.approx([HALF + 2, HALF + 8 * good - 2])
    assert values("bad", mirrored) == pytest.approx([HALF + 2 * bad - bad / 2, HALF + bad / 2])


def test_scores_of_short_texts_are_worth_less() -> None:
    """Half-length 3: of one token a factor sqrt(1/4) = 1/2, of nine tokens sqrt(9/12); steepness 2: 1 / sqrt(10)."""
    model = replace(plain(), calibration=Calibration(half_length=3.0))
    good = weight(model, "good")
    scores = score(["good", "good x x x x x x x x"], model)
    assert scores.decision == pytest.approx([good, good])
    assert scores.probabilities[:, 1] == pytest.approx(
        [1 / (1 + np.exp(-good / 2)), 1 / (1 + np.exp(-good * np.sqrt(0.75)))]
    )
    steep = score(["good"], replace(model, calibration=Calibration(half_length=3.0, steepness=2.0)))
    assert steep.probabilities[0, 1] == pytest.approx(1 / (1 + np.exp(-good / np.sqrt(10))))


def test_a_prior_is_added_to_the_log_odds_of_short_texts() -> None:
    """Half-length 3 and one token: half of the weight, and the whole prior; label and probability agree."""
    model = replace(plain(prior={"negative": 3, "positive": 1}), calibration=Calibration(1.0, 0.4, half_length=3.0))
    good = weight(model, "good")
    scores = score(["good", "x"], model)
    assert scores.decision == pytest.approx([good / 2 - np.log(3), -np.log(3)])
    assert scores.probabilities[:, 1] == pytest.approx([1 / (1 + 3 * np.exp(-good / 2)), 0.25])
    assert scores.labels().tolist()[1] == "undecided"
    assert scores.labels(None).tolist()[1] == "negative"


def test_intercepts_of_three_lists_are_capped_by_the_smallest_lead() -> None:
    """`sun` favours a over b by 2, and b over c by 1: intercepts that differ by 4 are scaled by 2 / (2 * 4)."""
    lexicon = Lexicon({"a": ["sun", "sky"], "b": ["sea", "salt"], "c": ["moor", "mud"]})
    texts = ["sun sky day", "sea salt day", "moor mud day", "sun sea", "sky moor", "salt mud"] * 20
    vocabulary = Vocabulary(("sunny",), np.array([0]), np.array([-1]), np.array([9]), 9)
    expansion = Expansion(vocabulary, np.array([[3.0, 1.0, 0.0]]), 1.0, np.zeros(3), 9, 0.5, 1, 1.0)
    model = replace(
        estimate(count(texts, lexicon), lexicon, calibration="none"),
        expansion=expansion,
        calibration=Calibration(intercepts=(-2.0, 0.0, 2.0)),
    )
    third = np.log(1 / 3)
    assert values("sunny", model) == pytest.approx([third + 2.5, third + 1.0, third + 0.5], rel=1e-6)
    assert values("x", model) == pytest.approx([third] * 3)


@pytest.mark.parametrize("options", [{"rule": "dcm"}, {"temper": "root"}, {"rule": "dcm", "temper": "root"}])
def test_the_calibration_and_the_labels_of_an_audit_are_for_the_models_own_rule_and_temper(
    options: dict[str, Any],
) -> None:
    model = replace(plain(), calibration=Calibration(2.0, 0.6), platt=Platt(0.5, (0.0, 1.0)))
    assert values("x", model, **options) == pytest.approx([HALF, HALF])
    assert values("good", model, **options) == pytest.approx([HALF, HALF + weight(model, "good")])
    assert score(["x"], model, **options).platt is None
    assert score(["x"], model).platt == Platt(0.5, (0.0, 1.0))


def test_a_prior_replaces_the_threshold_but_not_the_sharpness() -> None:
    model = replace(plain(prior={"negative": 1, "positive": 3}), calibration=Calibration(2.0, 0.6))
    good = weight(model, "good")
    assert values("good", model) == pytest.approx([np.log(0.25), np.log(0.75) + 2 * good])


def test_counts_are_neither_calibrated_nor_tempered_nor_added_to_a_prior() -> None:
    model = plain(rule="count", temper="tokens", prior={"negative": 1, "positive": 3})
    assert values("good good bad x", model) == [1, 2]
    model = replace(plain(rule="count", temper="tokens"), calibration=Calibration(2.0, 0.6))
    assert values("good good bad x", model) == [1, 2]


def test_a_temper_divides_the_sum_by_the_length() -> None:
    model = plain()
    good = weight(model, "good")
    assert values("good x y z", model, temper="root") == pytest.approx([HALF, HALF + good / 2])
    assert values("good x y z", plain(temper="root")) == pytest.approx([HALF, HALF + good / 2])


def test_a_scorer_for_pmi_is_refused_before_any_text_is_read() -> None:
    with pytest.raises(ModelError, match='was not estimated with rule="pmi"'):
        make_scorer(plain(), "pmi")


def test_pmi_weights_are_used_by_the_rule_pmi_only() -> None:
    """Of thirty texts that counting labels, sunny is in ten positive ones: log(10.001 / 20) and log(0.001 / 10)."""
    texts = ["good sunny"] * 10 + ["good"] * 10 + ["bad"] * 10
    lexicon = Lexicon({"negative": ["bad"], "positive": ["good"]})
    model = estimate(
        count(texts, lexicon, associations=True), lexicon, rule="pmi", temper="none", calibration="none", shrinkage=0.0
    )
    assert values("sunny", model) == pytest.approx([HALF + np.log(0.001 / 10), HALF + np.log(10.001 / 20)])
    assert values("sunny", model, rule="count") == [0, 0]
    assert score(["sunny sunny", "x"], model).matches.tolist() == [2, 0]


def test_markup_is_removed_on_request_only() -> None:
    model = plain()
    assert score(["<good> x"], model).lengths.tolist() == [2]
    assert score(["<good> x"], model, markup=True).lengths.tolist() == [1]


def three(rows: list[list[float]], **options: Any) -> Scores:
    """Scores of three labels; every document has a match."""
    ones = np.ones(len(rows), dtype=np.int64)
    return Scores(("a", "b", "c"), np.array(rows, dtype=float).reshape(-1, 3), ones, ones, **options)


def test_a_tie_of_three_labels_is_one_of_the_highest_two() -> None:
    scores = three([[1, 2, 2], [1, 1, 2], [3, 3, 3], [5, 4, 4]])
    assert scores.undecided.tolist() == [True, False, True, False]
    assert scores.labels().tolist() == ["undecided", "c", "undecided", "a"]
    assert scores.labels(None).tolist() == ["b", "c", "a", "a"]
    assert scores.decision.tolist() == scores.values.tolist()
    assert (scores.missing, scores.invalid) == (0, 0)


def test_the_highest_of_the_probabilities_is_compared_with_the_confidence() -> None:
    """log 1, log 1 and log 2 are the probabilities 1/4, 1/4 and 1/2."""
    scores = three([[0, 0, np.log(2)]])
    np.testing.assert_allclose(scores.probabilities, [[0.25, 0.25, 0.5]])
    assert scores.labels(confidence=0.49).tolist() == ["c"]
    assert scores.labels(confidence=0.51).tolist() == ["undecided"]
    assert scores.labels(confidence=0).tolist() == ["c"]
    assert scores.labels("?", confidence=1).tolist() == ["?"]
    assert replace(scores, confidence=0.51).labels(confidence=0.49).tolist() == ["c"]
    for undecided, confidence in (("?", -0.01), ("?", 1.01), (None, 0.5)):
        with pytest.raises(ProblexError, match="expected a probability from 0 to 1"):
            scores.labels(undecided, confidence)


def test_scores_of_no_documents_have_no_labels() -> None:
    labels = three([]).labels()
    assert labels.shape == (0,)
    assert labels.dtype == object
    assert three([], confidence=0.9).labels().tolist() == []


def test_suggestions_occur_in_five_documents_and_in_one_of_five_hundred() -> None:
    """Of 252 500 documents one in 500 is 505; of 1000 it is 2, so that five are needed."""
    words = ("b", "c", "d", "e", "good")
    base = plain()

    def entries(documents: int, seen: list[int]) -> list[str]:
        places, none = np.arange(5), np.full(5, -1)
        vocabulary = Vocabulary(words, places, none, np.array(seen), documents)
        weights = np.array([[0.0, 2.0], [0.0, 3.0], [1.0, 0.0], [0.0, 3.0], [0.0, 9.0]]) / vocabulary.rarity[:, None]
        expansion = Expansion(vocabulary, weights, 1.0, np.zeros(2), documents, 0.5, 1, 1.0)
        return [row["entry"] for row in suggestions(replace(base, expansion=expansion))]

    assert entries(252_500, [505, 505, 505, 504, 900]) == ["d", "c", "b"]
    assert entries(252_500, [505, 505, 505, 505, 900]) == ["d", "c", "e", "b"]
    assert entries(1000, [5, 5, 4, 5, 900]) == ["c", "e", "b"]


def test_suggestions_are_twenty_of_each_list() -> None:
    """The weight of word 0 is the smallest; even words are positive, odd ones negative."""
    words = tuple(f"w{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(50))
    vocabulary = Vocabulary(words, np.arange(50), np.full(50, -1), np.full(50, 99), 99)
    weights = np.zeros((50, 2))
    weights[np.arange(50), (np.arange(50) + 1) % 2] = np.arange(50) + 1.0
    model = replace(plain(), expansion=Expansion(vocabulary, weights, 1.0, np.zeros(2), 99, 0.5, 1, 2.0))
    rows = suggestions(model)
    assert [row["entry"] for row in rows] == [*words[49:10:-2], *words[48:9:-2]]
    assert rows[0] == {"list": "negative", "entry": words[49], "documents": 99, "weight": pytest.approx(25.0)}
    assert [row["entry"] for row in suggestions(model, top=1)] == [words[49], words[48]]
    assert suggestions(plain()) == []
