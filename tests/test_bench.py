"""The benchmarks run, on a few documents; what they measure is theirs to say."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from problex import Lexicon
from problex.paper.datasets import DataSet, vader_lexicon

FOLDER = Path(__file__).parents[1] / "benchmarks"
GOOD, BAD = "a good film; a wonderful, great day.", "not a good film: a bad, awful, terrible mess."
TEXTS = [text + more for text in (GOOD, BAD) for more in (" It's fun", " Never dull", " sad", " ugly", " nice")] * 5


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    monkeypatch.syspath_prepend(str(FOLDER))
    names = ("bench", "jobs", "latency", "peers", "rivals")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # strangers' packages
        yield {name: import_module(name) for name in names}
    for name in names:
        sys.modules.pop(name)


@pytest.fixture
def corpus() -> DataSet:
    labels = np.array(["positive" if "wonderful" in text else "negative" for text in TEXTS], dtype=object)
    return DataSet("tiny", TEXTS, labels, vader_lexicon(), "en")


def test_everything_is_timed_beside_the_peer(benchmarks: dict[str, Any], corpus: DataSet) -> None:
    found = benchmarks["bench"].speed(corpus, repeats=1)
    names = [record["what"] for record in found]
    assert names[0] == "CountVectorizer"
    assert found[0]["ratio"] == {"median": 1.0, "least": 1.0, "most": 1.0}
    assert {"problex: sums, one core", "problex: CSR rows, one core"} < set(names)
    assert all(record["seconds"]["median"] > 0 for record in found)


def test_solvers_and_a_changed_lexicon_are_timed(benchmarks: dict[str, Any], corpus: DataSet) -> None:
    found = benchmarks["bench"].estimation(corpus, repeats=2)
    assert [record["what"] for record in found][:2] == ["exact solver", "ADMM in the author's settings"]


def test_changed_lexicons_differ(benchmarks: dict[str, Any]) -> None:
    lexicon = Lexicon({"a": ["good"], "b": ["bad", "poor"]})
    assert list(benchmarks["jobs"].changed(lexicon, ["good", "film", "NOT bad", "day"])) == [
        {"a": ["good", "film"], "b": ["poor"]},
        {"a": ["good", "day"], "b": ["bad"]},
    ]


def test_wildcards_are_those_of_words_that_occur_and_made_up_ones(benchmarks: dict[str, Any]) -> None:
    lexicon = benchmarks["latency"].wildcard_lexicon(["A wonderful, wonderful terrible mess"], size=4)
    assert lexicon.lists == {"one": ("bbbbb*", "wonder*"), "two": ("bbbbd*", "terrib*")}


def test_memory_of_a_job(
    benchmarks: dict[str, Any], corpus: DataSet, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = benchmarks["bench"]
    monkeypatch.setattr(bench, "load", lambda documents: corpus)
    for name in ("the texts alone", "problex: CSR rows, one core", "CountVectorizer"):
        bench.child(name, 50)
        assert 20 < float(capsys.readouterr().out) < 100_000


def test_the_report_shows_every_part(benchmarks: dict[str, Any], corpus: DataSet, capsys: Any) -> None:
    bench = benchmarks["bench"]
    found = {"corpus": "tiny", "cold_starts": [], "memory": [], "same_tokens": benchmarks["peers"].same_tokens(TEXTS)}
    found["latency"] = bench.latency(corpus, 1, large=8000)
    bench.report(found | {"speed": bench.speed(corpus, 1), "estimation": bench.estimation(corpus, 1)})
    shown = capsys.readouterr().out
    assert "times CountVectorizer" in shown
    assert "problex: predict, 8,000 entries" in shown
    assert "the same tokens?" in shown
    assert "| CountVectorizer | " in bench.markdown({"corpus": "tiny", "speed": bench.speed(corpus, 1)})


def test_peers_count_the_same_words(benchmarks: dict[str, Any]) -> None:
    texts = [*TEXTS, "Naïve ÉCOLE l'ami 42 x_y"]
    for record in benchmarks["peers"].same_tokens(texts):
        assert record["words_that_differ"] == 0, record


def test_a_word_that_one_counts_otherwise_is_named(benchmarks: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    peers = benchmarks["peers"]
    wrong = {"wrong": ("problex", lambda texts: peers.our_totals(texts[:-1]))}
    monkeypatch.setattr(peers, "TOTALS", wrong)
    assert peers.same_tokens(["good film", "odd"])[0]["unexplained"] == ["odd"]


def test_every_rival_scores_every_text(benchmarks: dict[str, Any], corpus: DataSet) -> None:
    positive = corpus.labels == "positive"
    for name, rival in benchmarks["rivals"].available().items():
        scores = rival(corpus.texts, corpus.lexicon, "en")
        assert scores.shape == (len(TEXTS),), name
        assert scores[positive].mean() > scores[~positive].mean(), name


def test_areas_have_intervals(benchmarks: dict[str, Any], corpus: DataSet) -> None:
    rivals = benchmarks["rivals"]
    mixed = replace(corpus, labels=np.roll(corpus.labels, 1))  # a few wrong, so that there is something to draw
    found = rivals.areas(mixed)["majority vote"]
    assert 0.5 < found.low < found.value < found.high < 1.0
    assert rivals.shown(None) == "-"
    assert len(rivals.sample(corpus, 7).texts) == len(rivals.sample(corpus, 7).labels) == 7


def test_tools_with_english_words_do_not_speak_spanish(benchmarks: dict[str, Any]) -> None:
    assert np.isnan(benchmarks["rivals"].RIVALS["VADER"](["bueno"], vader_lexicon(), "es")).all()


def test_the_label_model_finds_who_is_right(benchmarks: dict[str, Any]) -> None:
    """Ten words of each list that are right nine times in ten, and ten that are right six times in ten."""
    random = np.random.default_rng(0)
    label = random.random(3000) < 0.5
    names = {side: [f"{side}{chr(97 + at)}" for at in range(20)] for side in ("down", "up")}
    texts = []
    for truth in label:
        spoken = (random.random(20) < 0.3).tolist()
        right = (random.random(20) < np.repeat([0.9, 0.6], 10)).tolist()
        texts.append(" ".join(names["up" if right[at] == truth else "down"][at] for at in range(20) if spoken[at]))
    accuracy = {
        name: float(np.mean((benchmarks["rivals"].RIVALS[name](texts, Lexicon(names), "en") > 0) == label))
        for name in ("label model", "label model by EM", "majority vote")
    }
    assert min(accuracy["label model"], accuracy["label model by EM"]) > accuracy["majority vote"] + 0.02
