from __future__ import annotations

import os
from pathlib import Path

import pytest

from problex._util.files import check_writable, write_atomically
from problex.errors import OutputError


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(tmp_path: Path) -> None:
    target = tmp_path / "x.json"
    target.write_text("old")

    def fails(path: Path) -> None:
        path.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match="could not be written: No space left on device; nothing was changed"):
        write_atomically(target, fails, force=True)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


def test_a_finished_write_replaces(tmp_path: Path) -> None:
    target = tmp_path / "x.json"
    write_atomically(target, lambda path: path.write_text("new"))
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o600 == 0o600
    with pytest.raises(OutputError, match="exists"):
        write_atomically(target, lambda path: path.write_text("newer"))
    write_atomically(target, lambda path: path.write_text("newer"), force=True)
    assert target.read_text() == "newer"


def test_places_that_cannot_be_written_are_named_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="is a folder, expected a file name"):
        check_writable(tmp_path)
    with pytest.raises(OutputError, match=r"there is no folder .*to write 'x.csv' into: create it first"):
        check_writable(tmp_path / "no" / "x.csv")


def test_a_file_is_flushed_to_the_disk_while_open_for_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows flushes no file that is open for reading only."""
    fcntl = pytest.importorskip("fcntl")
    modes = []
    monkeypatch.setattr(os, "fsync", lambda file: modes.append(fcntl.fcntl(file, fcntl.F_GETFL) & os.O_ACCMODE))
    write_atomically(tmp_path / "x.json", lambda path: path.write_text("new"))
    assert modes == [os.O_RDWR]
    assert (tmp_path / "x.json").read_text() == "new"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, lambda path: path.write_text("new"), force=True)
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_what_is_not_an_ordinary_file_is_never_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutputError, match="is not an ordinary file: leave the output out"):
        write_atomically(tmp_path / "pipe", lambda path: path.write_text("x"), force=True)
    assert (tmp_path / "pipe").is_fifo()


def test_the_temporary_file_of_a_killed_writer_is_replaced_by_the_next(tmp_path: Path) -> None:
    (tmp_path / ".x.counts.new").write_text("half")
    write_atomically(tmp_path / "x.counts", lambda path: path.write_text("whole"), single_writer=True)
    assert [path.name for path in tmp_path.iterdir()] == ["x.counts"]


def test_two_writers_do_not_share_a_temporary_file(tmp_path: Path) -> None:
    names = set()

    def write(path: Path) -> None:
        names.add(path)
        path.write_text("outer")
        if len(names) == 1:
            write_atomically(tmp_path / "x", write, force=True)

    write_atomically(tmp_path / "x", write, force=True)
    assert len(names) == 2
    assert (tmp_path / "x").read_text() == "outer"


def test_files_have_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "x", lambda path: path.write_text("new"))
    finally:
        os.umask(before)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o640
