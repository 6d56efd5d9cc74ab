"""Models, labels, shares and lookups on Spark are those of one machine, bit for bit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pyarrow as pa
import pytest

import problex
from problex import Lexicon, LexiconClassifier, count, estimate, score, spark
from problex.errors import DocumentError, ProblexError
from problex.matching.negation import NEGATED
from problex.matching.tokens import Tokenizer
from problex.shares.counting import share_table
from tests.spark.cluster import frame, on_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = on_spark


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


UP = ["good", "fine", "finest", "not", "well made", "🙂", "καλό", "جيد", "좋은"]
DOWN = ["bad", "poor", ":)", "плохо", "अच्छा", "東京", "not", "day"]
ENTRIES = {"positive": ["good", "fi*", "well made", "🙂", "καλ*", "جيد"], "negative": ["bad", ":)", "плохо", "अच्छा"]}
GLOBS = {"positive": ["g?od", "f*e", "well ma?e", "좋?"], "negative": ["b?d", ":)", "п*о", "東京"]}


@pytest.mark.parametrize(("lists", "glob"), [(ENTRIES, False), (GLOBS, True)])
def test_all_kinds_of_entries_match_as_on_one_machine(
    session: SparkSession, lists: dict[str, list[str]], glob: bool
) -> None:
    """Wildcards, globs, phrases, literals, negated words, emoji and other scripts; some partitions have few of them."""
    draw = random.Random(3)
    sides = [UP * 3 + DOWN, UP + DOWN * 3]
    texts = [" ".join(draw.choices(sides[at % 2], k=draw.randrange(9))) for at in range(300)]
    tokenizer, lexicon, df = Tokenizer(glob=glob), Lexicon(lists), frame(session, texts, 3)
    counts = count(texts, lexicon, tokenizer=tokenizer)
    assert {"good", "fine", "bad", ":)", "плохо"} <= set(counts.entries)
    assert any(entry.startswith(NEGATED) for entry in counts.entries)
    model = spark.fit(df, "text", lexicon, tokenizer=tokenizer)
    assert model == estimate(counts, lexicon)
    rows = spark.predict(df, model, "text", keep=["id"]).orderBy("id").collect()
    assert [row["score"] for row in rows] == score(texts, model).decision.tolist()
    assert spark.shares(df, model, "text") == share_table(texts, model)
    found = spark.lookup(df, lists, "text", glob=glob, keep=["id"]).toArrow().sort_by("id")
    here = problex.lookup(texts, lists, glob=glob)
    assert found.drop_columns(["id"]).to_pydict() == here.drop_columns(["row"]).to_pydict()


@pytest.fixture(scope="module")
def weather() -> list[str]:
    """Texts of our own making that an expansion learns from: words of two lists, and others that go along with them."""
    draw, texts = random.Random(7), []
    for at in range(300):
        side = ("good", "fine", "sunny", "warm", "garden") if at % 2 else ("bad", "poor", "rainy", "cold", "cellar")
        texts.append(" ".join(draw.choices(side, k=6) + draw.choices(["day", "film", "a", "the", "of"], k=8)))
    return [*texts, *["good sunny again"] * 150, *[""] * 20]


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


def test_an_expansion_with_markup_and_missing_texts(
    session: SparkSession, weather: list[str], lexicon: Lexicon, tmp_path: Path
) -> None:
    """Each of three partitions is read twice: to be counted, and to draw the sample."""

    def noted(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        (tmp_path / uuid4().hex).touch()
        yield from batches

    texts = [f"<b>{text}</b>" for text in weather] + [None]
    df = session.createDataFrame([(text,) for text in texts], "text string").repartition(3)
    df = df.mapInArrow(noted, "text string")
    model = spark.fit(df, "text", lexicon, expand=True, markup=True, missing="empty")
    assert len([*tmp_path.iterdir()]) == 2 * 3
    assert model == LexiconClassifier(lexicon, expand=True, markup=True, missing="empty").fit(texts).model_
    assert model.expansion is not None
    with pytest.raises(ProblexError, match="expand='words' was given, expected one of lexicon or True or False"):
        spark.fit(df, "text", lexicon, expand="words")
    with pytest.raises(ProblexError, match="expand_sample=5 was given, expected a size of at least 1KiB"):
        spark.fit(df, "text", lexicon, expand=True, expand_sample=5)


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


def test_three_lists_and_columns_to_keep(session: SparkSession) -> None:
    lexicon = Lexicon({"a": ["good", "fine"], "b": ["bad", "poor"], "c": ["so", "meh"]})
    texts = ["good fine", "fine good", "bad poor", "poor bad", "so meh", "meh so", "good so", "bad meh"] * 10
    model = estimate(count(texts, lexicon), lexicon)
    labelled = spark.predict(frame(session, texts, 2), model, "text", keep=["id"], rule="count")
    assert labelled.columns == ["id", "label", "p_a", "p_b", "p_c", "tokens", "matches"]
    rows = labelled.orderBy("id").collect()
    assert [row["label"] for row in rows] == score(texts, model, rule="count").labels().tolist()


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


def test_a_lookup_on_spark_refuses_what_cannot_be(session: SparkSession, corpus: list[str]) -> None:
    df = frame(session, corpus[:5], 1)
    with pytest.raises(ProblexError, match="matching='first' was given, expected one of category, dictionary, longest"):
        spark.lookup(df, {"a": ["good"]}, "text", matching="first")
    with pytest.raises(DocumentError, match="there is no column 'body'; the columns are 'id', 'text'"):
        spark.lookup(df, {"a": ["good"]}, "body")
