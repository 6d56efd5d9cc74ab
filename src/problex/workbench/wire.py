"""Columns of numbers for the page: a line of JSON, then 32-bit floats, which a browser reads without copying."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from problex._util.records import Record, to_json

Columns = Mapping[str, ArrayLike]


def pack(head: Record, columns: Columns) -> bytes:
    """The head as a line of JSON, padded so that the columns after it begin at a multiple of four bytes.

    The head gets the names of the columns and their length, `rows`.

    >>> pack({"revision": 1}, {"weight": [0.5, 2.0]})[:64]
    b'{"revision": 1, "rows": 2, "columns": ["weight"]}  \\n\\x00\\x00\\x00?\\x00\\x00\\x00@'
    """
    arrays = {name: np.ascontiguousarray(values, dtype="<f4") for name, values in columns.items()}
    rows = {len(array) for array in arrays.values()}
    if len(rows) > 1:
        raise ValueError(f"columns of {sorted(rows)} rows were given, expected the same number in each")
    line = to_json(head | {"rows": rows.pop() if rows else 0, "columns": list(arrays)})[0].encode()
    padding = b" " * (-(len(line) + 1) % 4)
    return b"".join([line, padding, b"\n", *(array.tobytes() for array in arrays.values())])


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[np.float32]]]:
    """The head and the columns of `pack`.

    >>> head, columns = unpack(pack({"revision": 1}, {"weight": [0.5, 2.0], "count": [3, 4]}))
    >>> head["revision"], columns["count"].tolist()
    (1, [3.0, 4.0])
    """
    at = data.index(b"\n") + 1
    head = json.loads(data[:at])
    values = np.frombuffer(data, dtype="<f4", offset=at).reshape(len(head["columns"]), head["rows"])
    return head, dict(zip(head["columns"], values, strict=True))
