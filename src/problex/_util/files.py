"""Writing files so that a reader sees either the old one or the whole new one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from problex.errors import OutputError


def write_atomically(path: Path, write: Callable[[Path], object], *, force: bool = False) -> None:
    """Call `write` with a temporary name beside `path`, then rename; nothing is left behind when it fails."""
    check_writable(path, force=force)
    path = path.resolve()  # a link stays a link: what it points to is replaced
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    partial = Path(name)
    try:
        write(partial)
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.chmod(0o666 & ~_umask())
        partial.replace(path)
    except OSError as error:
        why = error.strerror or error
        raise OutputError(f"{str(path)!r} could not be written: {why}; nothing was changed") from error
    finally:
        partial.unlink(missing_ok=True)


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """As `write_atomically`, for a file that is replaced again and again: the temporary name is always the same, so
    that what a killed process leaves behind is overwritten by the next.
    """
    partial = path.with_name(f".{path.name}.new")
    try:
        write(partial)
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise OutputError(f"{str(path)!r} could not be written: {error.strerror or error}") from error
    finally:
        partial.unlink(missing_ok=True)


def check_writable(path: Path, *, force: bool = False) -> None:
    """Complain before the work is done, not after."""
    if path.is_dir():
        raise OutputError(f"{str(path)!r} is a folder, expected a file name")
    if path.exists() and not path.is_file():
        raise OutputError(f"{str(path)!r} is not an ordinary file: leave the output out to print to standard output")
    if path.exists() and not force:
        raise OutputError(f"{str(path)!r} exists: choose another name, or overwrite it with --force (force=True)")
    if not path.parent.is_dir():
        raise OutputError(f"there is no folder {str(path.parent)!r} to write {path.name!r} into: create it first")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
