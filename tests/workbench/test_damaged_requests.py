"""Every request that the page can make, with every value damaged: refused in a sentence, and nothing is changed."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from problex.errors import ProblexError
from problex.workbench.audits import Audits
from problex.workbench.background import Job
from problex.workbench.guard import Access
from problex.workbench.loading import begin, resume
from problex.workbench.requests import Edits, Import, read_body
from problex.workbench.routes import routes
from problex.workbench.serve import make_app
from problex.workbench.server_state import ServerState
from problex.workbench.session_file import check_content
from tests.workbench.damages import GET, NOT_ASKED, POST, TEXTS_OF_ADDRESSES, WITHOUT_JSON, damages, is_accepted
from tests.workbench.running import Client, learning, small_corpus


class Caller:
    """A workbench without a network: requests go to its application."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.state = ServerState(folder / "data")
        self.state.checkup.stop()
        opened = begin(learning(folder, small_corpus(60)), self.state.folder, lambda *_: None)
        for word in ("fine", "good"):
            opened.take("edit", {"edits": [{"word": word, "old": "positive", "new": None}]}, None, "a")
        opened.take("undo", {}, None, "a")
        audit = opened.audits.draw(opened.result, 8, 0, 3, 1)
        opened.audits.add("label", audit.rows[0], "positive", None, "a")
        self.state.opened, self.state.last_path, self.row = opened, opened.file.path, audit.rows[1]
        self.saved = (opened.log.copy(), opened.result, opened.view, opened.previous)
        self.jobs: list[Job] = []
        monkeypatch.setattr(self.state.jobs, "start", self.start)
        monkeypatch.setattr(ServerState, "keep", lambda state, upload: upload.path)
        self.upload = self.state.uploads.add_text("t.txt", "good day\nbad day").id
        self.access = Access(8000)
        self.app = make_app(self.state, self.access)
        self.runner = asyncio.Runner()
        self.thread = ThreadPoolExecutor(1)  # tests in a browser leave a running loop in this one
        self.before = self.content()

    def start(self, kind: str, work: Any) -> Job:
        self.jobs.append(Job("x", kind, lambda job: None))
        return self.jobs[-1]

    def send(
        self, method: str, path: str, body: bytes = b"", query: str = "", *, more: bool = False
    ) -> tuple[int, bytes]:
        """The status and the content of an answer."""
        origin = "http://127.0.0.1:8000"
        cookie = f"{self.access.cookie}={self.access.secret}"
        headers = {"host": "127.0.0.1:8000", "origin": origin, "cookie": cookie, "content-type": "application/json"}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode("utf-8", "surrogateescape"),
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        sent: list[dict[str, Any]] = []

        messages: list[dict[str, Any]] = [
            {"type": "http.disconnect"},
            {"type": "http.request", "body": body, "more_body": more},
        ]

        async def receive() -> dict[str, Any]:
            return messages.pop() if len(messages) > 1 else messages[0]

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        self.thread.submit(self.runner.run, self.app(scope, receive, send)).result()
        return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])

    def content(self) -> dict[str, list[Any]]:
        """All rows of the session's file, and where its history is."""
        opened = self.state.session
        names = ("meta", "source", "entry", "setting", "step", "audit", "label", "note")
        rows = {name: opened.file.database.execute(f"select * from {name}").fetchall() for name in names}
        labels = [(one.stored.looks, len(one.events)) for one in opened.audits.all]
        return rows | {"history": [opened.log.revision, opened.log.state], "labels": labels}

    def restore(self) -> None:
        """The session as it was at first, after a request that was accepted; what was stored must be readable."""
        opened = self.state.session
        check_content(opened.file.database)
        assert opened.file.log().state == opened.log.state
        with opened.file.transaction() as database:
            for name in ("step", "audit", "label"):
                database.execute(f"delete from {name}")
                marks = ", ".join("?" * len(self.before[name][0]))
                database.executemany(f"insert into {name} values ({marks})", self.before[name])
        log, opened.result, opened.view, opened.before = self.saved
        opened.log, opened.audits = log.copy(), Audits.of(opened.file, opened.texts)
        assert self.content() == self.before

    def files(self) -> set[Path]:
        return {path for path in self.state.folder.parent.rglob("*") if path.is_file()}

    def close(self) -> None:
        self.thread.submit(self.runner.close).result()
        self.thread.shutdown()
        self.state.close()


@pytest.fixture
def caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Caller]:
    caller = Caller(tmp_path, monkeypatch)
    yield caller
    caller.close()


def addresses(method: str) -> set[str]:
    return {
        re.sub(r":path}", "}", route.path)
        for route in routes(ServerState(Path("none")))
        if method in (route.methods or ())
    }


def test_every_address_is_tried() -> None:
    assert addresses("POST") == set(POST) | WITHOUT_JSON
    assert addresses("GET") == set(GET) | NOT_ASKED
    others = {method for route in routes(ServerState(Path("none"))) for method in route.methods or ()}
    assert others == {"GET", "HEAD", "POST"}


def check_refused(what: str, status: int, answer: bytes, printed: str) -> None:
    assert 400 <= status < 500, f"{what}: {status} {answer[:200]!r}"
    message = json.loads(answer)["error"]
    assert 10 < len(message) < 1100, what
    assert "fault of the workbench" not in message, what
    assert not printed, f"{what}: {printed}"


def test_damaged_requests_change_nothing(caller: Caller, capsys: pytest.CaptureFixture[str]) -> None:
    files, number = caller.files(), 0
    for address, valid in POST.items():
        text = json.dumps(valid).replace("-5", str(caller.row)).replace('"upload": "x"', f'"upload": "{caller.upload}"')
        body = json.loads(text)
        status, answer = caller.send("POST", address, text.encode())
        assert status in (200, 202), f"{address}: {answer[:200]!r}"
        caller.restore()
        for place, damage, sent in damages(body):
            status, answer = caller.send("POST", address, sent.encode())
            what, number = f"{address} {place} {damage}", number + 1
            if status in (200, 202):
                assert is_accepted(place, damage, address), f"{what} was accepted"
                caller.restore()
                continue
            check_refused(what, status, answer, capsys.readouterr().err)
            assert caller.content() == caller.before, what
    assert number > 1500, number
    pasted = {path for path in caller.files() - files if path.parent == caller.state.uploads.folder}
    assert caller.files() - pasted == files
    opened = caller.state.session
    opened.close()
    caller.state.opened = resume(opened.file.path, lambda *_: None)
    after, before = caller.content(), caller.before
    assert after | {"meta": []} == before | {"meta": []}


def test_damaged_addresses_are_refused_or_answered(caller: Caller, capsys: pytest.CaptureFixture[str]) -> None:
    for address, valid in GET.items():
        queries = [(address, "&".join(f"{key}={value}" for key, value in valid.items()))]
        given = {"{name}": "weight" if "charts" in address else caller.upload, "{row}": "0"}
        for key in valid:
            rest = "&".join(f"{other}={value}" for other, value in valid.items() if other != key)
            queries += [(address, f"{rest}&{key}={quote(text, safe='%')}") for text in TEXTS_OF_ADDRESSES]
        queries = [
            (path.format(**{key[1:-1]: value for key, value in given.items()}), query) for path, query in queries
        ]
        if "{" in address:
            queries += [(re.sub(r"{\w+}", text, address), "") for text in ("\0", "x" * 3000, "-1", "²", "__proto__")]
        for path, query in queries:
            if path.endswith("/file") and "format=svg" in query:
                continue  # drawing takes a second
            status, answer = caller.send("GET", path, query=query)
            what = f"{path[:60]} {query[:80]}"
            printed = capsys.readouterr().err
            if status != 200:
                check_refused(what, status, answer, printed)
            assert not printed, what
    assert caller.content() == caller.before


def test_other_methods_and_bodies_are_refused(caller: Caller, capsys: pytest.CaptureFixture[str]) -> None:
    for address, valid in POST.items():
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "X\u00e9"):
            check_refused(f"{method} {address}", *caller.send(method, address), capsys.readouterr().err)
        whole = json.dumps(valid).encode()
        bodies = [b"null", b'"x"', b"\xff\xfe{\x00}\x00", b"{}{}", b"a=1&b=2", b'{"tab": "a", "tab": "b"}', whole[:-1]]
        bodies += [b"[" * 100_000, b"\xef\xbb\xbf" + whole, b'{"x": "\xff"}', b" " * (1 << 20) + b" "]
        for body in bodies:
            check_refused(f"{address} {body[:20]!r}", *caller.send("POST", address, body), capsys.readouterr().err)
    assert caller.content() == caller.before


@pytest.mark.parametrize("column", ["id", "group_by"])
def test_a_column_that_is_not_there_is_refused(tmp_path: Path, column: str) -> None:
    given = learning(tmp_path, small_corpus(20))
    columns: dict[str, Any] = {column: "colour"}
    wrong = replace(given, source=replace(given.source, **columns))
    with pytest.raises(
        ProblexError, match=f"{column}='colour' was given, which is missing, .* expected one of 'id', 'year'"
    ):
        begin(wrong, tmp_path / "data", lambda *_: None)
    assert not (tmp_path / "data").exists()


def test_names_of_many_files_are_cut_and_words_of_another_encoding_can_be_put_back() -> None:
    names = ", ".join(["opinion-words.txt"] * 40)
    body = json.dumps({"lexicon": {"demo": True}, "name": names}).encode()
    assert read_body(Import, body).name == names[:80]
    word = "don\u00e2\x80\x99t"
    body = json.dumps({"edits": [{"word": word, "old": None, "new": "negative"}]}).encode()
    assert read_body(Edits, body).edits[0].word == word
    with pytest.raises(ProblexError, match="without control characters"):
        read_body(Edits, b'{"edits": [{"word": "a\\u0007", "old": null, "new": "negative"}]}')


def test_nothing_stays_of_a_session_that_cannot_be_written(tmp_path: Path) -> None:
    given = learning(tmp_path, small_corpus(20))
    with pytest.raises(UnicodeEncodeError):
        begin(replace(given, title="a\ud800"), tmp_path / "data", lambda *_: None)
    assert not list((tmp_path / "data").iterdir())


def test_a_step_of_a_revision_that_is_still_to_come_is_a_conflict(caller: Caller) -> None:
    for address in ("/api/edits", "/api/undo"):
        status, answer = caller.send("POST", address, json.dumps(POST[address] | {"base": 4}).encode())
        assert status == 409
        assert "the lexicon was changed elsewhere (revision 3, expected 4)" in json.loads(answer)["error"]


def test_a_request_that_is_broken_off_leaves_nothing(caller: Caller, capsys: pytest.CaptureFixture[str]) -> None:
    """As by a tab that is closed while it sends a file."""
    files = caller.files()
    for address in (*POST, "/api/uploads"):
        status, answer = caller.send("POST", address, b'{"tab": "', "name=a.csv&kind=texts", more=True)
        check_refused(address, status, answer, capsys.readouterr().err)
        assert "was broken off" in json.loads(answer)["error"]
    assert caller.files() == files
    assert caller.content() == caller.before


TYPED: list[tuple[str, dict[str, Any], str]] = [
    ("/api/audit/draw", {"size": 12.5}, "the number of documents is 12.5, expected an integer from 0 on: correct it"),
    ("/api/audit/draw", {"size": -3}, "the number of documents is -3, expected an integer from 0 on: correct it"),
    (
        "/api/edits",
        {"edits": [{"word": "x" * 600, "old": None, "new": "positive"}]},
        "the word has 600 characters, expected at most 500: correct it",
    ),
    (
        "/api/edits",
        {"edits": [{"word": "a\x01b", "old": None, "new": "positive"}]},
        "the word is 'a\\x01b', expected a text without control characters: correct it",
    ),
    (
        "/api/lexicon/peek",
        {"lists": {"x" * 600: "a", "b": "c"}},
        "the name of a list has 600 characters, expected at most 500: correct it",
    ),
]


@pytest.mark.parametrize(("address", "body", "message"), TYPED)
def test_messages_about_what_is_typed_have_the_labels_of_the_page(
    address: str, body: dict[str, Any], message: str, tab: Client
) -> None:
    assert tab.post(address, 400, **body)["error"] == message


def test_messages_about_typed_scores_have_the_labels_of_the_page(tab: Client) -> None:
    for name, shown in (("low", "lowest"), ("high", "highest")):
        error = tab.get("/api/documents", 400, **{name: "1e400"})["error"]
        assert error == f"the {shown} score is '1e400', expected a finite number: correct it"
