"""Two tabs, and a server that goes away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Route, expect

from tests.workbench.browser.person import Person
from tests.workbench.running import Client, learning, running


def test_two_tabs_see_each_others_edits(visit: Callable[..., Person], desk: Client) -> None:
    first, second = visit(desk), visit(desk)
    first.go("lexicon")
    second.go("lexicon")
    first.row("good").locator(".switch").click()
    expect(second.row("good")).to_contain_text("off")
    second.row("bad").locator(".switch").click()
    expect(first.row("bad")).to_contain_text("off")
    expect(first.row("good")).to_contain_text("off")
    second.press("Control+z")
    expect(first.row("bad")).to_contain_text("negative")


def test_a_conflict_is_said_and_nothing_is_lost(visit: Callable[..., Person], desk: Client) -> None:
    first = visit(desk)
    first.allowed.append("409 (Conflict)")
    first.go("lexicon")

    def late(route: Route) -> None:
        desk.edit("warm", "positive", "negative", tab="other")
        route.continue_()

    first.page.route("**/api/edits", late, times=1)
    first.row("warm").locator(".switch").click()
    expect(first.status).to_contain_text("'warm'")
    expect(first.row("warm")).to_contain_text("negative")
    assert desk.get("/api/history")["steps"][-1]["tab"] == "other"


def test_a_server_that_is_gone_refuses_edits_until_it_is_back(visit: Callable[..., Person], tmp_path: Path) -> None:
    with running(tmp_path, learning(tmp_path)) as client:
        person = visit(client)
        person.allowed += ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET"]
        person.go("lexicon")
        person.row("warm").locator(".switch").click()
        expect(person.row("warm")).to_contain_text("off")
        session = client.state.session.file.path
    banner = person.page.get_by_role("alert")
    expect(banner).to_contain_text("The server does not answer.")
    person.row("good").locator(".switch").click()
    expect(person.status).to_contain_text("The server does not answer.")
    expect(person.row("good")).to_contain_text("positive")

    person.allowed.append("403 (Forbidden)")  # a new server has a new secret
    with running(tmp_path, port=client.access.port, session=session) as again:
        refused = person.page.wait_for_event("response", lambda response: response.status == 403)
        assert refused.url.endswith("/api/events")
        expect(banner).to_be_visible()
        Person.at(person.page.context, again).page.close()
        expect(banner).to_have_count(0)
        expect(person.row("warm")).to_contain_text("off")
        person.row("good").locator(".switch").click()
        expect(person.page.locator(".effect")).to_contain_text("'good'")
        assert "good" not in again.state.session.result.model.lexicon.lists["positive"]
        person.press("Control+z")
        expect(person.row("good")).to_contain_text("positive")
