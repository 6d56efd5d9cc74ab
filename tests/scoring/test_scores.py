from __future__ import annotations

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from problex import Lexicon, Model, count, estimate, score
from problex.errors import DocumentError, ModelError, ProblexError
from problex.model.rules import RULES, TEMPERS
from problex.scoring import make_scorer
from tests.synthetic import draw


@pytest.fixture(scope="module")
def model() -> Model:
    lexicon = Lexicon({"positive": ["good", "fine", "great"], "negative": ["bad", "poor"]})
    texts = [
        "good fine day day",
        "fine great film film",
        "bad poor film the the",
        "poor bad day",
        "good bad great",
    ] * 20
    return estimate(count(texts, lexicon), lexicon)


def test_extreme_counts_and_base_rates_do_not_overflow(model: Model) -> None:
    scores = score(["good " * 1_000_000], model)
    assert np.all(np.isfinite(scores.values))
    assert scores.decision[0] > 0


def test_count_and_presence(model: Model) -> None:
    texts = ["good good bad", "poor", "nothing"]
    assert score(texts, model, rule="count").decision.tolist() == [1, -1, 0]
    assert score(texts, model, rule="presence").decision.tolist() == [0, -1, 0]


def test_one_occurrence_is_worth_its_weight_under_both_rules(model: Model) -> None:
    weights = {row["entry"]: row["weight"] for row in model.records()}
    for rule in ("multinomial", "dcm"):
        found = score(["good", "poor"], model, rule=rule, temper="none").decision
        np.testing.assert_allclose(found, [weights["good"], -weights["poor"]], rtol=1e-12)


def test_repeats_count_less_under_the_dcm(model: Model) -> None:
    plain = score(["fine", "fine fine fine"], model, rule="multinomial", temper="none").decision
    bursty = score(["fine", "fine fine fine"], model, rule="dcm", temper="none").decision
    assert plain[1] == pytest.approx(3 * plain[0])
    assert bursty[0] < bursty[1] < plain[1]


def test_equal_predictiveness_decides_as_counting_does() -> None:
    truth = draw(500, [0.5, 0.5], seed=5)
    model = estimate(truth.counts, truth.lexicon, shrinkage=1e12, keep_discordant=True)
    texts = [" ".join(truth.words[at % 40] for at in range(start, start + 15)) for start in range(0, 400, 7)]
    counted = score(texts, model, rule="count").decision
    weighted = score(texts, model, rule="multinomial", temper="none").decision
    assert np.array_equal(np.sign(counted), np.sign(np.round(weighted, 6)))


def test_documents_without_lexicon_words_are_undecided(model: Model) -> None:
    scores = score(["nothing here", "", "good bad bad good" * 0 + "good"], model)
    assert scores.labels().tolist() == ["undecided", "undecided", "positive"]
    assert scores.labels(undecided="?").tolist()[0] == "?"
    assert scores.labels(undecided=None).tolist()[0] in model.classes
    assert scores.probabilities[0].tolist() == [0.5, 0.5]
    assert scores.matches.tolist() == [0, 0, 1]


def test_words_without_weight_have_no_say(model: Model) -> None:
    """A filtered word must not make the prior decide."""
    lexicon = Lexicon({"positive": ["good", "fine", "poor"], "negative": ["bad", "awful"]})
    texts = ["good fine day", "fine good film", "bad awful poor film", "poor bad day", "good awful day film"] * 20
    texts += ["awful bad film", "fine fine day out", "bad bad day out"] * 20
    tilted = estimate(count(texts, lexicon), lexicon, shrinkage=300.0, prior={"positive": 7, "negative": 3})
    assert next(row["weight"] for row in tilted.records() if row["entry"] == "poor") == 0
    scores = score(["poor", "good"], tilted)
    assert scores.labels().tolist() == ["undecided", "positive"]
    assert scores.matches.tolist() == [0, 1]


def test_what_is_not_probable_enough_is_undecided(model: Model) -> None:
    scores = score(["good fine", "good bad fine", "poor"], model)
    best = scores.probabilities.max(axis=1)
    assert (scores.labels(confidence=float(best.max())) == "undecided").sum() == np.sum(best < best.max())
    assert scores.labels("?", confidence=1.0).tolist() == ["?", "?", "?"]
    assert scores.labels(confidence=0.5).tolist() == scores.labels().tolist()
    with pytest.raises(ProblexError, match=r"confidence=1.5 .* expected a probability from 0 to 1"):
        scores.labels(confidence=1.5)


def test_a_probability_exactly_at_the_confidence_is_enough(model: Model) -> None:
    scores = score(["good fine"], model)
    best = float(scores.probabilities.max())
    assert 0.5 < best < 1
    assert scores.labels(confidence=best).tolist() == ["positive"]
    assert scores.labels(confidence=math.nextafter(best, 1)).tolist() == ["undecided"]
    assert replace(scores, confidence=best).labels().tolist() == ["positive"]
    assert replace(scores, confidence=math.nextafter(best, 1)).labels().tolist() == ["undecided"]


def test_a_scorer_is_made_once_and_is_not_part_of_the_model(model: Model) -> None:
    assert make_scorer(model) is make_scorer(model)
    assert make_scorer(model, "count") is not make_scorer(model)
    assert make_scorer(model, temper="none") is not make_scorer(model)
    again = pickle.loads(pickle.dumps(model))
    assert "cache" not in vars(again)
    assert again == model
    assert score(["good bad fine"], again).values.tolist() == score(["good bad fine"], model).values.tolist()
    other = replace(model, predictiveness=model.predictiveness / 2)
    assert score(["good fine"], other).decision[0] < score(["good fine"], model).decision[0]


def test_a_scorer_serves_several_threads(model: Model) -> None:
    texts = [" ".join(["good", "fine", "bad", "word"][at % 4] for at in range(number)) for number in range(1, 200)]
    expected = [score([text], model).values.tolist() for text in texts]
    with ThreadPoolExecutor(8) as pool:
        scored = list(pool.map(lambda text: score([text], model, threads=1).values.tolist(), texts))
    assert scored == expected


def test_a_tie_is_undecided(model: Model) -> None:
    assert score(["good bad"], model, rule="count").labels().tolist() == ["undecided"]


def test_tempering_takes_away_confidence_from_long_documents(model: Model) -> None:
    short, long = "good fine", "good fine " + "word " * 2000
    raw = score([short, long], model, temper="none").decision
    assert raw[0] == raw[1]
    for temper in ("burstiness", "root", "tokens"):
        tempered = score([short, long], model, temper=temper).decision
        assert 0 < tempered[1] < tempered[0]
        assert np.sign(tempered).tolist() == np.sign(raw).tolist()
    tau = model.evidence.concentration
    factor = TEMPERS["burstiness"].factor(np.array([2.0]), tau)[0]
    assert factor == pytest.approx((1 + tau) / (2 + tau))


def test_the_prior_of_the_decision_moves_the_score_but_not_the_estimate(model: Model) -> None:
    tilted = model.reestimate(prior={"positive": 0.9, "negative": 0.1})
    assert np.array_equal(tilted.predictiveness, model.predictiveness)
    assert score(["film"], tilted).decision[0] == pytest.approx(np.log(9))
    assert score(["film"], tilted).labels().tolist() == ["undecided"]


def test_scores_do_not_depend_on_other_texts_or_threads(model: Model) -> None:
    texts = ["good fine film", "bad", "the great poor film", "x"] * 50
    together = score(texts, model, threads=2).values
    alone = np.concatenate([score([text], model).values for text in texts])
    assert np.array_equal(together, alone)
    assert np.array_equal(score(iter(texts), model, threads=1).values, together)


def test_more_than_two_lists() -> None:
    truth = draw(3000, [0.25] * 4, seed=6)
    model = estimate(truth.counts, truth.lexicon)
    texts = [
        " ".join(truth.words[word] for word in np.flatnonzero(truth.table.matrix[[at]].toarray()[0]))
        for at in range(300)
    ]
    scores = score(texts, model)
    assert scores.values.shape == (300, 4)
    assert scores.decision.shape == (300, 4)
    np.testing.assert_allclose(scores.probabilities.sum(axis=1), 1)
    right = np.mean(scores.values.argmax(axis=1) == truth.labels[:300])
    assert right > 0.8


def test_pmi_needs_to_be_estimated(model: Model) -> None:
    with pytest.raises(ModelError, match='was not estimated with rule="pmi"'):
        score(["good"], model, rule="pmi")


def test_pmi_knows_words_outside_the_lexicon() -> None:
    lexicon = Lexicon({"positive": ["good"], "negative": ["bad"]})
    texts = ["good sunshine", "bad rain", "good sunshine", "bad rain"] * 5 + ["good bad day"]
    model = estimate(count(texts, lexicon, associations=True), lexicon, rule="pmi", keep_discordant=True)
    assert np.sign(score(["sunshine", "rain"], model).decision).tolist() == [1, -1]


def test_errors(model: Model) -> None:
    with pytest.raises(DocumentError, match="there are no documents to score"):
        score([], model)
    with pytest.raises(ProblexError, match=f"rule='vibes' was given, expected one of {', '.join(RULES)}$"):
        score(["good"], model, rule="vibes")
    with pytest.raises(ProblexError, match="temper='hot' was given, expected one of"):
        score(["good"], model, temper="hot")
