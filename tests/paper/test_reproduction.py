"""The paper's table, and the floors of the default model. Needs the paper's corpora: skipped, visibly, without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from problex.paper.datasets import paper_corpora
from problex.paper.reproduction import PAPER_AUC, reproduce

DEFAULT_FLOOR = {"Amazon": 0.848, "Cornell": 0.825, "Cine": 0.688, "IMDB": 0.892}


@pytest.fixture(scope="module")
def table(data: Path) -> dict[tuple[str, str], float]:
    """All systems but the supervised one, which takes most of the time and none of our code."""
    found = {}
    for corpus in paper_corpora(data):
        for row in reproduce(corpus, supervised=False):
            found[row.corpus, row.system] = row.ours
    return found


@pytest.mark.parametrize("system", ["Lexicon", "Lex-Presence", "PMI"])
@pytest.mark.parametrize(("corpus", "within"), [("Amazon", 0.005), ("Cornell", 0.010), ("IMDB", 0.010)])
def test_baselines_are_the_papers(table: dict[tuple[str, str], float], system: str, corpus: str, within: float) -> None:
    assert table[corpus, system] == pytest.approx(PAPER_AUC[system][corpus], abs=within)


@pytest.mark.parametrize("system", ["Lexicon", "Lex-Presence", "PMI"])
def test_baselines_on_the_spanish_corpus_are_at_least_the_papers(
    table: dict[tuple[str, str], float], system: str
) -> None:
    assert table["Cine", system] >= PAPER_AUC[system]["Cine"]


@pytest.mark.parametrize("system", ["ProbLex-Mult", "ProbLex-DCM"])
def test_the_published_method(table: dict[tuple[str, str], float], system: str) -> None:
    assert table["Amazon", system] == pytest.approx(PAPER_AUC[system]["Amazon"], abs=0.005)
    for corpus in ("Cornell", "Cine", "IMDB"):
        assert table[corpus, system] >= PAPER_AUC[system][corpus] - 0.003


@pytest.mark.parametrize("corpus", DEFAULT_FLOOR)
def test_the_default_model(table: dict[tuple[str, str], float], corpus: str) -> None:
    ours = table[corpus, "problex default"]
    assert ours >= DEFAULT_FLOOR[corpus]
    assert ours > table[corpus, "Lexicon"]
    assert ours > table[corpus, "Lexicon, raw count"]
