"""Which sessions are the reader's own: those whose source was signed with the secret of the reader's data folder.

The source in a session file names files of a computer, and may have a query, so it is used only if the reader has
written or confirmed it. A signature in the file says so wherever the file is moved; a list of the files that are known
would believe whatever somebody else puts in the place of one. Nobody else can sign, and a source that is changed, or a
session that comes from another person or computer, has no valid signature until the reader gives its texts.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from problex.errors import ProblexError

SECRET_BYTES = 32


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of sessions: PROBLEX_WORKBENCH, or that of the user's data.

    >>> data_folder({"PROBLEX_WORKBENCH": "/tmp/bench"}).name
    'bench'
    """
    if environment.get("PROBLEX_WORKBENCH"):
        return Path(environment["PROBLEX_WORKBENCH"])
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA", Path.home())) / "problex"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "problex"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "problex"


def sign(values: Sequence[object]) -> str:
    """The reader's signature of the values of a source."""
    return hmac.digest(_secret(), json.dumps(values).encode(), "sha256").hex()


def is_signed(values: Sequence[object], signature: str) -> bool:
    """Whether the reader has signed these values."""
    return hmac.compare_digest(sign(values).encode(), signature.encode())


def _secret() -> bytes:
    """The secret of the data folder, made when it is first needed; only the reader can read it."""
    path = data_folder() / "secret"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
    except FileExistsError:
        pass
    secret = path.read_bytes()
    if len(secret) != SECRET_BYTES:
        raise ProblexError(
            f"{str(path)!r} has {len(secret)} bytes, expected {SECRET_BYTES}: delete it, and give the texts of "
            "your sessions again"
        )
    return secret
