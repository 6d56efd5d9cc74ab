"""Which format a file has, and errors that name the file."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pytest

from problex.corpus import batches, column_names
from problex.tables.formats import FORMATS, STREAM_FORMATS, guess_format
from tests.tables.reading import FILES, error_of, read


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl", "x.txt"])
def test_an_empty_file_gives_no_batch(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    assert list(batches(tmp_path / name)) == []


def test_a_missing_file_suggests_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "reviews.csv").write_text("text\na\n")
    message = error_of(tmp_path / "review.csv")
    assert message.startswith(
        f"there is no file or folder {str(tmp_path / 'review.csv')!r}. Did you mean 'reviews.csv'?"
    )
    assert error_of(tmp_path / "no" / "x.csv").endswith(f"Check the folder {str(tmp_path / 'no')!r}.")


@pytest.mark.parametrize("target", ["nowhere.csv", "link.csv"])
def test_a_link_that_leads_nowhere_is_named_as_such(target: str, tmp_path: Path) -> None:
    (tmp_path / "link.csv").symlink_to(target)
    assert error_of(tmp_path / "link.csv") == (
        f"{str(tmp_path / 'link.csv')!r} is a broken link: its target {target!r} cannot be found. "
        "Correct the link, or give another file."
    )
    assert "Check the folder" in error_of(tmp_path / "links.csv")  # a link that leads nowhere is not proposed


def test_unknown_formats(tmp_path: Path) -> None:
    for name in ("x.doc", "x.json", "x", "x.gz"):
        (tmp_path / name).write_text('{"text": "a"}\n')
    assert "has the extension '.doc'; expected one of .csv, .tsv, .tab, .jsonl, " in error_of(tmp_path / "x.doc")
    assert "(.gz, .zst, .bz2, .xz)" in error_of(tmp_path / "x.doc")
    assert error_of(tmp_path / "x.json").endswith("Write one JSON object per line (.jsonl).")
    assert error_of(tmp_path / "x.gz").endswith("Rename it, or give format=...")
    assert read(tmp_path / "x", format="jsonl").texts == ["a"]
    expected = "format='word' was given; expected one of 'csv', 'tsv', 'jsonl', 'parquet', 'txt', 'folder', 'excel', "
    assert error_of(tmp_path / "x", format="word").startswith(expected)


@pytest.mark.parametrize("suffix", [".gz", ".zst", ".bz2"])
@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl", "x.txt"])
def test_compressed_files(name: str, suffix: str, tmp_path: Path) -> None:
    texts = ["a", "b é", "c"]
    FILES.get(name, lambda path, texts: path.write_text("\n".join(texts)))(tmp_path / name, texts)
    plain = (tmp_path / name).read_bytes()
    with pa.output_stream(str(tmp_path / (name + suffix)), compression="detect") as file:
        file.write(plain)
    assert read(tmp_path / (name + suffix)).texts == texts
    if name != "x.txt":
        assert column_names(tmp_path / (name + suffix)) == ["id", "text"]


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.jsonl"])
def test_a_truncated_archive_is_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.gz"
    rows = [f'{{"text": "{n}"}}' if name == "x.jsonl" else f"{n * n}" for n in range(10_000)]
    path.write_bytes(gzip.compress("\n".join(rows).encode())[:-2000])
    message = error_of(path)
    assert message.startswith(f"{path} cannot be read: Truncated compressed stream. Expected a complete, readable file")


def test_formats_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        FORMATS["xls"] = FORMATS["csv"]  # type: ignore[index]


def test_formats_and_their_endings() -> None:
    tables = ["excel", "xls", "ods", "stata", "spss", "r", "sqlite", "duckdb", "arrow", "zip"]
    assert list(FORMATS) == ["csv", "tsv", "jsonl", "parquet", "txt", "folder", *tables]
    assert STREAM_FORMATS == ("csv", "tsv", "jsonl", "txt")
    endings = [ending for format in FORMATS.values() for ending in format.endings]
    assert len(endings) == len(set(endings))
    for ending, expected in {".tab": "tsv", ".ndjson.gz": "jsonl", ".PQ": "parquet", ".txt.zst": "txt"}.items():
        assert guess_format(Path(f"x{ending}")) == expected
