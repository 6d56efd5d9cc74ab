"""Rows of output tables, and their CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

Record = dict[str, Any]
"""A row of an output table: plain values by column name."""


def to_csv(records: Sequence[Record], columns: Sequence[str] = ()) -> str:
    r"""Records as CSV with a header; `columns` are needed only if there may be no records.

    >>> to_csv([{"word": "good", "note": "a, b"}])
    'word,note\ngood,"a, b"\n'
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]) if records else list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()
