"""Streams, samples, and too little to learn from."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from problex import Lexicon, LexiconClassifier, Model, count, estimate, expand, explain, load_model, score
from problex.cli.application import app
from problex.cli.learning import summarize
from problex.errors import EstimationWarning, ProblexError
from problex.expansion import cotraining
from problex.expansion import learn as learning
from problex.expansion import texts as training
from problex.expansion.reservoir import ReservoirSample
from problex.expansion.topics import topic_expansion
from tests.model.test_expansion import LEXICON, corpus

WEATHER = [
    f"{tone} {weather} {thing}"
    for tones, weather in (
        (("good fine", "fine good", "good", "fine"), "sunny"),
        (("bad poor", "bad", "poor bad", "poor"), "rainy"),
    )
    for tone in tones
    for thing in (
        "day",
        "film",
        "walk",
        "week",
        "story",
        "day in town",
        "week in town",
        "film and walk",
        "walk and story",
        "film in town",
    )
]


def test_a_sample_stays_within_its_bound_and_is_even() -> None:
    sample = ReservoirSample(limit=20_000)
    for start in range(0, 10_000, 500):
        sample.add(pa.array([f"text {number:05d}" for number in range(start, start + 500)]))
    kept = np.array([int(text.split()[1]) for text in sample.texts.to_pylist()])
    assert sample.seen == 10_000
    assert 200 < len(kept) < 10_000
    assert sample.texts.nbytes <= 40_000
    assert abs(kept.mean() - 5_000) < 4 * 2_900 / np.sqrt(len(kept))


def test_a_stream_that_can_be_read_once_gives_the_same_model() -> None:
    texts = WEATHER

    def stream() -> Iterator[str]:
        yield from texts

    whole = LexiconClassifier(LEXICON, expand=True).fit(texts).model_
    assert whole.expansion is not None
    assert LexiconClassifier(LEXICON, expand=True).fit(stream()).model_ == whole
    parts = LexiconClassifier(LEXICON, expand=True)
    for start in range(0, 80, 20):
        parts.partial_fit(texts[start : start + 20])
    assert parts.model_ == whole


@pytest.mark.parametrize(("words", "length"), [("all", 20), ("lexicon", 40)])
def test_a_share_that_no_threshold_gives_does_not_change_the_order_of_texts(
    words: str, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most short texts say one thing only, half of them this and half of them that, and a tenth is to be that."""
    monkeypatch.setattr(cotraining, "share_from_anchors", lambda *_: (0.1, 0.5))
    texts = [" ".join(text.split()[:length]) for text in corpus(documents=900)[0]]
    lexicon = estimate(count(texts, LEXICON), LEXICON)
    model = expand(lexicon, texts, words=words)
    plain = replace(model, calibration=replace(model.calibration, threshold=0.0))
    found, unmoved = (score(texts, each).values for each in (model, plain))
    moved = np.abs(found - unmoved)[:, 0]
    assert moved.max() > 0
    assert np.mean(moved < moved.max() - 1e-9) <= 0.25


def test_too_little_to_learn_from_is_said_and_does_no_harm() -> None:
    texts, _ = corpus(documents=300)
    model = estimate(count(texts, LEXICON), LEXICON)
    with pytest.warns(EstimationWarning, match="the model was not expanded: 5 documents are too few"):
        assert expand(model, texts[:5]) is model
    with pytest.warns(EstimationWarning, match="the model was not expanded: 19 documents are too few"):
        assert expand(model, texts[:19]) is model
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert expand(model, texts).expansion is not None
    random = np.random.default_rng(0)
    every = [word for words in LEXICON.lists.values() for word in words]
    letters = [f"w{letter}" for letter in "abcdefgh"]
    noise = [" ".join([*random.choice(letters, 20), *random.choice(every, 4)]) for _ in range(300)]
    with pytest.warns(EstimationWarning, match="hardly correlate with it"):
        assert expand(model, noise).expansion is None


def test_the_command_line_expands_and_suggests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts, _ = corpus()
    Path("texts.txt").write_text("\n".join(texts))
    files = [f"--lexicon={name}={name}.txt" for name in LEXICON.lists]
    for name, words in LEXICON.lists.items():
        Path(f"{name}.txt").write_text("\n".join(words))
    run = CliRunner().invoke
    made = run(app, ["fit", "texts.txt", *files, "--expand", "-o", "m.json"])
    assert made.exit_code == 0
    assert load_model("m.json").expansion is not None
    shown = json.loads(run(app, ["suggest", "m.json", "--top", "12", "--format", "json"]).stdout)
    assert {"strongpos", "strongneg"} <= {row["entry"] for row in shown}
    run(app, ["fit", "texts.txt", *files, "-o", "plain.json"])
    with pytest.raises(ProblexError, match="has weights only for the entries of its lexicon: make it"):
        run(app, ["suggest", "plain.json"], catch_exceptions=False)
    with pytest.raises(ProblexError, match="--expand was given with --checkpoint"):
        run(app, ["fit", "texts.txt", *files, "--expand", "--checkpoint", "c", "-o", "x.json"], catch_exceptions=False)
    options = ["--expand-lexicon", "--checkpoint", "c", "-o", "x.json"]
    with pytest.raises(ProblexError, match="--expand-lexicon was given with --checkpoint"):
        run(app, ["fit", "texts.txt", *files, *options], catch_exceptions=False)
    with pytest.raises(ProblexError, match="--expand was given with --expand-lexicon: weights for all words"):
        run(app, ["fit", "texts.txt", *files, "--expand", "--expand-lexicon", "-o", "x.json"], catch_exceptions=False)
    made = run(app, ["fit", "texts.txt", *files, "--expand-lexicon", "-o", "l.json"])
    assert "Weights learned with the help of all words of 800 documents" in made.stderr
    assert load_model("l.json").cotrained is not None


def test_the_command_line_learns_from_a_sample_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts, _ = corpus()
    Path("texts.txt").write_text("\n".join(texts))
    for name, words in LEXICON.lists.items():
        Path(f"{name}.txt").write_text("\n".join(words))
    fit = ["fit", "texts.txt", *(f"--lexicon={name}={name}.txt" for name in LEXICON.lists), "-o", "m.json"]
    size = sum(len(text) + 8 for text in texts) - 1
    made = CliRunner().invoke(app, [*fit, "--expand", "--expand-sample", str(size)])
    expansion = load_model("m.json").expansion
    assert expansion is not None
    assert 300 < expansion.documents < 500
    said = f"learned from a sample of {expansion.documents} of 800 documents, for whose size see --expand-sample, in"
    assert said in " ".join(made.stderr.split())
    assert expand(estimate(count(texts, LEXICON), LEXICON), texts, expand_sample=size).expansion.documents == (  # type: ignore[union-attr]
        expansion.documents
    )
    with pytest.raises(ProblexError, match="--expand-sample was given without --expand or --expand-lexicon"):
        CliRunner().invoke(app, [*fit, "--force", "--expand-sample", "1MiB"], catch_exceptions=False)


def test_a_sample_and_its_texts_give_the_same_model() -> None:
    texts, model = WEATHER, estimate(count(WEATHER, LEXICON), LEXICON)
    sample = ReservoirSample()
    sample.add(pa.array(texts))
    assert expand(model, sample) == expand(model, texts)
    assert expand(model, sample).expansion is not None


def test_documents_without_an_entry_do_not_prevent_an_expansion() -> None:
    texts, model = WEATHER, estimate(count(WEATHER, LEXICON), LEXICON)
    assert expand(model, [*texts, "nothing", "of it"]).expansion is not None


def test_markup_is_removed_on_request() -> None:
    texts = [f"<em> {text}" for text in WEATHER]
    model = estimate(count(texts, LEXICON), LEXICON)
    with_markup, without = expand(model, texts).expansion, expand(model, texts, markup=True).expansion
    assert with_markup is not None
    assert without is not None
    assert "em" in with_markup.vocabulary.words
    assert "em" not in without.vocabulary.words


@pytest.mark.parametrize(("agreement", "expanded"), [(0.3355, True), (0.3353, False)])
def test_an_expansion_needs_an_agreement_of_three_standard_errors(
    agreement: float, expanded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 80 documents: 3 / sqrt(80) = 0.3354."""
    learned = topic_expansion
    monkeypatch.setattr(learning, "topic_expansion", lambda *given: replace(learned(*given), agreement=agreement))
    monkeypatch.setattr(training, "are_topics", lambda *_: True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EstimationWarning)
        found = expand(estimate(count(WEATHER, LEXICON), LEXICON), WEATHER).expansion
    assert (found is not None) == expanded


def learned_from(texts: list[str], model: Model, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The prepared texts, and the share or the scores of the lexicon, that `expand` learns from; empty if nothing."""
    arguments: list[Any] = []

    def learn(*values: Any) -> Any:
        arguments.extend(values)
        raise StopIteration

    for name in ("cotrain", "topic_expansion"):
        monkeypatch.setattr(learning, name, learn)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EstimationWarning)
        with suppress(StopIteration):
            expand(model, texts)
    return arguments


PAIR = Lexicon({"negative": ["bad"], "positive": ["good"]})


def test_the_share_is_that_of_the_decided_documents_without_the_prior(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve positive, six negative, two of a tie and four without an entry: 12 / 18. The prior would decide all."""
    texts = ["good x"] * 12 + ["bad y"] * 6 + ["good bad x"] * 2 + ["x y"] * 4
    monkeypatch.setattr(training, "are_topics", lambda *_: False)
    options: dict[str, Any] = {"calibration": "none", "temper": "none"}
    for prior in (None, {"negative": 1.0, "positive": 1.0}):
        model = estimate(count(texts, PAIR), PAIR, prior=prior, **options)
        assert learned_from(texts, model, monkeypatch)[1] == pytest.approx(12 / 18)


def test_ties_throughout_give_the_share_one_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists that occur together have equal weights, so all documents tie; their evidence differs with the length."""
    texts = ["good bad x", "good bad x x x x y", "good bad y y y y y y"] * 8
    monkeypatch.setattr(training, "are_topics", lambda *_: False)
    with pytest.warns(EstimationWarning, match="every entry has the same weight"):
        model = estimate(count(texts, PAIR), PAIR)
    assert learned_from(texts, model, monkeypatch)[1] == 0.5


def test_two_features_and_both_lists_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words have a column from four documents on: good and bad alone are two, good alone is one."""
    texts = ["good x"] * 12 + ["bad y"] * 12 + ["good bad x"] * 2
    model = estimate(count(texts, PAIR), PAIR)
    prepared = learned_from(["good z"] * 12 + ["bad z"] * 12, model, monkeypatch)[0]
    assert prepared.vocabulary.names == ["bad", "good", "z", "bad z", "good z"]
    assert learned_from(["good"] * 20 + ["bad"] * 3, model, monkeypatch) == []
    assert learned_from(["good x"] * 12 + ["y"] * 12, model, monkeypatch) == []
    assert learned_from(["z x"] * 12 + ["y"] * 12, model, monkeypatch) == []


def test_only_the_entries_have_weights_if_only_they_are_asked_for(tmp_path: Path) -> None:
    texts, _ = corpus()
    plain = estimate(count(texts, LEXICON), LEXICON)
    model = expand(plain, texts, words="lexicon")
    assert model.expansion is None
    assert model.cotrained is not None
    assert [row["entry"] for row in model.records()] != [row["entry"] for row in plain.records()]
    assert {row["entry"] for row in model.records()} == set(LEXICON.lists["positive"] + LEXICON.lists["negative"])
    assert (model.settings.rule, model.settings.temper) == ("log", "root")
    model.save(tmp_path / "m.json")
    again = load_model(tmp_path / "m.json")
    assert again == model
    assert np.array_equal(again.standard_errors, model.standard_errors)
    why = explain(texts[0], again)
    total = np.sum([part.values for part in why.contributions], axis=0) + why.prior
    assert np.allclose(total, score(texts[:1], model).values[0])
    assert {part.source for part in why.contributions} == {"lexicon"}


def test_the_classifier_knows_three_kinds_of_model() -> None:
    texts, _ = corpus()
    plain, listed, whole = (
        LexiconClassifier(LEXICON, expand=kind).fit(texts).model_ for kind in (False, "lexicon", True)
    )
    assert (plain.cotrained, plain.expansion) == (None, None)
    assert listed.cotrained is not None
    assert listed == expand(plain, texts, words="lexicon")
    assert whole.expansion is not None
    with pytest.raises(ProblexError, match="expand='all words' was given, expected one of lexicon or True or False"):
        LexiconClassifier(LEXICON, expand="all words").fit(texts)


def test_better_weights_are_no_use_to_a_rule_without_weights() -> None:
    model = estimate(count(WEATHER, LEXICON), LEXICON, rule="count")
    with pytest.raises(ProblexError, match="rule='count' was given, which uses no weights of entries"):
        expand(model, WEATHER, words="lexicon")
    expansion = expand(model, WEATHER).expansion
    assert expansion is not None
    assert expansion.kind == "topics"


def test_the_order_of_the_documents_does_not_matter() -> None:
    texts, _ = corpus(documents=300)
    model = estimate(count(texts, LEXICON), LEXICON)
    shuffled = np.random.default_rng(1).permutation(texts).tolist()
    one, two = (score(texts, expand(model, part)).decision for part in (texts, shuffled))
    assert np.allclose(one, two, atol=0.02 * one.std())


def test_exchanged_lists_give_mirrored_scores() -> None:
    texts, _ = corpus(documents=300)
    turned = Lexicon({"negative": LEXICON.lists["positive"], "positive": LEXICON.lists["negative"]})
    for words in ("all", "lexicon"):
        one, two = (
            score(texts, expand(estimate(count(texts, lexicon), lexicon), texts, words=words)).decision
            for lexicon in (LEXICON, turned)
        )
        assert np.allclose(one, -two, atol=0.02 * one.std())


def test_a_list_whose_topic_is_absent_is_reported() -> None:
    random = np.random.default_rng(0)
    company = {"sea": "sailor wave tide deck", "sky": "pilot wing wind jet", "land": "wheel hill tyre lane"}
    seeds = {"sea": "ship harbour", "sky": "plane cloud", "land": "car road"}
    lexicon = Lexicon({name: words.split() for name, words in seeds.items()})
    texts = []
    for _ in range(600):
        name = random.choice(["sea", "sky"])
        words = [*random.choice(company[name].split(), 8), *random.choice(seeds[name].split(), 2)]
        if random.random() < 0.3:
            words.extend(random.choice(seeds["land"].split(), 1))
        texts.append(" ".join(random.permutation(words)))
    model = estimate(count(texts, lexicon), lexicon)
    with pytest.warns(EstimationWarning, match="the other words of the texts hardly support land"):
        expansion = expand(model, texts).expansion
    assert expansion is not None
    assert expansion.support is not None
    support = dict(zip(model.classes, expansion.support.tolist(), strict=True))
    assert support["land"] < 0.4 < min(support["sea"], support["sky"])
    shown = summarize(replace(model, expansion=expansion), count(texts, lexicon))
    assert f"Support of the lists by other words: land {support['land']:.0%}, sea {support['sea']:.0%}" in shown


@pytest.mark.parametrize("copy", ["{}", "RT {}!"])
def test_copies_do_not_judge_each_other(copy: str) -> None:
    """Words by chance: nothing is to be learned, but words of a text told the label of its copies (agreement .94)."""
    random = np.random.default_rng(0)
    letters, others = "abcdefghij", [a + b for a in "klmnopqrst" for b in "abcdefghijklmnopqrst"]
    lists = {name: [name + letter for letter in letters] for name in ("bad", "good")}
    words = [*lists["bad"], *lists["good"]]
    texts = [" ".join([*random.choice(words, 4), *random.choice(others, 15)]) for _ in range(300)]
    texts += [copy.format(text) for text in texts * 4]
    model = estimate(counts := count(texts, Lexicon(lists)), Lexicon(lists))
    assert counts.copies == 1200
    with pytest.warns(EstimationWarning, match="hardly correlate"):
        assert expand(model, texts).expansion is None
