"""The exported script gives the model of the page."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from problex import load_model
from problex.errors import ProblexError
from problex.workbench import texts as texts_module
from problex.workbench.export import script_of, write_files
from problex.workbench.loading import begin
from problex.workbench.open_session import OpenSession
from tests.workbench.running import LISTS, Client, learning, running, small_corpus
from tests.workbench.test_audits import label
from tests.workbench.test_steps import choices, random_step

UNTIDY = {"positive": [*LISTS["positive"], "Good", " fine ", "both"], "negative": [*LISTS["negative"], "both"]}


def model_of_python(opened: OpenSession, folder: Path) -> Any:
    """The model that the Python of a session writes."""
    folder.mkdir(exist_ok=True)
    script = script_of(opened)
    write_files(opened, folder, script)
    before = Path.cwd()
    os.chdir(folder)
    try:
        exec(compile(script.python, "script.py", "exec"), {})
    finally:
        os.chdir(before)
    return load_model(folder / "model.json")


@settings(max_examples=8, deadline=None)
@given(choices)
def test_the_script_of_any_steps_gives_an_equal_model(steps: list[tuple[int, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        opened = begin(learning(Path(name), small_corpus(60), UNTIDY), Path(name) / "data", lambda *_: None)
        for choice in steps:
            kind, body = random_step(opened, choice)
            try:
                opened.take(kind, body, None, "a")
            except ProblexError:
                continue
        assert model_of_python(opened, Path(name) / "script") == opened.result.model
        opened.close()


def test_the_archive_runs_as_commands(tab: Client, tmp_path: Path) -> None:
    tab.edit("good", "positive", None)
    tab.edit("music", None, "negative")
    tab.post("/api/settings", settings={"rule": "count"}, base=2, tab="a")
    tab.post("/api/audit/draw", size=30, seed=1)
    label(tab, 20)
    tab.post("/api/audit/use", on=True, base=3, tab="a")
    shown = tab.get("/api/script")
    assert shown["files"] == ["lexicon.json", "labels.csv", "labels.audit.json"]
    assert "problex audit score labels.csv --store model.json" in shown["commands"]
    answer = tab.http.get("/api/export/script")
    zipfile.ZipFile(io.BytesIO(answer.content)).extractall(tmp_path / "run")
    command = f'problex() {{ "{sys.executable}" -m problex "$@"; }}\n. ./commands.sh'
    subprocess.run(["bash", "-ec", command], cwd=tmp_path / "run", check=True, capture_output=True)
    model = tab.state.session.result.model
    assert load_model(tmp_path / "run" / "model.json") == model
    assert model_of_python(tab.state.session, tmp_path / "python") == model
    assert tab.http.get("/api/export/script", params={"form": "python"}).text == shown["python"]
    assert "expected one of commands, python, zip" in tab.get("/api/export/script", 400, form="word")["error"]


def test_a_sample_is_in_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts_module, "MAX_DOCUMENTS", 100)
    with running(tmp_path, learning(tmp_path)) as tab:
        assert tab.get("/api/script")["files"] == ["lexicon.json", "texts.jsonl"]
        assert model_of_python(tab.state.session, tmp_path / "python") == tab.state.session.result.model
