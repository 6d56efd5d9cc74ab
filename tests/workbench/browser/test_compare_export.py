"""Compare and Export."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

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


def saved(person: Person, name: str, folder: Path) -> bytes:
    """The content of the file that a link saves."""
    with person.page.expect_download() as waiting:
        person.page.get_by_role("link", name=name, exact=True).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path.read_bytes()


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


def test_the_script_is_shown_in_both_forms_by_keyboard(person: Person) -> None:
    person.client.edit("good", "positive", None)
    person.jump("e", "Export")
    script = person.page.get_by_role("region", name="Script")
    expect(script).to_contain_text("problex")
    person.tab_to("Python")
    person.press("Enter")
    expect(script).to_contain_text("import")
    expect(person.page.get_by_role("button", name="Python")).to_be_focused()
