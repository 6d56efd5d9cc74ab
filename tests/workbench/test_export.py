"""Files to take away: read by the library again, and harmless whatever the texts and words are."""

from __future__ import annotations

import gc
import io
import json
import zipfile
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import unquote

import openpyxl
import pyarrow.parquet as pq
import pytest

from problex import load_model, read_lexicon
from problex.errors import OutputError
from problex.lexicon.formats import WRITERS
from problex.workbench.export import safe_name
from problex.workbench.loading import resume
from problex.workbench.routes import notes_header
from tests.workbench.running import LISTS, Client, learning, running, small_corpus

HOSTILE = [
    "<script>document.title='x'</script> good fine warm",
    "=cmd|' /C calc'!A0 bad poor dull",
    "+1+1 good bad <img src=x onerror=alert(1)> glad",
    "@SUM(A1) \u202egnorts\u202c bad </textarea><svg onload=alert(1)>",
    "-2+3 lovely bright \x00 warm '\"`${alert(1)}",
]
WORDS = {
    "positive": [*LISTS["positive"], "<script>alert(1)</script>", "=1+1", "\u202egnorts"],
    "negative": [*LISTS["negative"], "'; drop table step; --", "<img src=x onerror=alert(1)>"],
}


def saved(tab: Client, path: str, **query: Any) -> tuple[str, bytes]:
    answer = tab.http.get(path, params=query)
    assert answer.status_code == 200, answer.text
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith("attachment; filename")
    assert answer.headers["content-type"] == "application/octet-stream"
    return disposition.split('"')[1], answer.content


def test_the_lexicon_in_every_format_is_read_again(tab: Client, tmp_path: Path) -> None:
    tab.edit("good", "positive", None)
    expected = tab.state.session.result.model.lexicon
    for format in (name for name in WRITERS if name not in ("plain", "afinn")):
        name, content = saved(tab, "/api/export/lexicon", format=format)
        (tmp_path / name).write_bytes(content)
        assert read_lexicon(tmp_path / name).lists == expected.lists, format


def notes_of(tab: Client, **query: Any) -> Any:
    return json.loads(unquote(tab.http.get("/api/export/lexicon", params=query).headers["x-problex-notes"]))


def test_what_a_format_cannot_hold_goes_with_the_file(tab: Client) -> None:
    wildcards = (
        "2 entries have no learned weight; for example 'fail*': it does not occur, or is a wildcard, "
        "whose matches have a weight each"
    )
    assert notes_of(tab, format="csv") == []
    assert notes_of(tab, format="csv", weights=1) == [wildcards]
    kept, missing = notes_of(tab, format="dic", weights=1)
    assert kept.startswith("14 entries: weight not kept; for example 'bad', the format cannot hold ")
    assert missing == wildcards
    assert notes_of(tab, format="plain", weights=1) == ["No weights are kept: plain lists have words alone"]
    assert notes_of(tab, format="plain") == []
    many = json.loads(unquote(notes_header([f"ü {number}" for number in range(12)])))
    assert many[-2:] == ["ü 9", "2 more notes"]


def test_lists_in_files_of_their_own(tab: Client) -> None:
    name, content = saved(tab, "/api/export/lexicon", format="plain")
    assert name == "reviews-lexicon.zip"
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.namelist() == ["negative.txt", "positive.txt"]
    assert archive.read("positive.txt").decode().split("\n")[:-1] == sorted(LISTS["positive"])
    assert "format='exe'" in tab.get("/api/export/lexicon", 400, format="exe")["error"]
    assert safe_name("../../etc") == "etc"
    assert safe_name("..") == "list"


def test_learned_weights_in_the_lexicon(tab: Client, tmp_path: Path) -> None:
    name, content = saved(tab, "/api/export/lexicon", format="csv", weights="1")
    (tmp_path / name).write_bytes(content)
    weights = {record["entry"]: record["weight"] for record in tab.state.session.result.model.records()}
    assert read_lexicon(tmp_path / name).weights["fine"] == pytest.approx(weights["fine"], abs=1e-3)


def test_the_model_is_the_one_on_the_page(tab: Client, tmp_path: Path) -> None:
    tab.edit("good", "positive", None)
    name, content = saved(tab, "/api/export/model")
    assert name == "reviews-model.json"
    (tmp_path / name).write_bytes(content)
    assert load_model(tmp_path / name) == tab.state.session.result.model


def test_the_scored_table(tab: Client, tmp_path: Path) -> None:
    name, content = saved(tab, "/api/export/scores", format="parquet", keep=["id", "year"])
    (tmp_path / name).write_bytes(content)
    table = pq.read_table(tmp_path / name)
    result = tab.state.session.result
    assert table.column_names[:4] == ["row", "id", "year", "label"]
    assert table["label"].to_pylist() == result.labels.tolist()
    assert table["score"].to_pylist() == pytest.approx(result.decision.round(4).tolist())
    assert "keep='colour'" in tab.get("/api/export/scores", 400, keep="colour")["error"]
    job = tab.wait(tab.post("/api/export/scores", 202, format="csv", keep=["id"]))
    assert job["state"] == "done"
    assert saved(tab, job["result"]["address"])[1].startswith(b'"row","id","label","score"')
    assert "make it again" in tab.get("/api/downloads/none", 400)["error"]


def test_a_session_with_texts_opens_elsewhere(tab: Client, tmp_path: Path) -> None:
    tab.edit("good", "positive", None)
    before = tab.state.session.result.model
    name, plain = saved(tab, "/api/export/session")
    assert name == "reviews.problex"
    assert str(tmp_path).encode() not in plain  # folders of this computer concern nobody else
    assert small_corpus()[7].encode() not in plain
    content = saved(tab, "/api/export/session", texts="1")[1]
    assert small_corpus()[7].encode() in content
    sent = tab.upload("theirs.problex", content, "session")
    assert tab.wait(tab.post("/api/sessions/open", 202, upload=sent["upload"]))["state"] == "done"
    assert tab.state.session.result.model == before
    assert tab.get("/api/state")["session"]["with_texts"]
    assert tab.get("/api/documents/7")["columns"] == {"id": "r7", "year": "2020"}
    sent = tab.upload("plain.problex", plain, "session")
    failed = tab.wait(tab.post("/api/sessions/open", 202, upload=sent["upload"]))
    message = "begun by somebody else, or on another computer: choose its texts, reviews.jsonl, yourself"
    assert failed["error"].endswith(message)


def test_a_foreign_session_cannot_name_files_of_this_computer(tab: Client, tmp_path: Path) -> None:
    import sqlite3

    secret = tmp_path / "secret.txt"
    secret.write_text("good\nbad\n" * 30)
    path = tmp_path / "evil.problex"
    path.write_bytes(saved(tab, "/api/export/session")[1])
    with sqlite3.connect(path) as database:
        database.execute("update source set paths = ?", (json.dumps([str(secret)]),))
    sent = tab.upload("evil.problex", path.read_bytes(), "session")
    failed = tab.wait(tab.post("/api/sessions/open", 202, upload=sent["upload"]))
    assert failed["error"].endswith(f"It names the file {secret}. Nothing of this is used before you agree")


@pytest.mark.parametrize(
    "statement",
    [
        "create trigger evil after insert on step begin delete from label; end",
        "create view evil as select 1",
        "create table evil(a)",
    ],
)
def test_a_foreign_session_has_nothing_but_its_tables(tab: Client, tmp_path: Path, statement: str) -> None:
    import sqlite3

    path = tmp_path / "evil.problex"
    path.write_bytes(saved(tab, "/api/export/session", texts="1")[1])
    with sqlite3.connect(path) as database:
        database.execute(statement)
    sent = tab.upload("evil.problex", path.read_bytes(), "session")
    failed = tab.wait(tab.post("/api/sessions/open", 202, upload=sent["upload"]))
    assert "is not a session of the workbench" in failed["error"]


def test_hostile_texts_and_words_are_harmless_in_exports(tmp_path: Path) -> None:
    with running(tmp_path, learning(tmp_path, [*HOSTILE, *small_corpus(100)], WORDS)) as tab:
        table = saved(tab, "/api/export/scores", format="csv", text="1")[1].decode()
        cells = [line.split(",")[1].lstrip('"') for line in table.splitlines()[1:6]]
        assert not [cell for cell in cells if cell[:1] in "=+-@"]
        book = openpyxl.load_workbook(io.BytesIO(saved(tab, "/api/export/scores", format="xlsx", text="1")[1]))
        assert all(cell.data_type != "f" for row in book.active.iter_rows() for cell in row)  # type: ignore[union-attr]
        for format in ("csv", "csv-wide", "tsv"):
            lines = saved(tab, "/api/export/lexicon", format=format)[1].decode("utf-8-sig").splitlines()
            assert not [line for line in lines if line.lstrip('"')[:1] in ("=", "+", "@")]
        book = openpyxl.load_workbook(io.BytesIO(saved(tab, "/api/export/lexicon", format="xlsx")[1]))
        assert all(cell.data_type != "f" for sheet in book for row in sheet.iter_rows() for cell in row)
        job = tab.wait(tab.post("/api/export/report", 202))
        assert job["state"] == "done", job["error"]
        name, content = saved(tab, job["result"]["address"])
        assert name == "reviews-report.html"
        page = content.decode()
        assert "<!doctype html>" in page[:200].lower()
        assert "<script>alert(1)" not in page
        assert "<img src=x" not in page
        tab.post("/api/audit/draw", size=40, seed=1)
        sheet = zipfile.ZipFile(io.BytesIO(saved(tab, "/api/export/labels")[1])).read("labels.csv").decode("utf-8-sig")
        assert not [line for line in sheet.splitlines() if line.split(",", 2)[-1].lstrip('"')[:1] in ("=", "+", "@")]


def test_hostile_texts_and_words_reach_the_page_as_they_are(tmp_path: Path) -> None:
    """The page shows data as text, so nothing may be changed on the way."""
    with running(tmp_path, learning(tmp_path, [*HOSTILE, *small_corpus(100)], WORDS)) as tab:
        assert tab.get("/api/documents/0")["text"] == HOSTILE[0]
        head, _ = tab.table()
        assert "<script>alert(1)</script>" in head["words"]
        for word in ("<script>alert(1)</script>", "=1+1", "'; drop table step; --"):
            assert tab.get("/api/word", word=word)["word"] == word
        tab.edit("'; drop table step; --", "negative", None)
        tab.edit("<b>bold</b>", None, "positive")
        path = tab.state.session.file.path
        assert len(tab.get("/api/history")["steps"]) == 2
        tab.state.session.close()
        again = resume(path, lambda *_: None)
        assert "<b>bold</b>" in again.result.model.lexicon.lists["positive"]
        again.close()
        tab.state.opened = None


def test_an_export_that_fails_leaves_no_folder(tab: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    failing = Mock(side_effect=OutputError)
    monkeypatch.setattr("problex.model.model.Model.save", failing)
    assert tab.http.get("/api/export/model").status_code == 400
    gc.collect()
    assert failing.call_args.args[0].parent.parent == tmp_path
    assert [*tmp_path.glob("problex-*")] == []
