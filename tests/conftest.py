"""Shared pieces: a small lexicon, texts of our own making, corpora drawn from a known model."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from problex import Lexicon, LexiconClassifier
from tests.schedule import longest_first, make_scheduler, marks_of

DERANDOMIZED = "CI" in os.environ  # a submission is judged by its code, not by the draw
settings.register_profile("default", deadline=None, max_examples=60, print_blob=True, derandomize=DERANDOMIZED)
settings.load_profile("default")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `make quick` leaves out, and begin with those that take longest."""
    for item in items:
        for mark in marks_of(item.nodeid):
            item.add_marker(mark)
    items[:] = longest_first([item.nodeid for item in items], items)


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist nobody calls it
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each worker whole files."""
    return make_scheduler(config, log)


@pytest.fixture(autouse=True, scope="session")
def _data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The sessions of tests are signed with a secret of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBLEX_WORKBENCH", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    """A test that leaves other variables of the environment or another folder to later tests fails."""
    before = (dict(os.environ), os.getcwd())
    yield
    after = (dict(os.environ), os.getcwd())
    for environment, _ in (before, after):
        environment.pop("PYTEST_CURRENT_TEST", None)
        environment.pop("_RJEM_MALLOC_CONF", None)  # polars sets it when it is first imported
    if before != after:
        os.environ.clear()
        os.environ.update(before[0])
        os.chdir(before[1])
        changed = dict(after[0].items() ^ before[0].items())
        pytest.fail(f"the test leaves changes behind: variables {sorted(changed)}, folder {after[1]}")


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
