"""Predictions beside the columns of a data frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from problex._util.arrow import number_array
from problex._util.late import nw
from problex.corpus import Batch
from problex.scoring.scores import Scores


def prefix_columns(names: Iterable[str], results: Iterable[str]) -> dict[str, str]:
    """New names of the columns of the input that have the name of a result.

    >>> prefix_columns(["id", "label"], ["label", "score"])
    {'label': 'input_label'}
    """
    taken = set(results)
    return {name: f"input_{name}" for name in names if name in taken}


def scored_table(batch: Batch, scores: Scores, digits: int, more: Mapping[str, pa.Array] | None = None) -> pa.Table:
    """One row per document: its number, kept columns, label, score, probabilities, tokens, matches and `more`.

    >>> import numpy as np
    >>> scores = Scores(("no", "yes"), np.array([[0.0, 1.5]]), np.array([3]), np.array([1]))
    >>> batch = Batch(pa.array(["a fine day"]), 7, columns=pa.table({"id": ["x"], "label": ["good"]}))
    >>> scored_table(batch, scores, 2).select(["row", "id", "input_label", "label", "score"]).to_pylist()
    [{'row': 7, 'id': 'x', 'input_label': 'good', 'label': 'yes', 'score': 1.5}]
    """
    rows = np.arange(batch.first_row, batch.first_row + len(scores.lengths))
    columns: dict[str, pa.Array] = {"row": number_array(rows)}
    results = scores.table(digits)
    for name, values in (more or {}).items():
        results = results.append_column(name, values)
    if batch.columns is not None:
        renamed = prefix_columns(batch.columns.column_names, ["row", *results.column_names])
        columns |= {renamed.get(name, name): batch.columns[name] for name in batch.columns.column_names}
    return pa.table(columns | {name: results[name] for name in results.column_names})


def add_columns(frame: Any, results: pa.Table) -> Any:
    """A frame of pandas, polars or Arrow with further columns; its own that have the same names get a prefix.

    The index of a pandas frame stays.

    >>> add_columns(pa.table({"label": ["mine"]}), pa.table({"label": ["up"]})).column_names
    ['input_label', 'label']
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
    """Whether documents are a frame with columns: of pandas, polars, Arrow or another library that narwhals knows.

    >>> is_frame(pa.table({"text": ["Good film."]})), is_frame(["Good film."]), is_frame("Good film.")
    (True, False, False)
    """
    return isinstance(documents, pa.Table) or isinstance(
        nw.from_native(documents, pass_through=True, eager_only=True), nw.DataFrame
    )
