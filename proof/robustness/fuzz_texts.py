"""Targets of `make fuzz` for the readers of texts: one for each format of files."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import count as numbers
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
from proof.robustness.fuzz_base import TEXTS, Target, file_of, folder
from tests.tables.writing import FILES, TABLE

from problex.corpus import batches, documents
from problex.tables.encoding import guess_encoding

NUMBERS = numbers()
LITTLE_MEMORY = 64 << 20
"""What a damaged file may take."""
SHARE_GUESSED = 16
"""One of so many inputs has its encoding guessed, which takes longer than to read it and has a target of its own."""
ON_ERROR = ("stop", "skip", "replace")


def _at_once(stream: Iterable[object]) -> Iterator[object]:
    """Batches in this thread: to start one takes as long as to read them."""
    return iter(stream)


def _texts(suffix: str, data: bytes) -> object:
    guessed = len(data) % SHARE_GUESSED == 0 or suffix not in (".csv", ".jsonl", ".txt", ".csv.gz")
    options = {"on_error": ON_ERROR[len(data) % 3], "encoding": None if guessed else "utf-8"}
    with patch.object(documents, "prefetch", _at_once):
        return sum(len(batch.texts) for batch in batches(file_of(suffix, data), missing="empty", **options))


def _encoding(data: bytes) -> object:
    guess = guess_encoding(data)
    return guess and data.decode(guess.codec, "replace")


def _foreign_texts(suffix: str, data: bytes) -> object:
    """Read in this process: some damaged .xls files end it."""
    path = folder() / f"{next(NUMBERS)}{suffix}"
    path.write_bytes(data)
    try:
        with patch.object(documents, "prefetch", _at_once):
            return sum(len(batch.texts) for batch in batches(path, missing="empty", memory=LITTLE_MEMORY))
    finally:
        path.unlink()


def _table_seed(name: str) -> Iterator[bytes]:
    path = folder() / f"seed-{name}"
    path.unlink(missing_ok=True)
    FILES[name](path, {column: list(values) for column, values in TABLE.items()})
    yield path.read_bytes()


def _csv_seeds() -> Iterator[bytes]:
    for delimiter in (",", ";", "\t"):
        rows = [f'{number}{delimiter}"{text}"' for number, text in enumerate(TEXTS[:6])]
        yield "\n".join([f"id{delimiter}text", *rows]).encode()


def _encoded_seeds() -> Iterator[bytes]:
    for codec in ("utf-8", "cp1252", "utf-16", "utf-16-be", "cp437"):
        yield "id;text\n1;café noir\n2;très bien\n".encode(codec)
    yield "хорошо и плохо".encode("cp1251")
    yield "とても良い映画です".encode("shift_jis")


def _parquet_seeds() -> Iterator[bytes]:
    for codec in ("none", "snappy", "zstd"):
        sink = pa.BufferOutputStream()
        pq.write_table(pa.table({"id": range(len(TEXTS)), "text": TEXTS}), sink, compression=codec)
        yield sink.getvalue().to_pybytes()


def _jsonl_seeds() -> Iterator[bytes]:
    yield "\n".join(json.dumps({"id": number, "text": text}) for number, text in enumerate(TEXTS[:6])).encode()
    yield b'{"text": "good", "id": [1, {"a": null}]}\n{"text": "caf\\u00e9"}\n'


FOREIGN_FILES = {"xls": 100, "ods": 100, "dta": 100, "sav": 100}
"""Tables that a process of its own reads, with the speed of reading."""
TABLE_FILES = {
    "xlsx": 50,
    "rds": 100,
    "sqlite": 300,
    "duckdb": 20,
    "feather": 500,
    "arrow": 500,
}
"""Tables in the formats of other programs, with the speed of reading."""
LONGEST_TABLE = 1 << 16
LONGEST_TEXT = 1024
TIMED = ("xlsx", "rds", "duckdb")

TEXT_TARGETS: dict[str, Target] = {
    "texts csv": Target(partial(_texts, ".csv"), _csv_seeds, 300, LONGEST_TEXT),
    "texts jsonl": Target(partial(_texts, ".jsonl"), _jsonl_seeds, 700, LONGEST_TEXT),
    "texts txt": Target(partial(_texts, ".txt"), lambda: ["\n".join(TEXTS[:6]).encode()], 500, LONGEST_TEXT),
    "texts gzip": Target(partial(_texts, ".csv.gz"), lambda: map(gzip.compress, _csv_seeds()), 500, timed=True),
    "texts parquet": Target(partial(_texts, ".parquet"), _parquet_seeds, 300),
    "encoding": Target(_encoding, _encoded_seeds, 400, 256),
    **{
        f"texts {kind}": Target(
            partial(_texts, f".{kind}"), partial(_table_seed, f"x.{kind}"), speed, LONGEST_TABLE, kind in TIMED
        )
        for kind, speed in TABLE_FILES.items()
    },
    **{
        f"texts {kind}": Target(
            partial(_foreign_texts, f".{kind}"), partial(_table_seed, f"x.{kind}"), speed, LONGEST_TABLE, timed=True
        )
        for kind, speed in FOREIGN_FILES.items()
    },
}
