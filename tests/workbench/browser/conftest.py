"""One browser for all tests, one server for each module, one tab for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of the page need playwright")

from playwright.sync_api import Browser

from tests.browsers import find_chromium
from tests.workbench.browser.person import Person
from tests.workbench.browser.starting import chromium
from tests.workbench.running import Client, learning, running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium of the system; without one the tests are skipped."""
    if find_chromium() is None:
        pytest.skip("the tests of the page need Chromium: apt-get install chromium")
    with chromium() as running_browser:
        yield running_browser


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server with the small corpus."""
    folder = tmp_path_factory.mktemp("desk")
    with running(folder, learning(folder)) as client:
        yield client


@pytest.fixture(scope="module")
def bare_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server without texts."""
    with running(tmp_path_factory.mktemp("bare")) as client:
        yield client


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Person]]:
    """Opens tabs; at the end each of them is checked for errors."""
    people: list[Person] = []
    with ExitStack() as stack:

        def open_tab(client: Client, width: int = 1280, scheme: Any = "light") -> Person:
            size: Any = {"width": width, "height": 800}
            context = browser.new_context(viewport=size, color_scheme=scheme, accept_downloads=True)
            stack.callback(context.close)
            people.append(Person.at(context, client))
            return people[-1]

        yield open_tab
        for person in people:
            person.check()


@pytest.fixture
def person(visit: Callable[..., Person], desk: Client) -> Person:
    """A person with the small corpus and the lexicon as it was loaded."""
    if desk.get("/api/state")["state"] != 0:
        desk.post("/api/goto", state=0, base=desk.revision, tab="clean")
    return visit(desk)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A step in a browser may be too slow on a loaded machine: a test fails if it fails three times."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.flaky(reruns=2))
