"""Commands import what they need, and no more: packages that take long to import are the larger part of their start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SLOW = ("pandas", "sklearn", "narwhals", "rich", "yaml", "xml.sax", "pyarrow.parquet", "charset_normalizer", "duckdb")
OWN = (
    "problex.tables.languages",
    "problex.tables.databases",
    "problex.tables.write_workbook",
    "problex.cli.prediction_log",
    "problex.tables.parquet_file",
    "problex.counting.remembered",
    "problex.estimation.weight_checks",
    "problex.expansion.tone",
    "problex.lexicon.formats",
)
NOT_FOR_PREDICTION = ("scipy", "pydantic", "pyarrow.compute", "sqlite3", *OWN, *SLOW)
NEEDLESS = ("pandas", "sklearn", "narwhals", "pydantic", "rich", "xml.sax", "pyarrow.parquet", "duckdb")
NOT_FOR_FITTING = ("scipy.stats", "pyarrow.compute", *NEEDLESS)
CODE = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps([name for name in {names!r} if name in sys.modules]), file=sys.stderr))
from problex.cli import main
main()
"""


def imported(names: tuple[str, ...], *arguments: str) -> list[str]:
    """Those of the modules that a command imports; the last line of standard error."""
    code = CODE.format(names=names)
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stderr.splitlines()[-1])
    return found


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("one.csv", "id,text\n1,a good film\n"),
        ("one.txt", "A good film.\n"),
        ("one.jsonl", '{"text": "a good film"}\n'),
    ],
)
def test_prediction_imports_no_slow_package(model: Path, name: str, content: str) -> None:
    (model.parent / name).write_text(content)
    assert imported(NOT_FOR_PREDICTION, "predict", str(model), name) == []


def test_counting_and_estimation_import_no_slow_package(folder: Path) -> None:
    """Reading and counting a gigabyte takes seconds, of which these would be a tenth."""
    (folder / "one.csv").write_text("id,text\n" + "1,a good and fine film\n2,a bad day\n3,not good but poor\n" * 20)
    lists = ["-l", "positive=positive.txt", "-l", "negative=negative.txt"]
    (folder / "positive.txt").write_text("good\nfine\n")
    (folder / "negative.txt").write_text("bad\npoor\n")
    assert imported(NOT_FOR_FITTING, "fit", "one.csv", *lists, "-o", "new.json") == []


def test_help_imports_no_package_of_numbers(folder: Path) -> None:
    assert imported(("numpy", "pyarrow", "scipy", "pandas"), "--help") == []


def test_the_end_of_a_program_with_duckdb_is_silent(tmp_path: Path) -> None:
    """DuckDB prints which of its objects are left when the program ends, if they are never collected."""
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connection:
        connection.execute("create table t as select 'good film' as text")
    (tmp_path / "words.csv").write_text("word,label\ngood,positive\nbad,negative\n")
    line = [sys.executable, "-m", "problex", "lookup", "words.csv", "t.duckdb", "--text", "text"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "leak" not in done.stderr
