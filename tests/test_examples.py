"""The examples work."""

from __future__ import annotations

import importlib.util
import runpy
from pathlib import Path
from types import ModuleType

import pytest

from problex import Lexicon, LexiconClassifier

EXAMPLES = Path(__file__).parents[1] / "examples"


def load_example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_service(lexicon: Lexicon, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("httpx")
    testing = pytest.importorskip("fastapi.testclient")
    clf = LexiconClassifier(lexicon).fit(texts)
    clf.model_.save(tmp_path / "m.json")
    monkeypatch.setenv("PROBLEX_MODEL", str(tmp_path / "m.json"))
    client = testing.TestClient(load_example("service").app)
    new = ["a fine film", "a poor film", "nothing"]
    answer = client.post("/label", json=new).json()
    assert [row["label"] for row in answer] == clf.predict(new).tolist()
    assert answer[0]["probabilities"]["positive"] == pytest.approx(clf.predict_proba(new)[0, 1], abs=1e-4)
    assert client.post("/label", json=[]).json() == []
    assert client.post("/explain", json={"text": "a fine film"}).json()["label"] == "positive"


@pytest.mark.parametrize("name", ["scikit_learn_stack", "reproduce_the_paper"])
def test_the_notebooks_run(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TEXTS", "500")
    monkeypatch.chdir(tmp_path)
    auc = runpy.run_path(str(EXAMPLES / f"{name}.py"))["auc"]
    printed = capsys.readouterr().out
    assert all(f"{value:.3f}" in printed for value in auc.values())
    if name == "scikit_learn_stack":
        alone, words, both = auc.values()
        assert both > max(alone, words)
