"""Streams, samples, and too little to learn from."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from problex import Lexicon, LexiconClassifier, Model, count, estimate, expand, load_model
from problex.cli.application import app
from problex.errors import EstimationWarning, ProblexError
from problex.scoring import expanded_model
from problex.scoring.reservoir import ReservoirSample
from tests.expansion.test_expansion import LEXICON, corpus

WEATHER = ["good fine sunny day", "fine good sunny film", "bad poor rainy film", "poor bad rainy day"] * 20


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


def test_too_little_to_learn_from_is_said_and_does_no_harm() -> None:
    texts, _ = corpus(documents=300)
    model = estimate(count(texts, LEXICON), LEXICON)
    with pytest.warns(EstimationWarning, match="the model was not expanded: 5 documents are too few"):
        assert expand(model, texts[:5]) is model
    with pytest.warns(EstimationWarning, match="the model was not expanded: 19 documents are too few"):
        assert expand(model, texts[:19]) is model
    with pytest.warns(EstimationWarning, match=r"the model was not expanded: the (scores|texts)"):
        expand(model, texts[:20])
    random = np.random.default_rng(0)
    mixed = [" ".join(random.permutation(text.split()[:6])) for text in texts]
    shuffled = [" ".join([*a.split()[:3], *b.split()[3:]]) for a, b in pairwise(mixed)]
    noise = [" ".join(f"w{'abcdefgh'[random.integers(8)]}" for _ in range(20)) + " " + text for text in shuffled]
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
    with pytest.raises(ProblexError, match="--expand and --checkpoint were given"):
        run(app, ["fit", "texts.txt", *files, "--expand", "--checkpoint", "c", "-o", "x.json"], catch_exceptions=False)


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


@pytest.mark.parametrize(("agreement", "expanded"), [(0.2, True), (0.199, False)])
def test_an_expansion_needs_an_agreement_of_one_fifth(
    agreement: float, expanded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, model = WEATHER, estimate(count(WEATHER, LEXICON), LEXICON)
    learned = expand(model, texts).expansion
    assert learned is not None
    monkeypatch.setattr(expanded_model, "learn", lambda *_: replace(learned, agreement=agreement))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EstimationWarning)
        assert (expand(model, texts).expansion is not None) == expanded


def learned_from(texts: list[str], model: Model, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What `expand` gives to `learn`: tokens, vocabulary, evidence, lexicon, entries, share; empty if nothing."""
    arguments: list[Any] = []

    def learn(*values: Any) -> Any:
        arguments.extend(values)
        return SimpleNamespace(agreement=0.0)

    monkeypatch.setattr(expanded_model, "learn", learn)
    with pytest.warns(EstimationWarning, match="the model was not expanded"):
        expand(model, texts)
    return arguments


PAIR = Lexicon({"negative": ["bad"], "positive": ["good"]})


def test_the_share_is_that_of_the_decided_documents_without_the_prior(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve positive, six negative, two of a tie and four without an entry: 12 / 18. The prior would decide all."""
    texts = ["good x"] * 12 + ["bad y"] * 6 + ["good bad x"] * 2 + ["x y"] * 4
    options: dict[str, Any] = {"calibration": "none", "temper": "none"}
    model = estimate(count(texts, PAIR), PAIR, **options)
    assert learned_from(texts, model, monkeypatch)[-1] == pytest.approx(12 / 18)
    model = estimate(count(texts, PAIR), PAIR, prior={"negative": 1e6, "positive": 1}, **options)
    scores = learned_from(texts, model, monkeypatch)[3]
    assert scores[-1].tolist() == pytest.approx([0, 0])


def test_ties_throughout_give_the_share_one_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists that occur together have equal weights, so all documents tie; their evidence differs with the length."""
    texts = ["good bad x", "good bad x x x x y", "good bad y y y y y y"] * 8
    with pytest.warns(EstimationWarning, match="every entry has the same weight"):
        model = estimate(count(texts, PAIR), PAIR)
    assert learned_from(texts, model, monkeypatch)[-1] == 0.5


def test_two_features_and_both_lists_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words have a column from four documents on: good and bad alone are two, good alone is one."""
    texts = ["good x"] * 12 + ["bad y"] * 12 + ["good bad x"] * 2
    model = estimate(count(texts, PAIR), PAIR)
    arguments = learned_from(["good"] * 12 + ["bad"] * 12, model, monkeypatch)
    assert arguments[1].names == ["bad", "good"]
    assert learned_from(["good"] * 20 + ["bad"] * 3, model, monkeypatch) == []
    assert learned_from(["good x"] * 12 + ["y"] * 12, model, monkeypatch) == []
    assert learned_from(["z x"] * 12 + ["y"] * 12, model, monkeypatch) == []
