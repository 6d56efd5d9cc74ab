"""A corpus and a lexicon of markup, handlers and marks of direction do nothing in the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from problex import Lexicon
from problex.workbench.loading import Learning
from problex.workbench.texts import TextSource
from tests.workbench.browser.person import Person
from tests.workbench.running import Client, running, write_texts

ATTACKS = [
    "<script>window.hacked = 1</script>",
    "<img src=x onerror=window.hacked=1>",
    "<svg/onload=window.hacked=1>",
    "javascript:window.hacked=1",
    "\u202eevil\u202c \u2067abc\u2069",
    "{{7*7}} ${7*7}",
    "=cmd|'/c calc'!A1",
]
LISTS = {"<b>good</b>": ["good", "<script>", "fine"], "\u202ebad": ["bad", "onerror", "<img"]}


@pytest.fixture(scope="module")
def hostile_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("hostile")
    texts = [
        f"a {word} day {attack} <script> <img onerror" for word in ("good", "bad", "fine") for attack in ATTACKS
    ] * 4
    path = write_texts(folder, texts)
    source = TextSource("<img src=x onerror=window.hacked=1>.jsonl", (path,), "review", "id", "year")
    with running(folder, Learning(source, Lexicon(LISTS), "<script>title</script>", {"language": "en"})) as client:
        yield client


def test_nothing_runs_on_any_screen(visit: Callable[..., Person], hostile_desk: Client) -> None:
    person = visit(hostile_desk)
    for place in (
        "start",
        "lexicon",
        "word/good",
        "documents",
        "documents/0",
        "documents/4",
        "charts",
        "compare",
        "export",
    ):
        person.go(place)
        person.page.wait_for_timeout(150)
    person.go("documents/0")
    text = person.page.locator(".reading .text")
    expect(text).to_contain_text(ATTACKS[0])
    assert text.locator("script, img, svg").count() == 0
    person.go("lexicon")
    person.row("good").locator(".switch").click()
    expect(person.page.locator(".effect")).to_contain_text("'good'")
    person.press("h")
    expect(person.page.get_by_role("complementary")).to_contain_text("'good'")
    person.go("audit")
    person.page.get_by_role("button", name="Draw the sample").click()
    expect(person.page.get_by_role("article")).to_be_visible()
    assert person.page.evaluate("window.hacked") is None
    assert person.page.locator("#screen img, #screen script").count() == 0
