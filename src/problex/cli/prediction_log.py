"""A log of predictions that is only appended to, from which an interrupted run continues.

An entry is its length in bytes, an Arrow stream of tables, whose metadata hold the position after them, and a digest of
the stream and of the digest before it, so that no entry can be changed or be missing. An entry that was being written
when the run was interrupted is shorter than its length; it is removed and written again.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa

from problex._util.files import is_left_over, lock
from problex._util.json_values import Fields, check_integer, parse_json
from problex._util.records import Record
from problex.cli.inputs import TextFiles
from problex.cli.output import resumable
from problex.corpus import ReadOptions
from problex.counting.checkpoints import Key, check_key, corpus_key
from problex.counting.serialization import READ_ERRORS
from problex.errors import OutputError, ProblexError
from problex.tables.reader import Position
from problex.tables.write import TableFile

MAGIC = b"problex predictions 1\n"
DIGEST_BYTES = 32
MAX_SECONDS = 5.0
MAX_BYTES = 32 << 20
"""An entry is written after this many seconds, or when it has this many bytes."""


@dataclass(frozen=True)
class PredictionLog:
    """The log of a command, whose arguments and files are described by `key`."""

    path: Path
    key: Key

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the file for a run; raise if another run has it. A log without entries is removed at the end."""
        with lock(self.path):
            try:
                yield
            finally:
                if self.path.is_file() and self.path.stat().st_size == len(MAGIC) and self.path.read_bytes() == MAGIC:
                    self.remove()

    def resume(self) -> Position:
        """The position to continue from; an incomplete entry at the end is removed. Raise if the key differs."""
        position: Position = ()
        if not self.path.exists():
            self.path.write_bytes(MAGIC)
        end = len(MAGIC)
        for record, _, after in self._entries():
            check_key(self.path, record["key"], json.loads(json.dumps(self.key)))
            position, end = record["position"], after
        os.truncate(self.path, end)
        return position

    def extend(self, parts: Iterable[tuple[pa.Table, Position, Mapping[str, int]]]) -> None:
        """Append tables every few seconds; each comes with the position after it and its tally."""
        pending: list[pa.Table] = []
        tally, since = Counter[str](), time.monotonic()
        last: Position = ()
        for table, position, part_tally in parts:
            pending.append(table.combine_chunks())
            tally.update(part_tally)
            last = position
            due = time.monotonic() - since > MAX_SECONDS or sum(part.nbytes for part in pending) > MAX_BYTES
            if position and due:
                self._append(pending, position, tally)
                pending, tally, since = [], Counter[str](), time.monotonic()
        if pending:
            self._append(pending, last, tally)

    def tables(self) -> Iterator[pa.Table]:
        """The tables of all entries."""
        for _, payload, _ in self._entries():
            try:
                batches = list(pa.ipc.open_stream(payload))
                for batch in batches:
                    batch.validate(full=True)
            except READ_ERRORS as error:
                raise self._damaged(error) from None
            for batch in batches:
                yield pa.Table.from_batches([batch]).replace_schema_metadata(None)

    def tally(self) -> Counter[str]:
        """The sum of the tallies of all entries."""
        return sum((Counter(record["tally"]) for record, _, _ in self._entries()), Counter[str]())

    def remove(self) -> None:
        """Delete the log."""
        self.path.unlink(missing_ok=True)

    def _append(self, tables: list[pa.Table], position: Position, tally: Mapping[str, int]) -> None:
        record = {"key": self.key, "position": position, "tally": dict(tally)}
        schema = tables[0].schema.with_metadata({"problex": json.dumps(record)})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
            for table in tables:
                writer.write_table(table)
        payload = sink.getvalue()
        try:
            with self.path.open("r+b") as file:
                end = file.seek(0, os.SEEK_END)
                file.seek(max(end - DIGEST_BYTES, len(MAGIC)))
                digest = sha256(file.read() + payload).digest()
                file.write(payload.size.to_bytes(8, "little") + payload.to_pybytes() + digest)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError(f"{str(self.path)!r} could not be written: {error.strerror or error}") from error

    def _entries(self) -> Iterator[tuple[Record, pa.Buffer, int]]:
        """The record, the stream and the end of each complete entry."""
        with self.path.open("rb") as file:
            magic, size = file.read(len(MAGIC)), os.fstat(file.fileno()).st_size
            if magic != MAGIC:
                raise ProblexError(
                    f"{str(self.path)!r} is not a log of predictions, expected the log of an interrupted run or a new "
                    "file: name another file"
                )
            before = b""
            while len(head := file.read(8)) == 8:
                length = int.from_bytes(head, "little")
                if length + DIGEST_BYTES > size - file.tell():
                    return
                payload, digest = file.read(length), file.read(DIGEST_BYTES)
                if sha256(before + payload).digest() != digest:
                    raise self._damaged("the digest of an entry does not fit its content")
                before = digest
                try:
                    record = _read_record(pa.ipc.open_stream(payload).schema.metadata[b"problex"])
                except READ_ERRORS as error:
                    raise self._damaged(error) from None
                yield record, pa.py_buffer(payload), file.tell()

    def _damaged(self, reason: object) -> ProblexError:
        return ProblexError(
            f"the log of predictions {str(self.path)!r} is damaged ({reason}), expected one of an interrupted run: "
            "delete it to start over"
        )


def _read_record(metadata: bytes) -> Record:
    """The key, the position after an entry and its tally."""
    fields = Fields.of("", parse_json(metadata.decode()))
    tally = fields.object("tally")
    return {
        "key": dict(fields.object("key").record),
        "position": tuple(check_integer("position", value) for value in fields.values("position")),
        "tally": {name: tally.integer(name) for name in tally.record},
    }


@dataclass(frozen=True)
class ResumedRun:
    """A run that writes a table by way of a log, and the position at which it starts."""

    log: PredictionLog
    target: TableFile
    start: Position

    def write(self, pieces: Iterable[tuple[pa.Table, Position, Mapping[str, int]]]) -> tuple[Counter[str], list[str]]:
        """Append the pieces to the log, then write the table; returns its tally, and notes on what was changed."""
        self.log.extend(pieces)
        notes = self.target.write(self.log.tables())
        tally = self.log.tally()
        self.log.remove()
        return tally, notes


@contextmanager
def resume_table(
    target: TableFile, checkpoint: Path, texts: TextFiles, options: Mapping[str, Any], **read: Path
) -> Iterator[ResumedRun]:
    """A run of a command on texts, and on a model or dictionary that it has `read`; raise if the log is of another."""
    target = replace(target, confirm=is_left_over(checkpoint, target.path))
    target.check()
    key = corpus_key(texts.files) | ReadOptions(**texts.reading).key() | dict(options)
    key |= {"text": texts.text_column, "keep": texts.keep, "markup": texts.markup, "memory": texts.memory}
    key |= {"threads": options["threads"] or os.cpu_count()}
    key |= {name: sha256(path.read_bytes()).hexdigest() for name, path in read.items()}
    log = PredictionLog(checkpoint, key)
    with resumable(checkpoint), log.lock():
        yield ResumedRun(log, target, log.resume())
