"""Words and documents: every place of a word, lists of documents, one document with its exact sum."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.workbench.browser.person import Person


def test_a_word_in_all_its_places(person: Person) -> None:
    person.go("word/good")
    page = person.page
    known = page.get_by_role("region", name="What is known of the word")
    expect(known).to_contain_text("predictiveness")
    expect(known.get_by_role("row", name=re.compile("^negative"))).to_be_visible()
    places = page.get_by_role("listbox", name="Places of good")
    total = person.client.get("/api/kwic", word="good")["total"]
    expect(page.get_by_text(f"{total} places")).to_be_visible()
    page.get_by_role("button", name="left").click()
    lefts = places.locator(".kwic-left").all_inner_texts()
    expected = person.client.get("/api/kwic", word="good", order="left")["lines"]
    assert [left.strip() for left in lefts][:5] == [line["left"].strip() for line in expected][:5]
    page.get_by_role("button", name="Switch off").click()
    expect(known).to_contain_text("not in a list")
    page.get_by_role("button", name="Add to positive").click()
    expect(known.locator(".side").first).to_have_text("positive")


def test_a_word_by_keyboard_alone(person: Person) -> None:
    person.jump("w", "Word")
    expect(person.page.get_by_role("combobox", name="Look at a word")).to_be_focused()
    person.type("fin")
    expect(person.page.get_by_role("option", name=re.compile("^fine"))).to_be_visible()
    expect(person.page.get_by_role("option", name=re.compile("^film"))).to_have_count(0)
    person.press("ArrowDown", "Enter")
    places = person.page.get_by_role("listbox", name="Places of fine")
    expect(places).to_be_focused()
    person.press("o")
    expect(person.status).to_have_text("Ordered by score.")
    expect(places).not_to_have_attribute("aria-busy", "true")
    person.press("ArrowDown")
    expect(places.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    expect(places).to_have_attribute("aria-activedescendant", re.compile("-1$"))
    person.press("Enter")
    expect(person.page.get_by_role("article", name="Document")).to_contain_text("fine")
    person.press("Escape")
    expect(person.page.locator("h1")).to_have_text("fine")


def test_a_word_that_does_not_occur(person: Person) -> None:
    person.go("word/gooood")
    expect(person.page.get_by_text("'gooood' does not stand in the texts")).to_be_visible()


def test_documents_by_mouse(person: Person) -> None:
    person.go("documents")
    page = person.page
    documents = page.get_by_role("listbox", name="Documents")
    expect(page.get_by_text("240 documents", exact=True)).to_be_visible()
    page.get_by_role("button", name="least certain").click()
    first = person.client.get("/api/documents", by="uncertain")["documents"][0]
    expect(documents.get_by_role("option").first).to_contain_text(f"#{first['id']}")
    page.get_by_label("label", exact=True).select_option("negative")
    expect(documents.locator(".side", has_text="positive")).to_have_count(0)
    negative = person.client.get("/api/documents", by="uncertain", label="negative")
    expect(page.get_by_text(f"{negative['total']} documents", exact=True)).to_be_visible()
    third = negative["documents"][2]
    documents.get_by_role("option").nth(2).click()
    article = page.get_by_role("article", name="Document")
    expect(article).to_contain_text(f"Document {third['id']}")
    whole = person.client.get(f"/api/documents/{third['row']}")
    assert article.locator(".text").inner_text().split() == whole["text"].split()
    bars = page.get_by_role("img", name=re.compile("^Distribution"))
    box = bars.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.05, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 30, steps=4)
    page.mouse.up()
    low, high = (float(page.get_by_label(name).input_value()) for name in ("Lowest score", "Highest score"))
    inside = person.client.get("/api/documents", by="brush", low=low, high=high, label="negative")["total"]
    expect(page.get_by_text(f"{inside} documents", exact=True)).to_be_visible()
    page.get_by_role("button", name="All scores").click()
    expect(page.locator(".brush")).to_have_count(0)


def test_the_sum_is_exact(person: Person) -> None:
    person.go("documents/7")
    article = person.page.get_by_role("article", name="Document")
    expect(article.locator(".sum")).to_be_visible()
    parts = [float(part.replace("−", "-")) for part in article.locator(".sum b").all_inner_texts()]
    *terms, total = parts
    assert abs(sum(terms) - total) < 0.02
    adds = article.locator(".adds tbody tr td:last-child").all_inner_texts()
    shown = sum(float(one.replace("−", "-")) for one in adds)
    whole = person.client.get("/api/documents/7")["explanation"]
    assert abs(shown - sum(one["contribution"] for one in whole["contributions"])) < 0.06
    marks = article.locator(".piece")
    assert marks.count() == sum(bool(piece["entries"] and piece["towards"]) for piece in whole["pieces"])
    assert {"underline"} == {mark.evaluate("e => getComputedStyle(e).textDecorationLine") for mark in marks.all()}


def test_documents_that_changed_and_search_by_keyboard(person: Person) -> None:
    person.client.post(
        "/api/edits",
        edits=[{"word": word, "old": "positive", "new": "negative"} for word in ("good", "fine", "warm", "bright")],
        base=person.client.revision,
        tab="other",
    )
    changed = person.client.get("/api/documents", by="changed")["total"]
    assert changed > 0
    person.jump("d", "Documents")
    person.tab_to("changed side")
    person.press("Enter")
    expect(person.page.get_by_text(f"{changed} document", exact=False).first).to_be_visible()
    expect(person.page.locator("[role=option]").first).to_contain_text("was ")
    person.press("/")
    person.type("window road")
    person.press("Enter")
    expect(person.page.get_by_role("listbox", name="Documents")).to_be_focused()
    person.press("ArrowDown")
    person.press("/")
    person.press("Control+a")
    person.type("qqqq")
    expect(person.page.get_by_text("No document has 'qqqq'")).to_be_visible()
