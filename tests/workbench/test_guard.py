"""Which requests are answered: each row of the table of threats is a test."""

from __future__ import annotations

import io
import os
import re
import signal
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import httpx
import pytest

from problex.errors import ProblexError
from problex.workbench import guard
from problex.workbench.guard import HEADERS, Access, check_origin
from problex.workbench.uploads import clean_name
from tests.workbench.running import Client, running

PAGE = Path(guard.__file__).parent.parent / "page"


def plain(tab: Client, **headers: str) -> httpx.Response:
    return tab.http.get("/api/state", headers=headers)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example:{port}", ""])
def test_a_foreign_host_is_refused(empty_tab: Client, host: str) -> None:
    answer = plain(empty_tab, host=host.format(port=empty_tab.access.port))
    assert answer.status_code == 403
    assert "names another host" in answer.json()["error"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"])
def test_the_own_hosts_are_answered(empty_tab: Client, host: str) -> None:
    assert plain(empty_tab, host=f"{host}:{empty_tab.access.port}").status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}"])
def test_a_foreign_origin_is_refused(empty_tab: Client, origin: str) -> None:
    foreign = origin.format(port=empty_tab.access.port)
    assert plain(empty_tab, origin=foreign).status_code == 403
    answer = empty_tab.http.post("/api/demo", json={}, headers={"origin": foreign})
    assert answer.status_code == 403
    assert "another site" in answer.json()["error"]


def test_a_request_that_changes_something_names_its_origin(empty_tab: Client) -> None:
    del empty_tab.http.headers["origin"]
    assert plain(empty_tab).status_code == 200
    assert empty_tab.http.post("/api/jobs/x/cancel", json={}).status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_in_the_same_browser_is_refused(empty_tab: Client, site: str) -> None:
    headers = {"sec-fetch-site": site}
    assert plain(empty_tab, **headers).status_code == 403
    assert empty_tab.http.get("/static/app.js", headers=headers).status_code == 403
    # a link to the page itself may be followed: it shows nothing to the other site
    visit = headers | {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert empty_tab.http.get("/", headers=visit).status_code == 200
    assert empty_tab.http.get("/api/state", headers=visit).status_code == 403


def test_without_the_cookie_nothing_is_answered(empty_tab: Client) -> None:
    stranger = httpx.Client(base_url=empty_tab.origin, headers={"origin": empty_tab.origin})
    for path in ("/", "/static/app.js", "/static/vega.js", "/api/state", "/api/events", "/api/nothing"):
        answer = stranger.get(path)
        assert answer.status_code == 403
        assert "not signed in" in answer.json()["error"]
    for value in ("", "x", empty_tab.access.printed, empty_tab.access.secret[:-1]):
        stranger.cookies.set(empty_tab.access.cookie, value)
        assert stranger.get("/api/state").status_code == 403
    stranger.close()


def test_the_address_of_the_browser_works_once(empty_tab: Client) -> None:
    stranger = httpx.Client(base_url=empty_tab.origin)
    first = stranger.get("/", params={"token": empty_tab.access.opening})
    assert first.status_code == 303
    assert first.headers["location"] == "/"
    cookie = first.headers["set-cookie"]
    assert cookie.startswith(f"problex-{empty_tab.access.port}=")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    second = httpx.get(empty_tab.origin, params={"token": empty_tab.access.opening})
    assert second.status_code == 403
    assert "used before" in second.json()["error"]
    assert "set-cookie" not in second.headers
    assert httpx.get(empty_tab.origin, params={"token": "wrong"}).status_code == 403
    stranger.close()


def test_secrets_are_long() -> None:
    access = Access(8000)
    assert min(map(len, (access.secret, access.printed, access.opening))) >= 43  # 32 random bytes


def test_a_browser_is_started_without_a_secret(tmp_path: Path) -> None:
    """Other users of the computer see the arguments of its process: they name a file that only the owner can read."""
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(f'#!/bin/sh\necho "$@" > {seen}.part && mv {seen}.part {seen}\n')
    browser.chmod(0o700)
    process = subprocess.Popen(
        [sys.executable, "-m", "problex", "workbench"],
        env={
            **os.environ,
            "BROWSER": str(browser),
            "PROBLEX_WORKBENCH": str(tmp_path / "data"),
            "TMPDIR": str(tmp_path),
        },
        stdout=subprocess.DEVNULL,
    )
    try:
        for _ in range(600):
            if seen.exists():
                break
            time.sleep(0.05)
        (argument,) = seen.read_text().split()
        assert "token" not in argument
        redirect = Path(url2pathname(urlsplit(argument).path))
        assert redirect.stat().st_mode & 0o777 == 0o600
        assert redirect.parent.stat().st_mode & 0o077 == 0
        found = re.search(r"url=(http://127[.]0[.]0[.]1:\d+/[?]token=[\w-]+)", redirect.read_text())
        assert found is not None
        transport = httpx.HTTPTransport(retries=5)  # the server listens a moment before it answers
        with httpx.Client(transport=transport, timeout=60) as http:
            assert [http.get(found[1]).status_code for _ in range(2)] == [303, 403]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
    assert not redirect.exists()


def test_websockets_are_closed(empty_tab: Client) -> None:
    cookie = f"{empty_tab.access.cookie}={empty_tab.access.secret}"
    request = (
        f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{empty_tab.access.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Origin: http://evil.example\r\nCookie: {cookie}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", empty_tab.access.port), timeout=10) as probe:
        probe.sendall(request.encode())
        status = probe.recv(200).split(b"\r\n")[0]
    assert b"101" not in status
    assert b" 403 " in status


async def never() -> dict[str, str]:
    return {"type": "websocket.connect"}


def test_a_websocket_scope_is_refused_by_the_guard_itself() -> None:
    sent = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    async def app(*_: object) -> None:
        raise AssertionError

    refused = guard.Guard(app, Access(8000), 1)({"type": "websocket"}, never, send)  # type: ignore[arg-type]
    with pytest.raises(StopIteration):  # nothing is waited for, so that no event loop is needed
        refused.send(None)
    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_every_answer_has_the_headers(empty_tab: Client) -> None:
    answers = [
        empty_tab.http.get("/"),
        empty_tab.http.get("/api/state"),
        empty_tab.http.get("/nothing"),
        empty_tab.http.get("/api/lexicon"),
        plain(empty_tab, host="evil.example"),
        empty_tab.http.post("/api/edits", content=b"{" * (2 << 20)),
    ]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert "access-control-allow-origin" not in answer.headers
    assert "unsafe" not in HEADERS["content-security-policy"]


def test_requests_are_limited(empty_tab: Client) -> None:
    answer = empty_tab.http.post("/api/edits", content=b'{"edits": [' + b" " * (1 << 20) + b"]}")
    assert answer.status_code == 413
    assert answer.json()["error"] == "the request has more than 1,048,576 bytes, expected fewer: send less at once"
    assert "not JSON" in empty_tab.http.post("/api/learn", content=b"[[[").json()["error"]
    assert "not a JSON object" in empty_tab.http.post("/api/learn", content=b"[]").json()["error"]
    deep = empty_tab.http.post("/api/learn", content=b"[" * 100_000)
    assert deep.status_code == 400


def test_an_upload_that_is_too_large_leaves_nothing(tmp_path: Path) -> None:
    with running(tmp_path, max_upload=1000) as tab:
        answer = tab.upload("a.csv", b"x" * 5000, status=413)
        assert "more than 1,000 bytes" in answer["error"]
        assert not [path for path in tab.state.folder.rglob("*") if path.is_file()]

        def blocks() -> object:  # without a length in the header
            for _ in range(100):
                yield b"x" * 100

        chunked = tab.http.post("/api/uploads", params={"name": "a.csv", "kind": "texts"}, content=blocks())  # type: ignore[arg-type]
        assert chunked.status_code == 413
        assert not [path for path in tab.state.folder.rglob("*") if path.is_file()]
        assert tab.upload("a.csv", b"x" * 1000)["bytes"] == 1000


@pytest.mark.parametrize("name", ["bomb.xlsx", "bomb.zip"])
def test_an_archive_that_unpacks_to_far_more_is_refused(empty_tab: Client, name: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml" if name.endswith("xlsx") else "texts.csv", b"0" * (30 << 20))
    answer = empty_tab.upload(name, packed.getvalue(), status=400)
    assert answer["error"].startswith(f"{name} is refused, because")
    assert "unpacks to far more than it holds" in answer["error"]
    assert not [path for path in empty_tab.state.folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("name", ["../../evil.csv", "..\\evil.csv", "/etc/evil.csv", "a/b/../evil.csv", "e\x00vil.csv"])
def test_names_of_uploads_are_never_paths(empty_tab: Client, tmp_path: Path, name: str) -> None:
    sent = empty_tab.upload(name, b"text\nhello\n")
    assert sent["name"] == "evil.csv"
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 1
    assert files[0].parent == empty_tab.state.uploads.folder
    assert re.fullmatch(r"[0-9a-f]{32}\.csv", files[0].name)
    assert files[0].stat().st_mode & 0o777 == 0o600
    assert files[0].parent.stat().st_mode & 0o077 == 0


def test_names_are_shown_without_marks_that_turn_them_around() -> None:
    assert clean_name("a\u202egnp.csv") == "agnp.csv"
    assert clean_name("x" * 500 + ".csv").startswith("xxx")
    assert len(clean_name("x" * 500)) == 120


@pytest.mark.parametrize("name", ["model.pkl", "texts.exe", "csv", ""])
def test_other_files_are_refused(empty_tab: Client, name: str) -> None:
    assert "expected a file that ends in one of .csv" in empty_tab.upload(name, b"x", status=400)["error"]


@pytest.mark.parametrize("name", ["%00", "a" * 3000, "%00.js"])
def test_names_that_no_file_can_have_are_not_found(empty_tab: Client, name: str) -> None:
    answer = empty_tab.http.get(f"/static/{name}")
    assert answer.status_code == 404
    assert "there is no page" in answer.json()["error"]


@pytest.mark.parametrize("name", [[], {}, None, 5, "no such session"])
def test_the_name_of_a_session_is_a_text(empty_tab: Client, name: object) -> None:
    assert "expected" in empty_tab.post("/api/sessions/open", 400, name=name)["error"]


@pytest.mark.parametrize(
    "path", ["/static/../results.py", "/static/%2e%2e/results.py", "/static/..%2fresults.py", "/static/%2Fetc/passwd"]
)
def test_only_files_of_the_page_are_served(empty_tab: Client, path: str) -> None:
    with socket.create_connection(("127.0.0.1", empty_tab.access.port), timeout=10) as probe:
        cookie = f"{empty_tab.access.cookie}={empty_tab.access.secret}"
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{empty_tab.access.port}\r\nCookie: {cookie}\r\n"
        probe.sendall(f"{request}Connection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: probe.recv(65536), b""))
    assert b" 404 " in answer.split(b"\r\n")[0]
    assert b"import" not in answer


def test_a_tunnel_names_its_origin() -> None:
    access = Access(8000, (check_origin("http://localhost:9000/"),))
    assert "localhost:9000" in access.hosts
    assert "http://localhost:9000" in access.own_origins
    for wrong in ("localhost:9000", "http://localhost:9000/path", "ftp://x", "http://"):
        with pytest.raises(ProblexError, match=f"--origin {re.escape(wrong)} was given, expected the address"):
            check_origin(wrong)


def test_the_page_makes_no_markup_from_data() -> None:
    """Texts and words reach the page as text only."""
    found = [
        f"{path.name}: {pattern}"
        for path in PAGE.rglob("*.js")
        for pattern in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", r"\beval\(", r"\bFunction\(")
        if re.search(pattern, path.read_text(encoding="utf-8"))
    ]
    assert not found
    for path in PAGE.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:|https?://(?!www\.w3\.org)", text)
