"""Reading counts and checkpoints that earlier versions wrote."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from problex._util.files import TemporaryFolder
from problex._util.json_values import DamagedValueError, Fields, parse_json
from problex._util.late import pq, sparse
from problex.corpus import Position

MAX_RECORD_BYTES = 1 << 26
"""Bytes of the unpacked record of a checkpoint: names and states of files."""


def read_version_2(table: pa.Table, meta: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of counts by dotted names: a row per word, everything else as JSON in the metadata."""
    lists = meta["lists"]
    per_list: dict[str, Any] = {"list_products": None, "imputed": None}
    if f"with {lists[0]}" in table.column_names:
        for field, kind in (("list_products", "with"), ("imputed", "imputed")):
            per_list[field] = np.stack([table[f"{kind} {name}"].to_numpy() for name in lists], axis=1)
    size = len(meta["entries"])
    keys, repeats, lengths, *rows = meta["sample"]
    return {
        "settings": meta["settings"],
        "lists": tuple(lists),
        "entries": tuple(meta["entries"]),
        "list_index": np.array(meta["list_index"], dtype=np.int64),
        "words": table["word"].combine_chunks(),
        "occurrences": table["occurrences"].to_numpy(),
        "squares": table["squares"].to_numpy(),
        "imputed_documents": np.array(meta["imputed_documents"], dtype=np.int64),
        "pairs": _matrix(meta["pairs"], (size, size)),
        "sample.keys": np.array(keys, dtype=np.uint64),
        "sample.repeats": np.array(repeats, dtype=np.int64),
        "sample.lengths": np.array(lengths, dtype=np.int64),
        "sample.matrix": _matrix(rows, (len(keys), size)),
        "sample.limit": meta["sample_most"],
        **per_list,
        **meta["totals"],
    }


def _matrix(triples: Sequence[Sequence[int]], shape: tuple[int, int]) -> sparse.csr_array:
    row, column, value = (np.array(part, dtype=np.int64) for part in triples)
    return sparse.csr_array((value, (row, column)), shape=shape)


def read_zipped_checkpoint(path: Path) -> tuple[pa.Table, Fields]:
    """The table of the counts and the record of a checkpoint that is a ZIP file."""
    try:
        with zipfile.ZipFile(path) as file, TemporaryFolder() as folder:
            if file.getinfo("checkpoint.json").file_size > MAX_RECORD_BYTES:
                raise DamagedValueError("its record is too long")
            record = Fields.of("", parse_json(file.read("checkpoint.json").decode()))
            return pq.read_table(file.extract("counts.parquet", folder)), record
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise DamagedValueError(str(error)) from None


def current_position(position: Position, key: Mapping[str, Any], invalid: int) -> Position:
    """A position as it is now; before there was an option for the encoding, it had no numbers of rows.

    >>> current_position((7, 120), {"format": "txt"}, invalid=2)
    (7, 2, 7, 120)
    >>> current_position((7, 2, 7, 120), {"format": "txt", "encoding": None}, invalid=2)
    (7, 2, 7, 120)
    """
    is_old = "format" in key and "encoding" not in key
    return (position[0], invalid, position[0], *position[1:]) if is_old and position else position
