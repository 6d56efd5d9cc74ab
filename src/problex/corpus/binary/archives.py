"""Zip archives of files, and compressed files that must be unpacked before they can be read."""

from __future__ import annotations

import zipfile
from pathlib import Path

from problex._util.archives import find_bomb, is_bomb
from problex._util.files import TemporaryFolder
from problex._util.memory import format_size
from problex.corpus.reader import file_errors
from problex.corpus.sources import BUFFER_BYTES, COMPRESSIONS, Source, is_hidden
from problex.errors import DocumentError

ENCRYPTED = 1  # the bit of a zip entry that says so


def list_members(source: Source) -> list[zipfile.ZipInfo]:
    """The files of a zip archive, sorted by name, without hidden ones and those of macOS; raise if one is refused."""
    with file_errors(source.name), zipfile.ZipFile(source.path or "") as archive:
        if bomb := find_bomb(archive):
            raise DocumentError(f"{source.name} is refused: {bomb} unpacks to over a hundred times its size.")
        members = [member for member in archive.infolist() if not member.filename.endswith("/")]
    if outside := next((member.filename for member in members if ".." in Path(member.filename).parts), None):
        raise DocumentError(f"{source.name} is refused: {outside} is the name of a file outside of it.")
    members = [member for member in members if not is_hidden(Path(member.filename))]
    if locked := next((member for member in members if member.flag_bits & ENCRYPTED), None):
        raise DocumentError(
            f"{source.name} is protected by a password ({locked.filename}). Unpack it, and give the files in it."
        )
    return sorted(members, key=lambda member: member.filename)


def unpack(source: Source) -> Source:
    """A compressed file, or a member of an archive, as a temporary file that is removed with its source."""
    if not source.is_packed or source.path is None:
        return source
    name = Path(source.member or source.path)
    folder = TemporaryFolder()
    target = folder.path / (name.stem if name.suffix.lower() in COMPRESSIONS else name.name)
    packed = source.path.stat().st_size
    with file_errors(source.name), target.open("wb") as file:
        stream = source.open().data
        while block := stream.read(BUFFER_BYTES):
            file.write(block)
            if is_bomb(file.tell(), packed):
                raise DocumentError(
                    f"{source.name} is refused: its {format_size(packed)} unpack to over a hundred times as much."
                )
    return Source(source.name, target, held=folder)


def unpack_texts(source: Source, members: list[zipfile.ZipInfo]) -> Source:
    """The .txt files of an archive as a temporary folder, in which each is a document."""
    folder = TemporaryFolder()
    with file_errors(source.name), zipfile.ZipFile(source.path or "") as archive:
        for member in members:
            archive.extract(member, folder.path)
    return Source(source.name, folder.path, held=folder)
