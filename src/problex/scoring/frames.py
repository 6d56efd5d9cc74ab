"""Predictions beside the columns of a data frame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from problex._util.late import nw


def prefix_columns(names: Iterable[str], results: Iterable[str]) -> dict[str, str]:
    """New names of the columns of the input that have the name of a result.

    >>> prefix_columns(["id", "label"], ["label", "score"])
    {'label': 'input_label'}
    """
    taken = set(results)
    return {name: f"input_{name}" for name in names if name in taken}


def add_columns(frame: Any, results: pa.Table) -> Any:
    """A frame of pandas, polars or Arrow with further columns; its own that have the same names get a prefix.

    The index of a pandas frame stays.
    """
    if isinstance(frame, pa.Table):
        renamed = prefix_columns(frame.column_names, results.column_names)
        kept = frame.rename_columns([renamed.get(name, name) for name in frame.column_names])
        for name in results.column_names:
            kept = kept.append_column(name, results[name])
        return kept
    native = nw.from_native(frame, eager_only=True)
    kept = native.rename(prefix_columns(native.columns, results.column_names))
    backend = nw.get_native_namespace(native)
    columns = [
        nw.new_series(name, results[name].to_pylist(), backend=backend)
        if pa.types.is_string(results.schema.field(name).type)
        else nw.new_series(name, results[name].to_numpy(), backend=backend)
        for name in results.column_names
    ]
    return kept.with_columns(*columns).to_native()


def is_frame(documents: object) -> bool:
    """Whether documents are a frame with columns: of pandas, polars, Arrow or another library that narwhals knows."""
    return isinstance(documents, pa.Table) or isinstance(
        nw.from_native(documents, pass_through=True, eager_only=True), nw.DataFrame
    )
