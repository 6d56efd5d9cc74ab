"""Counts as a few bytes, to travel between processes and machines: one Arrow batch of one row, compressed.

A field is packed by what it holds (arrays, words, a sparse matrix, a value with fields, plain values), not by its name,
so that counts may gain fields without a word here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

import numpy as np
import pyarrow as pa
from scipy import sparse

from problex.counting.counts import Counts
from problex.errors import ProblexError

FORMAT = 1
_META = b"problex counts"
_MATRIX = ("indptr", "indices", "data")


def pack(counts: Counts) -> bytes:
    """The bytes of counts.

    >>> from problex import Lexicon, count
    >>> some = count(["good", "bad day"], Lexicon({"positive": ["good"], "negative": ["bad"]}))
    >>> unpack(pack(some)) == some
    True
    """
    arrays: dict[str, pa.Array] = {}
    plain: dict[str, Any] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    for name, value in _leaves(counts):
        if isinstance(value, sparse.csr_array):
            arrays |= {f"{name}.{part}": pa.array(getattr(value, part)) for part in _MATRIX}
            shapes[name] = value.shape
        elif isinstance(value, np.ndarray):
            arrays[name] = pa.array(value.reshape(-1))
            shapes[name] = value.shape
        elif isinstance(value, pa.Array):
            arrays[name] = value
        else:
            plain[name] = dict(value) if isinstance(value, Mapping) else value
    return _written(arrays, json.dumps({"format": FORMAT, "plain": plain, "shapes": shapes}, ensure_ascii=False))


def unpack(data: Any) -> Counts:
    """What `pack` made bytes of."""
    try:
        with pa.ipc.open_stream(data) as stream:
            (batch,) = list(stream)
        meta = json.loads((batch.schema.metadata or {})[_META])
    except (pa.ArrowInvalid, KeyError, ValueError, OSError) as error:
        raise ProblexError(f"these bytes are not counts, expected what pack makes: {error}") from None
    if meta["format"] > FORMAT:
        raise ProblexError("these counts were packed by a newer problex: upgrade with pip install -U problex")
    found = {name: column.flatten() for name, column in zip(batch.schema.names, batch.columns, strict=True)}
    found |= {name: value if isinstance(value, dict) else _tuples(value) for name, value in meta["plain"].items()}
    for name, shape in meta["shapes"].items():
        if name in found:
            found[name] = found[name].to_numpy().reshape(shape)
        else:
            ends, columns, values = (found[f"{name}.{part}"].to_numpy() for part in _MATRIX)
            found[name] = sparse.csr_array((values, columns, ends), shape=tuple(shape))
    counts: Counts = _built(Counts, found, "")
    return counts


def _leaves(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of a value, and those of its fields that have fields themselves, by dotted names."""
    for field in fields(value):
        part = getattr(value, field.name)
        if is_dataclass(part):
            yield from _leaves(part, f"{prefix}{field.name}.")
        else:
            yield prefix + field.name, part


def _built(kind: Any, found: Mapping[str, Any], prefix: str) -> Any:
    hints = get_type_hints(kind)
    return kind(
        **{
            field.name: _built(hints[field.name], found, f"{prefix}{field.name}.")
            if is_dataclass(hints[field.name])
            else found[prefix + field.name]
            for field in fields(kind)
        }
    )


def _written(arrays: Mapping[str, pa.Array], meta: str) -> bytes:
    """One row whose columns are lists: arrays of any length side by side."""
    lists = [pa.LargeListArray.from_arrays(pa.array([0, len(array)], pa.int64()), array) for array in arrays.values()]
    batch = pa.RecordBatch.from_arrays(lists, names=list(arrays)).replace_schema_metadata({_META: meta.encode()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_batch(batch)
    return bytes(sink.getvalue())


def _tuples(value: Any) -> Any:
    """JSON has lists where counts have tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
