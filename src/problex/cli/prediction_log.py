"""A log of predictions that is only appended to, from which an interrupted run continues.

An entry is its length in bytes and an Arrow stream of tables, whose metadata hold the position after them. An entry
that was being written when the run was interrupted is shorter than its length; it is removed and written again.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from problex._util.files import lock
from problex._util.records import Record
from problex.corpus import Position
from problex.counting.checkpoints import Key, check_key
from problex.errors import OutputError, ProblexError

MAGIC = b"problex predictions 1\n"
MAX_SECONDS = 5.0
MAX_BYTES = 32 << 20
"""An entry is written after this many seconds, or when it has this many bytes."""


@dataclass(frozen=True)
class PredictionLog:
    """The log of a command, whose arguments and files are described by `key`."""

    path: Path
    key: Key

    def lock(self) -> AbstractContextManager[None]:
        """Hold the file for a run; raise if another run has it."""
        return lock(self.path)

    def resume(self) -> Position:
        """The position to continue from; an incomplete entry at the end is removed. Raise if the key differs."""
        position: Position = ()
        if not self.path.exists():
            self.path.write_bytes(MAGIC)
        end = len(MAGIC)
        for record, _, after in self._entries():
            check_key(self.path, record["key"], json.loads(json.dumps(self.key)))
            position, end = tuple(record["position"]), after
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
            for batch in pa.ipc.open_stream(payload):
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
            with self.path.open("ab") as file:
                file.write(payload.size.to_bytes(8, "little") + payload.to_pybytes())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError(f"{str(self.path)!r} could not be written: {error.strerror or error}") from error

    def _entries(self) -> Iterator[tuple[Record, pa.Buffer, int]]:
        """The record, the stream and the end of each complete entry."""
        with self.path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise ProblexError(
                    f"{str(self.path)!r} is not a log of predictions, expected the log of an interrupted run or a new "
                    "file: name another file"
                )
            while len(head := file.read(8)) == 8:
                length = int.from_bytes(head, "little")
                payload = file.read(length)
                if len(payload) < length:
                    return
                metadata = pa.ipc.open_stream(payload).schema.metadata or {}
                yield json.loads(metadata[b"problex"]), pa.py_buffer(payload), file.tell()
