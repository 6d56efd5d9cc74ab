"""Weights of the lexicon's author: as the centre of shrinkage, and as a rule."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon, Model, count, estimate, load_model, score
from problex.errors import LexiconError, ModelError
from problex.estimation.published import evidence_of
from problex.estimation.shrinkage import deficits, posterior, relative_centres
from problex.evaluation.forecasts import forecast
from problex.matching.reference import find_matches
from problex.matching.tokens import Tokenizer
from problex.report.methods import methods
from tests.reports import material

WEIGHTS = {"up": {"good": 1.0, "fine": 3.0, "happ*": 2.0}, "down": {"bad": -2.0, "poor": -1.0}}
LEXICON = Lexicon(WEIGHTS)
TEXTS = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad", "happy poor"] * 20


def model_of(lexicon: Lexicon = LEXICON, **settings: Any) -> Model:
    return estimate(count(TEXTS, lexicon), lexicon, **settings)


def test_the_centre_of_an_entry_is_its_weight_over_the_mean_of_its_list() -> None:
    """Tokens: good 60, fine 40, happy 20, bad 60, poor 60; means 220 / 120 and 180 / 120."""
    evidence = model_of(shrink_to="given").evidence
    assert evidence.entries == ("bad", "poor", "fine", "good", "happy")
    expected = [2 / 1.5, 1 / 1.5, 3 * 120 / 220, 120 / 220, 2 * 120 / 220]
    assert relative_centres(evidence) == pytest.approx(expected)
    assert relative_centres(replace(evidence, given=None)).tolist() == [1.0] * 5


def test_estimates_lie_between_the_own_deficit_and_the_centre() -> None:
    counts = count(TEXTS, LEXICON)
    given_centres = replace(evidence_of(counts), given=np.array([2.0, 1.0, 3.0, 1.0, 2.0]))
    found = posterior(given_centres)
    own, _ = deficits(given_centres)
    middle = found.centre[given_centres.list_index] * relative_centres(given_centres)
    assert found.mean == pytest.approx(found.own_share * own + (1.0 - found.own_share) * middle)
    assert found.centre == pytest.approx(posterior(evidence_of(counts)).centre)  # those of the lists are the same


def test_a_word_without_evidence_has_what_its_author_gave_it() -> None:
    """`superb` and `meh` do not occur: in proportion to their weights, up to the limit."""
    lexicon = Lexicon({"up": {**WEIGHTS["up"], "superb": 1.5, "meh": 0.5}, "down": WEIGHTS["down"]})
    cases: list[tuple[dict[str, Any], float]] = [({"shrink_to": "given"}, 3.0), ({}, 1.0)]
    for settings, ratio in cases:
        model = model_of(lexicon, **settings)
        found = dict(zip(model.evidence.entries, model.predictiveness.tolist(), strict=True))
        assert found["superb"] == pytest.approx(ratio * found["meh"])


@given(st.floats(0.01, 100), st.booleans())
def test_only_the_ratios_of_weights_matter(scale: float, negative: bool) -> None:
    factor = -scale if negative else scale
    scaled = {
        "up": {word: factor * weight for word, weight in WEIGHTS["up"].items()},
        "down": {word: scale * weight for word, weight in WEIGHTS["down"].items()},
    }
    model = estimate(COUNTS, Lexicon(scaled), shrink_to="given")
    assert model.predictiveness == pytest.approx(GIVEN.predictiveness)


COUNTS = count(TEXTS, LEXICON)
GIVEN = estimate(COUNTS, LEXICON, shrink_to="given")


def test_equal_weights_are_the_mean() -> None:
    same = Lexicon({name: dict.fromkeys(words, 2.0) for name, words in WEIGHTS.items()})
    assert model_of(same, shrink_to="given").predictiveness == pytest.approx(model_of().predictiveness)


def test_where_nothing_is_learned_the_given_weights_decide() -> None:
    texts = ["good bad", "fine poor", "good poor", "fine bad", "day", "film"] * 10
    model = estimate(count(texts, LEXICON), LEXICON, shrink_to="given", calibration="none")
    assert model.solution.fallback
    assert score(["fine, bad", "good, bad"], model).labels().tolist() == ["up", "down"]


def test_wildcards_that_match_only_in_new_texts_have_their_weight() -> None:
    lexicon = Lexicon({"up": {**WEIGHTS["up"], "super*": 1.0, "meh*": 0.25}, "down": WEIGHTS["down"]})
    model = model_of(lexicon, shrink_to="given", rule="multinomial", calibration="none", temper="none")
    strong, weak = np.tanh(score(["superb", "meh!"], model).decision / 2)
    assert strong == pytest.approx(4 * weak)


def test_a_model_file_has_the_weights_that_it_needs(tmp_path: Path) -> None:
    every: list[dict[str, Any]] = [{"shrink_to": "given"}, {"rule": "given"}, {}]
    for at, settings in enumerate(every):
        model, path = model_of(**settings), tmp_path / f"{at}.json"
        model.save(path)
        loaded = load_model(path)
        assert loaded == model
        assert dict(loaded.lexicon.weights) == (dict(LEXICON.weights) if settings else {})
        texts = ["a fine, happier, bad day"]
        assert score(texts, loaded).values.tolist() == score(texts, model).values.tolist()
        assert loaded.standard_errors.tolist() == model.standard_errors.tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"given_weights": [["good", 1], ["worse", 2]]}, "has a word that is not in the lexicon"),
        ({"given_weights": [["good", "1"]]}, "given_weights"),
        (None, "'given_weights' is missing"),
    ],
)
def test_damaged_weights_are_refused(change: dict[str, object] | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    GIVEN.save(path)
    content = json.loads(path.read_text()) | {"digest": None} | (change or {})
    if change is None:
        del content["given_weights"]
    path.write_text(json.dumps(content))
    with pytest.warns(match="has no digest"), pytest.raises(ModelError, match=message):
        load_model(path)


def test_a_model_can_be_estimated_again_with_and_without_them() -> None:
    assert GIVEN.reestimate(shrink_to="mean") == model_of()
    assert model_of().reestimate(shrink_to="given") == GIVEN


WORDS = st.lists(st.sampled_from(["good", "fine", "happy", "happily", "bad", "poor", "not", "film", ","]), max_size=12)


@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=4))
def test_the_rule_is_the_sum_of_weights_over_the_matches(texts: list[str]) -> None:
    """A negated word counts for the other list, as in counting."""
    scores = score(texts, GIVEN, rule="given").values
    flat = {"good": 1.0, "fine": 3.0, "happy": 2.0, "happily": 2.0, "bad": 2.0, "poor": 1.0}
    for text, row in zip(texts, scores.tolist(), strict=True):
        expected = [0.0, 0.0]
        for match in find_matches(text, GIVEN.items, Tokenizer()):
            list_ = GIVEN.items.find(match.name)
            if list_ is not None:
                expected[list_] += flat[match.name.removeprefix("NOT ")]
        assert row == expected


def test_weighted_counting_by_hand() -> None:
    model = model_of(rule="given")
    scores = score(["fine, fine but bad", "not good", "a day"], model)
    assert scores.values.tolist() == [[2.0, 6.0], [1.0, 0.0], [0.0, 0.0]]
    assert scores.labels().tolist() == ["up", "down", "undecided"]
    assert model.entry_weights.given is not None
    assert 0.5 < forecast(model, [20]).multinomial[0] < 1.0
    words = " ".join(methods(model, material().overview))
    assert "by the weight of the word in the lexicon" in words
    assert "nothing was learned" in words
    assert "towards the weights that the lexicon gives" in " ".join(methods(GIVEN, material().overview))


@pytest.mark.parametrize("settings", [{"rule": "given"}, {"shrink_to": "given"}])
def test_a_lexicon_without_weights_is_an_error(settings: dict[str, Any]) -> None:
    plain = Lexicon({name: list(words) for name, words in WEIGHTS.items()})
    with pytest.raises(LexiconError, match="the lexicon has no weights"):
        model_of(plain, **settings)
    with pytest.raises(LexiconError, match="the lexicon has no weights"):
        score(["good"], model_of(plain), rule="given")
