"""`problex shares`: tables and charts by group and date, and what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from problex.cli.commands.shares import SharesResult
from tests.cli.runs import problex, run, said

COLUMNS = ["group", "label", "documents", "undecided", "hits", "share", "share_decided"]


@pytest.fixture
def dated(model: Path) -> Path:
    """Forty texts of two months, written with the day first, and of two parties."""
    frame = pd.read_csv("texts.csv")
    frame["when"] = [f"{1 + at % 28:02}/{11 + at % 2}/2004" for at in range(len(frame))]
    frame["party"] = ["left", "right", "left", ""] * (len(frame) // 4)
    frame.to_csv("dated.csv", index=False)
    return model


def test_by_date_as_a_table_a_file_and_a_chart(dated: Path) -> None:
    table = run("shares", "m.json", "dated.csv", "--by", "when", "--every", "month")
    assert "2004-11" in table
    assert "undecided" in table
    told = said("shares", "m.json", "dated.csv", "--by", "when", "--every", "month", "-o", "s.csv", "--chart", "s.svg")
    lines = told.splitlines()
    assert (lines[0], lines[-1]) == ("wrote 6 rows to s.csv", "wrote s.svg")
    assert lines[1] == "these are shares of predicted labels, not of true ones"
    frame = pd.read_csv("s.csv")
    assert list(frame.columns) == COLUMNS
    assert frame["group"].tolist() == ["2004-11"] * 3 + ["2004-12"] * 3
    assert frame.groupby("group")["share"].sum().tolist() == pytest.approx([1, 1], abs=1e-5)
    assert frame["hits"].sum() == 40
    picture = Path("s.svg").read_text(encoding="utf-8")
    for text in ("Shares of the labels by month (when): dated", "n = 40 documents", "2004-12", "positive", "undecided"):
        assert text in picture


def test_the_labels_are_those_of_predict(dated: Path) -> None:
    labels = pd.read_csv("dated.csv").assign(label=pd.read_csv(_predictions())["label"])
    expected = labels.assign(party=labels["party"].fillna("(none)")).groupby(["party", "label"]).size()
    records = json.loads(run("shares", "m.json", "dated.csv", "--by", "party", "--format", "json"))
    assert {(row["group"], row["label"]): row["hits"] for row in records if row["hits"]} == expected.to_dict()
    assert list(dict.fromkeys(row["group"] for row in records)) == ["left", "right", "(none)"]


def _predictions() -> str:
    run("predict", "m.json", "dated.csv", "-o", "predicted.csv")
    return "predicted.csv"


def test_without_groups(dated: Path) -> None:
    lines = run("shares", "m.json", "dated.csv", "--format", "csv", "--chart", "all.png", "--title", "All").splitlines()
    assert lines[0] == ",".join(COLUMNS)
    assert [line.split(",")[:3] for line in lines[1:]] == [
        ["(all)", label, "40"] for label in ("negative", "positive", "undecided")
    ]
    assert Path("all.png").read_bytes().startswith(b"\x89PNG")
    unsure = json.loads(run("shares", "m.json", "dated.csv", "--format", "json", "--confidence", "1"))
    assert [row["hits"] for row in unsure] == [0, 0, 40]


def test_other_formats_and_many_groups(dated: Path) -> None:
    run("shares", "m.json", "dated.csv", "--by", "id", "-o", "s.parquet")
    assert pq.read_table("s.parquet").num_rows == 3 * 40  # files have all groups
    table = run("shares", "m.json", "dated.csv", "--by", "id", "--top", "5")
    assert "(all others)" in table
    assert "35" in table
    run("shares", "m.json", "texts.parquet", "-o", "s.jsonl")
    assert len(Path("s.jsonl").read_text().splitlines()) == 3


def test_an_open_order_of_day_and_month_is_said_with_its_option(dated: Path) -> None:
    frame = pd.read_csv("dated.csv").assign(when="03/04/2004")
    frame.to_csv("open.csv", index=False)
    ran = problex("shares", "m.json", "open.csv", "--by", "when")
    assert ran.returncode == 0
    assert (
        "note: column 'when': 40 dates, such as 03/04/2004, can be read with the day first or with the month first; "
        "assumed: the day first. Otherwise give --date-order mdy" in ran.stderr
    )
    assert "2004-04-03" in ran.stdout
    ran = problex("shares", "m.json", "open.csv", "--by", "when", "--date-order", "mdy")
    assert "2004-03-04" in ran.stdout
    assert "note" not in ran.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--every", "month"), "--every month was given without --by, expected a column of dates to count by"),
        (("--by", "party", "--every", "day"), "--every day was given, but no value of column 'party' is such a date"),
        (("--by", "who"), "there is no column 'who'; the columns are"),
        (("--chart", "s.pdf"), "'s.pdf' has no known suffix for a chart, expected one of .png, .svg, .html"),
        (("-o", "s.doc"), "'s.doc' has no known suffix for results"),
        (("-o", "dated.csv"), "--output 'dated.csv' is also read by this command"),
        (("--chart", "m.json"), "--chart 'm.json' is also read by this command"),
    ],
)
def test_what_is_refused(dated: Path, options: tuple[str, ...], message: str) -> None:
    before = sorted(Path().iterdir())
    ran = problex("shares", "m.json", "dated.csv", *options)
    assert ran.returncode == 1
    assert message in ran.stderr
    assert sorted(Path().iterdir()) == before


def test_files_are_not_overwritten(dated: Path) -> None:
    for option, name in (("-o", "s.csv"), ("--chart", "s.svg")):
        Path(name).write_text("mine")
        ran = problex("shares", "m.json", "dated.csv", option, name)
        assert ran.returncode == 1
        assert Path(name).read_text() == "mine"
        run("shares", "m.json", "dated.csv", option, name, "--force")
        assert Path(name).read_text() != "mine"


def test_standard_input(dated: Path) -> None:
    text = Path("dated.csv").read_text()
    ran = problex("shares", "m.json", "-", "--input-format", "csv", "--by", "when", "--every", "year", stdin=text)
    assert ran.returncode == 0, ran.stderr
    assert "2004" in ran.stdout


def test_many_lists_are_in_rows(dated: Path) -> None:
    words = ["good", "fine", "bad", "poor", "day", "film", "time", "plot", "actor", "end"]
    Path("ten.csv").write_text("word,list\n" + "".join(f"{word},list{at}\n" for at, word in enumerate(words)))
    texts = [f"{one} {two} {one}" for one in words for two in words]
    pd.DataFrame({"text": texts, "party": ["left", "right"] * 50}).to_csv("ten-texts.csv", index=False)
    run("fit", "ten-texts.csv", "--lexicon", "ten.csv", "-o", "ten.json")
    table = run("shares", "ten.json", "ten-texts.csv", "--by", "party", "--chart", "ten.svg")
    assert "label" in table
    assert "list9" in table


def test_the_report_counts_dates_in_the_same_way(dated: Path) -> None:
    run("report", "m.json", "dated.csv", "-o", "r.html", "--by", "when", "--every", "quarter", "--date-order", "dmy")
    assert "2004-Q4" in Path("r.html").read_text(encoding="utf-8")


def test_tables_in_the_terminal_have_percent_for_few_and_for_many_labels() -> None:
    row = {"group": "a", "documents": 8, "undecided": 0, "hits": 2, "share": 0.25, "share_decided": 0.25}
    few, many = (tuple(f"label {at}" for at in range(number)) for number in (2, 9))
    results = [SharesResult(names, [], [{**row, "label": name} for name in names], [], []) for names in (few, many)]
    assert results[0].as_shown() == [{"group": "a", "documents": 8, "label 0": "25.0%", "label 1": "25.0%"}]
    assert results[1].as_shown()[8] == {
        **{"group": "a", "label": "label 8", "documents": 8},
        **{"hits": 2, "share": "25.0%"},
    }


def test_what_a_workbook_cannot_hold_is_said(model: Path) -> None:
    Path("odd.csv").write_text("text,party\ngood,a\x01\nbad,b\n")
    notes = said("shares", "m.json", "odd.csv", "--by", "party", "-o", "s.xlsx")
    assert "problex: note: 3 texts have control characters, which were replaced, in the workbook" in notes
