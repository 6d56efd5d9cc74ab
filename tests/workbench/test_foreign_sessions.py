"""A session of somebody else: its query is not run and its paths are not read before the reader agrees."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from problex.errors import ProblexError
from problex.workbench.loading import TextsNeededError, begin, given_again, resume, session_path
from problex.workbench.session_file import HeldText, SessionFile, data_folder
from problex.workbench.texts import TextSource
from tests.workbench.running import Client, learning, running, small_corpus, write_texts

duckdb = pytest.importorskip("duckdb")
QUERY = "select review from texts where year > 2000"
WORST = "select review from texts; copy (select 'stolen' as a) to '{folder}/stolen.csv'"


def theirs(folder: Path, **source: Any) -> Path:
    """A session that somebody else wrote, with some values in the table of its source."""
    path = folder / "theirs.problex"
    opened = begin(learning(folder), folder / "elsewhere", lambda *_: None)
    opened.close()
    opened.file.path.rename(path)
    change(path, **source)
    return path


def change(path: Path, **source: Any) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        for name, value in source.items():
            stored = json.dumps(value) if isinstance(value, list | dict) else value
            database.execute(f"update source set {name} = ?", (stored,))


def send(tab: Client, path: Path) -> dict[str, Any]:
    """Drop a session on the page, and wait."""
    sent = tab.upload(path.name, path.read_bytes(), "session")
    return tab.wait(tab.post("/api/sessions/open", 202, upload=sent["upload"]))


def test_a_session_of_ones_own_is_opened_wherever_it_lies(tmp_path: Path) -> None:
    path = theirs(tmp_path)
    resume(path, lambda *_: None).close()
    resume(path.rename(tmp_path / "moved.problex"), lambda *_: None).close()


CHANGES: dict[str, dict[str, Any]] = {
    "query": {"reading": {"query": QUERY}},
    "paths": {"paths": ["/etc/hosts"]},
    "sha256": {"sha256": "demo"},
    "signature": {},
}


@pytest.mark.parametrize("change_of", CHANGES)
def test_what_others_changed_is_asked_for(change_of: str, tmp_path: Path) -> None:
    """Also a session of one's own, of which somebody else changed the source, or with another signature."""
    path = theirs(tmp_path)
    if change_of == "signature":
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("update meta set value = ? where key = 'signature'", ("0" * 64,))
    change(path, **CHANGES[change_of])
    with pytest.raises(TextsNeededError, match=r"was begun by somebody else, or on another computer"):
        resume(path, lambda *_: None)


def test_a_query_of_somebody_else_is_shown_and_run_only_if_the_reader_repeats_it(tmp_path: Path) -> None:
    source = {"reading": {"query": QUERY}, "paths": ["/nowhere/reviews.jsonl"]}
    path = theirs(tmp_path, **source)
    with running(tmp_path) as tab:
        failed = send(tab, path)
        assert failed["result"] == {
            "needs": {"name": "reviews.jsonl", "own": False, "paths": source["paths"], "query": QUERY}
        }
        assert tab.get("/api/state")["job"]["result"] == failed["result"]
        for _ in range(2):  # it stays somebody else's, also in the list
            again = tab.wait(tab.post("/api/sessions/open", 202, name="theirs.problex"))
            assert again["result"] == failed["result"]
        texts = tab.upload("reviews.jsonl", (tmp_path / "reviews.jsonl").read_bytes())["upload"]
        for query in ({}, {"query": "select 1"}, {"query": None}):
            refused = tab.post("/api/sessions/relink", 400, upload=texts, **query)
            assert f"reads its texts with the query {QUERY!r}" in refused["error"]
        assert "agreed to" in tab.post("/api/sessions/relink", 400, paths=["/etc/hosts"], query=QUERY)["error"]
        done = tab.wait(tab.post("/api/sessions/relink", 202, upload=texts, query=QUERY))
        assert done["state"] == "done", done["error"]
        assert tab.get("/api/state")["session"]["read_only"] is None
        assert tab.get("/api/state")["texts"]["columns"] == []
        tab.state.session.close()
        tab.state.opened = None
        mine = tab.wait(tab.post("/api/sessions/open", 202, name="theirs.problex"))
        assert mine["state"] == "done", mine["error"]


def test_files_that_somebody_else_names_are_read_if_the_reader_agrees(tmp_path: Path) -> None:
    named = write_texts(tmp_path)
    path = theirs(tmp_path, name="renamed", paths=[str(named)])
    with running(tmp_path) as tab:
        assert send(tab, path)["result"]["needs"]["paths"] == [str(named)]
        assert tab.wait(tab.post("/api/sessions/relink", 202, paths=[str(named)]))["state"] == "done"
        assert tab.get("/api/state")["texts"]["documents"] == 240


@pytest.mark.parametrize("way", ["given", "dropped", "reopened"])
@pytest.mark.parametrize("sha", ["own", "demo"])
def test_no_way_of_opening_runs_a_query(way: str, sha: str, tmp_path: Path) -> None:
    query = WORST.format(folder=tmp_path)
    path = theirs(tmp_path, reading={"query": query}, **({"sha256": "demo"} if sha == "demo" else {}))
    with running(tmp_path) as tab:
        job = tab.wait({"job": {"id": tab.state.open(path).id}}) if way == "given" else send(tab, path)
        if way == "reopened":
            job = tab.wait(tab.post("/api/sessions/open", 202, name="theirs.problex"))
        assert job["state"] == "failed"
        upload = tab.upload("reviews.jsonl", (tmp_path / "reviews.jsonl").read_bytes())["upload"]
        failed = tab.wait(tab.post("/api/sessions/relink", 202, upload=upload, query=query))  # though agreed to
        assert "expected one SELECT" in failed["error"]
    assert not (tmp_path / "stolen.csv").exists()


def test_texts_in_a_session_do_not_lead_to_those_that_it_names(tmp_path: Path) -> None:
    """A session with texts that says to hold a sample of more: an export would read the rest."""
    secret = tmp_path / "secret.csv"
    secret.write_text("review\na good secret\n")
    own = begin(learning(tmp_path), tmp_path / "elsewhere", lambda *_: None)
    held = [HeldText(at, at, text, None) for at, text in enumerate(small_corpus())]
    own.file.copy(tmp_path / "theirs.problex", held)
    own.close()
    change(tmp_path / "theirs.problex", paths=[str(secret)], total=1000)
    with running(tmp_path) as tab:
        assert send(tab, tmp_path / "theirs.problex")["state"] == "done"
        table = tab.http.get("/api/export/scores", params={"format": "csv", "text": "1"}).text
        assert "secret" not in table
        assert len(table.splitlines()) == 241
        assert "secret" not in json.dumps(tab.get("/api/script"))


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        ({"memory": 1 << 60}, "'memory' is not a field of source.reading"),
        ({"keep": ["a"]}, "'keep' is not a field of source.reading"),
        ({"query": 5}, "'source.reading.query' is 5, expected a text"),
        ({"format": "pickle"}, "'source.reading.format' is 'pickle', expected one of csv, "),
        ({"on_error": "run"}, "'source.reading': on_error='run' was given; expected one of"),
        ({"sheet": ["a"]}, "'source.reading.sheet' is a list, expected a text"),
        ({"header": "no"}, "'source.reading.header' is 'no', expected true or false"),
        ({"encoding": "rot13"}, "'source.reading': "),
        ({"delimiter": "ab"}, "'source.reading': "),
    ],
)
def test_how_texts_are_read_has_known_values(reading: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = theirs(tmp_path, reading=reading)
    with pytest.raises(ProblexError) as raised:
        SessionFile.open(path)
    assert message in str(raised.value)


def test_the_command_gives_texts_and_query_itself(tmp_path: Path) -> None:
    path = theirs(tmp_path, reading={"query": QUERY, "on_error": "skip"}, paths=["/etc/hosts"])
    mine = learning(tmp_path).source
    with pytest.raises(ProblexError, match=r"its query is 'select review .*', given was None: look at it"):
        given_again(path, mine)
    found = given_again(path, TextSource("mine", mine.paths, reading={"query": QUERY}))
    assert found is not None
    assert (found.paths, found.reading, found.text) == (mine.paths, {"query": QUERY, "on_error": "skip"}, "review")
    opened = resume(path, lambda *_: None, found)
    opened.close()
    assert given_again(path, mine) is None  # it is the reader's own from now on


def test_a_session_of_others_beside_the_texts_is_left_alone(tmp_path: Path) -> None:
    given = learning(tmp_path)
    path = theirs(tmp_path, reading={"query": QUERY}).rename(tmp_path / "reviews.problex")
    assert session_path(given, None) == (tmp_path / "reviews-2.problex", False)
    assert session_path(given, path) == (path, True)


def test_only_the_reader_can_read_the_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBLEX_WORKBENCH", str(tmp_path / "data"))
    path = theirs(tmp_path)
    secret = data_folder() / "secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600 or os.name == "nt"
    secret.unlink()
    with pytest.raises(TextsNeededError):
        resume(path, lambda *_: None)
    secret.write_bytes(b"")
    with pytest.raises(ProblexError, match=r"has 0 bytes, expected 32: delete it, and give the texts"):
        resume(path, lambda *_: None)
