"""CSV as usual, split in one pass: the cells are those of Python's csv module, and of the way row by row."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from problex.corpus import batch, batches
from problex.errors import DocumentWarning, ProblexError
from problex.tables import csv_file
from problex.tables._cells import split_cells
from problex.tables.csv_file import ChunkCells, split_usual_rows
from problex.tables.dialect import Dialect, Quoting
from tests.tables.reading import error_of, read, write_csv

TWO = Dialect(names=("id", "text"), header=b"id,text")
CELLS = st.text("ab1,;\t\"' \n\r\0é", max_size=40) | st.text("ab", min_size=30, max_size=70)
TABLES = st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1))


def write_row(cells: Sequence[str], **dialect: Any) -> bytes:
    """A row as the csv module writes it."""
    written = io.StringIO(newline="")
    csv.writer(written, **dialect).writerow(cells)
    return written.getvalue().encode()


@given(TABLES, st.sampled_from(["\n", "\r\n"]), st.sampled_from(",;\t"), st.sampled_from("\"'"), st.data())
@settings(max_examples=200)
def test_cells_are_those_of_the_csv_module(
    table: list[list[str]], ending: str, delimiter: str, quote: str, data: st.DataObject
) -> None:
    table = [[f"n{row[0]}", *row[1:]] for row in table]  # without a number, no quote can have been left open
    quoting = data.draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    options = {"delimiter": delimiter, "quotechar": quote, "lineterminator": ending, "quoting": quoting}
    written = [write_row(row, **options) for row in table]
    rows, ends = b"".join(written), list(accumulate(map(len, written)))
    assume(quoting == csv.QUOTE_ALL or ending == "\r\n" or b"\r" not in rows)  # which is written without quotes
    rows = rows[: data.draw(st.integers(0, len(rows)) | st.just(len(rows)))]
    whole = sum(end <= len(rows) for end in ends)
    columns = data.draw(st.permutations(range(len(table[0]))).map(lambda all: all[: 1 + len(rows) % len(all)]))
    found = split_usual_rows(rows, Dialect(delimiter, Quoting(quote), tuple(map(str, table[0]))), columns)
    if not whole:
        assert found is None
        return
    assert found is not None
    assert found.end == ends[whole - 1]
    for column, cells in zip(columns, found.columns, strict=True):
        cells.validate(full=True)
        assert cells.to_pylist() == [row[column].encode() for row in table[:whole]]


@pytest.mark.parametrize(
    ("rows", "texts"),
    [
        (b"1,a\n2,b\n", [b"a", b"b"]),
        (b'1,"a"\r\n"2",""\r\n', [b"a", b""]),
        (b'1,""""\n2,"""a"""\n3,"a""""b"\n', [b'"', b'"a"', b'a""b']),
        (b'1,a "b" c\n2,b"\n', [b'a "b" c', b'b"']),  # a quote within a cell opens nothing
        (b'\n1,a\r\n\n\r\n2,"\n"\n\n', [b"a", b"\n"]),  # lines without anything
        (b'1,"a\r\nb\rc"\n2,\xff\0\n', [b"a\r\nb\rc", b"\xff\0"]),
        (b'1,"a\n9,b"\n', [b"a\n9,b"]),  # 9 is not the number after 1
        (b"1,a\n2,b", [b"a"]),
        (b'1,a\n2,"b\n3,c\n', [b"a"]),
        (b'1,a\n2,"b"', [b"a"]),
        (b"1,a\n2,b\r", [b"a"]),
        (b"1,a\n2,", [b"a"]),
        (b"1,a\n2", [b"a"]),
        (b"id,texts\n1,a\n", [b"texts", b"a"]),
    ],
)
def test_usual_rows(rows: bytes, texts: list[bytes]) -> None:
    found = split_usual_rows(rows, TWO, [1])
    assert found is not None
    assert found.columns[0].to_pylist() == texts


@pytest.mark.parametrize(
    "rows",
    [
        b"",
        b"\n\r\n",
        b"1,a",  # no row is whole
        b"1,a\r2,b\r",
        b"1,a\n2,b\r3,c\n",
        b"1,a\n2,b,c\n",
        b"1,a\n2\n",
        b"1,a\n2\r\n",
        b'1,a\n2,"b" \n',
        b'1,a\n2,"b"c\n',
        b'1,a\n"2"b,c\n',
        b"1,a\n,\n2,b\n",  # a row that is blank
        b"1,a\r\n,\r\n2,b\r\n",
        b"1,a\nid,text\n2,b\n",  # the header again
        b"1,a\nid,text\r\n2,b\n",
        b"\xef\xbb\xbf1,a\n2,b\n",
        b"1,a\n\xef\xbb\xbf2,b\n",
        b'1,"a\n2,b"\n',  # a quote that was left open, and its lines
        b'1,a\n200000,"a\n"200009",b"\n3,c\n',
        b"1," + b"a" * (4 << 20) + b"\n",
    ],
)
def test_rows_that_are_not_as_usual(rows: bytes) -> None:
    assert split_usual_rows(rows, TWO, [0, 1]) is None


def test_other_dialects() -> None:
    without = Dialect("\t", Quoting(""), ("id", "text"))
    found = split_usual_rows(b'"1\t"a"\n', without, [1, 0])
    assert found is not None
    assert [cells.to_pylist() for cells in found.columns] == [[b'"a"'], [b'"1']]
    assert split_usual_rows(b"1,a\n", Dialect(quoting=Quoting(escaped=True), names=("id", "text")), [1]) is None
    one = split_usual_rows(b'text\n"",\n\n""\n', Dialect("\x1f", Quoting(""), ("text",), header=b"text"), [0])
    assert one is not None
    assert one.columns[0].to_pylist() == [b"text", b'"",', b'""']


@pytest.mark.parametrize("columns", [[], [2], [-1], [1, 1]])
def test_columns_that_there_are_not(columns: list[int]) -> None:
    with pytest.raises(ValueError, match="expected distinct column numbers from 0 to 1"):
        split_cells(b"1,a\n", 2, columns, b",", b'"', b"", pa.allocate_buffer)


def outcome(raw: bytes, **options: Any) -> tuple[object, ...]:
    """All that reading says about some bytes."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            found = read(io.BytesIO(raw), format="csv", keep=["n"], text="text", **options)
            result: tuple[object, ...] = (found.texts, found.columns, found.invalid, found.sizes)
        except ProblexError as error:
            result = (str(error),)
    return *result, [str(warning.message) for warning in warned]


PIECES = st.lists(
    st.sampled_from(
        [*(bytes([byte]) for byte in b'a1,"\n\r \0\xff;'), "é".encode(), b"\xef\xbb\xbf", b'1,"a"\n', b"2,b\r\n",
         b'"a ""b""",c\r\n', b'3,"x\ny"\n', b'1,"a\n2,b\n3,c"\n', b'100001,"a\n100002,b"\r\n', b"n,text\n", b",\n",
         b'4,"\nn,text\n"\n', b"word,other words\n", b'"quoted","twice, or more"\n', b'"",']
    )
)  # fmt: skip


@given(PIECES, st.integers(1, 40) | st.just(1 << 20), st.sampled_from(["stop", "skip", "replace"]), st.booleans())
@settings(max_examples=300)
def test_both_ways_read_the_same(parts: list[bytes], size: int, on_error: str, is_tolerant: bool) -> None:
    """Texts, kept cells, losses, errors and warnings do not depend on how rows are split."""
    raw = b"n,text\nfirst,row\n" + b"".join(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_file, "READ_BYTES", size)
        if is_tolerant:
            patch.setattr(batch, "MAX_SHARE", 2)
            patch.setattr(batch, "MAX_OF_FEW", 2)
        found = outcome(raw, on_error=on_error, encoding="utf-8")
        patch.setattr(csv_file, "split_usual_rows", lambda *_: None)
        assert found == outcome(raw, on_error=on_error, encoding="utf-8")


def test_positions_do_not_depend_on_how_rows_are_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_csv(tmp_path / "x.csv", [f'text {number}, "so"' for number in range(40)])
    monkeypatch.setattr(csv_file, "READ_BYTES", 100)
    positions = [(batch.position, batch.bytes_read) for batch in batches(tmp_path / "x.csv")]
    monkeypatch.setattr(csv_file, "split_usual_rows", lambda *_: None)
    assert positions == [(batch.position, batch.bytes_read) for batch in batches(tmp_path / "x.csv")]
    assert len(positions) > 5


def test_usual_rows_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row by row takes 15 times as long."""
    calls: list[ChunkCells | None] = []

    def split(*arguments: Any) -> ChunkCells | None:
        calls.append(split_usual_rows(*arguments))
        return calls[-1]

    texts = [f'text {number},\n"so"' for number in range(1000)]
    write_csv(tmp_path / "x.csv", texts)
    monkeypatch.setattr(csv_file, "split_usual_rows", split)
    monkeypatch.setattr(csv_file, "read_row", None)
    assert read(tmp_path / "x.csv", text="text", keep=["id"]).texts == texts
    assert len(calls) == 1


def test_a_header_within_a_quoted_cell_is_text(tmp_path: Path) -> None:
    texts = ["see:\nid,text\n1,so", "another"]
    write_csv(tmp_path / "x.csv", texts)
    assert read(tmp_path / "x.csv").texts == texts
    with (tmp_path / "x.csv").open("ab") as file:
        file.write(b"id,text\nn2,last\n")
    with pytest.warns(DocumentWarning, match="header more than once"):
        assert read(tmp_path / "x.csv").texts == [*texts, "last"]


def test_an_error_behind_usual_rows_names_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "READ_BYTES", 30)
    (tmp_path / "x.csv").write_text("id,text\n" + '1,"a ""good"" film"\n\n' * 20 + "2,b,c\n")
    assert error_of(tmp_path / "x.csv").startswith(f"row 22 of {tmp_path / 'x.csv'} ")
