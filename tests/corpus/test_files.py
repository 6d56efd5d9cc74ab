"""Several files are one corpus, and reading goes on at any position as if it had never stopped."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus import batch, batches, column_names, list_files
from problex.errors import DocumentError, DocumentWarning
from problex.tables import csv_file, several, text_files

TEXTS = ["a good film", "", "n'était pas bon: 映画 😀", 'he said "no",\nand left', "  blanks  ", "x" * 40] * 7


def write_csv(path: Path, texts: Sequence[str]) -> None:
    rows = "".join('{},"{}"\n'.format(at, text.replace('"', '""')) for at, text in enumerate(texts))
    data = ("\ufeffid,text\n" + rows).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def write_jsonl(path: Path, texts: Sequence[str]) -> None:
    lines = [json.dumps({"id": at, "text": text}) + "\n" * (1 + at % 2) for at, text in enumerate(texts)]
    path.write_text("".join(lines))


def write_parquet(path: Path, texts: Sequence[str]) -> None:
    pq.write_table(pa.table({"id": range(len(texts)), "text": texts}), path, row_group_size=5)


def write_txt(path: Path, texts: Sequence[str]) -> None:
    path.write_text("".join(text.replace("\n", " ") + "\n" for text in texts))


WRITERS: dict[str, Callable[[Path, Sequence[str]], None]] = {
    "x.csv": write_csv,
    "x.csv.gz": write_csv,
    "x.jsonl": write_jsonl,
    "x.parquet": write_parquet,
    "x.txt": write_txt,
}


@pytest.fixture(autouse=True)
def small_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "READ_BYTES", 50)
    monkeypatch.setattr(text_files, "READ_BYTES", 50)


def read_all(corpus: Any, **options: Any) -> list[tuple[Any, ...]]:
    result = batches(corpus, batch_bytes=30, **options)
    return [
        (batch.texts.to_pylist(), batch.first_row, batch.missing, batch.invalid, batch.columns, batch.position)
        for batch in result
    ]


def error_of(corpus: Any, **options: Any) -> str:
    with pytest.raises(DocumentError) as caught:
        read_all(corpus, **options)
    return str(caught.value)


def check_every_position(corpus: Any, **options: Any) -> None:
    whole = read_all(corpus, **options)
    positions = [at for at, batch in enumerate(whole) if batch[-1]]
    assert len(positions) > 5
    assert positions[-1] == len(whole) - 1
    for at in positions:
        assert read_all(corpus, start=whole[at][-1], **options) == whole[at + 1 :], whole[at][-1]


@pytest.mark.parametrize("name", WRITERS)
def test_reading_goes_on_at_every_position(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / name, TEXTS)
    check_every_position(tmp_path / name, keep=() if name == "x.txt" else ("id",))


def test_reading_goes_on_in_a_folder_of_texts(tmp_path: Path) -> None:
    for at, text in enumerate(TEXTS):
        (tmp_path / f"{at:03}.txt").write_text(text)
    check_every_position(tmp_path, keep="path")


@pytest.mark.parametrize("name", WRITERS)
def test_reading_goes_on_in_several_files(name: str, tmp_path: Path) -> None:
    files = [tmp_path / f"{letter}{name[1:]}" for letter in "abc"]
    for file, texts in zip(files, (TEXTS[:9], [], TEXTS[9:]), strict=True):
        WRITERS[name](file, texts)
    check_every_position(files, keep=() if name == "x.txt" else ("id",))


def test_reading_goes_on_past_what_was_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MAX_SHARE", 2)
    monkeypatch.setattr(batch, "MAX_OF_FEW", 2)
    (tmp_path / "x.csv").write_bytes(b"id,text\n" + b"1,good\n2,bad,too,many\n3,\xff poor\n" * 20)
    check_every_position(tmp_path / "x.csv", on_error="skip", encoding="utf-8")
    (tmp_path / "x.jsonl").write_bytes(b'{"text": "a"}\n[1]\n\n{"text": "b"}\n{"text": "\xff"}\n{"no": 1}\n' * 20)
    check_every_position(tmp_path / "x.jsonl", on_error="replace", text="text", encoding="utf-8")
    whole = read_all(tmp_path / "x.jsonl", on_error="skip", text="text", encoding="utf-8")
    assert sum(batch[3] for batch in whole) == 60


def test_numbers_of_rows_go_on_too(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,text\n" + "1,good\n" * 60 + "2,bad,too,many\n")
    position = [batch for batch in batches_until_error(tmp_path / "x.csv") if batch.position][3].position
    assert "row 62 of " in error_of(tmp_path / "x.csv", start=position)
    (tmp_path / "x.jsonl").write_text('{"text": "a"}\n' * 60 + "[1]\n")
    position = [batch for batch in batches_until_error(tmp_path / "x.jsonl") if batch.position][3].position
    assert "line 61 of " in error_of(tmp_path / "x.jsonl", start=position)


def batches_until_error(path: Path) -> list[Any]:
    result, stream = [], batches(path, batch_bytes=30)
    with contextlib.suppress(DocumentError):
        while True:
            result.append(next(stream))
    return result


# -- which files


@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz", "x.jsonl", "x.parquet"])
def test_a_folder_of_tables_is_one_corpus(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    (folder / "more").mkdir(parents=True)
    parts = {f"b{name[1:]}": TEXTS[:3], f"a{name[1:]}": TEXTS[3:9], f"more/c{name[1:]}": TEXTS[9:]}
    for part, texts in parts.items():
        WRITERS[name](folder / part, texts)
    for ignored in ("_SUCCESS", ".a.parquet.crc", "README.md", "_more.csv"):
        (folder / ignored).write_text("nothing")
    expected = [*TEXTS[3:9], *TEXTS[:3], *TEXTS[9:]]
    globbed = [folder / f"a{name[1:]}", folder / f"b{name[1:]}", folder / "more"]
    for corpus in (folder, folder / f"**/?{name[1:]}", globbed, [folder / f"[ab]{name[1:]}", folder / "more"]):
        result = read_all(corpus)
        assert [text for batch in result for text in batch[0]] == expected
        assert [batch[1] for batch in result] == [sum(len(b[0]) for b in result[:at]) for at in range(len(result))]
    assert column_names(folder) == ["id", "text", "file"]
    assert next(batches(folder)).bytes_total == sum((folder / part).stat().st_size for part in parts)


def test_bytes_read_grow_to_the_whole(tmp_path: Path) -> None:
    for name, write in WRITERS.items():
        if name != "x.txt":
            (tmp_path / name).mkdir()
            for letter in "abc":
                write(tmp_path / name / f"{letter}{name[1:]}", TEXTS)
            result = list(batches(tmp_path / name, batch_bytes=30))
            read = [batch.bytes_read for batch in result]
            assert read == sorted(read)
            assert read[-1] == result[0].bytes_total


def test_a_bad_document_is_named_by_its_file_and_row(tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet", TEXTS)
    binary = pa.array([b"fine", b"fine", b"\xff"], pa.binary())
    pq.write_table(pa.table({"id": [1, 2, 3], "text": binary}), tmp_path / "b.parquet")
    expected = f"document 2 of {tmp_path / 'b.parquet'} is not valid UTF-8 at byte 0."
    assert error_of(tmp_path).startswith(expected)
    assert [batch[3] for batch in read_all(tmp_path, on_error="skip")][-1] == 1


def test_a_file_without_the_named_column_is_named(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", ["x"])
    (tmp_path / "b.csv").write_text("id,body\n1,x\n")
    expected = f"{tmp_path / 'b.csv'}: there is no column 'text'; the columns are 'id', 'body'. Name one of these."
    assert error_of(tmp_path, text="text") == expected
    (tmp_path / "b.csv").write_text("id,text,text\n1,x,y\n")
    assert f"{tmp_path / 'b.csv'} has the columns 'id', 'text', 'text'; expected 'text' once." in error_of(tmp_path)
    (tmp_path / "b.csv").write_text("id,no\n1,x\n")
    assert error_of(tmp_path).startswith(f"{tmp_path / 'b.csv'}: the column with the texts could not be guessed;")
    assert error_of(tmp_path / "*.tsv").startswith(f"no file matches '{tmp_path / '*.tsv'}'.")
    assert [file.name for file in list_files(tmp_path / "*.csv")] == ["a.csv", "b.csv"]


def test_a_path_may_be_a_string_where_no_text_is_expected(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", ["x"])
    write_csv(tmp_path / "b.csv", ["y"])
    paths = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    assert list_files(paths[0]) == [Path(paths[0])]
    assert list_files(paths) == list_files(str(tmp_path / "*.csv")) == [Path(path) for path in paths]
    assert column_names(paths[0]) == column_names(Path(paths[0]))
    assert column_names(paths) == column_names(str(tmp_path)) == column_names(tmp_path)
    assert column_names("-") == column_names(["-"]) == column_names(Path("-")) == []


def test_a_broken_file_among_others_is_named(tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet", ["x"])
    (tmp_path / "b.parquet").write_bytes(b"PAR1 nothing PAR1")
    assert error_of(tmp_path).startswith(f"{tmp_path / 'b.parquet'} cannot be read: ")


def test_kept_columns_have_one_type_in_all_files(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": pa.array([1, 2], pa.int64()), "text": ["a", "b"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"id": pa.array([3], pa.int32()), "text": ["c"]}), tmp_path / "b.parquet")
    result = read_all(tmp_path, keep=["id"])
    assert [batch[4]["id"].type for batch in result] == [pa.int64()] * len(result)
    assert read_all(tmp_path, keep=["id"], start=result[-2][-1])[0][4].equals(result[-1][4])
    pq.write_table(pa.table({"id": ["x"], "text": ["d"]}), tmp_path / "c.parquet")
    with pytest.warns(DocumentWarning, match="different types in the kept columns 'id': kept as text"):
        kept = pa.concat_tables(batch[4] for batch in read_all(tmp_path, keep=["id"]))
    assert kept["id"].to_pylist() == ["1", "2", "3", "x"]


def test_beyond_the_checked_files_types_must_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(several, "MAX_CHECKED", 1)
    pq.write_table(pa.table({"id": [1, 2], "text": ["a", "b"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"id": ["x"], "text": ["d"]}), tmp_path / "c.parquet")
    expected = f"the column 'id' of {tmp_path / 'c.parquet'} is of type string; expected int64, as in the other files:"
    assert error_of(tmp_path, keep=["id"]).startswith(expected)


def test_only_files_can_be_read_from_the_midst() -> None:
    assert error_of(["a", "b"], start=(1, 1)).startswith("reading can continue only in files")


# -- files that differ


def test_a_name_like_a_pattern_is_a_file_if_there_is_one(tmp_path: Path) -> None:
    write_csv(tmp_path / "x[1].csv", ["a"])
    assert read_all(tmp_path / "x[1].csv")[0][0] == ["a"]


def test_an_empty_file_among_tables_has_no_columns_to_check(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", ["x"])
    (tmp_path / "b.csv").write_bytes(b"")
    assert [batch[0] for batch in read_all(tmp_path, keep=["id"])] == [["x"]]


def test_a_line_of_jsonl_need_not_have_the_kept_columns(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", ["x"])
    (tmp_path / "b.jsonl").write_text('{"text": "y", "more": 1}\n')
    assert [batch[4].to_pydict() for batch in read_all(tmp_path, keep=["id"])] == [{"id": [0]}, {"id": [None]}]


def test_a_missing_file_among_others_is_named(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", ["x"])
    expected = f"there is no file or folder {str(tmp_path / 'missing.csv')!r}."
    assert error_of([tmp_path / "a.csv", tmp_path / "missing.csv"]).startswith(expected)


def test_types_of_the_first_file_go_on_at_every_position(tmp_path: Path) -> None:
    for name, kind in (("a", pa.int64()), ("b", pa.int32()), ("c", pa.int16())):
        table = pa.table({"id": pa.array(range(9), kind), "text": [f"a text of {at}" for at in range(9)]})
        pq.write_table(table, tmp_path / f"{name}.parquet", row_group_size=2)
    assert {batch[4]["id"].type for batch in read_all(tmp_path, keep=["id"])} == {pa.int64()}
    check_every_position(tmp_path, keep=["id"])


# -- files of different shapes


def test_files_of_different_shapes_are_one_corpus(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,review\n7,a good film\n")
    write_jsonl(tmp_path / "b.jsonl", ["x", "y"])
    (tmp_path / "c.txt").write_text("one\ntwo\n")
    files = [tmp_path / name for name in ("a.csv", "b.jsonl", "c.txt")]
    with pytest.warns(DocumentWarning) as notes:
        result = read_all(files, keep=["file", "id"])
    assert [text for batch in result for text in batch[0]] == ["a good film", "x", "y", "one", "two"]
    kept = pa.concat_tables(batch[4] for batch in result).to_pydict()
    assert kept["file"] == ["a.csv", "b.jsonl", "b.jsonl", "c.txt", "c.txt"]
    assert kept["id"] == ["7", "0", "1", None, None]
    assert sorted(str(note.message) for note in notes) == [
        f"{files[2]} has no column 'id' to keep: it is empty there",
        f"reading texts from the columns 'review' of {files[0]}, 'text' of {files[1]} (guessed)",
        "the files have different types in the kept columns 'id': kept as text",
    ]
    check_positions_of_mixed(files)


def check_positions_of_mixed(files: list[Path]) -> None:
    whole = read_all(files, keep=["file", "id"])
    for at, part in enumerate(whole):
        assert read_all(files, keep=["file", "id"], start=part[-1]) == whole[at + 1 :]


def test_a_folder_of_several_formats_is_read_and_said(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", ["x"])
    write_csv(tmp_path / "b.csv", ["y"])
    write_parquet(tmp_path / "c.parquet", ["z"])
    (tmp_path / "d.txt").write_text("one\ntext")
    (tmp_path / "notes.docx").write_text("?")
    with pytest.warns(DocumentWarning) as notes:
        result = read_all(tmp_path, keep=["file"])
    assert [text for batch in result for text in batch[0]] == ["x", "y", "z", "one\ntext"]
    files = [file for batch in result for file in batch[4]["file"].to_pylist()]
    assert [Path(file).name for file in files] == ["a.csv", "b.csv", "c.parquet", "d.txt"]
    said = " ".join(str(note.message) for note in notes)
    assert f"the folder {tmp_path} holds 2 files of csv, 1 file of parquet, 1 file of txt: all are read" in said
    assert f"the folder {tmp_path}: 'notes.docx' cannot be read and is left out" in said


def test_a_column_called_file_is_the_users_own(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(f"file,text\nmine of {name},x\n")
    kept = [batch[4]["file"].to_pylist() for batch in read_all(tmp_path, keep=["file"])]
    assert kept == [["mine of a.csv"], ["mine of b.csv"]]


def test_files_of_a_folder_that_begin_with_an_underscore_are_named(tmp_path: Path) -> None:
    for name in ("a.txt", "_intro.txt", "_SUCCESS", "_temporary/b.txt", ".hidden.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("good")
    with pytest.warns(
        DocumentWarning, match=r"'_intro.txt' is left out: names that begin with an underscore are skipped"
    ) as said:
        assert sum(len(batch.texts) for batch in batches(tmp_path)) == 1
    assert len(said) == 1
