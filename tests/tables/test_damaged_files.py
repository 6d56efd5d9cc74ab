"""Damaged files of texts: whatever the bytes, they are read or refused with an error of this package."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import random
from pathlib import Path

import pyarrow as pa
import pytest

from problex.corpus import batches
from problex.errors import ProblexError
from tests.mutations import mutate
from tests.tables.reading import FILES, TEXTS

PACKERS = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".zst": lambda data: pa.compress(data, "zstd", True)}
# Parquet is in test_damaged_parquet.py, in a process of its own.
NAMES = ["x.csv", "x.tsv", "x.jsonl", "x.txt", "x.csv.gz", "x.jsonl.bz2", "x.txt.zst"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_damaged_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    path, suffix = tmp_path / name, next(suffix for suffix in reversed(PACKERS) if name.endswith(suffix))
    plain = name.removesuffix(suffix)
    if plain in FILES:
        FILES[plain](path, TEXTS)
    else:
        path.write_bytes(b"one\ntwo\r\nthree")
    whole = PACKERS[suffix](path.read_bytes())  # type: ignore[operator]
    generator = random.Random(name)
    columns = {"text": "text", "keep": ["id"]} if plain in FILES else {}
    for _ in range(100):  # proof/robustness/fuzz.py tries about a thousand of the uncompressed formats
        path.write_bytes(mutate(whole, generator))
        on_error = generator.choice(["stop", "skip", "replace"])
        with contextlib.suppress(ProblexError):
            list(batches(path, on_error=on_error, missing="empty", **columns))  # type: ignore[arg-type]
