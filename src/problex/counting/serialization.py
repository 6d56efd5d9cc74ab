"""Counts as an Arrow table: the one format of files (Parquet), of checkpoints, and of bytes between machines.

A column is an array of the counts, cut into rows of at most `ROW_LENGTH` values; what is not an array is in the
metadata. A field is stored by its type (array, words, sparse matrix, nested value, plain value), not by its name, so
that a new field needs no change here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_type_hints

import numpy as np
import pyarrow as pa
from scipy import sparse

from problex.counting.old_format import read_version_2
from problex.errors import ProblexError

T = TypeVar("T")

FORMAT = 3
METADATA_KEY = b"problex"
ROW_LENGTH = 1 << 20
MATRIX_ARRAYS = ("indptr", "indices", "data")


def to_table(value: object) -> pa.Table:
    """A dataclass of arrays as a table."""
    arrays: dict[str, pa.Array] = {}
    meta: dict[str, Any] = {"counts_format": FORMAT, "values": {}, "shapes": {}, "tuples": []}
    for name, part in _leaves(value):
        if isinstance(part, sparse.csr_array):
            arrays |= {f"{name}.{array}": pa.array(getattr(part, array)) for array in MATRIX_ARRAYS}
            meta["shapes"][name] = part.shape
        elif isinstance(part, np.ndarray):
            arrays[name] = pa.array(part.reshape(-1))
            meta["shapes"][name] = part.shape
        elif isinstance(part, tuple):
            arrays[name] = pa.array(part, pa.string())
            meta["tuples"].append(name)
        elif isinstance(part, pa.Array):
            arrays[name] = part
        else:
            meta["values"][name] = dict(part) if isinstance(part, Mapping) else part
    rows = max(1, *(-(-len(array) // ROW_LENGTH) for array in arrays.values()))
    cuts = np.arange(rows + 1) * ROW_LENGTH
    columns = {
        name: pa.LargeListArray.from_arrays(pa.array(np.minimum(cuts, len(array)), pa.int64()), array)
        for name, array in arrays.items()
    }
    return pa.table(columns).replace_schema_metadata({METADATA_KEY: json.dumps(meta, ensure_ascii=False)})


def from_table(kind: type[T], table: pa.Table, where: str) -> T:
    """The value of a type that `to_table` made a table of; `where` names the table in errors."""
    raw = (table.schema.metadata or {}).get(METADATA_KEY)
    if raw is None:
        raise ProblexError(f"{where} holds no counts, expected a file written by Counts.save")
    meta = json.loads(raw)
    if meta["counts_format"] == 2:
        old: T = _build(kind, read_version_2(table, meta))
        return old
    if meta["counts_format"] != FORMAT:
        newer = meta["counts_format"] > FORMAT
        advice = "upgrade with pip install -U problex" if newer else "count the texts again"
        raise ProblexError(f"{where} was written by {'a newer' if newer else 'an older'} problex: {advice}")
    parts: dict[str, Any] = {name: table[name].combine_chunks().flatten() for name in table.column_names}
    parts |= meta["values"]
    parts |= {name: tuple(parts[name].to_pylist()) for name in meta["tuples"]}
    for name, shape in meta["shapes"].items():
        if name in parts:
            parts[name] = parts[name].to_numpy().reshape(shape)
        else:
            ends, columns, values = (parts[f"{name}.{array}"].to_numpy() for array in MATRIX_ARRAYS)
            parts[name] = sparse.csr_array((values, columns, ends), shape=tuple(shape))
    value: T = _build(kind, parts)
    return value


def to_bytes(value: object) -> bytes:
    """A dataclass of arrays as bytes: its table as a compressed Arrow stream."""
    table = to_table(value)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue())


def from_bytes(kind: type[T], data: Any) -> T:
    """The value of a type that `to_bytes` made bytes of."""
    try:
        with pa.ipc.open_stream(data) as stream:
            table = stream.read_all()
    except (pa.ArrowInvalid, OSError) as error:
        raise ProblexError(f"these bytes hold no counts, expected those of Counts.to_bytes: {error}") from None
    return from_table(kind, table, "the byte string")


def _leaves(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass, and those of its fields that are dataclasses, by dotted names."""
    for field in fields(value):
        part = getattr(value, field.name)
        if is_dataclass(part):
            yield from _leaves(part, f"{prefix}{field.name}.")
        else:
            yield prefix + field.name, part


def _build(kind: Any, parts: Mapping[str, Any], prefix: str = "") -> Any:
    """A dataclass from its fields by dotted names."""
    hints = get_type_hints(kind)
    return kind(
        **{
            field.name: _build(hints[field.name], parts, f"{prefix}{field.name}.")
            if is_dataclass(hints[field.name])
            else parts[prefix + field.name]
            for field in fields(kind)
        }
    )
