"""The benchmarks run, on a few documents; what they measure is theirs to say."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from problex import Lexicon
from problex.paper.datasets import DataSet, vader_lexicon

PROOF = Path(__file__).parents[2] / "proof"
GOOD, BAD = "a good film; a wonderful, great day.", "not a good film: a bad, awful, terrible mess."
TEXTS = [text + more for text in (GOOD, BAD) for more in (" It's fun", " Never dull", " sad", " ugly", " nice")] * 5
ONE = {"median": 1.0, "least": 1.0, "most": 1.0}


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    for folder in ("speed", "accuracy"):
        monkeypatch.syspath_prepend(str(PROOF / folder))
    names = ("bench", "jobs", "labelling", "large", "latency", "peers", "rivals", "seeded", "text_files", "threads")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # strangers' packages
        yield {name: import_module(name) for name in names}
    for name in names:
        sys.modules.pop(name)


@pytest.fixture
def corpus() -> DataSet:
    labels = np.array(["positive" if "wonderful" in text else "negative" for text in TEXTS], dtype=object)
    return DataSet("tiny", TEXTS, labels, vader_lexicon(), "en")


def test_everything_is_timed_beside_the_peer(scripts: dict[str, Any], corpus: DataSet) -> None:
    found = scripts["bench"].speed(corpus, repeats=1)
    names = [record["what"] for record in found]
    assert names[0] == "CountVectorizer"
    assert found[0]["ratio"] == ONE
    assert {"problex: sums, one core", "problex: CSR rows, one core"} < set(names)
    assert all(record["seconds"]["median"] > 0 for record in found)


def test_a_process_that_has_ended_has_no_peak(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its status has no memory, or is gone."""
    monkeypatch.syspath_prepend(str(PROOF / "speed"))
    pairs = import_module("pairs")
    sys.modules.pop("pairs")
    status = tmp_path / "status"
    monkeypatch.setattr(pairs, "Path", lambda _: status)
    for text, peak in (("VmHWM:\t  2048 kB\n", 2.0), ("State:\tZ (zombie)\n", None)):
        status.write_text(text)
        assert pairs.peak_of(1) == peak
    status.unlink()
    assert pairs.peak_of(1) is None


def test_large_lexicons_are_measured(scripts: dict[str, Any]) -> None:
    found = scripts["large"].measure(4000)
    assert found[0]["ratio"] == 1
    assert [record["what"] for record in found][-1] == "load a model, 4,000 entries"
    pairs = scripts["large"].bytes_of_pairs(documents=200, frequent=1000)
    assert pairs["what"] == "pairs of 1,000 frequent words"
    assert 2 <= pairs["bytes_per_pair"] < 3


def test_files_are_fitted_beside_a_reader(scripts: dict[str, Any]) -> None:
    found = scripts["text_files"].measure(gigabytes=0.001, repeats=1)
    names = [record["what"] for record in found]
    assert [name for name in names if "problex" in name] == ["problex fit texts.csv", "problex fit texts.csv.gz"]
    assert found[0]["ratio"] == 1
    assert all(record["seconds"] > 0 and record["peak_mib"] > 20 for record in found)


def test_solvers_and_a_changed_lexicon_are_timed(scripts: dict[str, Any], corpus: DataSet) -> None:
    found = scripts["bench"].estimation(corpus, repeats=2)
    assert [record["what"] for record in found][:2] == ["exact solver", "ADMM in the author's settings"]


def test_changed_lexicons_differ(scripts: dict[str, Any]) -> None:
    lexicon = Lexicon({"a": ["good"], "b": ["bad", "poor"]})
    assert list(scripts["jobs"].changed(lexicon, ["good", "film", "NOT bad", "day"])) == [
        {"a": ["good", "film"], "b": ["poor"]},
        {"a": ["good", "day"], "b": ["bad"]},
    ]


def test_wildcards_are_those_of_words_that_occur_and_made_up_ones(scripts: dict[str, Any]) -> None:
    lexicon = scripts["latency"].wildcard_lexicon(["A wonderful, wonderful terrible mess"], size=4)
    assert lexicon.lists == {"one": ("bbbbb*", "wonder*"), "two": ("bbbbd*", "terrib*")}


def test_memory_of_a_job(
    scripts: dict[str, Any], corpus: DataSet, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = scripts["bench"]
    monkeypatch.setattr(bench, "load", lambda documents: corpus)
    for name in ("the texts alone", "problex: CSR rows, one core", "CountVectorizer"):
        bench.child(name, 50)
        assert 20 < float(capsys.readouterr().out) < 100_000


def test_the_report_shows_every_part(scripts: dict[str, Any], corpus: DataSet, capsys: Any) -> None:
    bench = scripts["bench"]
    found = {"corpus": "tiny", "cold_starts": [], "memory": [], "same_tokens": scripts["peers"].same_tokens(TEXTS)}
    found["latency"] = bench.latency(corpus, 1, large=8000)
    found["large_lexicon"] = [{"what": "first count of a large lexicon", "seconds": 1.5, "ratio": 10.0}]
    found["pairs"] = {"what": "1,000 frequent words", "pairs": 4000, "bytes_per_pair": 2.5}
    found["two_cores"] = [{"what": "two threads", "times_one": ONE, "processor_seconds_of_one": ONE}]
    found["files"] = [{"what": "problex fit texts.csv", "gigabytes": 1.0, "seconds": 4.5, "least_seconds": 4.4,
                       "processor_seconds": 8.0, "ratio": 3.0, "peak_mib": 500.0}]  # fmt: skip
    bench.report(found | {"speed": bench.speed(corpus, 1), "estimation": bench.estimation(corpus, 1)})
    shown = capsys.readouterr().out
    assert "times CountVectorizer" in shown
    assert "problex: predict, 8,000 entries" in shown
    assert "the same tokens?" in shown
    assert "two threads" in shown
    assert "first count of a large lexicon" in shown
    assert "| CountVectorizer | " in bench.markdown({"corpus": "tiny", "speed": bench.speed(corpus, 1)})


def test_two_threads_are_compared_with_two_processes(scripts: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    timings = iter([[(10.0, 10.0), (12.5, 10.0), (6.25, 11.0)], [(12.0, 10.0)]])
    begun = []

    class Server:
        """Takes 10 s alone, 12.5 s beside another one, and 6.25 s with two threads, of 11 s of processor time."""

        def __init__(self, documents: int | None, copies: int) -> None:
            self.times = cycle(next(timings))

        def begin(self, threads: int) -> None:
            begun.append(threads)

        def seconds(self) -> tuple[float, float]:
            return next(self.times)

        def end(self) -> None:
            assert begun == [1, 1, 1, 2] * 3

    monkeypatch.setattr(scripts["threads"], "Server", Server)
    processes, threads = scripts["threads"].two_cores(None, repeats=2)
    assert (processes["times_one"]["median"], processes["processor_seconds_of_one"]["median"]) == (1.6, 1.0)
    assert (threads["times_one"]["median"], threads["processor_seconds_of_one"]["median"]) == (1.6, 1.1)


def test_peers_count_the_same_words(scripts: dict[str, Any]) -> None:
    texts = [*TEXTS, "Naïve ÉCOLE l'ami 42 x_y"]
    for record in scripts["peers"].same_tokens(texts):
        assert record["words_that_differ"] == 0, record


def test_a_word_that_one_counts_otherwise_is_named(scripts: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    peers = scripts["peers"]
    wrong = {"wrong": ("problex", lambda texts: peers.our_totals(texts[:-1]))}
    monkeypatch.setattr(peers, "TOTALS", wrong)
    assert peers.same_tokens(["good film", "odd"])[0]["unexplained"] == ["odd"]


def test_every_rival_scores_every_text(scripts: dict[str, Any], corpus: DataSet) -> None:
    positive = corpus.labels == "positive"
    for name, rival in scripts["rivals"].available().items():
        if rival.package == "snorkel":
            continue  # it loads a deep learning library
        scores = rival.score(corpus.texts, corpus.lexicon, "en")
        assert scores.shape == (len(TEXTS),), name
        assert scores[positive].mean() > scores[~positive].mean(), name


def test_figures_have_intervals_accuracy_and_seconds(scripts: dict[str, Any], corpus: DataSet) -> None:
    rivals = scripts["rivals"]
    mixed = replace(corpus, labels=np.roll(corpus.labels, 1))  # a few wrong, so that there is something to draw
    found = rivals.figures(mixed, rivals.RIVALS["majority vote"])
    assert 0.5 < found.low < found.auc < found.high < 1.0
    assert found.accuracy == pytest.approx(0.8)  # two of ten labels are those of a neighbour of the other side
    assert found.seconds > 0
    assert len(rivals.sample(corpus, 7).texts) == len(rivals.sample(corpus, 7).labels) == 7


def test_a_rival_that_is_missing_is_said_to_be(scripts: dict[str, Any], corpus: DataSet) -> None:
    rivals = scripts["rivals"]
    assert rivals.figures(replace(corpus, language="es"), rivals.RIVALS["VADER"]).missing == "English only"
    assert rivals.figures(corpus, rivals.Rival(rivals.counting, "no_such_package")).missing == "not installed"
    broken = rivals.Rival(lambda texts, lexicon, language: texts.no_such_name)
    assert rivals.shown(rivals.figures(corpus, broken)) == "failed: AttributeError"


def test_figures_are_kept_beside_those_of_other_methods(scripts: dict[str, Any], tmp_path: Path) -> None:
    rivals, file = scripts["rivals"], tmp_path / "rivals.json"
    cell = {"auc": 0.8, "low": 0.7, "high": 0.9, "accuracy": 0.75, "seconds": 2.0, "missing": None}
    rivals.keep(file, "IMDB", 1000, {"problex": cell, "VADER": cell})
    rivals.keep(file, "Amazon", 1000, {"VADER": cell | {"auc": 0.6}})
    rivals.keep(file, "Amazon", 1000, {"counting": cell | {"accuracy": None, "seconds": None}})
    lines = rivals.markdown(json.loads(file.read_text())).splitlines()
    assert lines[0] == "| AUC (accuracy) | Amazon (1,000) | IMDB (1,000) | seconds per 1,000 texts |"
    assert lines[2] == "| VADER | .600 (.750) | .800 (.750) | 2.00 |"
    assert "| counting | .800 | not measured |  |" in lines
    assert "| problex | not measured | .800 (.750) | 2.00 |" in lines


def test_the_label_model_finds_who_is_right(scripts: dict[str, Any]) -> None:
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
        name: float(np.mean((scripts["rivals"].RIVALS[name].score(texts, Lexicon(names), "en") > 0) == label))
        for name in ("label model", "label model by EM", "majority vote")
    }
    assert min(accuracy["label model"], accuracy["label model by EM"]) > accuracy["majority vote"] + 0.02
