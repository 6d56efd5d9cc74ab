"""One tiny lexicon written by hand in every format, all read equal; round trips; one file for every trouble."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex.errors import LexiconError, OutputError, ProblexError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.files import read_dictionary
from problex.lexicon.formats import FORMATS, READERS, WRITERS, detect_format
from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lexicon.lexicon import Entry

LEXICONS = Path(__file__).parents[1] / "lexicons"
WORDS = {"positive": {"good", "happ*", "no way", "naïve", ":)"}, "negative": {"*less", "a+", "yes", "bad"}}
WEIGHTS = {
    "good": 1.9, "happ*": 2.7, "no way": 0.5, "naïve": 0.1, ":)": 2.0, "*less": -0.5, "a+": -1.0, "yes": -0.25,
    "bad": -2.5,
}  # fmt: skip
WEIGHTED = (
    "tiny-afinn.txt", "tiny-vader.txt", "tiny-sentiws.txt", "tiny-weights.csv", "tiny-pattern.xml",
    "tiny-sentiwordnet.txt",
)  # fmt: skip


def read(text: str, name: str, format: str | None = None, **more: Any) -> Dictionary:
    """What a file of this name with this text holds."""
    file = LexiconFile(name, text.encode(), **more)
    known = format or detect_format(file)
    assert known is not None
    return READERS[known](file)


def lists(dictionary: Dictionary) -> dict[str, set[str]]:
    return {name: set(words) for name, words in dictionary.tidy().lists.items()}


def kinds(dictionary: Dictionary) -> list[tuple[str, str, str]]:
    return [(issue.kind, issue.entry, issue.where) for issue in dictionary.problems]


def lower(lists: dict[str, set[str]]) -> dict[str, set[str]]:
    return {name.lower(): words for name, words in lists.items()}


@pytest.mark.parametrize("path", sorted(LEXICONS.glob("tiny*")), ids=lambda path: path.name)
def test_one_lexicon_in_every_format_reads_equal(path: Path) -> None:
    dictionary = read_dictionary(path)
    if path.stem in ("tiny-positive", "tiny-negative", "tiny-synsets-positive"):
        assert lists(dictionary) == {path.stem: WORDS[path.stem.split("-")[-1]]}
    else:
        assert lower(lists(dictionary)) == WORDS
    weights = {word: weight for (_, word), weight in dictionary.weights.items()}
    assert weights == (WEIGHTS if path.name in WEIGHTED else {})


def test_every_format_has_a_tiny_file() -> None:
    """All readers but Excel's, whose file is made below."""
    seen = {detect_format(LexiconFile(path.name, path.read_bytes())) for path in LEXICONS.glob("tiny*")}
    assert seen == READERS.keys() - {"xlsx", "lcd"}  # .lcd is the XML of .ykd


@pytest.mark.parametrize("path", sorted(LEXICONS.glob("tiny*")), ids=lambda path: path.name)
def test_content_tells_the_format_under_a_wrong_suffix(path: Path) -> None:
    known = detect_format(LexiconFile(path.name, path.read_bytes()))
    disguised = LexiconFile("lexicon.txt", path.read_bytes())
    if FORMATS[known or ""].matches is not None and known != "tsv":
        assert detect_format(disguised) == known
    elif known in ("csv", "tsv") and path.name != "tiny-columns.csv":
        assert lower(lists(READERS[detect_format(disguised) or ""](disguised))) == WORDS


words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=8)
ODD = (
    "happ*", "*less", ":)", "a+", "no way", "no", "yes", "null", "~", "1.0", "#metoo", ";-)", "=)", "'s", '"', "-",
    "x (2)", "@home", "+1", "%", "a,b", "a;b", "a|b", "<3", "&amp;", "[x]", "{", "NEAR #X",
    "catch 22", "true", "- a", "a: b",
)  # fmt: skip
texts = st.one_of(words, st.sampled_from(ODD)).map(lambda text: " ".join(text.split())).filter(bool)
names = words.map(lambda text: category_of([text.strip("+#;@=()0123456789%X")])).filter(
    lambda name: bool(name) and name.casefold() not in ("word", "list")
)
numbers = st.integers(-500, 500).filter(lambda number: number not in (0, 100)).map(lambda number: number / 100)
weights = st.none() | numbers


@st.composite
def dictionaries(draw: st.DrawFn) -> Dictionary:
    categories = draw(
        st.lists(st.lists(names, min_size=1, max_size=3).map(category_of), min_size=2, max_size=4, unique=True)
    )
    keys = draw(st.lists(st.tuples(texts, st.sampled_from(categories)), min_size=1, max_size=12, unique=True))
    weighted = draw(st.booleans())
    return Dictionary(tuple(Entry(text, name, "here", draw(weights) if weighted else None) for text, name in keys))


def _weight(entry: Entry, lost: set[tuple[str, str]]) -> float | None:
    if entry.weight is None and (entry.text, "no weight") in lost:
        return 1.0
    return None if (entry.text, "weight not kept") in lost else entry.weight


def round_trip(dictionary: Dictionary, writer: str) -> tuple[set[tuple[str, str, float | None]], Dictionary]:
    """What comes back, and what the writer reported of the rest."""
    written = WRITERS[writer](dictionary)
    lost = {(issue.entry, issue.kind) for issue in written.issues}
    kept = {
        (entry.list, entry.text, _weight(entry, lost))
        for entry in dictionary.entries
        if (entry.text, "does not fit the format") not in lost
    }
    reader = {"afinn": "tsv", "nrc": "tsv"}.get(writer, writer.partition("-")[0])
    back = READERS[reader](LexiconFile(f"x.{reader}", written.data)) if kept else Dictionary(())
    return kept, back


@pytest.mark.parametrize("writer", sorted(WRITERS.keys() - {"plain", "afinn"}))
@given(dictionary=dictionaries())
def test_round_trips(writer: str, dictionary: Dictionary) -> None:
    try:
        kept, back = round_trip(dictionary, writer)
    except OutputError as error:
        if writer == "cat" and "would be read as an entry" in str(error):
            return
        raise
    assert {(entry.list, entry.text, entry.weight) for entry in back.entries} == kept


@given(dictionary=dictionaries())
def test_plain_lists_come_back(dictionary: Dictionary) -> None:
    one = dictionary.choose({"x": list(dictionary.categories)[:1]})
    kept, back = round_trip(one.tidy(), "plain")
    assert {(entry.list, entry.text, None) for entry in back.entries} == {(name, text, None) for name, text, _ in kept}


@given(st.dictionaries(texts, numbers, min_size=1))
def test_afinn_comes_back(given_weights: dict[str, float]) -> None:
    entries = [
        Entry(text, "positive" if weight > 0 else "negative", "", weight) for text, weight in given_weights.items()
    ]
    kept, back = round_trip(Dictionary(tuple(entries)), "afinn")
    assert {(entry.list, entry.text, entry.weight) for entry in back.entries} == kept


@pytest.mark.parametrize("writer", sorted(WRITERS.keys() - {"plain", "afinn"}))
def test_entries_that_look_like_something_else_survive(writer: str) -> None:
    odd = ("happ*", "*less", ":)", "a+", "no way", "no", "yes", "#metoo", "'s")
    dictionary = Dictionary(
        tuple(Entry(text, name, "") for text in odd for name in ("ECONOMY/+STATE+", "ECONOMY/-STATE-"))
    )
    kept, back = round_trip(dictionary, writer)
    assert len(kept) == 2 * len(odd)
    assert {(entry.list, entry.text, entry.weight) for entry in back.entries} == kept


def test_what_a_format_cannot_hold_is_said() -> None:
    dictionary = Dictionary((Entry("+1", "a", "f:1"), Entry("@x", "a", "f:2", 2.5), Entry("#tag", "a", "f:3")))
    issues = {writer: [str(issue) for issue in WRITERS[writer](dictionary).issues] for writer in WRITERS}
    assert issues["lc3"] == [
        "'+1' (f:1): does not fit the format, left out: a line that begins with + is a category",
        "'@x' (f:2): weight not kept, the format cannot hold 2.5",
    ]
    assert issues["cat"][-1] == "'@x' (f:2): does not fit the format, left out: it would be read as a rule"
    assert issues["plain"][0] == "'#tag' (f:3): does not fit the format, left out: it would be read as a comment"
    assert len(issues["afinn"]) == 3
    assert not any(issues[writer] for writer in ("csv", "csv-wide", "tsv", "json", "json-long", "ykd", "dicx", "xlsx"))
    with pytest.raises(
        OutputError, match=r"a plain list holds one category, and there are 2 \(a, b\): choose one with"
    ):
        WRITERS["plain"](Dictionary((Entry("x", "a", ""), Entry("y", "b", ""))))
    with pytest.raises(OutputError, match=r"the category 'a \(2\)' would be read as an entry"):
        WRITERS["cat"](Dictionary((Entry("x", "a (2)", ""),)))


def test_excel_reads_what_people_make_of_it(tmp_path: Path) -> None:
    import datetime

    import openpyxl

    book = openpyxl.Workbook()
    first = book.active
    assert first is not None
    first.title = "positive"
    for row, value in enumerate(["good", "happ*", None, "no way", "naïve", ":)"], start=1):
        first.cell(row, 1, value)
    second = book.create_sheet("negative")
    for row, text in enumerate(["*less", "a+", "yes", "bad"], start=1):
        second.cell(row, 1, text)
    book.create_sheet("empty")
    book.save(tmp_path / "tiny.xlsx")
    assert lists(read_dictionary(tmp_path / "tiny.xlsx")) == WORDS

    second.cell(5, 1, True)
    second.cell(6, 1, datetime.datetime(2026, 3, 1))
    second.cell(7, 1, "=A1")
    second.cell(8, 1, 1984)
    book.save(tmp_path / "odd.bin")
    dictionary = read_dictionary(tmp_path / "odd.bin")
    assert [issue.kind for issue in dictionary.problems if not issue.loud] == ["truth value", "date", "formula"]
    assert "'True' (odd.bin:negative:5): truth value, read as the word 'true'" in map(str, dictionary.problems)
    assert {"true", "1984", "=A1"} <= set(dictionary.lists["negative"])


def test_excel_tables_long_and_wide(tmp_path: Path) -> None:
    import openpyxl

    tables: dict[str, list[list[Any]]] = {
        "long": [["word", "list", "weight"], ["good", "positive", 1.5], ["bad", "negative", -2]],
        "wide": [["word", "positive", "negative"], ["good", 1, None], ["bad", None, "x"]],
        "columns": [["positive", "negative"], ["good", "bad"], ["fine", None]],
    }
    for name, rows in tables.items():
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)  # type: ignore[union-attr]
        file = io.BytesIO()
        book.save(file)
        dictionary = READERS["xlsx"](LexiconFile(f"{name}.xlsx", file.getvalue()))
        assert {"good"} <= lists(dictionary)["positive"], name
        assert lists(dictionary)["negative"] == {"bad"}, name
        assert dictionary.weights == ({("positive", "good"): 1.5, ("negative", "bad"): -2.0} if name == "long" else {})


def test_old_excel_files_and_broken_ones_are_refused() -> None:
    with pytest.raises(LexiconError, match=r"x.xls is an old Excel file \(.xls\), expected .xlsx: save it as that"):
        READERS["xlsx"](LexiconFile("x.xls", b"\xd0\xcf\x11\xe0" + b"0" * 100))
    with pytest.raises(LexiconError, match=r"x.xlsx cannot be read as an Excel file"):
        READERS["xlsx"](LexiconFile("x.xlsx", b"PK\x03\x04 and no more"))


def test_words_are_no_formulas_in_excel() -> None:
    import openpyxl

    written = WRITERS["xlsx"](Dictionary((Entry("=)", "a", ""), Entry("x", "a", "", 0.5))))
    sheet = openpyxl.load_workbook(io.BytesIO(written.data)).worksheets[0]
    assert (sheet["A2"].value, sheet["A2"].data_type) == ("=)", "s")
    assert (sheet["C3"].value, sheet["C3"].data_type) == (0.5, "n")


def test_without_openpyxl_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    data = WRITERS["xlsx"](Dictionary((Entry("x", "a", ""),))).data
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    needed = r"ing \.xlsx needs the package openpyxl: pip install 'problex\[excel\]', or "
    with pytest.raises(ProblexError, match=f"read{needed}save the sheet as CSV"):
        READERS["xlsx"](LexiconFile("x.xlsx", data))
    with pytest.raises(ProblexError, match=f"writ{needed}write CSV"):
        WRITERS["xlsx"](Dictionary((Entry("x", "a", ""),)))


def test_workbooks_with_document_types_or_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import zipfile

    data = WRITERS["xlsx"](Dictionary((Entry("x", "a", ""),))).data
    trap = io.BytesIO(data)
    with zipfile.ZipFile(trap, "a") as parts:
        parts.writestr("xl/more.xml", '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "lol">]><a>&b;</a>')
    with pytest.raises(LexiconError, match=r"x.xlsx declares a document type in xl/more.xml, which is refused"):
        READERS["xlsx"](LexiconFile("x.xlsx", trap.getvalue()))
    monkeypatch.setattr("problex.lexicon.formats.spreadsheet.MAX_BYTES", 100)
    with pytest.raises(
        LexiconError, match=r"x.xlsx unpacks to [\d,]+ bytes, expected a lexicon: save the sheet as CSV"
    ):
        READERS["xlsx"](LexiconFile("x.xlsx", data))


FORMULAS = st.from_regex(r"['=+@-]{1,3}[a-c]{1,3}", fullmatch=True)


@pytest.mark.parametrize("name", ["csv", "tsv", "csv-wide", "xlsx"])
@given(words=st.lists(FORMULAS, min_size=2, max_size=6, unique=True), names=st.lists(FORMULAS, min_size=2, unique=True))
@settings(max_examples=25, deadline=None)
def test_words_and_lists_that_look_like_formulas_come_back(name: str, words: list[str], names: list[str]) -> None:
    entries = tuple(Entry(word, names[number % 2], "") for number, word in enumerate(words))
    data = WRITERS[name](Dictionary(entries)).data
    read = READERS[name.removesuffix("-wide")](LexiconFile(f"x.{name.removesuffix('-wide')}", data))
    assert {(entry.text, entry.list) for entry in read.entries} == {(entry.text, entry.list) for entry in entries}
    if name != "xlsx":
        cells = [cell for line in data.decode().splitlines() for cell in line.split("\t" if name == "tsv" else ",")]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
