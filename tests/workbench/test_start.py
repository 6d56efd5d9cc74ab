"""The start screen: files, previews, pasted words, progress, cancelling; sessions that are opened again."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from problex.errors import ProblexError
from problex.workbench import texts as texts_module
from problex.workbench.background import Job
from problex.workbench.loading import begin, resume, session_path
from problex.workbench.texts import TextSource, read_texts
from tests.cli.runs import run
from tests.workbench.running import LISTS, Client, learning, small_corpus, write_texts

PASTED = {name: ", ".join(words) for name, words in LISTS.items()}


def csv_of(texts: list[str]) -> bytes:
    rows = [f'{at},2020-01-{at % 28 + 1:02d},"{text}"' for at, text in enumerate(texts)]
    return "\n".join(["id,date,review", *rows]).encode()


def test_from_files_to_a_session(empty_tab: Client) -> None:
    sent = empty_tab.upload("reviews.csv", csv_of(small_corpus()))
    seen = empty_tab.get(f"/api/uploads/{sent['upload']}/peek", rows=3)
    assert [column["name"] for column in seen["columns"]] == ["id", "date", "review"]
    assert (seen["text"], seen["id"], seen["group_by"]) == ("review", "id", "date")
    assert len(seen["rows"]) == 3
    assert seen["name"] == "reviews.csv"
    words = empty_tab.upload("words.json", json.dumps(LISTS).encode(), "lexicon")
    lists = empty_tab.post("/api/lexicon/peek", upload=words["upload"])
    assert {one["name"]: one["entries"] for one in lists["lists"]} == {"positive": 8, "negative": 8}
    assert not lists["needs_choice"]
    answer = empty_tab.post(
        "/api/learn",
        202,
        texts={"upload": sent["upload"]},
        text="review",
        id="id",
        group_by="date",
        lexicon={"upload": words["upload"]},
    )
    assert empty_tab.wait(answer)["state"] == "done"
    state = empty_tab.get("/api/state")
    assert state["ready"]
    assert state["texts"]["documents"] == 240
    assert state["texts"]["columns"] == ["id", "date"]
    assert state["session"]["title"] == "reviews"
    assert empty_tab.get("/api/documents/5")["id"] == "5"
    sessions = empty_tab.get("/api/sessions")["sessions"]
    assert [(one["name"], one["open"]) for one in sessions] == [("reviews.problex", True)]
    empty_tab.edit("good", "positive", None)
    again = empty_tab.post("/api/sessions/open", 202, name="reviews.problex")
    assert empty_tab.wait(again)["state"] == "done", empty_tab.state.jobs.last
    assert empty_tab.get("/api/state")["revision"] == 1
    assert "expected one of the list" in empty_tab.post("/api/sessions/open", 400, name="../x.problex")["error"]


def test_pasted_texts_and_words(empty_tab: Client) -> None:
    answer = empty_tab.post(
        "/api/learn", 202, texts={"pasted": "\n".join(small_corpus(60))}, lexicon={"lists": PASTED}, title="My words"
    )
    assert empty_tab.wait(answer)["state"] == "done"
    assert empty_tab.get("/api/state")["texts"]["documents"] == 60
    assert empty_tab.state.session.file.path.name == "My-words.problex"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "no texts were given, expected a file"),
        ({"texts": {"upload": "nothing"}}, "the file is not here any more"),
        ({"texts": {"pasted": "a\nb"}}, "no lexicon was given"),
        ({"texts": {"pasted": "a\nb"}, "lexicon": {"lists": {"up": "good"}}}, "expected two or more that oppose"),
        ({"texts": {"pasted": "a\nb"}, "lexicon": {"lists": {"up": "", "down": " "}}}, "no words were pasted"),
        ({"texts": {"pasted": "a\nb"}, "lexicon": {"lists": PASTED}, "language": "xx"}, "language='xx' was given"),
    ],
)
def test_what_is_missing_is_said(empty_tab: Client, body: dict[str, Any], message: str) -> None:
    assert message in empty_tab.post("/api/learn", 400, **body)["error"]


def test_a_job_that_fails_says_why_and_leaves_no_session(empty_tab: Client) -> None:
    answer = empty_tab.post("/api/learn", 202, texts={"pasted": "nothing of it\nhere"}, lexicon={"lists": PASTED})
    job = empty_tab.wait(answer)
    assert job["state"] == "failed"
    assert "none of" in job["error"] or "no " in job["error"]
    assert empty_tab.get("/api/sessions") == {"sessions": []}
    assert empty_tab.get("/api/state")["job"]["error"] == job["error"]


def test_a_dictionary_with_many_categories_needs_a_choice(empty_tab: Client) -> None:
    words = {"joy": ["good", "glad"], "trust": ["fine"], "anger": ["bad"], "fear": ["poor", "glad"]}
    sent = empty_tab.upload("words.json", json.dumps(words).encode(), "lexicon")
    seen = empty_tab.post("/api/lexicon/peek", upload=sent["upload"])
    assert seen["needs_choice"]
    assert [one["name"] for one in seen["categories"]] == ["joy", "trust", "anger", "fear"]
    chosen = {"positive": ["joy", "trust"], "negative": ["anger", "fear"]}
    seen = empty_tab.post("/api/lexicon/peek", upload=sent["upload"], choose=chosen)
    assert {one["name"]: one["entries"] for one in seen["lists"]} == {"positive": 2, "negative": 2}
    assert seen["problems"][0]["kind"] == "in two lists"
    assert not seen["needs_choice"]


def test_errors_have_the_name_that_the_person_knows(empty_tab: Client) -> None:
    sent = empty_tab.upload("my words.json", b"{", "lexicon")
    answer = empty_tab.post("/api/lexicon/peek", 400, upload=sent["upload"])
    assert "my words.json" in answer["error"]
    assert str(empty_tab.state.folder) not in answer["error"]


def test_cancelling_keeps_what_was_open(tab: Client) -> None:
    began, goes_on = threading.Event(), threading.Event()

    def work(job: Job) -> dict[str, Any]:
        began.set()
        assert goes_on.wait(10)
        job.progress("reading", 5, 10, "documents")
        raise AssertionError

    job = tab.state.jobs.start("learn", work)
    assert began.wait(10)
    busy = tab.post("/api/learn", 409, texts={"pasted": "a"}, lexicon={"lists": PASTED})
    assert "other work is still running" in busy["error"]
    assert tab.get("/api/state")["job"]["id"] == job.id
    tab.post(f"/api/jobs/{job.id}/cancel")
    goes_on.set()
    assert job.finished.wait(10)
    assert tab.get(f"/api/jobs/{job.id}")["state"] == "cancelled"
    assert tab.get("/api/state")["ready"]
    assert tab.get("/api/state")["job"] is None
    assert "there is no job" in tab.get("/api/jobs/none", 400)["error"]


@pytest.mark.parametrize("message", ["reading", "counting words", "learning weights"])
def test_learning_can_be_cancelled_at_every_stage(tmp_path: Path, message: str) -> None:
    def progress(now: str, *_: Any) -> None:
        if now == message:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begin(learning(tmp_path), tmp_path / "data", progress)
    assert not list(tmp_path.rglob("*.problex"))


def test_of_large_files_a_sample_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts_module, "MAX_DOCUMENTS", 50)
    source = TextSource("reviews.jsonl", (write_texts(tmp_path),), "review", "id")
    held = read_texts(source, lambda *_: None, seed=1)
    assert (len(held), held.total, held.is_sample) == (50, 240, True)
    corpus = small_corpus()
    assert [corpus[row] for row in held.rows] == held.texts.to_pylist()
    assert held.name_of(3) == f"r{held.rows[3]}"
    assert held.rows.tolist() == read_texts(source, lambda *_: None, seed=1).rows.tolist()
    assert held.rows.tolist() != read_texts(source, lambda *_: None, seed=2).rows.tolist()
    monkeypatch.setattr(texts_module, "MAX_BYTES", 1000)
    small = read_texts(source, lambda *_: None)
    assert sum(map(len, small.texts.to_pylist())) <= 1000


def test_a_sample_is_said_and_exports_have_all_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.workbench.running import running

    monkeypatch.setattr(texts_module, "MAX_DOCUMENTS", 100)
    with running(tmp_path, learning(tmp_path)) as tab:
        state = tab.get("/api/state")
        assert state["texts"]["sampled_from"] == 240
        assert "A random sample of 100 of 240 texts is shown." in state["notes"]
        table = tab.http.get("/api/export/scores", params={"format": "csv", "keep": "id"}).text
        assert len(table.splitlines()) == 241


def test_the_command_continues_a_session_of_the_same_texts_and_words(tmp_path: Path) -> None:
    first = learning(tmp_path)
    assert session_path(first, None) == (tmp_path / "reviews.problex", False)
    begin(learning(tmp_path), tmp_path, lambda *_: None).close()
    assert session_path(first, None) == (tmp_path / "reviews.problex", True)
    other = learning(tmp_path, lists={"positive": ["good"], "negative": ["bad"]})
    assert session_path(other, None) == (tmp_path / "reviews-2.problex", False)
    with pytest.raises(ProblexError, match=r"was begun with other texts or words, expected a new name"):
        session_path(other, tmp_path / "reviews.problex")


def test_lost_texts_can_be_given_again(tab: Client, tmp_path: Path) -> None:
    tab.edit("good", "positive", None)
    path = tab.state.session.file.path
    content = (tmp_path / "reviews.jsonl").read_bytes()
    (tmp_path / "reviews.jsonl").unlink()
    failed = tab.wait(tab.post("/api/sessions/open", 202, name=path.name))
    assert "are not where they were: choose the file again" in failed["error"]
    sent = tab.upload("reviews.jsonl", content)
    assert tab.wait(tab.post("/api/sessions/relink", 202, upload=sent["upload"]))["state"] == "done"
    assert tab.get("/api/state")["revision"] == 1
    assert tab.get("/api/state")["session"]["read_only"] is None
    tab.state.session.close()
    again = resume(path, lambda *_: None)  # the new place was stored
    assert again.read_only is None
    again.close()
    tab.state.opened = None


def test_events_reach_every_tab(tab: Client) -> None:
    received: list[str] = []
    ready = threading.Event()

    def listen() -> None:
        with tab.http.stream("GET", "/api/events") as stream:
            for line in stream.iter_lines():
                received.append(line)
                ready.set()
                if len([one for one in received if one.startswith("data")]) == 2:
                    return

    thread = threading.Thread(target=listen)
    thread.start()
    assert ready.wait(10)
    tab.edit("good", "positive", None, tab="k3")
    thread.join(10)
    assert received[:2] == ["event: hello", 'data: {"revision": 0}']
    assert 'data: {"revision": 1, "state": 1, "tab": "k3"}' in received


def test_rows_that_cannot_be_read_are_skipped_and_counted(empty_tab: Client) -> None:
    content = csv_of(small_corpus()) + b'\n1,2,"one","two","three"\n'
    sent = empty_tab.upload("reviews.csv", content)
    answer = empty_tab.post(
        "/api/learn", 202, texts={"upload": sent["upload"]}, text="review", lexicon={"lists": PASTED}
    )
    assert empty_tab.wait(answer)["state"] == "done"
    state = empty_tab.get("/api/state")
    assert state["texts"]["invalid"] == 1
    assert "1 text is unreadable." in state["notes"]


def test_texts_of_no_session_are_deleted(tmp_path: Path) -> None:
    from tests.workbench.running import running

    with running(tmp_path) as tab:
        sent = tab.upload("a.csv", b"text\nnothing of it\nhere\n")
        assert tab.wait(tab.post("/api/learn", 202, texts={"upload": sent["upload"]}, lexicon={"lists": PASTED}))[
            "error"
        ]
        sent = tab.upload("b.csv", csv_of(small_corpus()))
        body = {"texts": {"upload": sent["upload"]}, "text": "review", "lexicon": {"lists": PASTED}}
        assert tab.wait(tab.post("/api/learn", 202, **body))["state"] == "done"
        kept = tab.state.session.file.source().paths
    assert [str(path) for path in (tmp_path / "data" / "texts").iterdir()] == list(kept)


def test_three_lists(tmp_path: Path) -> None:
    from tests.workbench.running import running

    lists = {"left": LISTS["positive"][:4], "middle": LISTS["negative"][:4], "right": ["film", "plot", "music"]}
    with running(tmp_path, learning(tmp_path, lists=lists)) as tab:
        assert tab.get("/api/state")["lists"] == ["left", "middle", "right"]
        head, _ = tab.edit("film", "right", "left")
        assert head["text"].startswith("move 'film' from right to left: ")
        assert set(tab.get("/api/documents/histogram")["counts"]) == {"left", "middle", "right", "undecided"}
        assert tab.get("/api/documents", by="uncertain")["total"] == 240
        assert set(tab.get("/api/documents/1")["explanation"]["scores"]) == {"left", "middle", "right"}
        assert len(tab.get("/api/word", word="film")["meets"]) == 3
        tab.post("/api/audit/draw", size=20)
        row = tab.get("/api/audit/next")["row"]
        tab.post("/api/audit/label", row=row, label="middle")
        assert tab.get("/api/charts/shares")["table"]["rows"]
        assert tab.post("/api/compare", a={"state": 0}, b={"state": 1})["agree"] < 1


def test_an_address_that_there_is_not(empty_tab: Client) -> None:
    assert empty_tab.get("/api/nothing", 404) == {"error": "there is nothing at GET /api/nothing"}
    assert empty_tab.post("/api/state", 405) == {"error": "there is nothing at POST /api/state"}


def test_the_command_refuses_what_is_no_session_before_it_opens_a_page(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text("{}")
    with pytest.raises(ProblexError, match=r"is not a session of the workbench"):
        run("workbench", "--session", str(tmp_path / "model.json"), "--no-open")
    with pytest.raises(ProblexError, match=r"the session file .* does not exist"):
        run("workbench", "--session", str(tmp_path / "none.problex"), "--no-open")


@pytest.mark.parametrize("text", ["\0", "PAR1", "PK\x03\x04", "%PDF-1.4"])
def test_no_message_about_pasted_texts_names_a_private_path(text: str, empty_tab: Client) -> None:
    answer = empty_tab.post("/api/learn", 202, texts={"pasted": text}, lexicon={"lists": PASTED})
    ended = empty_tab.wait(answer)
    assert "/texts/" not in json.dumps(ended)
    assert ended["error"].startswith("pasted texts ")


def test_no_message_about_a_file_names_a_private_path(empty_tab: Client) -> None:
    sent = empty_tab.upload("reviews.csv", b"\0" * 50)
    peeked = empty_tab.get(f"/api/uploads/{sent['upload']}/peek", 400)
    answer = empty_tab.post("/api/learn", 202, texts={"upload": sent["upload"]}, lexicon={"lists": PASTED})
    for error in (peeked["error"], empty_tab.wait(answer)["error"]):
        assert error.startswith("reviews.csv is not text: 100% of its first bytes are zero.")


def test_columns_that_cannot_be_chosen_are_not_proposed(empty_tab: Client) -> None:
    """Two columns of one name are not kept, and the texts do not name or group themselves."""
    rows = "".join(f"{at},{at + 1},{2000 + at},{text},x\n" for at, text in enumerate(small_corpus(20)))
    sent = empty_tab.upload("a.csv", f"id,id,doc_id,source,date\n{rows}".encode())
    seen = empty_tab.get(f"/api/uploads/{sent['upload']}/peek", text="source")
    assert (seen["text"], seen["id"], seen["group_by"]) == ("source", "doc_id", "date")
