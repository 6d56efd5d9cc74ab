"""Compare and Export."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Download, expect

from problex import load_model
from tests.workbench.browser.person import Person


def test_a_revision_is_compared_with_the_loaded_lexicon_by_keyboard(person: Person) -> None:
    for word in ("good", "fine"):
        person.client.edit(word, "positive", None)
    person.jump("m", "Compare")
    expect(person.page.get_by_role("button", name="Compare", exact=True)).to_be_focused()
    person.press("Enter")
    expect(person.page.get_by_text("agree", exact=True)).to_be_visible()
    weights = person.page.get_by_role("region", name="Weights that differ most")
    expect(weights).to_contain_text("good")
    expect(person.page.get_by_role("region", name="Side A").locator("select").first).to_contain_text("revision")


def test_another_lexicon_is_pasted(person: Person) -> None:
    person.go("compare")
    side = person.page.get_by_role("region", name="Side B")
    side.get_by_label("lexicon", exact=True).select_option("other")
    person.page.get_by_role("button", name="Compare", exact=True).click()
    expect(person.page.get_by_role("alert")).to_contain_text("Side B has no lexicon yet")
    side.get_by_text("or paste the lists").click()
    side.get_by_label("Words of the first list").fill("bad\nsad")
    side.get_by_label("Words of the second list").fill("good, warm")
    side.get_by_role("button", name="Use these lists").click()
    expect(side).to_contain_text("2 entries")
    person.page.get_by_role("button", name="Compare", exact=True).click()
    expect(person.page.get_by_text("agree", exact=True)).to_be_visible()
    link = person.page.get_by_role("region", name="Documents that differ most").get_by_role("link").first
    link.click()
    expect(person.page.get_by_role("article", name="Document")).to_be_visible()


def kept(download: Download, folder: Path) -> bytes:
    """The content of a file that was saved."""
    path = folder / download.suggested_filename
    download.save_as(path)
    return path.read_bytes()


def saved(person: Person, name: str, folder: Path) -> bytes:
    """The content of the file that a link saves, by mouse."""
    with person.page.expect_download() as waiting:
        person.page.get_by_role("link", name=name, exact=True).click()
    return kept(waiting.value, folder)


def saved_by_keys(person: Person, name: str, folder: Path) -> bytes:
    """The content of the file that a link saves, by keyboard."""
    person.tab_to(name)
    with person.page.expect_download() as waiting:
        person.press("Enter")
    return kept(waiting.value, folder)


def test_everything_is_saved_by_mouse(person: Person, tmp_path: Path) -> None:
    person.client.edit("good", "positive", None)
    person.go("export")
    lexicon = saved(person, "Save the lexicon", tmp_path).decode()
    assert "fine" in lexicon
    assert not re.search(r"\bgood\b", lexicon)
    assert b"weight" in saved(person, "Save the model", tmp_path)
    person.page.get_by_label("with the texts", exact=True).check()
    table = saved(person, "Save the scored table", tmp_path).decode()
    assert len(table.strip().splitlines()) == 241
    assert "window" in table
    assert saved(person, "Save the session", tmp_path)[:6] == b"SQLite"
    person.page.get_by_role("button", name="Make the report").click()
    ready = person.page.get_by_role("link", name=re.compile(r"^Save .*html$"))
    expect(ready).to_be_visible(timeout=60_000)


def test_what_a_file_lacks_and_why_one_is_refused_is_said(person: Person, tmp_path: Path) -> None:
    person.go("export")
    page = person.page
    card = page.locator(".panel").filter(has=page.get_by_role("heading", name="Lexicon"))
    card.get_by_label("format", exact=True).select_option("dic")
    saved(person, "Save the lexicon", tmp_path)
    expect(card.locator(".file-notes")).to_contain_text("14 entries: weight not kept; for example 'bad'")
    expect(person.status).to_contain_text("reviews-lexicon.dic is saved, with 2 notes: 14 entries")
    card.get_by_label("format", exact=True).select_option("csv")
    card.get_by_label("with the learned weights").uncheck()
    saved(person, "Save the lexicon", tmp_path)
    expect(card.locator(".file-notes")).to_have_count(0)
    expect(person.status).to_have_text("reviews-lexicon.csv is saved.")
    person.allowed.append("400 (Bad Request)")
    page.route("**/api/export/model", lambda route: route.fulfill(status=400, json={"error": "The disk is full."}))
    page.get_by_role("link", name="Save the model").click()
    expect(page.get_by_role("alert")).to_have_text("The disk is full.")


def test_files_are_saved_by_keyboard_alone(person: Person, tmp_path: Path) -> None:
    person.client.edit("good", "positive", None)
    person.jump("e", "Export")
    person.tab_to("format")
    person.press("ArrowUp")  # from CSV
    assert person.page.locator(":focus").evaluate("select => select.value") == "yaml"
    lexicon = saved_by_keys(person, "Save the lexicon", tmp_path).decode()
    assert "- fine" in lexicon
    assert "- good" not in lexicon
    saved_by_keys(person, "Save the model", tmp_path)
    assert load_model(tmp_path / "reviews-model.json") == person.client.state.session.result.model
    person.tab_to("with the texts")
    person.press(" ")
    table = saved_by_keys(person, "Save the scored table", tmp_path).decode()
    assert len(table.strip().splitlines()) == 241
    assert "window" in table


def test_the_script_is_shown_in_both_forms_by_keyboard(person: Person) -> None:
    person.client.edit("good", "positive", None)
    person.jump("e", "Export")
    script = person.page.get_by_role("region", name="Script")
    expect(script).to_contain_text("problex")
    person.tab_to("Python")
    person.press("Enter")
    expect(script).to_contain_text("import")
    expect(person.page.get_by_role("button", name="Python")).to_be_focused()
    person.tab_to("Save this one")
    with person.page.expect_download() as waiting:
        person.press("Enter")
    assert waiting.value.suggested_filename == "reviews-script.py"
