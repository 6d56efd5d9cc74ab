"""Writing files so that a reader sees either the old one or the whole new one, locks on files, temporary folders."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from problex.errors import OutputError, ProblexWarning, opt, warn_caller

NAME_LENGTH = 60
"""Characters of a file's name in the names of its temporary files."""
_LOCKED_BYTE = 1 << 40  # Windows forbids others to read what is locked: a byte that no file has
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
_NEW_FILE = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def write_atomically(
    path: Path, write: Callable[[Path], object], *, force: bool = False, confirm: bool = False
) -> None:
    """Call `write` with a temporary name in the folder of `path`, then rename; if it fails, the file is removed.

    The temporary file of a process that was killed is removed by the next that writes to `path`. With `confirm`, raise
    if there is a file whose content is not that which is written. Without `force` or `confirm`, raise if there is a
    file, also if another process wrote it while this one was working.
    """
    check_writable(path, force=force or confirm)
    given, path = path, Path(os.path.realpath(path))  # a link stays a link: the file it points to is replaced
    partial, descriptor = _open_partial(path)
    try:
        write(partial)
        os.fsync(descriptor)
        may_replace = force or (confirm and path.exists() and _are_equal(partial, path))
        check_writable(given, force=may_replace)  # another run may have written it in the meantime
        if sys.platform == "win32":  # which renames no open file
            os.close(descriptor)
            descriptor = -1
        if may_replace:
            partial.replace(path)
        else:
            _move_to_new(partial, path, given)
    except OSError as error:
        raise _not_written(path, error) from error
    finally:
        if descriptor >= 0:
            os.close(descriptor)
        partial.unlink(missing_ok=True)


def _move_to_new(partial: Path, path: Path, given: Path) -> None:
    """Give a file its name; raise if another file has it, also if that was written a moment ago."""
    try:
        if sys.platform == "win32":
            os.rename(partial, path)  # which replaces no file there
        else:
            os.link(partial, path)  # the temporary name is removed later
    except FileExistsError as error:
        if not path.is_symlink():
            raise _exists(given) from error
        partial.replace(path)  # all other links were followed: this one is part of a loop, and leads to no file
    except OSError:  # a file system without links: of two runs at the same moment, the second replaces the file
        partial.replace(path)


def _are_equal(first: Path, second: Path) -> bool:
    from filecmp import cmp

    return cmp(first, second, shallow=False)


def _exists(path: Path) -> OutputError:
    return OutputError(f"{str(path)!r} exists: choose another name, or overwrite it with {opt('force', True)}")


def _not_written(path: Path, error: OSError) -> OutputError:
    return OutputError(f"{str(path)!r} could not be written: {error.strerror or error}; nothing was changed")


@contextmanager
def scratch_file(path: Path) -> Iterator[Path]:
    """A temporary file beside another; one left by a killed process is removed the next time."""
    partial, descriptor = _open_partial(Path(os.path.realpath(path)))
    try:
        yield partial
    finally:
        os.close(descriptor)
        partial.unlink(missing_ok=True)


def _open_partial(path: Path) -> tuple[Path, int]:
    """A new temporary file with a lock; those of processes that have ended, whose locks are free, are removed."""
    pattern = re.compile(re.escape(f".{path.name[:NAME_LENGTH]}.") + "[0-9a-f]{16}[.]part")
    try:
        for name in filter(pattern.fullmatch, os.listdir(path.parent)):
            with suppress(OSError):  # another process may remove it at the same time
                descriptor = os.open(path.with_name(name), os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
                abandoned = _try_lock(descriptor)
                os.close(descriptor)
                if abandoned:
                    path.with_name(name).unlink()
        partial = path.with_name(f".{path.name[:NAME_LENGTH]}.{os.urandom(8).hex()}.part")
        descriptor = os.open(partial, _NEW_FILE | os.O_EXCL, 0o666)
    except OSError as error:
        raise _not_written(path, error) from error
    with suppress(OSError):  # not every file system has locks; this one ends with the process, however it ends
        _try_lock(descriptor)
    return partial, descriptor


class TemporaryFolder:
    """A private folder that is removed with its object, at the latest at the end of the program.

    Those of a process that was killed are left to the system, which clears its temporary folder.
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="problex-"))
        self.remove = weakref.finalize(self, _remove_folder, self.path, os.getpid())

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *error: object) -> None:
        self.remove()


def _remove_folder(path: Path, process: int) -> None:
    if os.getpid() == process:  # not in a fork of the process that made it
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Hold a lock on a file that may not exist yet; raise if another run holds it.

    The lock is on a file in the same folder, `.NAME.lock`, and ends with the process, even if that is killed.
    """
    place = Path(os.path.realpath(path))
    beside = place.with_name(f".{place.name}.lock")
    try:
        descriptor = _open_locked(beside)
    except OSError as error:
        raise OutputError(f"{str(path)!r} could not be locked: {error.strerror or error}; name another") from error
    if descriptor is None:
        raise OutputError(
            f"{str(path)!r} is in use by another run: wait until it has ended, or name another with {opt('checkpoint')}"
        )
    try:
        yield
    finally:
        if sys.platform != "win32":  # removed before it is unlocked, so that nobody's lock is removed
            beside.unlink(missing_ok=True)
        os.close(descriptor)


def _open_locked(path: Path) -> int | None:
    """Open and lock a file, which is made if there is none; None if it is locked."""
    while True:
        descriptor = os.open(path, _NEW_FILE, 0o666)
        try:
            if not _try_lock(descriptor):
                os.close(descriptor)
                return None
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                return descriptor
        except FileNotFoundError:  # removed by the run that had locked it
            pass
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                os.close(descriptor)
                raise
            message = f"{str(path.parent)!r} does not support locks: do not use one checkpoint in two runs at once"
            warn_caller(message, ProblexWarning)
            return descriptor
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    """Lock an open file for this process; False if another has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def is_left_over(checkpoint: Path | None, output: Path) -> bool:
    """Whether an output was written after its checkpoint, so that the run was killed before it removed that."""
    if checkpoint is None or not (checkpoint.is_file() and output.is_file()):
        return False
    return output.stat().st_mtime_ns >= checkpoint.stat().st_mtime_ns


def is_same_file(first: Path, second: Path) -> bool:
    """Whether two paths are of one file: by links, or by different spellings of its name."""
    try:
        return first.samefile(second)
    except OSError:  # one does not exist
        return os.path.normcase(os.path.realpath(first)) == os.path.normcase(os.path.realpath(second))


def check_writable(path: Path, *, force: bool = False) -> None:
    """Raise if a file cannot be written there: to be called before the work is done."""
    if path.is_dir():
        raise OutputError(f"{str(path)!r} is a folder, expected a file name")
    if path.exists() and not path.is_file():
        raise OutputError(f"{str(path)!r} is not an ordinary file: leave the output out to print to standard output")
    if path.exists() and not force:
        raise _exists(path)
    if not path.parent.is_dir():
        raise OutputError(f"there is no folder {str(path.parent)!r} to write {path.name!r} into: create it first")
