"""The lexicon: edits by mouse and by keyboard, undo, filters, additions, suggestions, history."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.workbench.browser.person import Person
from tests.workbench.running import Client


def test_a_word_is_switched_off_by_mouse_and_undone(person: Person) -> None:
    person.go("lexicon")
    before = person.figure("coverage")
    good = person.row("good")
    expect(good).to_contain_text("positive")
    good.locator(".switch").click()
    expect(good).to_have_class(re.compile(r"\boff\b"))
    expect(person.page.locator(".effect")).to_contain_text(re.compile(r"'good'.* of 240 documents changed label"))
    expect(person.status).to_contain_text("'good'")
    expect(person.page.locator("[data-figure=coverage] .delta")).to_have_text(re.compile(r"−\d"))
    expect(good).to_contain_text("off")
    person.page.get_by_role("button", name="Undo (Ctrl+Z)").click()
    expect(good).to_contain_text("positive")
    assert person.figure("coverage").startswith(before)
    person.page.get_by_role("button", name="Redo (Ctrl+Shift+Z)").click()
    expect(good).to_contain_text("off")


def test_all_edits_by_keyboard_alone(person: Person) -> None:
    person.jump("l", "Lexicon")
    expect(person.grid).to_be_focused()
    person.press("/")
    person.type("bad")
    person.press("Enter")
    expect(person.grid).to_be_focused()
    expect(person.page.get_by_text("1 row of")).to_be_visible()
    at = person.row("bad").locator("[role=gridcell]").first.get_attribute("id")
    expect(person.grid).to_have_attribute("aria-activedescendant", at or "the cell at the cursor has no id")
    person.press("m")
    expect(person.row("bad")).to_contain_text("positive")
    person.press("Control+z")
    expect(person.row("bad")).to_contain_text("negative")
    person.press(" ")
    expect(person.row("bad")).to_contain_text("off")
    person.press(" ")
    expect(person.row("bad")).to_contain_text("negative")
    expect(person.page.locator(".saved")).to_have_text("saved")
    assert [step["kind"] for step in person.client.get("/api/history")["steps"]][-4:] == [
        "edit",
        "undo",
        "edit",
        "edit",
    ]
    person.press("Enter")
    expect(person.page.locator("h1")).to_have_text("bad")
    person.press("Escape")
    expect(person.grid).to_be_focused()


def test_several_rows_are_edited_as_one_step(person: Person) -> None:
    person.go("lexicon")
    person.press("Home", "Shift+ArrowDown", "Shift+ArrowDown")
    expect(person.grid.locator(".grid-row[aria-selected=true]")).to_have_count(3)
    revision = person.client.revision
    person.press(" ")
    expect(person.page.locator(".grid-row.off:not([hidden])")).to_have_count(3)
    expect(person.status).to_contain_text(re.compile("remove .*; remove .*; remove"))
    assert person.client.revision == revision + 1


def test_edits_that_follow_fast_are_all_kept(person: Person) -> None:
    person.go("lexicon")
    revision = person.client.revision
    person.press("Home", " ", "ArrowDown", " ", "ArrowDown", " ", "ArrowDown", " ")
    expect(person.page.locator(".saved")).to_have_text("saved")
    expect(person.page.locator(".grid-row.off:not([hidden])")).to_have_count(4)
    assert person.client.revision == revision + 4
    assert len({step["text"] for step in person.client.get("/api/history")["steps"][-4:]}) == 4


def test_the_same_word_twice_fast_stays_in_order(person: Person) -> None:
    person.go("lexicon")
    person.press("Home", " ", " ", " ")
    expect(person.page.locator(".saved")).to_have_text("saved")
    expect(person.page.locator(".grid-row.off:not([hidden])")).to_have_count(1)


def test_words_are_added_with_completions(person: Person) -> None:
    person.go("lexicon")
    person.press("a")
    field = person.page.get_by_role("combobox", name="Word, phrase")
    expect(field).to_be_focused()
    person.type("wind")
    expect(person.page.get_by_role("option", name="window")).to_be_visible()
    person.press("ArrowDown", "Enter")
    person.type("road, the plot")
    person.press("Enter")
    person.page.get_by_role("button", name="Add to positive").click()
    expect(person.page.locator("dialog")).to_have_count(0)
    expect(person.grid).to_be_focused()
    for word in ("window", "road", "the plot"):
        expect(person.row(word)).to_contain_text("positive")


def test_words_of_a_file_are_imported_by_keyboard(person: Person, tmp_path: Path) -> None:
    words = tmp_path / "own.csv"
    words.write_text("word,list\nwindow,positive\nbad,positive\nroad,negative\n", "utf-8")
    person.go("lexicon")
    person.press("i")
    person.page.locator("dialog").get_by_label("Choose a lexicon").set_input_files(words)
    expect(person.page.locator("dialog")).to_contain_text("2 entries")
    person.tab_to("Add these words")
    person.press("Enter")
    expect(person.page.locator("dialog")).to_have_count(0)
    expect(person.status).to_contain_text("own.csv (2 entries added, 1 moved)")
    expect(person.row("window")).to_contain_text("positive")
    expect(person.row("bad")).to_contain_text("positive")
    person.press("Control+z")
    expect(person.row("bad")).to_contain_text("negative")


def test_a_refused_edit_is_said_and_taken_back(person: Person) -> None:
    person.allowed.append("400 (Bad Request)")
    person.go("lexicon")
    person.page.get_by_label("list", exact=True).select_option("negative")
    person.grid.focus()
    person.press("Home", "Shift+End", " ")
    expect(person.status).to_contain_text("negative")
    expect(person.page.locator(".grid-row.off:not([hidden])")).to_have_count(0)
    assert person.client.get("/api/state")["figures"]["entries"] == 16


def test_sorting_by_mouse_and_by_keyboard(person: Person) -> None:
    person.go("lexicon")
    person.page.get_by_role("columnheader", name="word").click()
    expect(person.page.get_by_role("columnheader", name="word")).to_have_attribute("aria-sort", "ascending")
    expect(person.page.locator(".grid-row[aria-rowindex='2'] bdi")).to_have_text("bad")
    person.press("Home", "ArrowUp")
    person.press("ArrowRight", "ArrowRight", "Enter")
    expect(person.page.get_by_role("columnheader", name="count")).to_have_attribute("aria-sort", "descending")
    expect(person.status).to_have_text("Sorted by count, descending.")


def test_an_edit_does_not_sort_the_table_again(person: Person) -> None:
    person.go("lexicon")
    words = person.page.locator(".grid-row:not([hidden])")
    expect(person.row("good")).to_be_visible()
    first = [row.locator("bdi").inner_text() for row in words.all()]
    person.press("Home", " ")
    expect(person.page.locator(".effect")).to_contain_text("changed label")
    assert [row.locator("bdi").inner_text() for row in words.all()] == first
    expect(person.page.locator(".bar-former[d^=M]").first).to_be_attached()


def test_filters_and_the_empty_state(person: Person) -> None:
    person.go("lexicon")
    person.page.get_by_label("list", exact=True).select_option("positive")
    expect(person.page.locator(".grid-row:not([hidden])").filter(has_text="negative")).to_have_count(0)
    person.page.get_by_label("Find an entry").fill("zzz")
    expect(person.page.get_by_text("No entry matches")).to_be_visible()
    person.button("Show all entries").click()
    expect(person.row("bad")).to_be_visible()


def test_history_leads_back_to_any_state(person: Person) -> None:
    person.go("lexicon")
    off = person.page.locator(".grid-row.off:not([hidden])")
    person.row("good").locator(".word").click()
    before = off.count()  # words that other tests added and took back
    person.press(" ")
    expect(person.page.locator(".effect")).to_contain_text("changed label")
    expect(off).to_have_count(before + 1)
    person.press("h")
    drawer = person.page.get_by_role("complementary")
    expect(drawer.locator("[aria-current=step]")).to_contain_text("You are here.")
    drawer.get_by_role("button", name="Go to this state: the lexicon as loaded").click()
    expect(off).to_have_count(before)
    person.press("Escape")
    expect(drawer).to_have_count(0)
    expect(person.grid).to_be_focused()


def test_a_suggestion_is_taken(person: Person, desk: Client) -> None:
    desk.edit("bad", "negative", "positive")
    desk.state.checkup.stopped = False
    desk.state.checkup._run(desk.state.session)
    person.go("lexicon")
    expect(person.row("bad").locator(".flag")).to_have_text("wrong side")
    person.press("s")
    take = person.page.get_by_role("button", name=re.compile("^Take: ")).first
    expect(take).to_be_visible()
    take.focus()
    person.press("Enter")
    expect(person.page.locator(".effect")).to_be_visible()
    assert person.client.get("/api/history")["steps"][-1]["kind"] == "accept"


def test_the_list_of_keys(person: Person, visit: Callable[..., Person]) -> None:
    person.go("charts")
    person.press("?")
    dialog = person.page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("switch on or off")
    person.press("Escape")
    expect(dialog).to_have_count(0)
