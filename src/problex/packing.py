"""Counts as a few bytes, to travel between processes and machines: one Arrow batch of one row, compressed.

A field is packed by what it holds (arrays, words, a sparse matrix, plain values), not by its name, so that counts may
gain fields without a word here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from problex.counts import Counts
from problex.errors import ProblexError

FORMAT = 1
_META = b"problex counts"


def pack(counts: Counts) -> bytes:
    """The bytes of counts; equal counts give equal bytes.

    >>> from problex import Lexicon, count
    >>> some = count(["good", "bad day"], Lexicon({"positive": ["good"], "negative": ["bad"]}))
    >>> unpack(pack(some)) == some
    True
    """
    arrays: dict[str, pa.Array] = {}
    plain: dict[str, Any] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    for field in fields(counts):
        value = getattr(counts, field.name)
        if isinstance(value, sparse.csr_array):
            matrix = value.copy()
            matrix.sum_duplicates()  # one order, whatever the history of the matrix
            parts = {"ends": matrix.indptr, "columns": matrix.indices, "values": matrix.data}
            arrays |= {f"{field.name}.{part}": pa.array(array.astype(np.int64)) for part, array in parts.items()}
            shapes[field.name] = matrix.shape
        elif isinstance(value, np.ndarray):
            arrays[field.name] = pa.array(value.reshape(-1))
            shapes[field.name] = value.shape
        elif isinstance(value, pa.Array):
            arrays[field.name] = value
        else:
            plain[field.name] = dict(value) if isinstance(value, Mapping) else value
    meta = json.dumps({"format": FORMAT, "plain": plain, "shapes": shapes}, ensure_ascii=False)
    return _written(arrays, meta)


def unpack(data: Any) -> Counts:
    """What `pack` made bytes of."""
    try:
        with pa.ipc.open_stream(data) as stream:
            (batch,) = list(stream)
        meta = json.loads((batch.schema.metadata or {})[_META])
        arrays = {name: column.flatten() for name, column in zip(batch.schema.names, batch.columns, strict=True)}
    except (pa.ArrowInvalid, KeyError, ValueError, OSError) as error:
        raise ProblexError(f"these bytes are not counts, expected what pack makes: {error}") from None
    if meta["format"] > FORMAT:
        raise ProblexError("these counts were packed by a newer problex: upgrade with pip install -U problex")
    values = {name: _tuples(value) for name, value in meta["plain"].items()}
    for name, shape in meta["shapes"].items():
        if name in arrays:
            values[name] = arrays.pop(name).to_numpy().reshape(shape)
        else:
            ends, columns, found = (arrays.pop(f"{name}.{part}").to_numpy() for part in ("ends", "columns", "values"))
            values[name] = sparse.csr_array((found, columns, ends), shape=tuple(shape))
    return Counts(**values, **arrays)


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
