"""Files that hold the counts of a part of a corpus, so that an interrupted `count` continues to the same counts.

The texts are counted in long segments, whose counts are added up. After each the sum and the position in the files are
saved. Where memory makes rare words be forgotten, the result depends on what each counter has seen: so segments end
at the same documents in every run, and each thread gets the same batches.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from problex._util.files import write_atomically
from problex.corpus import Batch, Position, is_paths, list_files
from problex.corpus.sources import list_text_files
from problex.counting.counts import Counts
from problex.errors import ProblexError

PER_WORD = ("occurrences", "squares", "list_products", "imputed")
Key = Mapping[str, Any]
DEFAULTS: Key = {"missing": "empty", "on_error": "stop", "associations": False}
"""What a key means that lacks a name."""


class Segment:
    """Batches up to a position after about `size` bytes; the position is known once they have gone by."""

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
    """Cut a stream into segments; each must have been read before the next is asked for."""
    while (first := next(stream, None)) is not None:
        yield Segment(first, stream, size)


def prune_counts(counts: Counts, room: int) -> Counts:
    """Keep counts within a room, as `prune` does with a counter: what was seen least goes first, down to half of it.

    Entries of the lexicon are never forgotten, and the tokens of what is forgotten stay in all other sums.
    """
    lexical = pc.is_in(counts.words, pa.array(counts.entries, pa.string())).to_numpy(zero_copy_only=False)
    least, kept = 0, np.ones(len(counts.words), bool)
    sums = {name: values for name in PER_WORD if (values := getattr(counts, name)) is not None}
    per_word = sum(values.nbytes for values in sums.values()) + counts.words.nbytes
    per_word = per_word // max(len(counts.words), 1)
    while kept.sum() * per_word > (room // 2 if least else room) and not (kept == lexical).all():
        least = 2 * least or 1
        kept = lexical | (counts.occurrences > least)
    if not least:
        return counts
    fields = {name: values[kept] for name, values in sums.items()}
    forgotten = int(counts.occurrences[~kept].sum())
    return replace(counts, words=counts.words.filter(pa.array(kept)), pruned=counts.pruned + forgotten, **fields)


def corpus_key(corpus: object) -> dict[str, Any]:
    """The files of a corpus, their sizes and times: what must be the same to continue."""
    if not is_paths(corpus):
        raise ProblexError(
            f"a checkpoint was given for documents of type {type(corpus).__name__}, expected a pathlib.Path or a list "
            "of them: save the texts to a file, or count without a checkpoint"
        )
    files = list_files(corpus)
    for file in files:
        if not file.is_file() and not file.is_dir():
            raise ProblexError(
                f"{str(file)!r} can be read only once, and a checkpoint needs files: save it and name it"
            )
    whole = [text for file in files for text in (list_text_files(file) if file.is_dir() else [file])]
    return {f"file {file}": _state(file) for file in whole}


def _state(file: Path) -> str:
    found = file.stat()
    changed = datetime.fromtimestamp(found.st_mtime_ns // 10**9, UTC)
    return f"{found.st_size:,} bytes of {changed:%Y-%m-%d %H:%M:%S}.{found.st_mtime_ns % 10**9:09d}"


def check_key(path: Path, then: Key, now: Key) -> None:
    """Refuse a checkpoint of other files, another lexicon or other settings."""
    for name in sorted(then.keys() | now.keys()):
        if then.get(name, DEFAULTS.get(name)) != now.get(name, DEFAULTS.get(name)):
            raise ProblexError(
                f"the checkpoint {str(path)!r} is of another run: {name} was {then.get(name)!r} then and is "
                f"{now.get(name)!r} now. Give the command as it was, delete the file to begin anew, or name another."
            )


@dataclass(frozen=True)
class Checkpoint:
    """A file that holds counts, how far they go, and of what they are."""

    path: Path
    key: Key

    def load(self) -> tuple[Counts, Position] | None:
        """What was saved; None if nothing was."""
        if not self.path.exists():
            return None
        try:
            with zipfile.ZipFile(self.path) as file, tempfile.TemporaryDirectory() as folder:
                record = json.loads(file.read("checkpoint.json"))
                check_key(self.path, record["key"], json.loads(json.dumps(self.key)))
                counts = Counts.load(file.extract("counts.parquet", folder))
        except (zipfile.BadZipFile, KeyError, OSError) as error:
            raise ProblexError(
                f"{str(self.path)!r} is no checkpoint ({error}), expected one that an interrupted run has left, or no "
                "file at all: name another"
            ) from None
        return counts, tuple(record["position"])

    def save(self, counts: Counts, position: Position) -> None:
        """Replace what was saved before."""

        def write(path: Path) -> None:
            part = path.with_name(path.name + ".counts")
            try:
                counts.save(part, force=True)
                with zipfile.ZipFile(path, "w") as file:
                    file.write(part, "counts.parquet")
                    file.writestr("checkpoint.json", json.dumps({"key": self.key, "position": position}))
            finally:
                part.unlink(missing_ok=True)

        write_atomically(self.path, write, force=True, single_writer=True)
