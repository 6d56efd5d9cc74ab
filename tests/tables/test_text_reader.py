"""Plain text: lines of a file, and the files of a folder."""

from __future__ import annotations

from pathlib import Path

from problex.corpus import batches, column_names
from tests.tables.reading import error_of, read


def test_lines_of_text(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"\xef\xbb\xbfone\r\n\r\ntwo\rstill two\n\nlast")
    assert read(tmp_path / "x.txt", batch_bytes=3).texts == ["one", "", "two\rstill two", "", "last"]
    assert column_names(tmp_path / "x.txt") == []


def test_a_folder_of_texts(tmp_path: Path) -> None:
    (tmp_path / "neg").mkdir()
    for name, text in {"b.txt": "b\nb\n", "neg/1.TXT": "neg", "a.txt": "\ufeffa", "other.md": "no"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    result = read(tmp_path, keep=["path"], batch_bytes=2)
    assert result.texts == ["a", "b\nb\n", "neg"]
    assert result.columns == {"path": ["a.txt", "b.txt", "neg/1.TXT"]}
    assert {batch.bytes_total for batch in batches(tmp_path)} == {4 + 4 + 3}
    (tmp_path / "empty").mkdir()
    expected = f"the folder {tmp_path / 'empty'} has no file that can be read; expected .txt files, each a document, or"
    assert error_of(tmp_path / "empty").startswith(expected)


def test_hidden_files_of_a_folder_are_not_read(tmp_path: Path) -> None:
    for folder in ("", ".git/", "_temporary/", "sub/"):
        (tmp_path / folder).mkdir(exist_ok=True)
        for name in ("a.txt", ".hidden.txt", "_part.txt"):
            (tmp_path / folder / name).write_text(folder + name)
    assert read(tmp_path, keep=["path"]).columns == {"path": ["a.txt", "sub/a.txt"]}
    assert read(tmp_path / ".git").texts == [".git/a.txt"]  # a folder that is named is read
    assert {batch.bytes_total for batch in batches(tmp_path)} == {len("a.txt") + len("sub/a.txt")}


def test_a_byte_order_mark_alone_is_no_document(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"\xef\xbb\xbf")
    assert read(tmp_path / "x.txt").texts == []


def test_a_text_of_a_folder_may_be_as_large_as_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a" * 500)
    assert read(tmp_path, memory=2000).texts == ["a" * 500]
    assert error_of(tmp_path, memory=1999).startswith(f"{tmp_path / 'a.txt'} is a text of over 499;")


def test_a_line_with_one_quotation_mark_after_a_comma(tmp_path: Path) -> None:
    """Found by `make fuzz`: read as CSV, the quotation mark has no end."""
    lines = ['A good," fine day :)', "not good, no good", "bad, hopeless, happy?", "Un café — bad", "", "nothing"]
    (tmp_path / "x.txt").write_text("\n".join([*lines, *(lines[1:] * 3)]), encoding="utf-8")
    assert next(iter(batches(tmp_path / "x.txt", missing="empty"))).texts.to_pylist()[:2] == lines[:2]
