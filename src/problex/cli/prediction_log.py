"""Predictions on their way to a file: a log that only grows, from which an interrupted run goes on.

Each entry is the length of what follows, and some tables as an Arrow stream, whose metadata say how far they go. What
was being written when the power failed is shorter than its length says, and is written again.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from problex.corpus import Position
from problex.counting.checkpoints import Key, check_key
from problex.errors import OutputError, ProblexError

MAGIC = b"problex predictions 1\n"
SECONDS = 5.0
BYTES = 32 << 20


@dataclass(frozen=True)
class PredictionLog:
    """The log of the predictions of one command, which `key` describes."""

    path: Path
    key: Key

    def resume(self) -> Position:
        """Where to go on; whatever was half written is cut off."""
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
        """Write tables as they come, every few seconds; each with the position after it and what is tallied in it."""
        pending: list[pa.Table] = []
        tally, since = Counter[str](), time.monotonic()
        last: Position = ()
        for table, position, tallied in parts:
            pending.append(table.combine_chunks())
            tally.update(tallied)
            last = position
            due = time.monotonic() - since > SECONDS or sum(part.nbytes for part in pending) > BYTES
            if position and due:
                self._append(pending, position, tally)
                pending, tally, since = [], Counter[str](), time.monotonic()
        if pending:
            self._append(pending, last, tally)

    def tables(self) -> Iterator[pa.Table]:
        """The tables, as they were given."""
        for _, payload, _ in self._entries():
            for batch in pa.ipc.open_stream(payload):
                yield pa.Table.from_batches([batch]).replace_schema_metadata(None)

    def tally(self) -> Counter[str]:
        """What was tallied in all tables."""
        return sum((Counter(record["tally"]) for record, _, _ in self._entries()), Counter[str]())

    def remove(self) -> None:
        """Delete the log, once what it holds is where it should be."""
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

    def _entries(self) -> Iterator[tuple[dict[str, Any], pa.Buffer, int]]:
        """The record and the stream of each whole entry, and where it ends."""
        with self.path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise ProblexError(
                    f"{str(self.path)!r} is no log of predictions, expected one that an interrupted run has left, or "
                    "no file at all: name another"
                )
            while len(head := file.read(8)) == 8:
                length = int.from_bytes(head, "little")
                payload = file.read(length)
                if len(payload) < length:
                    return
                metadata = pa.ipc.open_stream(payload).schema.metadata or {}
                yield json.loads(metadata[b"problex"]), pa.py_buffer(payload), file.tell()
