"""`problex lookup`: tables in all formats, the page, interruptions, and bad input."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

import problex as package
from problex.cli import prediction_log
from problex.cli.commands import lookup as lookup_job
from problex.corpus import Batch
from problex.errors import ProblexError, command_option, use_spelling
from problex.lookups.matcher import match_batches
from tests.cli.runs import problex, run, said

DICTIONARY = "affect:\n  pos: [good, happ*, well made]\n  neg: [bad, not good]\nsize: [a lot, a lot of]\n"
TEXTS = ["A good film. Not good, a lot of fun!", "happy bad", "", "nothing here", "good, well-made"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.yml").write_text(DICTIONARY)
    when = ["2020-01-02", "2020-02-03", "2020-02-04", "2021-01-01", "2021-05-05"]
    frame = pd.DataFrame({"id": list("abcde"), "text": TEXTS, "party": ["x", "y", "x", "y", "x"], "when": when})
    frame.to_csv("t.csv", index=False)
    return tmp_path


def test_the_table_is_that_of_python(place: Path) -> None:
    assert said("lookup", "d.yml", "t.csv", "-o", "out.parquet") == (
        "wrote 5 rows to out.parquet\n68.8% of 16 words are in the dictionary\n"
    )
    expected = package.lookup(TEXTS, place / "d.yml")
    table = pq.read_table("out.parquet")
    assert table.column_names == ["row", "id", *expected.column_names[1:]]
    assert table.drop_columns(["id"]).equals(expected)


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".jsonl", ".sqlite"])
def test_every_format_has_the_same_rows(place: Path, suffix: str) -> None:
    run("lookup", "d.yml", "t.csv", "-o", f"out{suffix}", "--values", "percent", "--keep", "party,when", "--force")
    run("lookup", "d.yml", "t.csv", "-o", "out.parquet", "--values", "percent", "--keep", "party,when")
    if suffix == ".sqlite":
        import sqlite3

        found = pd.read_sql("select * from lookup", sqlite3.connect("out.sqlite"))
    elif suffix == ".jsonl":
        found = pd.DataFrame([json.loads(line) for line in Path("out.jsonl").read_text().splitlines()])
    else:
        found = pd.read_csv("out.csv") if suffix == ".csv" else pd.read_excel("out.xlsx", engine="openpyxl")
    pd.testing.assert_frame_equal(found, pd.read_parquet("out.parquet"), check_dtype=False)


def test_the_table_is_printed_without_an_output(place: Path) -> None:
    lines = run("lookup", "d.yml", "t.csv", "--keep", "none", "--levels", "1").splitlines()
    assert lines[:2] == ["row,words,words_per_sentence,in_dictionary,affect,size", "0,9,4.5,66.6667,2,1"]
    rows = json.loads(run("lookup", "d.yml", "t.csv", "--long", "--levels", "lowest", "-f", "json"))
    assert rows[0] == {"row": 0, "id": "a", "words": 9, "category": "affect/pos", "count": 2}
    assert len(rows) == 15


def test_lists_are_made_from_categories(place: Path) -> None:
    table = run("lookup", "d.yml", "t.csv", "--list", "feeling=affect", "--list", "size", "--matching", "longest")
    assert table.splitlines()[1].split(",")[-2:] == ["2", "1"]
    assert table.splitlines()[0].endswith(",feeling,size")


def test_means_of_weights(place: Path) -> None:
    (place / "norms.csv").write_text("word,list,weight\ngood,valence,7.5\nbad,valence,2.5\nfilm,arousal,4\n")
    rows = run("lookup", "norms.csv", "t.csv", "--values", "mean", "--keep", "none").splitlines()
    assert [row.split(",")[-2:] for row in rows] == [
        ["valence", "arousal"],
        ["7.5", "4.0"],
        ["2.5", ""],
        ["", ""],
        ["", ""],
        ["7.5", ""],
    ]


def test_standard_input(place: Path) -> None:
    ran = problex("lookup", "d.yml", "-", stdin="good\nbad day\n")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[1:] == ["0,1,1.0,100.0,1,1,0,0", "1,2,2.0,50.0,1,0,1,0"]


def test_the_page_has_every_section(place: Path) -> None:
    told = said(
        "lookup", "d.yml", "t.csv", "--report", "page.html", "--by", "when", "--every", "year", "--title", "My <b>"
    )
    assert "wrote page.html" in told
    page = Path("page.html").read_text(encoding="utf-8")
    for heading in (
        "My &lt;b&gt;",
        "Which categories vary",
        "Categories by year (when)",
        "Which words carry each category",
        "Do the words of a category belong together",
        "Which categories go together",
        "Entries that were never found",
        "Method",
    ):
        assert heading in page
    assert "never found" in page
    run("lookup", "d.yml", "t.csv", "-o", "with.csv", "--report", "p2.html", "--by", "party")
    assert "party" not in Path("with.csv").read_text().splitlines()[0]
    assert "Categories by party" in Path("p2.html").read_text(encoding="utf-8")


def test_pages_of_little_and_of_nasty_names(place: Path) -> None:
    """One text, one category: nothing varies or correlates. Names are never read as HTML."""
    (place / "one.json").write_text(json.dumps({"<img src=x>": ["good", "</script><b>"]}))
    (place / "one.csv").write_text("text,who\na good day,<i>me</i>\n")
    told = said("lookup", "one.json", "one.csv", "--report", "one.html", "--by", "who")
    page = (place / "one.html").read_text(encoding="utf-8")
    assert "wrote one.html" in told
    assert "1 category; 0 of them vary" in page
    assert "Which categories go together" not in page
    assert not re.search("<img|<b>|<i>", re.sub("(?s)<script.*?</script>", "", page))
    (place / "none.csv").write_text("text,who\n123,x\n")
    with pytest.raises(ProblexError, match="no text has words, expected at least one: there is nothing to show"):
        run("lookup", "one.json", "none.csv", "--text", "text", "--report", "none.html")


def test_an_interrupted_lookup_continues(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.concat([pd.read_csv("t.csv", keep_default_na=False)] * 40)
    frame.to_parquet("many.parquet", row_group_size=20)
    run("lookup", "d.yml", "many.parquet", "-o", "whole.csv")
    monkeypatch.setattr(prediction_log, "MAX_SECONDS", 0.0)
    monkeypatch.setattr(lookup_job, "choose_batch_bytes", lambda memory, threads: 400)
    batches = 0

    def stop(*args: Any, **options: Any) -> Iterator[tuple[Batch, lookup_job.BatchResult]]:
        nonlocal batches
        for number, pair in enumerate(match_batches(*args, **options)):
            if number == 4 and not batches:
                raise KeyboardInterrupt
            yield pair
        batches = number + 1

    monkeypatch.setattr(lookup_job, "match_batches", stop)
    words = ["lookup", "d.yml", "many.parquet", "-o", "part.csv", "--checkpoint", "log"]
    with pytest.raises(ProblexError, match="interrupted: the same command continues from the checkpoint log"):
        run(*words)
    batches = 1
    assert said(*words).startswith("wrote 200 rows to part.csv")
    assert 1 < batches < 10  # those that were done are not done again
    assert Path("part.csv").read_bytes() == Path("whole.csv").read_bytes()
    assert not Path("log").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["--by", "party"],
            "--by was given without --report: groups are shown in the report, so give --report FILE, too",
        ),
        (["--checkpoint", "log"], "--checkpoint was given without --output"),
        (["--checkpoint", "log", "-o", "x.csv", "--report", "p.html"], "--checkpoint was given with --report"),
        (["--values", "mean"], "--values mean was given, but no entry of the dictionary has a weight"),
        (["--levels", "top"], "--levels top was given, expected all, lowest, or a number of levels such as 1"),
        (["-o", "x.doc"], "'x.doc' has no known suffix for results, expected one of .csv, .xlsx"),
        (["-o", "t.csv"], "--output 't.csv' is also read by this command: choose another name"),
        (["--report", "page.pdf"], "'page.pdf' was given as the report, expected a name that ends in .html"),
        (["--report", "p.html", "--by", "nobody"], "'nobody'"),
        (["--list", "joy"], "there is no category 'joy', expected one of affect/pos, affect/neg, size"),
    ],
)
def test_bad_options_are_named(place: Path, words: list[str], told: str) -> None:
    with use_spelling(command_option), pytest.raises(ProblexError) as error:
        run("lookup", "d.yml", "t.csv", *words)
    assert told in str(error.value)
    assert not list(place.glob("*.html"))
