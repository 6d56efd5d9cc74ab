"""The paper's table, and the floors of the default model. Needs the paper's corpora: skipped, visibly, without them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon
from problex.counting.tables import tabulate
from problex.matching.items import items_of
from problex.paper.datasets import paper_corpora
from problex.paper.reproduction import PAPER_AUC, PlainTokens, reproduce, tabulate_plain

DEFAULT_FLOOR = {"Amazon": 0.848, "Cornell": 0.825, "Cine": 0.688, "IMDB": 0.892}


@pytest.fixture(scope="module")
def table(data: Path) -> dict[tuple[str, str], float]:
    """All systems but the supervised one, which takes most of the time and none of our code.

    Expanded models take most of the rest: here they are those of the smallest corpus.
    """
    found = {}
    for corpus in paper_corpora(data):
        for row in reproduce(corpus, supervised=False):
            found[row.corpus, row.system] = row.ours
            if row.system == "problex default" and row.corpus != "Cornell":
                break
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


def test_expanded_models(table: dict[tuple[str, str], float]) -> None:
    assert table["Cornell", "problex listed words"] > table["Cornell", "problex default"]
    assert table["Cornell", "problex expanded"] > table["Cornell", "problex listed words"]


@pytest.mark.parametrize("language", ["en", "es"])
@given(st.lists(st.text("abgoñé'’ʼ＇ .-\u0301", max_size=30), max_size=5))
def test_the_compiled_counter_counts_the_tokens_of_the_paper(language: str, texts: list[str]) -> None:
    tokens = PlainTokens(language)
    items = items_of(Lexicon({"a": ["go", "ab"], "b": ["bog"]}), tokens.tokenizer)
    expected, found = tabulate(texts, items, tokens.tokenizer), tabulate_plain(texts, items, tokens)
    assert found.words == expected.words
    np.testing.assert_array_equal(found.matrix.toarray(), expected.matrix.toarray())
    np.testing.assert_array_equal(found.lengths, expected.lengths)
