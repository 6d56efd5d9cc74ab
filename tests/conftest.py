"""Shared pieces: a small lexicon, texts of our own making, corpora drawn from a known model."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from problex import Lexicon, LexiconClassifier

DERANDOMIZED = "CI" in os.environ  # a submission is judged by its code, not by the draw
settings.register_profile("default", deadline=None, max_examples=60, print_blob=True, derandomize=DERANDOMIZED)
settings.load_profile("default")


@pytest.fixture
def lexicon() -> Lexicon:
    return Lexicon({"positive": ["good", "fine", "well made"], "negative": ["bad", "poor", "rip off"]})


@pytest.fixture
def texts() -> list[str]:
    return [
        "a good, fine day with good friends",
        "fine and good and well made",
        "a bad day and a poor film",
        "poor, bad: a rip off",
        "good but bad",
        "nothing to see here",
        "the film was good, really good, and well made",
        "what a poor and bad rip-off",
    ] * 5


@pytest.fixture
def clf(lexicon: Lexicon, texts: list[str]) -> LexiconClassifier:
    return LexiconClassifier(lexicon).fit(texts)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the paper's corpora; tests that need it are skipped, visibly, where it is not."""
    folder = Path(os.environ.get("PROBLEX_DATA", "data"))
    if not (folder / "cornell.parquet").is_file():
        pytest.skip("the paper's corpora are not here: set PROBLEX_DATA")
    return folder
