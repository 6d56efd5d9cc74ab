"""Writing files so that a reader sees either the old one or the whole new one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from problex.errors import OutputError


def write_atomically(
    path: Path, write: Callable[[Path], object], *, force: bool = False, single_writer: bool = False
) -> None:
    """Call `write` with a temporary name beside `path`, then rename; nothing is left behind when it fails.

    A process that is killed leaves its temporary file. With `single_writer` the temporary name is always the same, so
    that the next write replaces it: for a file that no two processes write at once.
    """
    check_writable(path, force=force)
    path = path.resolve()  # a link stays a link: the file it points to is replaced
    partial = path.with_name(f".{path.name}.{'new' if single_writer else secrets.token_hex(6)}")
    try:
        write(partial)
        with partial.open("r+b") as file:  # Windows flushes only files that are open for writing
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"{str(path)!r} could not be written: {reason}; nothing was changed") from error
    finally:
        partial.unlink(missing_ok=True)


def check_writable(path: Path, *, force: bool = False) -> None:
    """Raise if a file cannot be written there: to be called before the work is done."""
    if path.is_dir():
        raise OutputError(f"{str(path)!r} is a folder, expected a file name")
    if path.exists() and not path.is_file():
        raise OutputError(f"{str(path)!r} is not an ordinary file: leave the output out to print to standard output")
    if path.exists() and not force:
        raise OutputError(f"{str(path)!r} exists: choose another name, or overwrite it with force=True")
    if not path.parent.is_dir():
        raise OutputError(f"there is no folder {str(path.parent)!r} to write {path.name!r} into: create it first")
