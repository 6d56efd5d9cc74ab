"""Files that the page sends, in a private folder. Their names are shown, and never used as paths."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import zipfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from problex._util.records import Record
from problex.errors import ProblexError
from problex.lexicon.formats import SUFFIXES
from problex.tables.formats import FORMAT_OF_ENDING
from problex.tables.source import COMPRESSIONS, find_bomb
from problex.workbench.session_file import SUFFIX

KINDS = ("texts", "lexicon", "session")
ZIPPED = (".xlsx", ".xlsm", ".ods", ".zip")
MAX_NAME = 120
MAX_UPLOAD = 2 << 30


@dataclass(frozen=True)
class Upload:
    """A file that was sent: its id, the name that the person knows it by, and where it is."""

    id: str
    name: str
    kind: str
    path: Path

    def record(self) -> Record:
        """The upload for the page."""
        return {"upload": self.id, "name": self.name, "bytes": self.path.stat().st_size, "kind": self.kind}


@dataclass
class Uploads:
    """All files that were sent since the server started."""

    folder: Path
    files: dict[str, Upload] = field(default_factory=dict)

    async def receive(self, name: str, kind: str, stream: AsyncIterator[bytes]) -> Upload:
        """Store a file as it comes in; one that is refused or broken off leaves nothing behind."""
        if kind not in KINDS:
            raise ProblexError(f"the kind of the file is {kind[:80]!r}, expected one of {', '.join(KINDS)}")
        upload, file = self._create(clean_name(name), kind, ending_of(name, kind))
        try:
            with file:
                async for block in stream:
                    file.write(block)
            check_archive(upload)
        except BaseException:
            upload.path.unlink(missing_ok=True)
            raise
        self.files[upload.id] = upload
        return upload

    def _create(self, name: str, kind: str, ending: str) -> tuple[Upload, BinaryIO]:
        """A file with a random name that only its owner can read, open for writing."""
        upload = Upload(
            secrets.token_hex(8), name, kind, private_folder(self.folder) / f"{secrets.token_hex(16)}{ending}"
        )
        return upload, os.fdopen(os.open(upload.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")

    def add_text(self, name: str, text: str) -> Upload:
        """Store pasted text as a file."""
        upload, file = self._create(name, "texts", ".txt")
        with file:
            file.write(text.encode("utf-8", "replace"))
        self.files[upload.id] = upload
        return upload

    def find(self, name: str, kind: str) -> Upload:
        """A file by its id.

        >>> upload = Upload("1f", "words.csv", "lexicon", Path("1f.csv"))
        >>> Uploads(Path("uploads"), {"1f": upload}).find("1f", "lexicon").name
        'words.csv'
        >>> Uploads(Path("uploads"), {"1f": upload}).find("1f", "texts")
        Traceback (most recent call last):
        problex.errors.ProblexError: the file is not here any more, expected one that was sent: choose it again
        """
        found = self.files.get(name)
        if found is None or found.kind != kind:
            raise ProblexError("the file is not here any more, expected one that was sent: choose it again")
        return found

    def remove(self) -> None:
        """Delete the files that no session uses."""
        shutil.rmtree(self.folder, ignore_errors=True)


def clean_name(name: str) -> str:
    r"""A name for people: without folders and characters that cannot be seen.

    >>> clean_name("../../etc/pass\x00wd.csv"), clean_name("C:\\texts\\a.csv"), clean_name("")
    ('passwd.csv', 'a.csv', 'file')
    """
    last = re.split(r"[/\\]", name)[-1]
    return "".join(letter for letter in last if letter.isprintable())[:MAX_NAME].strip() or "file"


def ending_of(name: str, kind: str) -> str:
    """The ending of a name, which decides how the file is read; raise if it is of no known format.

    >>> ending_of("reviews.CSV.gz", "texts"), ending_of("words.dic", "lexicon")
    ('.csv.gz', '.dic')
    """
    endings = {"texts": tuple(FORMAT_OF_ENDING), "lexicon": tuple(filter(None, SUFFIXES)), "session": (SUFFIX,)}[kind]
    lower = clean_name(name).lower()
    for ending in endings:
        compressed = [ending + packed for packed in COMPRESSIONS] if kind == "texts" else []
        for whole in (ending, *compressed):
            if lower.endswith(whole):
                return whole
    raise ProblexError(f"{clean_name(name)!r} was given, expected a file that ends in one of {', '.join(endings)}")


def check_archive(upload: Upload) -> None:
    """Raise if a workbook or archive unpacks to far more than it holds."""
    if upload.path.suffix.lower() not in ZIPPED or not zipfile.is_zipfile(upload.path):
        return
    with zipfile.ZipFile(upload.path) as archive:
        bomb = find_bomb(archive)
    if bomb is not None:
        raise ProblexError(
            f"{upload.name} is refused, because {clean_name(bomb)!r} in it unpacks to far more than it holds, as no "
            "table of texts does: save the texts as .csv"
        )


def private_folder(folder: Path) -> Path:
    """A folder that only its owner can read, made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
