"""Files that hold the counts of a part of a corpus, so that an interrupted `count` continues to the same counts.

The texts are counted in long segments, whose counts are added up. After each the sum and the position in the files are
saved, with a digest of both. If rare words are dropped to save memory, the result depends on what each counter has
seen, so segments end at the same documents in every run, and each thread gets the same batches.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from problex._util.files import lock, write_atomically
from problex._util.json_values import DamagedValueError, Fields, check_integer, parse_json
from problex._util.late import pq
from problex.corpus import Batch, list_files
from problex.corpus.documents import is_paths
from problex.counting.counts import Counts
from problex.counting.serialization import METADATA_KEY, READ_ERRORS, check_counts, from_table, to_table
from problex.errors import ProblexError
from problex.tables.reader import Position
from problex.tables.source import list_text_files

Key = Mapping[str, Any]
"""The files, the lexicon and the settings of a run, which must be the same when it continues."""
RECORD_KEY = b"checkpoint"


class Segment:
    """Batches up to a position after about `size` bytes; the position is known once they have been read."""

    def __init__(self, first: Batch, stream: Iterator[Batch], size: int) -> None:
        self._first, self._stream, self._size = first, stream, size
        self.position: Position = ()

    def __iter__(self) -> Iterator[Batch]:
        size, batch = 0, self._first
        while True:
            size += batch.texts.nbytes
            yield batch
            if size >= self._size and batch.position:
                self.position = batch.position
                return
            following = next(self._stream, None)
            if following is None:
                return
            batch = following


def cut_segments(stream: Iterator[Batch], size: int) -> Iterator[Segment]:
    """Cut a stream into segments; each must have been read before the next is requested."""
    while (first := next(stream, None)) is not None:
        yield Segment(first, stream, size)


def corpus_key(corpus: object) -> dict[str, Any]:
    """The files of a corpus with their sizes and times: the part of a key that depends on them.

    >>> corpus_key(["Good film."])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.ProblexError: a checkpoint was given for documents of type list, expected a pathlib.Path...
    """
    if not is_paths(corpus):
        raise ProblexError(
            f"a checkpoint was given for documents of type {type(corpus).__name__}, expected a pathlib.Path or a list "
            "of them: save the texts to a file, or count without a checkpoint"
        )
    files = list_files(corpus)
    for file in files:
        if not file.is_file() and not file.is_dir():
            raise ProblexError(
                f"{str(file)!r} can be read only once, but a checkpoint needs files: save the texts to a file first"
            )
    leaves = [text for file in files for text in (list_text_files(file) if file.is_dir() else [file])]
    return {f"file {file}": _state(file) for file in leaves}


def _state(file: Path) -> str:
    status = file.stat()
    changed = datetime.fromtimestamp(status.st_mtime_ns // 10**9, UTC)
    return f"{status.st_size:,} bytes of {changed:%Y-%m-%d %H:%M:%S}.{status.st_mtime_ns % 10**9:09d}"


def check_key(path: Path, then: Key, now: Key) -> None:
    """Raise if a checkpoint belongs to other files, another lexicon or other settings.

    >>> check_key(Path("c"), {"a": 1}, {"a": 1})
    >>> check_key(Path("c"), {"a": 1}, {"a": 1, "b": 2})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.ProblexError: the checkpoint 'c' belongs to a different run: b was None and is now 2...
    """
    for name in sorted(then.keys() | now.keys()):
        if then.get(name) != now.get(name):
            raise ProblexError(
                f"the checkpoint {str(path)!r} belongs to a different run: {name} was {then.get(name)!r} and is now "
                f"{now.get(name)!r}. Repeat the original command, delete the file to start over, or name another file."
            )


@dataclass(frozen=True)
class Checkpoint:
    """A file with the counts up to a position in the texts, and the key of the run: Parquet with a record."""

    path: Path
    key: Key

    def lock(self) -> AbstractContextManager[None]:
        """Hold the file for a run; raise if another run has it."""
        return lock(self.path)

    def load(self) -> tuple[Counts, Position] | None:
        """The counts and the position that were saved; None if there is no file."""
        if not self.path.exists():
            return None
        try:
            table = pq.read_table(self.path)
            record = Fields.of("", parse_json(table.schema.metadata[RECORD_KEY].decode()))
            key = dict(record.object("key").record)
        except READ_ERRORS as error:
            raise ProblexError(
                f"{str(self.path)!r} is not a checkpoint ({error}), expected the checkpoint of an interrupted run or a "
                "new file: delete it to start over, or name another file"
            ) from None
        check_key(self.path, key, json.loads(json.dumps(self.key)))
        try:
            position = [check_integer("position", value) for value in record.values("position")]
            if record.text("digest") != _digest(table, key, position):
                raise DamagedValueError("its digest does not match its content")
            counts = from_table(Counts, table, "the file", check_counts)
            return counts, tuple(position)
        except ValueError as error:
            raise ProblexError(
                f"the checkpoint {str(self.path)!r} is damaged ({error}), expected the checkpoint of an interrupted run"
                ": delete it to start over"
            ) from None

    def save(self, counts: Counts, position: Position) -> None:
        """Replace what was saved before."""
        table = to_table(counts)
        digest = _digest(table, self.key, position)
        record = {"key": self.key, "position": position, "digest": digest}
        table = table.replace_schema_metadata({**table.schema.metadata, RECORD_KEY: json.dumps(record)})
        write = partial(pq.write_table, table, compression="zstd")
        write_atomically(self.path, write, force=True)


def _digest(table: pa.Table, key: Key, position: Sequence[int]) -> str:
    """A hash of the metadata of the counts, which have a digest of their own, the key and the position."""
    content = hashlib.sha256(table.schema.metadata.get(METADATA_KEY, b""))
    content.update(json.dumps([key, position], sort_keys=True).encode())
    return f"sha256:{content.hexdigest()}"
