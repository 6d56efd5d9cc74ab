"""Counts on Spark are those of one machine, bit for bit, whatever the partitions and whichever process dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from problex import Counts, Lexicon, count, estimate, spark
from problex.errors import DocumentError, DocumentWarning, ProblexError
from problex.matching.tokens import Tokenizer
from problex.spark.cluster import clear_errors
from tests.spark.cluster import frame, on_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = on_spark


@pytest.mark.parametrize(("partitions", "merges"), [(1, None), (3, 1), (12, 3)])
def test_counts_are_the_same_for_any_partitions(
    session: SparkSession, corpus: list[str], partitions: int, merges: int | None
) -> None:
    """Phrases, what a wildcard caught here and there, negated words in some partitions only, the sample."""
    lexicon = Lexicon({"positive": ["good", "fi*", "well made"], "negative": ["bad", "poor", "rip off"]})
    options: dict[str, Any] = {"associations": partitions > 1}
    found = spark.count(frame(session, corpus, partitions), "text", lexicon, merges=merges, **options)
    assert found == count(corpus, lexicon, **options)


def test_no_documents(session: SparkSession, lexicon: Lexicon) -> None:
    assert spark.count(session.createDataFrame([], "text string"), "text", lexicon) == Counts.none(lexicon)


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


def test_a_tokenizer_and_a_language_of_ones_own(session: SparkSession, lexicon: Lexicon) -> None:
    texts = ["goodbad", "fine", "poorgood"] * 5
    tokenizer = Tokenizer(custom=lambda text: [text[at : at + 4] for at in range(0, len(text), 4)])
    found = spark.count(frame(session, texts, 3), "text", lexicon, tokenizer=tokenizer)
    assert found == count(texts, lexicon, tokenizer=tokenizer)


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


def test_rare_words_are_forgotten_by_the_rule_of_counting(session: SparkSession, lexicon: Lexicon) -> None:
    """Worked by hand: 3 words outside the lexicon are more than 2, so those with 1 and then 2 tokens go."""
    text = "good bad once twice twice often often often often often"
    counts = spark.count(frame(session, [text], 1), "text", lexicon, words=2)
    assert set(counts.words.to_pylist()) == {"good", "bad", "often"}
    assert counts.pruned == 3  # tokens, not words
    assert counts.tokens == 10
    assert spark.count(frame(session, [text], 1), "text", lexicon, words=3) == count([text], lexicon)


def test_the_language_is_guessed_on_the_driver(session: SparkSession) -> None:
    lexicon = Lexicon({"negativ": ["schlecht"], "positiv": ["gut"]})
    texts = ["Das ist gut und schön.", "Es ist schlecht und öde.", "Das ist nicht gut."] * 4
    with pytest.warns(DocumentWarning, match="the texts look German"):
        model = spark.fit(frame(session, texts, 3), "text", lexicon, tokenizer=Tokenizer("auto"))
    assert model == estimate(count(texts, lexicon, tokenizer=Tokenizer("de")), lexicon)


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
