"""Text in any encoding: reading goes on at every position, notes say what was detected, and losses stop it."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from problex.corpus import batches
from problex.errors import DocumentError, DocumentWarning
from problex.tables import csv_file, text_files
from tests.tables.reading import error_of, read

WORDS = {"shift_jis": "とても良い映画", "gb18030": "这部电影非常好看", "cp1251": "хороший фильм"}
ENCODINGS = ["utf-8", "utf-16", "utf-16-le", "utf-32", "cp1252", *WORDS]


def contents(stream: Any) -> list[Any]:
    return [(batch.texts.to_pylist(), batch.invalid, batch.position, batch.bytes_read) for batch in stream]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", ["x.csv", "x.txt", "x.jsonl"])
def test_reading_goes_on_in_every_encoding(
    name: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_file, "READ_BYTES", 300)
    monkeypatch.setattr(text_files, "READ_BYTES", 300)
    word = WORDS.get(encoding, "très schön")
    row = {"x.csv": '{n};"{word}\n; {n}"\n', "x.txt": "{word} {n}\n", "x.jsonl": '{{"text": "{word} {n}"}}\n'}[name]
    text = "id;text\n" * (name == "x.csv") + "".join(row.format(n=n, word=word) for n in range(60))
    (tmp_path / name).write_bytes(text.encode(encoding))
    with pytest.warns(DocumentWarning) if encoding != "utf-8" else io.BytesIO():
        whole = contents(batches(tmp_path / name, batch_bytes=300))
    assert [text.split()[0] for part in whole for text in part[0]] == [word.split()[0]] * 60
    assert whole[-1][3] == (tmp_path / name).stat().st_size
    assert len(whole) > 3
    for at, (_, _, position, _) in enumerate(whole):
        if position:
            assert contents(batches(tmp_path / name, batch_bytes=300, start=position)) == whole[at + 1 :]


def test_each_file_of_a_folder_has_its_own_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("schön", encoding="utf-8")
    (tmp_path / "b.txt").write_text("schön und groß", encoding="cp1252")
    (tmp_path / "c.txt").write_text("schön", encoding="utf-16")
    with pytest.warns(DocumentWarning, match=r"b\.txt: read as Latin-1; the encoding of each file is detected"):
        assert read(tmp_path).texts == ["schön", "schön und groß", "schön"]


def test_files_of_a_folder_are_judged_together_if_one_is_not_certain(tmp_path: Path) -> None:
    """ "dzień" alone may be in several encodings, beside longer texts it is Windows-1250."""
    (tmp_path / "a.txt").write_bytes("dzień".encode("cp1250"))
    message = error_of(tmp_path)
    assert message.startswith(f"{tmp_path / 'a.txt'} is not UTF-8, and which other encoding it has is not certain.")
    (tmp_path / "b.txt").write_bytes(
        "Film był świetny, ale zakończenie mnie rozczarowało. Źle zagrał też mąż.".encode("cp1250")
    )
    assert read(tmp_path).texts[0] == "dzień"


@pytest.mark.parametrize("name", ["x.csv", "x.txt", "x.jsonl", "x.txt.gz", "x.zip"])
def test_an_encoding_that_is_not_certain_is_refused_in_every_format(name: str, tmp_path: Path) -> None:
    data = "dzień\n".encode("cp1250")
    data = {"x.csv": b"id,text\n1," + data, "x.jsonl": b'{"text": "%b"}\n' % data.strip()}.get(name, data)
    if name == "x.zip":
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("y.txt", data)
    else:
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert "is not UTF-8, and which other encoding it has is not certain. A line of it is " in error_of(tmp_path / name)
    assert "dzień" in read(tmp_path / name, encoding="cp1250").texts[-1]


def test_a_stream_whose_encoding_is_not_certain_is_refused() -> None:
    message = error_of(io.BytesIO("dzień\n".encode("cp1250")), format="txt")
    assert "is not UTF-8, and which other encoding it has is not certain." in message


def test_utf8_late_in_a_file_of_latin_1_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"id,text\n" + "1,schön und groß\n".encode("cp1252") * 80_000 + "2,für Kinder\n".encode())
    message = error_of(path, on_error="skip")
    assert message.startswith(
        f"{path} begins in Latin-1, but has UTF-8 further on, in '2,für Kinder': two encodings in"
    )
    assert read(path, encoding="cp1252").texts[-1] == "fÃ¼r Kinder"


def test_a_stream_is_decoded() -> None:
    data = "id;text\n1;schön\n2;groß\n".encode("latin-1")
    assert read(io.BytesIO(data), format="csv").texts == ["schön", "groß"]
    assert read(io.BytesIO("schön\n".encode("utf-16")), format="txt").texts == ["schön"]


def test_what_the_encoding_does_not_have_is_named_or_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes("id,text\n1,schön\n".encode("cp1252") + b"2,f\x81r\n" + b"3,gut\n" * 20)
    message = error_of(path, encoding="cp1252")
    assert message.startswith(f"document 1 of {path} is not valid Windows-1252 after 'f'. Give another encoding=...")
    assert read(path, encoding="cp1252", on_error="replace").texts[:2] == ["schön", "f\ufffdr"]


def test_utf8_that_is_given_as_another_encoding_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,text\n1,schön\n", encoding="utf-8")
    with pytest.warns(DocumentWarning, match="is read as Windows-1252, as given, but it is valid UTF-8"):
        assert read(tmp_path / "x.csv", encoding="cp1252").texts == ["schÃ¶n"]


def test_a_table_named_txt_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("id,text\n1,good\n2,bad\n")
    with pytest.warns(DocumentWarning, match=r"looks like a table with the columns 'id', 'text': if it is one, rename"):
        assert len(read(tmp_path / "x.txt").texts) == 3


@pytest.mark.parametrize(("bad", "stops"), [(2, False), (3, True)])
def test_a_tenth_of_the_rows_stops_reading(bad: int, stops: bool, tmp_path: Path) -> None:
    """At least three rows, and at least a tenth: 3 of 30 stop it, 2 of 20 and 3 of 31 do not."""
    path = tmp_path / "x.jsonl"
    path.write_text('{"text": "a"}\n' * 9 * bad + "no\n" * bad)
    if stops:
        message = error_of(path, on_error="skip")
        assert message.startswith(
            f"{path}: 3 of 30 rows could not be read, a tenth or more, so that reading stops even"
        )
        assert (
            "It was read as text in UTF-8: give encoding=... if that is wrong; otherwise correct the file." in message
        )
        path.write_text('{"text": "a"}\n' * 28 + "no\n" * 3)
    assert read(path, on_error="skip").invalid == bad


def test_the_losses_of_each_file_count_alone(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a"}\n' * 100)
    (tmp_path / "b.jsonl").write_text('{"text": "a"}\n' * 3 + "no\n" * 3)
    (tmp_path / "c.jsonl").write_text('{"text": "a"}\n' * 100)
    assert error_of(tmp_path, on_error="skip").startswith(f"{tmp_path / 'b.jsonl'}: 3 of 6 rows could not be read")


@pytest.mark.parametrize(("tagged", "hint"), [(5, True), (4, False)])
def test_tags_in_a_twentieth_of_the_texts_are_said(tagged: int, hint: bool, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("Good<br />film\n" * tagged + "1 < 2 and c > d\n" * (100 - tagged))
    caught: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("problex.corpus.batch.warn_caller", lambda message, _: caught.append(message))
        list(batches(tmp_path / "x.txt", hint_markup=True))
    said = f"{tmp_path / 'x.txt'}: 5% of the first 100 texts have HTML such as <br /> or &amp; (give markup=True to"
    assert [message.startswith(said) for message in caught] == [True] * hint


@pytest.mark.parametrize("delimiter", ["", "ab", '"', "é", "x"])
def test_a_delimiter_is_one_sign(delimiter: str) -> None:
    with pytest.raises(DocumentError, match="'semicolon', 'tab', 'pipe', or another single character"):
        batches([], delimiter=delimiter)


def test_a_word_that_is_utf8_by_accident_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes("id;text\n1;так\n2;plain\n".encode("cp866"))
    with pytest.raises(
        DocumentError, match=r"x.csv is not certain: it may be UTF-8 with unusual characters, or words in"
    ):
        list(batches(path))
