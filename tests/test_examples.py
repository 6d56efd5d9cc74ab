"""The examples work."""

from __future__ import annotations

import importlib.util
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pytest

from problex import Lexicon, LexiconClassifier, count, score
from problex.errors import DocumentError

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


CORPUS = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad", None] * 400


def test_a_relation_of_duckdb_is_labelled_in_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    table = pa.table({"id": range(len(CORPUS)), "text": CORPUS})
    with duckdb.connect("reviews.duckdb") as connection:
        connection.register("texts", table)
        connection.sql("CREATE TABLE reviews AS SELECT * FROM texts")
    example = load_example("duckdb_relation")
    monkeypatch.setattr(sys, "argv", ["duckdb_relation.py", "reviews.duckdb", "SELECT * FROM reviews", "labelled"])
    example.main()
    assert "undecided" in capsys.readouterr().out
    with duckdb.connect("reviews.duckdb") as connection:
        found = connection.sql("SELECT * FROM labelled ORDER BY id").to_arrow_table()
    clf = LexiconClassifier(example.LEXICON, missing="empty").fit(CORPUS)
    assert found["id"].to_pylist() == [*range(len(CORPUS))]
    assert found["label"].to_pylist() == clf.predict(CORPUS).tolist()
    assert found["score"].to_pylist() == clf.decision_function(CORPUS).tolist()


def test_a_lazy_frame_of_polars_is_labelled_in_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pl = pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"id": range(len(CORPUS)), "text": CORPUS}).write_parquet("reviews.parquet", row_group_size=500)
    example = load_example("polars_lazyframe")
    monkeypatch.setattr(sys, "argv", ["polars_lazyframe.py", "reviews.parquet", "labelled.parquet"])
    example.main()
    assert "undecided" in capsys.readouterr().out
    found = pl.read_parquet("labelled.parquet").sort("id")
    clf = LexiconClassifier(example.LEXICON, missing="empty").fit(CORPUS)
    assert found["label"].to_list() == clf.predict(CORPUS).tolist()
    assert found["score"].to_list() == clf.decision_function(CORPUS).tolist()
    none = example.label(pl.scan_parquet("reviews.parquet").filter(pl.col("id") < 0), "text", clf).collect()
    assert none.columns == found.columns


def test_the_page_on_relations_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb, pl = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reviews").mkdir()
    frame = pl.DataFrame({"id": range(len(CORPUS)), "text": CORPUS}).with_columns(year=2023 + pl.col("id") % 2)
    frame.write_parquet("reviews/part.parquet")
    with duckdb.connect("reviews.duckdb") as connection:
        connection.sql("CREATE TABLE reviews AS SELECT * FROM 'reviews/*.parquet'")
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    page = (EXAMPLES.parent / "docs" / "databases.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"lexicon": lexicon}
    for block in re.findall(r"^```py\n(.*?)^```", page, re.S | re.M):
        exec(compile(block, "databases.md", "exec"), names)
    texts = CORPUS[1::2]
    model = LexiconClassifier(lexicon, missing="empty").fit(texts).model_
    assert names["model"] == names["clf"].model_ == model
    assert names["ids"].to_pylist() == [*range(len(CORPUS))][1::2]
    assert names["labels"].tolist() == score(texts, model, missing="empty").labels().tolist()


def relation_of_duckdb(table: pa.Table) -> Any:
    return pytest.importorskip("duckdb").from_arrow(table)


def lazy_frame_of_polars(table: pa.Table) -> Any:
    return pytest.importorskip("polars").from_arrow(table).lazy()


@pytest.mark.parametrize("lazy", [relation_of_duckdb, lazy_frame_of_polars])
def test_relations_that_cannot_be_counted(lazy: Callable[[pa.Table], Any], lexicon: Lexicon) -> None:
    relation = lazy(pa.table({"id": [1, 2], "text": ["good", None]}))
    with pytest.raises(DocumentError, match=r"there is no column 'body'; the columns are 'id', 'text'\. Name one"):
        count(relation, lexicon, text="body")
    with pytest.raises(DocumentError, match=r"document 1 is missing .* with missing=\"empty\""):
        count(relation, lexicon, text="text")
    with pytest.raises(DocumentError, match=r"document 0 is of type int64 \(1\); expected a text\. Choose a column"):
        count(relation, lexicon, text="id")
