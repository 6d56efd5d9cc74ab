"""A running workbench for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from tests.workbench.running import Client, learning, running


@pytest.fixture
def tab(tmp_path: Path) -> Iterator[Client]:
    """A tab of a workbench with the small corpus."""
    with running(tmp_path, learning(tmp_path)) as client:
        yield client


@pytest.fixture
def empty_tab(tmp_path: Path) -> Iterator[Client]:
    """A tab of a workbench without texts."""
    with running(tmp_path) as client:
        yield client
