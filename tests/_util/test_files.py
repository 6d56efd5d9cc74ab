from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from problex._util.files import TemporaryFolder, check_writable, is_same_file, lock, scratch_file, write_atomically
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
    code = "import os, pathlib, sys; from problex._util.files import write_atomically as write; "
    code += "write(pathlib.Path(sys.argv[1]), lambda path: (path.write_text('half'), os._exit(9)))"
    assert subprocess.run([sys.executable, "-c", code, tmp_path / "x.counts"], check=False, timeout=60).returncode == 9
    (tmp_path / ".x.counts.mine").write_text("of somebody else")
    assert len(list(tmp_path.iterdir())) == 2
    write_atomically(tmp_path / "x.counts", lambda path: path.write_text("whole"))
    assert {path.name for path in tmp_path.iterdir()} == {"x.counts", ".x.counts.mine"}


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


def test_the_temporary_file_of_a_running_writer_stays(tmp_path: Path) -> None:
    def write(path: Path) -> None:
        path.write_text("outer")
        write_atomically(tmp_path / "x", lambda other: other.write_text("inner"), force=True)
        assert path.read_text() == "outer"

    write_atomically(tmp_path / "x", write, force=True)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["outer"]


def test_a_temporary_name_that_exists_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.urandom", lambda length: bytes.fromhex("0123456789abcdef"))
    (tmp_path / "victim").write_text("precious")
    (tmp_path / ".x.0123456789abcdef.part").symlink_to(tmp_path / "victim")
    with pytest.raises(OutputError, match="could not be written"):
        write_atomically(tmp_path / "x", lambda path: path.write_text("new"))
    assert (tmp_path / "victim").read_text() == "precious"


def test_files_with_long_names_are_written(tmp_path: Path) -> None:
    write_atomically(tmp_path / ("x" * 250), lambda path: path.write_text("new"))
    assert (tmp_path / ("x" * 250)).read_text() == "new"


def test_a_locked_file_is_refused_until_it_is_unlocked(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "log")
    with lock(tmp_path / "log"):
        for name in ("log", "link"):
            with pytest.raises(OutputError, match=f"{name}' is in use by another run: wait until it has ended"):
                lock(tmp_path / name).__enter__()
    with lock(tmp_path / "log"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["link"]


def test_the_lock_of_a_killed_process_ends_with_it(tmp_path: Path) -> None:
    code = "import pathlib, sys, time; from problex._util.files import lock; "
    code += "held = lock(pathlib.Path(sys.argv[1])); held.__enter__(); print(flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code, tmp_path / "log"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(OutputError, match="in use by another run"):
            lock(tmp_path / "log").__enter__()
        process.kill()
    with lock(tmp_path / "log"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_one_file_has_many_spellings(tmp_path: Path) -> None:
    file, other = tmp_path / "x", tmp_path / "folder"
    other.mkdir()
    assert is_same_file(file, other / ".." / "x")  # before there is one
    file.write_text("")
    (tmp_path / "link").symlink_to(file)
    (tmp_path / "hard").hardlink_to(file)
    assert all(is_same_file(file, tmp_path / name) for name in ("link", "hard", "./folder/../x"))
    assert not is_same_file(file, tmp_path / "y")


def write_between(path: Path, function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another run write a file after this one has looked for it, just before it gives its own file the name."""
    original = getattr(os, function)

    def write_first(source: Path, target: Path) -> None:
        path.write_text("theirs")
        original(source, target)

    monkeypatch.setattr(os, function, write_first)


def test_of_two_runs_at_the_same_moment_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_between(tmp_path / "x", "rename" if sys.platform == "win32" else "link", monkeypatch)
    for confirm in (False, True):
        with pytest.raises(OutputError, match="x' exists: choose another name, or overwrite it with force=True"):
            write_atomically(tmp_path / "x", lambda path: path.write_text("mine"), confirm=confirm)
        assert [path.read_text() for path in tmp_path.iterdir()] == ["theirs"]
        (tmp_path / "x").unlink()


def test_a_new_file_is_written_where_there_are_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    write_atomically(tmp_path / "x", lambda path: path.write_text("new"))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("x", "new")]
    with pytest.raises(OutputError, match="exists"):
        write_atomically(tmp_path / "x", lambda path: path.write_text("newer"))


def test_a_new_file_has_one_name(tmp_path: Path) -> None:
    write_atomically(tmp_path / "x", lambda path: path.write_text("new"))
    assert (tmp_path / "x").stat().st_nlink == 1


def test_what_another_run_has_written_in_the_meantime_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "x.json"

    def slow(path: Path) -> None:
        path.write_text("mine")
        target.write_text("theirs")

    with pytest.raises(OutputError, match="exists: choose another name"):
        write_atomically(target, slow)
    assert target.read_text() == "theirs"
    write_atomically(target, slow, force=True)
    assert (target.read_text(), os.listdir(tmp_path)) == ("mine", ["x.json"])


def test_the_temporary_file_of_a_killed_run_is_removed_by_the_next(tmp_path: Path) -> None:
    left, other = tmp_path / f".x.db.{'0' * 16}.part", tmp_path / f".y.db.{'0' * 16}.part"
    left.write_text("half")
    other.write_text("half")
    with scratch_file(tmp_path / "x.db") as mine:
        assert {path.name for path in tmp_path.iterdir()} == {mine.name, other.name}
        with scratch_file(tmp_path / "x.db"):  # that of a run that goes on stays
            assert mine.exists()
    assert os.listdir(tmp_path) == [other.name]


def make_folder(place: Path, end: str) -> subprocess.CompletedProcess[str]:
    """Run a process that makes a temporary folder with a file in it, and ends in some way."""
    code = "import os, sys; from problex._util.files import TemporaryFolder; "
    code += "folder = TemporaryFolder(); (folder.path / 'x').write_text('x'); print(folder.path, flush=True); "
    environment = os.environ | {"TMPDIR": str(place)}
    return subprocess.run([sys.executable, "-c", code + end], capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("end", ["sys.exit(1)", "raise KeyboardInterrupt", ""])
def test_a_process_leaves_no_temporary_folder(end: str, tmp_path: Path) -> None:
    assert make_folder(tmp_path, end).stdout
    assert os.listdir(tmp_path) == []


def test_a_fork_does_not_remove_the_temporary_folders_of_its_parent(tmp_path: Path) -> None:
    assert make_folder(tmp_path, "os.fork() or sys.exit(); os.wait(); (folder.path / 'x').read_text()").returncode == 0
    assert os.listdir(tmp_path) == []


def test_a_temporary_folder_is_private_and_ends_with_its_block() -> None:
    with TemporaryFolder() as mine, TemporaryFolder() as other:
        assert mine != other
        assert mine.stat().st_mode & 0o777 == 0o700
    assert not mine.exists()
    assert not other.exists()
