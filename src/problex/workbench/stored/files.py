"""Whether a file may be a session, before SQLite opens it and changes its mode."""

from __future__ import annotations

from pathlib import Path

from problex.errors import ProblexError

SQLITE = b"SQLite format 3\0"
APPLICATION_AT = 68
"""Where the header of a database has the number of its application."""


def check_file(path: Path, application: int) -> None:
    """Raise if there is no file, or an empty one, or a database of another application: those stay as they are."""
    if not path.is_file():
        raise ProblexError(f"the session file {str(path)!r} does not exist: check its name and folder")
    if path.with_name(f"{path.name}-wal").exists():
        return  # a new session may have everything there
    try:
        with path.open("rb") as file:
            head = file.read(APPLICATION_AT + 4)
    except OSError:
        return  # which SQLite explains
    other = head.startswith(SQLITE) and int.from_bytes(head[APPLICATION_AT:], "big") != application
    if other or not head:
        raise no_session(path)


def no_session(path: Path) -> ProblexError:
    """The error of a file that is something else."""
    return ProblexError(f"{path.name} is not a session of the workbench: choose a file that it saved")


def explained(error: Exception, path: Path) -> ProblexError:
    """An error of the database in words."""
    if "locked" in str(error):
        return ProblexError(
            f"{path.name} is open in another workbench: use that one, or stop it first (Ctrl+C in its terminal)"
        )
    cause = str(error) or "a part of it is larger than the memory"
    return ProblexError(f"{path.name} is not a session of the workbench, or it is damaged ({cause}): restore a copy")
