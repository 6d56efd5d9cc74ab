from __future__ import annotations

import json
import random
import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from problex import Lexicon, Model, count, estimate, load_model, score
from problex.errors import EstimationError, EstimationWarning, ModelError, OutputError, ProblexError
from problex.estimation.model_file import dumps
from problex.matching.tokens import Tokenizer
from problex.model.calibration import Calibration
from problex.model.settings import PAPER
from tests.synthetic import draw


@pytest.fixture
def model(lexicon: Lexicon, texts: list[str]) -> Model:
    return estimate(count(texts, lexicon), lexicon)


def test_documents_batches_and_lists_in_any_order_give_the_same_file(lexicon: Lexicon, texts: list[str]) -> None:
    """Bit for bit: the text of the model file is the same."""
    expected = dumps(estimate(count(texts, lexicon), lexicon))
    shuffled = texts[:]
    random.Random(1).shuffle(shuffled)
    turned = Lexicon({name: lexicon.lists[name][::-1] for name in reversed(lexicon.names)})
    parts = count(shuffled[:7], turned) + (count(shuffled[7:20], turned) + count(shuffled[20:], turned))
    assert dumps(estimate(parts, turned)) == expected


def test_exchanging_the_names_of_two_lists_exchanges_the_weights(texts: list[str]) -> None:
    one = Lexicon({"a": ["good", "fine"], "b": ["bad", "poor"]})
    two = Lexicon({"b": ["good", "fine"], "a": ["bad", "poor"]})
    weights = [
        {row["entry"]: row["weight"] for row in estimate(count(texts, lexicon), lexicon).records()}
        for lexicon in (one, two)
    ]
    assert weights[0] == pytest.approx(weights[1], rel=1e-9)


def test_a_saved_model_loads_equal_and_saves_the_same(model: Model, tmp_path: Path) -> None:
    model.save(tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert loaded == model
    assert dumps(loaded) == dumps(model)
    record = json.loads((tmp_path / "m.json").read_text())
    assert record["format"] == 1
    assert record["lexicon_hash"] == model.lexicon.fingerprint
    assert record["corpus"]["documents"] == 40


def test_a_loaded_model_can_be_estimated_again(
    model: Model, lexicon: Lexicon, texts: list[str], tmp_path: Path
) -> None:
    model.save(tmp_path / "m.json")
    changes: dict[str, Any] = {"shrinkage": 5.0, "balance": "equal", "keep_discordant": True}
    again = load_model(tmp_path / "m.json").reestimate(**changes)
    fresh = estimate(count(texts, lexicon), lexicon, **changes)
    assert dumps(again) == dumps(fresh)
    assert dumps(again) != dumps(model)


def test_a_loaded_model_says_that_it_cannot_be_calibrated_again(tmp_path: Path) -> None:
    truth = draw(500, [0.2, 0.8], seed=1, length=40)
    model = estimate(truth.counts, truth.lexicon, sample=truth.sample)
    model.save(tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert loaded.calibration == model.calibration != Calibration()
    assert loaded.reestimate(prior={"list0": 1, "list1": 2}).calibration == model.calibration
    assert model.reestimate(temper="none").calibration != Calibration()
    with pytest.warns(EstimationWarning, match="a model file has no sample of documents"):
        assert loaded.reestimate(temper="none").calibration == Calibration()


@pytest.mark.parametrize("rule", ["pmi", "multinomial"])
def test_other_rules_are_saved_too(rule: str, lexicon: Lexicon, texts: list[str], tmp_path: Path) -> None:
    model = estimate(count(texts, lexicon, associations=True), lexicon, rule=rule)
    model.save(tmp_path / "m.json")
    assert dumps(load_model(tmp_path / "m.json")) == dumps(model)


def test_a_custom_tokenizer_must_be_given_again(lexicon: Lexicon, texts: list[str], tmp_path: Path) -> None:
    tokenizer = Tokenizer(custom=str.split)
    lexicon = Lexicon({"a": ["good"], "b": ["bad"]})
    model = estimate(count(texts, lexicon, tokenizer=tokenizer), lexicon, tokenizer=tokenizer)
    model.save(tmp_path / "m.json")
    with pytest.raises(ModelError, match=r"was made with .*split: pass it: load_model\(path, tokenizer="):
        load_model(tmp_path / "m.json")
    assert load_model(tmp_path / "m.json", tokenizer=str.split) == model


def test_bad_model_files(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    with pytest.raises(ModelError, match=r"there is no model file .*make one with problex fit"):
        load_model(path)
    text = dumps(model).replace("{", '{"digest": null,', 1)
    path.write_text(text[: len(text) // 2])
    with pytest.raises(ModelError, match=r"cannot be read as JSON \(line \d+: .*it was cut off"):
        load_model(path)
    path.write_text('{"hello": 1}')
    with pytest.raises(ModelError, match="is JSON but not a problex model"):
        load_model(path)
    path.write_text("[1, 2]")
    with pytest.raises(ModelError, match="is JSON but not a problex model"):
        load_model(path)
    path.write_text(text.replace('"format": 1', '"format": 7'))
    with pytest.raises(ModelError, match=r"has format 7 .*reads format 1: upgrade with pip install -U problex"):
        load_model(path)
    path.write_text(text.replace('"shares"', '"shards"'))
    with pytest.raises(ModelError, match="is damaged: 'shards' is not a field of the file"):
        load_model(path)
    path.write_text(text.replace('["negative", ["bad"', '["negative", ["worst"'))
    with pytest.raises(ModelError, match="was changed after it was saved"):
        load_model(path)
    for garbled in (
        text.replace('["bad", "negative", ', '["bad", '),
        text.replace('"columns": [', '"columns": [1, '),
        text.replace('["bad", "negative", ', '["bad", "nobody", '),
        re.sub(r'(\["bad", .*, )[0-9.]+(, [0-9.]+, [0-9.]+\])', r"\g<1>2.0\2", text),
        re.sub(r'(\["bad", .*, )[0-9.]+(, [0-9.]+, [0-9.]+\])', r"\g<1>null\2", text),
    ):
        assert garbled != text
        path.write_text(garbled)
        with pytest.raises(ModelError, match="save"):
            load_model(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ModelError, match="is not a model file"):
        load_model(path)
    with pytest.raises(OutputError, match="exists"):
        model.save(path)


def test_discordant_words_get_no_weight_unless_kept(texts: list[str]) -> None:
    lexicon = Lexicon({"positive": ["good", "fine", "poor"], "negative": ["bad", "rip off"]})
    model = estimate(count(texts, lexicon), lexicon, shrinkage=300.0)
    rows = {row["entry"]: row for row in model.records()}
    assert rows["poor"]["discordant"]
    assert rows["poor"]["weight"] == 0
    learned = {row["entry"]: row for row in estimate(count(texts, lexicon), lexicon).records()}
    assert learned["poor"]["weight"] < min(learned[word]["weight"] for word in ("good", "fine"))
    kept = estimate(count(texts, lexicon), lexicon, shrinkage=300.0, keep_discordant=True)
    assert kept.predictiveness.shape == model.predictiveness.shape
    assert np.bincount(kept.evidence.list_index, kept.predictiveness > 0).min() >= 1


def test_words_never_seen_get_the_mean_of_their_list(texts: list[str]) -> None:
    lexicon = Lexicon({"positive": ["good", "fine", "splendid"], "negative": ["bad", "poor"]})
    model = estimate(count(texts, lexicon), lexicon)
    rows = {row["entry"]: row for row in model.records()}
    assert rows["splendid"]["count"] == 0
    low, high = sorted([rows["good"]["predictiveness"], rows["fine"]["predictiveness"]])
    assert low <= rows["splendid"]["predictiveness"] <= high
    to_zero = estimate(count(texts, lexicon), lexicon, shrinkage=300.0, shrink_to="zero")
    assert next(row for row in to_zero.records() if row["entry"] == "splendid")["weight"] == 0


def test_shrinkage_draws_words_together(lexicon: Lexicon, texts: list[str]) -> None:
    counts = count(texts, lexicon)
    spreads = []
    for kappa in (0.0, 10.0, 1e6):
        model = estimate(counts, lexicon, shrinkage=kappa, keep_discordant=True)
        mine = (model.evidence.list_index == 1) & (model.evidence.occurrences > 0)
        spreads.append(np.ptp(model.predictiveness[mine]))
    assert spreads[0] >= spreads[1] >= spreads[2]
    assert spreads[2] < 1e-3


def test_balance() -> None:
    truth = draw(2000, [0.2, 0.8], seed=4)
    counts = truth.counts
    even = estimate(counts, truth.lexicon, balance="equal")
    by_coverage = estimate(counts, truth.lexicon)
    given = estimate(counts, truth.lexicon, balance={"list0": 2, "list1": 8})
    assert even.shares.tolist() == [0.5, 0.5]
    assert by_coverage.shares[1] > 0.6
    assert given.shares.tolist() == [0.2, 0.8]
    for model in (even, by_coverage, given):
        mass = np.bincount(model.evidence.list_index, model.evidence.base_rates * model.predictiveness)
        np.testing.assert_allclose(mass / mass.sum(), model.shares, atol=1e-9)


def test_the_paper_in_one_line(lexicon: Lexicon, texts: list[str]) -> None:
    model = estimate(count(texts, lexicon), lexicon, **vars(PAPER))
    assert model.settings.solver == "admm"
    assert model.shares.tolist() == [0.5, 0.5]
    assert not model.solution.converged


@pytest.mark.parametrize(
    ("texts", "lists", "message"),
    [
        (["", "  ", "42"], None, "none of 3 documents has a word: check the column of the texts, text=..."),
        (["good", "bad"], None, "none of 2 documents has two words"),
        (["good day", "fine day"], None, r"no entry of list 'negative' \(bad, poor\) was found in 2 documents"),
        (["good bad"] * 5, None, "found in 5 documents, none of which occurs together with the other lists less"),
        (
            ["a good and fine and bad and poor day"],
            None,
            "found in 1 document, none of which occurs together with the other lists less",
        ),
    ],
)
def test_corpora_that_teach_nothing(texts: list[str], lists: None, message: str) -> None:
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    with pytest.raises(EstimationError, match=message):
        estimate(count(texts, lexicon), lexicon, shrinkage=300.0)


def test_lists_that_are_always_together_are_counted_with_a_warning() -> None:
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    with pytest.warns(EstimationWarning, match="as often as expected by chance, so every entry has the same weight"):
        model = estimate(count(["good bad and more"] * 5, lexicon), lexicon)
    assert len(set(model.weights.tolist())) == 1
    assert score(["good day", "good bad", "poor poor fine"], model).labels().tolist() == [
        "positive",
        "undecided",
        "negative",
    ]


def test_every_predictiveness_has_an_interval(model: Model) -> None:
    for row in model.records():
        assert 0 <= row["low"] <= row["predictiveness"] <= row["high"] <= 1
        assert row["standard_error"] > 0


def test_no_documents(lexicon: Lexicon) -> None:
    with pytest.raises(EstimationError, match="there are no documents, expected texts to learn from"):
        estimate(count([], lexicon), lexicon)


def test_every_cross_count_zero_is_no_accident(lexicon: Lexicon) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EstimationWarning)
        model = estimate(count(["good fine day", "bad poor day"] * 20, lexicon), lexicon)
    assert np.all(model.predictiveness <= 0.9)
    assert {row["entry"]: row["weight"] > 0 for row in model.records()}["good"]


def test_settings_are_checked(lexicon: Lexicon, texts: list[str]) -> None:
    counts = count(texts, lexicon)
    for bad, message in [
        ({"solver": "magic"}, "solver='magic' was given, expected one of exact, admm"),
        ({"balance": "fair"}, "balance='fair' was given, expected one of coverage, equal or a mapping"),
        ({"balance": {"positive": 1}}, r"balance names \['positive'\], expected the lists"),
        ({"balance": {"positive": 1, "negative": 0}}, "balance of list 'negative' is 0, expected a positive number"),
        ({"prior": {"positive": 1, "negative": float("nan")}}, "prior of list 'negative' is nan, expected a positive"),
        (
            {"prior": {"positive": 10**400, "negative": 1}},
            "prior of list 'positive' is a number of more than 40 digits",
        ),
        (
            {"balance": {"positive": "x", "negative": 1}},
            "balance of list 'positive' is 'x', expected a positive number",
        ),
        ({"shrinkage": 10**400}, "shrinkage=a number of more than 40 digits was given, expected 'auto', 0"),
        ({"shrinkage": 1e101}, "shrinkage=1e\\+101 was given, expected 'auto', 0 .none. or a positive number up to 1e"),
        ({"max_predictiveness": 10**400}, "max_predictiveness=a number of more than 40 digits was given, expected bet"),
        (
            {"solver_options": {"tolerance": 10**400}},
            "tolerance=a number of more than 40 digits was given, expected at",
        ),
        ({"shrinkage": -1}, "shrinkage=-1 was given, expected 'auto', 0"),
        ({"calibration": "fine"}, "calibration='fine' was given, expected one of auto, none"),
        ({"shrinkage": float("nan")}, "shrinkage=nan was given"),
        ({"shrinkage": float("inf")}, "shrinkage=inf was given"),
        ({"shrinkage": "a"}, "shrinkage='a' was given"),
        ({"kappa": 3}, "the setting='kappa' was given, expected one of rule, solver"),
        ({"balance": 0.7}, "balance=0.7 was given, expected one of coverage, equal or a mapping"),
        ({"shrinkage": 1.0, "solver_options": {"speed": 1}}, "the option of solver 'exact'='speed' was given"),
        (
            {"shrinkage": 0.0, "solver": "admm", "solver_options": {"iterations": 0}},
            "iterations=0 was given to 'admm', expected 1",
        ),
        ({"max_predictiveness": 1.0}, "max_predictiveness=1.0 was given, expected between 0 and 1"),
        ({"shrink_to": "median"}, "shrink_to='median' was given, expected one of mean, zero, given"),
        (
            {"shrink_to": "given", "shrinkage": 9},
            "shrinkage=9 cannot be used with shrink_to=\"given\", expected 'auto', which is the default",
        ),
        ({"rule": "guess"}, "rule='guess' was given, expected one of count, presence"),
        ({"temper": "steel"}, "temper='steel' was given, expected one of burstiness"),
    ]:
        with pytest.raises(ProblexError, match=message):
            estimate(counts, lexicon, **bad)  # type: ignore[arg-type]
    with pytest.raises(EstimationError, match="count the texts again with this lexicon"):
        estimate(counts, Lexicon({"a": ["x"], "b": ["y"]}))


def test_a_corpus_without_burstiness_is_said_to_have_none(lexicon: Lexicon) -> None:
    with pytest.warns(EstimationWarning, match="words are not repeated within texts more often than by chance"):
        model = estimate(
            count(["good one two", "bad three four", "good bad five six seven", "poor x y z v w"], lexicon),
            lexicon,
            keep_discordant=True,
        )
    assert model.evidence.concentration == float("inf")
    assert '"concentration": null' in dumps(model)


def test_models_that_score_differently_are_not_equal(lexicon: Lexicon, texts: list[str]) -> None:
    model = estimate(count(texts, lexicon), lexicon)
    other = Model(**{**vars(model), "evidence": replace(model.evidence, concentration=5.0)})
    assert model == Model(**vars(model))
    assert model != other


def test_lists_that_meet_by_chance_give_no_weights_and_a_warning() -> None:
    lexicon = Lexicon({"a": ["p"], "b": ["z"]})
    with pytest.warns(EstimationWarning, match="no entry has a weight"):
        estimate(count(["p z x", "p z y y", "x x y"], lexicon), lexicon, shrinkage=300.0, keep_discordant=True)


def test_what_is_not_counts_is_refused(lexicon: Lexicon) -> None:
    with pytest.raises(EstimationError, match="estimate was given list and Lexicon, expected Counts"):
        estimate(["good"], lexicon)  # type: ignore[arg-type]


def test_a_model_estimated_again_is_the_one_of_these_settings(lexicon: Lexicon, texts: list[str]) -> None:
    counts = count(texts, lexicon)
    model = estimate(counts, lexicon)
    for changes in ({"shrinkage": 0.0}, {"balance": "equal"}, {"rule": "count"}, {"max_predictiveness": 0.4}):
        assert model.reestimate(**changes) == estimate(counts, lexicon, **changes)
    assert model.reestimate() == model
    with pytest.raises(ProblexError, match="the setting='kappa' was given, expected one of rule, solver"):
        model.reestimate(kappa=3)
    with pytest.raises(EstimationError, match="the rule 'pmi' needs the counts of all words"):
        model.reestimate(rule="pmi")
