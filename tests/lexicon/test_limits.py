"""Small or damaged lexicon files that would take much time or memory, or numbers that cannot be weights."""

from __future__ import annotations

import contextlib
import io
import json
import time
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest

from problex.errors import LexiconError, LexiconWarning, OutputError
from problex.lexicon import Dictionary, read_dictionary, write_dictionary
from problex.lexicon.files import read_file
from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lexicon.lexicon import Entry


def error_of(path: Path, **options: Any) -> str:
    """The error about a file, which comes within seconds and 100 MB."""
    start = time.process_time()
    tracemalloc.start()
    try:
        with pytest.raises(LexiconError) as caught:
            read_dictionary(path, **options)
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
        assert time.process_time() - start < 30  # a file that costs too much takes minutes
    finally:
        tracemalloc.stop()
    return str(caught.value)


def test_a_sheet_with_one_far_cell(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["word", "list"], ["good", "positive"], ["bad", "negative"]):
        book.active.append(row)
    book.active["XFD100000"] = "x"
    book.save(tmp_path / "far.xlsx")
    assert read_dictionary(tmp_path / "far.xlsx").lists == {"positive": ("good",), "negative": ("bad",)}
    for number in range(4, 900):
        book.active.cell(number, 16_384, "x")
    book.save(tmp_path / "wide.xlsx")
    assert "expected at most 10,000,000 cells" in error_of(tmp_path / "wide.xlsx")


def test_cells_that_are_missing_at_the_end_of_a_row(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["word", "list", "weight"], ["good", "positive"], ["bad", "negative", -2]):
        book.active.append(row)
    book.save(tmp_path / "x.xlsx")
    assert [entry.weight for entry in read_dictionary(tmp_path / "x.xlsx").entries] == [None, -2]


@pytest.mark.parametrize("suffix", [".xlsx", ".ods"])
@pytest.mark.parametrize("size", [1 << 29, 100 << 20])
def test_a_bomb_in_an_archive(size: int, suffix: str, tmp_path: Path) -> None:
    archive = zipfile.ZipFile(tmp_path / f"bomb{suffix}", "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with archive, archive.open("[Content_Types].xml", "w") as part:
        for _ in range(size >> 20):
            part.write(b" " * (1 << 20))
    assert f"unpacks to {size:,} bytes" in error_of(tmp_path / f"bomb{suffix}")


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    depth = 100_000
    nodes = '<cnode name="a">' * depth + "</cnode>" * depth
    indented = [" " * level + f"{level} a" for level in range(300)]
    contents = {
        "x.ykd": f"<dictionary>{nodes}</dictionary>",
        "x.json": "[" * depth + "]" * depth,
        "y.json": '{"a":' * 500 + '["b"]' + "}" * 500,
        "x.yml": "".join("  " * level + "a:\n" for level in range(2000)),
        "y.yml": "a: " + "[" * depth + "]" * depth,
        "x.cat": "".join("\t" * level + "A\n" for level in range(300)) + "\t" * 300 + "B (1)\n",
        "x.dic": "%\n" + "".join(f"{line}\n" for line in indented) + "%\ngood\t1\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
        assert "nested too deeply" in error_of(tmp_path / name), name
    path = "/".join(["a"] * 5000)
    (tmp_path / "x.csv").write_text(f"word,list\ngood,{path}\nbad,b\n")
    for name in ("x.ykd", "x.json", "x.yml", "x.cat"):
        with pytest.raises(OutputError, match="5,000 levels, expected at most 100"):
            write_dictionary(read_dictionary(tmp_path / "x.csv"), tmp_path / name, force=True)


def test_some_nesting_is_read(tmp_path: Path) -> None:
    nodes = '<cnode name="a">' * 60 + '<pnode name="good"/>' + "</cnode>" * 60
    (tmp_path / "x.ykd").write_text(f"<dictionary>{nodes}</dictionary>")
    dictionary = read_dictionary(tmp_path / "x.ykd")
    for name in ("x.json", "x.yml", "x.cat"):
        write_dictionary(dictionary, tmp_path / name)
        assert read_dictionary(tmp_path / name).lists == dictionary.lists


HUGE = "1" + "0" * 400
WEIGHTS = {
    "x.csv": f"word,list,weight\ngood,positive,{HUGE}\nfine,positive,2\nbad,negative,-2\n",
    "y.csv": "word,list,weight\ngood,positive,inf\nfine,positive,2\nbad,negative,-2\n",
    "x.json": f'{{"positive": {{"good": {HUGE}, "fine": 2}}, "negative": {{"bad": -2}}}}',
    "y.json": '{"positive": {"good": Infinity, "fine": 2}, "negative": {"bad": -2}}',
    "z.json": '{"positive": {"good": NaN, "fine": 2}, "negative": {"bad": -2}}',
    "x.cat": f"POSITIVE\n\tgood ({HUGE})\n\tfine (2)\nNEGATIVE\n\tbad (-2)\n",
    "x.ykd": f'<dictionary><cnode name="d"><cnode name="positive"><pnode name="good" score="{HUGE}"/>'
    '<pnode name="fine" score="2"/></cnode><cnode name="negative"><pnode name="bad" score="-2"/></cnode></cnode>'
    "</dictionary>",
}


@pytest.mark.parametrize("name", WEIGHTS)
def test_weights_that_are_no_finite_numbers_are_reported_and_left_out(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(WEIGHTS[name])
    dictionary = read_dictionary(tmp_path / name)
    assert {entry.text: entry.weight for entry in dictionary.entries} == {"good": None, "fine": 2, "bad": -2}
    assert [issue.entry for issue in dictionary.problems if issue.kind == "not a number"] == ["good"]


def test_words_with_a_weight_that_is_no_finite_number(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(f'{{"good": {HUGE}, "fine": 2, "bad": -2, "poor": -Infinity}}')
    with pytest.warns(LexiconWarning, match=r"x.json: 4 rows were left out, and 2 entries were read: check it"):
        dictionary = read_dictionary(tmp_path / "x.json")
    assert dictionary.lists == {"positive": ("fine",), "negative": ("bad",)}
    assert {issue.entry for issue in dictionary.problems if not issue.loud} == {"good", "poor"}
    (tmp_path / "y.json").write_text('{"good": 1' + "0" * 5000 + ', "bad": -2}')
    assert "y.json has a number of thousands of digits, expected words and" in error_of(tmp_path / "y.json")


@pytest.mark.parametrize("weight", [float("inf"), float("-inf"), float("nan")])
def test_weights_that_are_no_finite_numbers_are_not_written(weight: float, tmp_path: Path) -> None:
    dictionary = Dictionary((Entry("good", "positive", "here", weight), Entry("bad", "negative", "here", -1)))
    for suffix in ("csv", "json", "xlsx", "cat", "ykd", "yml"):
        with pytest.raises(OutputError, match=r"'good' \(here\) has the weight -?(inf|nan), expected a finite number"):
            write_dictionary(dictionary, tmp_path / f"x.{suffix}")
        assert not (tmp_path / f"x.{suffix}").exists()


def test_encodings_in_xml(tmp_path: Path) -> None:
    content = '<?xml version="1.0" encoding="{}"?><dictionary><cnode name="{}"><pnode name="{}"/></cnode></dictionary>'
    path = tmp_path / "x.ykd"
    path.write_bytes(content.format("klingon", "a", "b").encode())
    assert error_of(path) == "the encoding 'klingon' is not known, expected one like utf-8 or cp1250"
    path.write_bytes(content.format("gbk", "好", "电影").encode("gbk"))
    assert read_dictionary(path).lists == {"好": ("电影",)}
    path.write_bytes(content.format("utf-8", "a", "café").encode("latin-1"))
    assert "is not XML" in error_of(path)
    path.write_bytes(content.format("gbk", "a", "b").encode()[:-30] + b"\xff\xff")
    error_of(path)
    for encoding in ("hex", "idna", "undefined", "klingon", "utf-8\0"):
        assert repr(encoding)[1:-1] in error_of(path, encoding=encoding)


def test_halves_of_characters_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"positive": ["good", "x\ud800"], "negative": ["bad"]}))
    dictionary = read_dictionary(tmp_path / "x.json")
    assert dictionary.lists == {"positive": ("good",), "negative": ("bad",)}
    assert [issue.entry for issue in dictionary.problems] == [r"x\ud800"]
    assert io.StringIO().write(str(dictionary.problems[0])) > 0


@pytest.mark.parametrize(
    ("content", "format"),
    [
        ("%\n1\ta\n%\na" + " 1" * 100_000 + "b", "dic"),
        (" \n" * 100_000 + "a", None),
        ("a" + " " * 100_000 + "b", "fields"),
        ("a:" + "\n" * 200_000 + "b", None),
    ],
)
def test_long_runs_of_one_character_cost_no_more_than_other_texts(content: str, format: str | None) -> None:
    start = time.process_time()
    with contextlib.suppress(LexiconError):
        read_file(LexiconFile("x.txt", content.encode()), format)
    assert time.process_time() - start < 30  # a file that costs too much takes minutes


@pytest.mark.parametrize("number", ["0" * 5000, "²"])
def test_numbers_of_categories_that_are_none(number: str) -> None:
    """The second is a digit for Python, but no number."""
    with pytest.raises(LexiconError, match="no words with numbers"):
        read_file(LexiconFile("x.dic", f"good\t{number}\n".encode()), "dic")
    dictionary = read_file(LexiconFile("x.dic", f"1 {number}x\ngood\t1\nbad\t{number}\n".encode()), "dic")
    assert [entry.text for entry in dictionary.entries] == ["good"]


def test_a_sense_with_thousands_of_digits() -> None:
    lines = "a\t1\t0.5\t0.1\tfine#2\tx\na\t2\t0.1\t0.6\tpoor#1\tx\na\t3\t0.5\t0.1\table#" + "0" * 5000 + "\tx\n"
    dictionary = read_file(LexiconFile("x.txt", lines.encode()), "sentiwordnet")
    assert sorted(entry.text for entry in dictionary.entries) == ["fine", "poor"]
