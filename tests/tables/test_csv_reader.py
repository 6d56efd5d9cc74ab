"""CSV: any rows come back, and rows with too many or too few cells are named or counted."""

from __future__ import annotations

import io
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from problex.corpus import batch, batches, column_names
from problex.errors import DocumentWarning
from problex.tables import csv_file, text_files
from tests.tables.reading import error_of, read, write_csv


@pytest.mark.parametrize("content", ["id,text", "id,text\n", "\ufeffid,text\r\n\r\n"])
def test_a_csv_with_only_a_header_gives_no_batch(content: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(content, encoding="utf-8")
    assert list(batches(tmp_path / "x.csv", keep=["id"])) == []
    assert column_names(tmp_path / "x.csv") == ["id", "text"]


def test_a_giant_cell_straddles_the_blocks_of_a_csv(tmp_path: Path) -> None:
    texts = ["row"] * 300_000 + ["giant\n" * 800_000, "after"]
    write_csv(tmp_path / "x.csv", texts)
    result = read(tmp_path / "x.csv", batch_bytes=1 << 20, keep=["id"])
    assert result.texts == texts
    assert result.columns["id"] == [f"n{number}" for number in range(len(texts))]
    stream = io.BytesIO(b'id,text\n1,"' + b"giant\n" * 600_000 + b'"\n2,after\n')
    assert read(stream, format="csv").texts == ["giant\n" * 600_000, "after"]


def test_doubled_columns(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("text,n,n\na,1,2\n")
    assert read(tmp_path / "x.csv").texts == ["a"]
    assert error_of(tmp_path / "x.csv", keep=["n"]) == "2 columns are called 'n'; rename all but one."


def test_csv_with_byte_order_mark_and_empty_cells(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(b'\xef\xbb\xbf"text",n\r\nNULL,1\r\n,2\r\n\r\n"",3\r\nNaN,\r\n')
    result = read(tmp_path / "x.csv", keep=["n"])
    assert (result.texts, result.missing) == (["NULL", "", "", "NaN"], 0)
    assert result.columns == {"n": ["1", "2", "3", ""]}


RAGGED = b"id,text\n1,a\n2,b,c\n\n3,d\n4\n5,e \xff,f\n6,\xfe\n7,g\n8,h,i\n" + b"9,j\n" * 50


def test_rows_with_too_many_or_too_few_cells(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(RAGGED)
    message = error_of(path, encoding="utf-8")
    assert message.startswith(f"row 3 of {path} (the header is row 1; blank lines do not count) has 3 cells, '2,b,c'; ")
    assert 'expected 2. Correct it (is a quote or a delimiter missing?), or give on_error="skip".' in message
    for documents, options in ((path, {}), (io.BytesIO(RAGGED), {"format": "csv"})):
        result = read(documents, on_error="skip", keep=["id"], encoding="utf-8", **options)
        assert result.texts == ["a", "d", "", "g", *"j" * 50]
        assert result.columns == {"id": ["1", "3", "6", "7", *"9" * 50]}
        assert result.invalid == 5
    assert read(path, on_error="replace", encoding="utf-8").texts == ["a", "d", "\ufffd", "g", *"j" * 50]


def test_invalid_rows_and_lines_are_numbered_across_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "READ_BYTES", 20)
    monkeypatch.setattr(text_files, "READ_BYTES", 20)
    (tmp_path / "x.csv").write_text("id,text\n" + '1,"a\nb"\n' * 40 + "2,b,c\n")
    assert error_of(tmp_path / "x.csv").startswith("row 42 of ")
    (tmp_path / "x.jsonl").write_text('{"text": "a"}\n\n' * 40 + "no\n")
    assert error_of(tmp_path / "x.jsonl").startswith("line 81 of ")


def test_ragged_rows_among_many_are_counted_once(tmp_path: Path) -> None:
    rows = [f"{n},text {n}\n" if n % 50_000 != 7 else f"{n}\n" for n in range(200_000)]
    rows[150_000] = '150000,"' + "giant\n" * 400_000 + '"\n'
    (tmp_path / "x.csv").write_text("id,text\n" + "".join(rows), newline="")
    result = read(tmp_path / "x.csv", on_error="skip", keep=["id"], batch_bytes=1 << 18)
    assert result.invalid == 4
    assert result.columns["id"] == [str(n) for n in range(200_000) if n % 50_000 != 7]
    assert [n for n, text in zip(result.columns["id"], result.texts, strict=True) if text != f"text {n}"] == ["150000"]


def test_a_quote_left_open_loses_nothing_silently(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b'id,text\n"1","a"\n2,"b\n3,c\n4,d\n')
    message = error_of(path, encoding="utf-8")
    assert message.startswith(f"the last row of {path} has a quote that is never closed")
    with pytest.warns(DocumentWarning, match="never closed"):
        assert len(read(path, on_error="skip").texts) == 2
    path.write_bytes(b'id,text\n"1","a"\n2,"b\n3,c\n4,d\n"  \n\n')
    assert len(read(path).texts) == 2


def test_kept_cells_that_are_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"name,text\nb,a\nJos\xe9,b\n")
    assert error_of(path, keep=["name"], encoding="utf-8").startswith(
        f"document 1 of {path}, column 'name', is not valid UTF-8 at byte 3"
    )
    assert read(path, keep=["name"], on_error="skip", encoding="utf-8").columns == {"name": ["b", "Jos\ufffd"]}
    assert read(path, keep=["name"]).columns == {"name": ["b", "José"]}
    assert read(path).texts == ["a", "b"]


def test_a_row_too_large() -> None:
    stream = io.BytesIO(b'text,n\n"' + b"x" * (3 << 20) + b'",1\n')
    assert error_of(stream, format="csv", batch_bytes=1 << 20, memory=4 << 20) == (
        'the stream has a row of over 1MiB; expected at most a quarter of memory="4MiB". Is a quote left open? Correct '
        "the file, or give more with memory=..."
    )
    assert read(io.BytesIO(b'text\n"' + b"x" * (3 << 20) + b'"\n'), format="csv", memory=16 << 20).sizes == [1]


def test_a_row_as_large_as_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "READ_BYTES", 13)
    content = b'text\nfour\n"xxxxxxx yy"\n'  # 13 bytes are read first, and 8 of them are the beginning of a row
    assert read(io.BytesIO(content), format="csv", memory=4 * 8).texts == ["four", "xxxxxxx yy"]
    assert "has a row of over 7;" in error_of(io.BytesIO(content), format="csv", memory=4 * 7)


def test_a_csv_is_read_in_chunks_of_2_mebibytes(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(b"text\n" + (b"x" * 1023 + b"\n") * 5000)
    offsets = [batch.position[3] for batch in batches(tmp_path / "x.csv") if batch.position]
    assert offsets == [5 + 1024 * rows for rows in (2048, 4096, 5000)]  # whole rows of 2 MiB


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'text,n\n"a\nb",1\n"c\nd",2', ["a\nb", "c\nd"]),  # the last row has line ends in quotes, and none at its end
        (b'text,n\n"a",1\n"b,2', None),
        (b'text,n\na,1\n"b,2', ["a", '"b']),  # no cell is quoted: the quote is part of the text
        (b'text,n\na,1\nb,"2', ["a", "b"]),  # a quote left open loses nothing where no line follows
        (b'text\n\n\na\n\n"b"\n\n', ["a", "b"]),
    ],
)
def test_the_last_row_of_a_csv(content: bytes, expected: list[str] | None, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(content)
    if expected is None:
        assert error_of(tmp_path / "x.csv").startswith(f"row 3 of {tmp_path / 'x.csv'} ")
    else:
        assert read(tmp_path / "x.csv").texts == expected


@settings(max_examples=300)
@given(st.text('ab,"\n\r é', max_size=60), st.integers(1, 20))
@example('"aaaaaaaa\r"a\ré', 1)
def test_small_chunks_have_the_rows_of_the_whole(content: str, read_bytes: int) -> None:
    """Anything that looks like CSV is read the same, however few bytes are read at once."""
    raw = b"n,text\n" + content.encode() + b'\n,""\n'
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        patch.setattr(batch, "MAX_SHARE", 2)
        patch.setattr(batch, "MAX_OF_FEW", 2)
        whole = read(io.BytesIO(raw), format="csv", on_error="skip", keep=["n"])
        patch.setattr(csv_file, "READ_BYTES", read_bytes)
        patch.setattr(text_files, "READ_BYTES", read_bytes)
        parts = read(io.BytesIO(raw), format="csv", on_error="skip", keep=["n"], batch_bytes=1)
    assert len(warned) in (0, 2)
    assert (parts.texts, parts.columns, parts.invalid) == (whole.texts, whole.columns, whole.invalid)


def test_a_program_may_end_in_the_midst_of_a_csv(tmp_path: Path) -> None:
    write_csv(tmp_path / "x.csv", ["text " * 100] * 20_000)
    code = "from pathlib import Path; from problex.corpus import batches; "
    code += f"stream = batches(Path({str(tmp_path / 'x.csv')!r}), batch_bytes=9); next(stream)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_file_with_carriage_returns_only_is_read_in_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "READ_BYTES", 20)
    (tmp_path / "x.csv").write_bytes(b"id,text\r" + b'1,"a,\rb"\r2,c\r' * 30)
    parts = list(batches(tmp_path / "x.csv"))
    assert [text for part in parts for text in part.texts.to_pylist()] == ["a,\rb", "c"] * 30
    assert max(len(part.texts) for part in parts) <= 4


def test_an_invalid_row_that_is_not_utf8_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ignored: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    (tmp_path / "x.csv").write_bytes("id,text\n1,é\n".encode() + b"2,b \xff,c\n3\n4,d\n")
    message = error_of(tmp_path / "x.csv")
    assert message.startswith(f"row 3 of {tmp_path / 'x.csv'} ")
    assert "has 3 cells, '2,b \ufffd,c'; expected 2." in message
    assert read(tmp_path / "x.csv", on_error="skip").invalid == 2
    assert ignored == []


def test_invalid_rows_are_counted_where_there_is_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MAX_OF_FEW", 1)
    (tmp_path / "x.csv").write_text("id,text\n1\n3,a,b\n")
    parts = list(batches(tmp_path / "x.csv", on_error="skip"))
    assert [(part.texts.to_pylist(), part.invalid) for part in parts] == [([], 2)]


def test_more_than_half_of_few_rows_are_too_many(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,text\n1\n3,a,b\n4,c\n")
    assert "2 of 3 rows could not be read, a tenth or more" in error_of(tmp_path / "x.csv", on_error="skip")
    (tmp_path / "x.csv").write_text("id,text\n1\n3,a,b\n4,c\n5,d\n")
    assert read(tmp_path / "x.csv", on_error="skip").invalid == 2


def test_rows_are_numbered_with_headers_that_are_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.csv").write_text("id,text\n1,a\nid,text\n2,b\nid,text\n3,c,d\n")
    for size in (100, 5):
        monkeypatch.setattr(csv_file, "READ_BYTES", size)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert error_of(tmp_path / "x.csv").startswith(f"row 6 of {tmp_path / 'x.csv'} ")


def test_a_row_with_an_open_quote_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text('id,text\n1,a\n2,"bad\n3,fine\n4,so"\n5,b\n6,c\n')
    found = read(tmp_path / "x.csv", on_error="skip")
    assert (found.texts, found.invalid) == (["a", "b", "c"], 1)


def test_a_quoted_header_after_a_byte_order_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "READ_BYTES", 5)
    (tmp_path / "x.csv").write_bytes(b'\xef\xbb\xbf"te,\nxt",n\na,1\n')
    assert column_names(tmp_path / "x.csv") == ["te,\nxt", "n"]
    assert read(tmp_path / "x.csv", text="te,\nxt").texts == ["a"]


@pytest.mark.parametrize(
    ("row", "text"), [(b'2,"b', "b"), (b'2,"b""', 'b"'), (b'2,"', ""), (b'2,"b"', "b"), (b'2,"b""c', 'b"c')]
)
def test_no_line_end_is_added_to_a_text_whose_quote_is_open(row: bytes, text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b'id,text\n1,"a"\n' + row)
    assert read(path, text="text").texts == ["a", text]


def test_a_row_of_damaged_utf8_with_a_cell_too_few_prints_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The column of the texts is chosen from a sample."""
    raised: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", raised.append)
    path = tmp_path / "x.csv"
    path.write_bytes(b"id,a,b\n" + b"1,good film,fine day\n" * 20 + b"2,\xa2damaged\n3,bad film,no good\n")
    error_of(path, on_error="skip", encoding="utf-8")  # which of the columns has the texts is not clear
    assert not raised
