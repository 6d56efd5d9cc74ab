"""A look at a file: its columns, the likely text column, the first rows, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus.documents import peek
from problex.errors import DocumentError

REVIEW = "A film as good as any other of that year and better than most."


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_table(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "id,review,year\n" + "".join(f"{n},{REVIEW},2019\n" for n in range(50)))
    preview = peek(path, rows=3)
    assert preview.columns == ("id", "review", "year")
    assert (preview.text, preview.guessed) == ("review", True)
    assert preview.rows[2] == {"id": "2", "review": REVIEW, "year": "2019"}
    assert len(preview.rows) == 3
    assert preview.texts == (REVIEW,) * 3
    assert preview.problems == ()


def test_the_column_that_a_person_chose(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", f"title,review\nFine,{REVIEW}\n")
    preview = peek(path, text="title")
    assert (preview.text, preview.guessed, preview.texts) == ("title", False, ("Fine",))
    wrong = peek(path, text="body")
    assert wrong.text is None
    assert wrong.problems == ("there is no column 'body'; the columns are 'title', 'review'. Name one of these.",)
    assert wrong.rows[0]["title"] == "Fine", "the rows are shown all the same, so that one can choose"


def test_no_column_is_likely(tmp_path: Path) -> None:
    preview = peek(write(tmp_path, "a.csv", "a,b\n1,2\n3,4\n"))
    assert preview.text is None
    assert preview.texts == ()
    assert preview.rows == ({"a": "1", "b": "2"}, {"a": "3", "b": "4"})
    assert "could not be guessed; the columns are 'a', 'b'" in preview.problems[0]


def test_plain_text(tmp_path: Path) -> None:
    preview = peek(write(tmp_path, "a.txt", "One day.\nAnother <b>day</b>.\n" * 100), rows=2)
    assert (preview.columns, preview.text, preview.rows) == ((), None, ())
    assert preview.texts == ("One day.", "Another <b>day</b>.")
    assert "HTML" in preview.problems[0]


def test_rows_that_cannot_be_read_and_missing_texts(tmp_path: Path) -> None:
    good = "".join(f"{n},fine\n" for n in range(40))
    preview = peek(write(tmp_path, "a.csv", f"id,text\n1,good\n2,bad,worse\n3,\n{good}"), rows=3)
    assert [row["id"] for row in preview.rows] == ["1", "3", "0"]
    assert len(preview.problems) == 2
    assert "cells" in preview.problems[0]
    assert preview.problems[1] == "1 of the first 42 rows has no text: check the column of the texts"


def test_other_types_and_long_cells(tmp_path: Path) -> None:
    table = pa.table({"text": ["x" * 5000], "n": [7], "when": pa.array([0], pa.timestamp("ns")), "tags": [["a", "b"]]})
    pq.write_table(table, tmp_path / "a.parquet")
    row = peek(tmp_path / "a.parquet").rows[0]
    assert row["text"] == "x" * 999 + "…"
    assert (row["n"], row["when"][:10], row["tags"]) == ("7", "1970-01-01", "['a', 'b']")


def test_a_workbook_and_a_list_of_files(tmp_path: Path) -> None:
    pd.DataFrame({"text": [REVIEW], "year": [2019]}).to_excel(tmp_path / "a.xlsx", index=False)
    assert peek(tmp_path / "a.xlsx").rows == ({"text": REVIEW, "year": "2019"},)
    other = write(tmp_path, "b.csv", f"text,year\n{REVIEW},2020\n")
    assert peek([tmp_path / "a.xlsx", other]).columns == ("text", "year", "file")


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="there is no file or folder"):
        peek(tmp_path / "none.csv")
