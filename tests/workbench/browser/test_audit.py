"""The audit: labels by one key, blind until the end."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.workbench.browser.person import Person


def test_an_audit_by_keyboard_alone(person: Person) -> None:
    page = person.page
    person.jump("a", "Audit")
    person.press("Shift+Tab", "Control+a")
    person.type("14")
    person.press("Tab", "Enter")
    task = page.get_by_role("article")
    expect(task).to_be_focused()
    expect(task).to_have_attribute("aria-label", "Document 1 of 14")
    for name in ("#screen .piece", "#screen .score", "#screen .sum"):
        assert page.locator(name).count() == 0, "the audit is blind"
    first = task.inner_text()
    person.press("ArrowRight")
    expect(task).to_have_attribute("aria-label", "Document 2 of 14")
    assert task.inner_text() != first
    person.press("u")
    expect(task).to_have_text(first)
    person.press("1")
    expect(task).to_have_attribute("aria-label", "Document 2 of 14")
    person.press("ArrowDown")
    expect(page.get_by_text("1 cannot say")).to_be_visible()
    for at in range(3, 14):
        expect(task).to_have_attribute("aria-label", f"Document {at} of 14")
        person.press("ArrowRight" if at % 2 else "ArrowLeft")
    expect(task).to_have_attribute("aria-label", "Document 14 of 14")
    page.reload()
    expect(task).to_have_attribute("aria-label", "Document 14 of 14")
    person.press("2")
    expect(page.get_by_role("button", name="Show the result")).to_be_focused()
    assert not re.search(r"\d\d\.\d%", page.locator("#screen").inner_text())
    person.press("Enter")
    expect(page.get_by_role("row", name=re.compile("^accuracy"))).to_be_visible()
    expect(page.locator(".verdict")).to_contain_text("of all documents have the right label")
    said = page.locator(".sentences li")
    expect(said.first).to_have_text("13 labels for 240 documents; 95% intervals.")
    expect(said.nth(1)).to_contain_text("1 document of the sample without a label")
    assert person.client.get("/api/audit")["audit"]["looks"] == 1
    use = page.get_by_role("button", name="Use the labels for threshold and probabilities")
    expect(use).to_be_focused()
    person.press("Enter")
    expect(person.status).not_to_have_text("The result is shown.")
    assert person.client.get("/api/audit")["audit"]["used"] is True


def test_the_sample_is_drawn_again_by_mouse(person: Person) -> None:
    page = person.page
    person.go("audit")
    page.get_by_role("button", name="Show the result").click()
    page.get_by_role("button", name="Draw a fresh sample").click()
    expect(page.get_by_role("article")).to_have_attribute("aria-label", "Document 1 of 60")
    text = page.get_by_role("article").inner_text()
    page.get_by_role("button", name="Later").click()
    expect(page.get_by_role("article")).not_to_have_text(text)
    page.locator(".labels .label").first.click()
    expect(page.get_by_role("article")).to_have_attribute("aria-label", "Document 2 of 60")


def test_documents_of_an_open_audit_are_blind(person: Person) -> None:
    row = person.client.get("/api/audit/next")["row"]
    person.go(f"documents/{row}")
    article = person.page.get_by_role("article", name="Document")
    expect(article).to_contain_text("This document is in the open audit and has no label yet")
    expect(article.locator(".piece, .sum")).to_have_count(0)
