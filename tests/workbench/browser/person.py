"""A person at a browser tab, who notices every error, policy violation and request to elsewhere."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, TimeoutError, expect

from tests.workbench.running import Client

WAIT = 20_000
"""Milliseconds that a loaded machine may take for one step."""
expect.set_options(timeout=WAIT)
VIOLATIONS = "window.violations = []; addEventListener('securitypolicyviolation', e => violations.push(e.blockedURI))"

NAME = "e => e.getAttribute('aria-label') || e.labels?.[0]?.innerText || e.innerText || ''"


@dataclass
class Person:
    """A tab, with what went wrong in it; `allowed` are parts of console messages that a test expects."""

    page: Page
    client: Client
    wrong: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)

    @classmethod
    def at(cls, context: BrowserContext, client: Client) -> Person:
        """A new tab, signed in."""
        page = context.new_page()
        person = cls(page, client)
        page.set_default_timeout(WAIT)
        page.add_init_script(VIOLATIONS)
        page.on("console", person._heard)
        page.on("pageerror", lambda error: person.wrong.append(f"error: {error}"))
        page.on("request", person._asked)
        page.goto(f"{client.origin}/?token={client.access.printed}")
        expect(page.locator("#rail a").first).to_be_visible()
        return person

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(part in message.text for part in self.allowed):
            self.wrong.append(f"console: {message.text} ({message.location.get('url')})")

    def _asked(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.hostname != "127.0.0.1":
            self.wrong.append(f"request: {request.url}")

    def check(self) -> None:
        """Fail if anything went wrong in this tab."""
        assert self.page.evaluate("window.violations") == []
        assert not self.wrong, "\n".join(self.wrong)

    def go(self, place: str) -> None:
        """Open a screen by its address, and wait until it is there."""
        self.page.goto(f"{self.client.origin}/#/{place}")
        title = place.split("/", maxsplit=1)[0].split("?", maxsplit=1)[0].capitalize()
        expect(self.page.locator("#rail a[aria-current=page]")).to_contain_text(title)
        expect(self.page.locator("#screen .holder")).to_be_visible()

    def jump(self, letter: str, title: str) -> None:
        """Go to a screen by its keys."""
        self.press("g", letter)
        expect(self.page.locator("#rail a[aria-current=page]")).to_contain_text(title)
        expect(self.page.locator(f"#screen.screen-{title.lower()} > .holder")).to_be_visible()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, where the focus is."""
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        """Write text where the focus is."""
        self.page.keyboard.type(text)

    def tab_to(self, name: str, limit: int = 60) -> None:
        """Press Tab until the focus is on the control with this name."""
        for _ in range(limit):
            focused = self.page.locator(":focus:not(main, body)")
            with suppress(TimeoutError):  # the control may be drawn again in between
                if focused.count() and name in focused.evaluate(NAME, timeout=1000):
                    return
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {name!r}")

    def button(self, name: str) -> Locator:
        """The button with exactly this name, or a link that looks like one."""
        return self.page.get_by_role("button", name=name)

    @property
    def status(self) -> Locator:
        """The status line."""
        return self.page.locator("#status")

    @property
    def grid(self) -> Locator:
        """The table of the lexicon."""
        return self.page.get_by_role("grid")

    def row(self, word: str) -> Locator:
        """The row of a word in the lexicon's table."""
        exact = self.page.locator(".word bdi", has_text=word).and_(self.page.get_by_text(word, exact=True))
        return self.grid.locator(".grid-row:not([hidden])").filter(has=exact)

    def figure(self, name: str) -> str:
        """A figure of the frame."""
        return self.page.locator(f"[data-figure={name}] dd").inner_text()
