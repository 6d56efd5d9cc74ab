"""Documents of a source by their row numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from problex._util.formatting import pluralize
from problex.corpus.batch import Batch
from problex.corpus.markup import strip_markup
from problex.errors import DocumentError


def documents_at(
    batches: Iterable[Batch], rows: Iterable[int], *, markup: bool = False, source: str = "the source"
) -> dict[int, dict[str, Any]]:
    """The documents with these row numbers: the text and the kept columns of each. No other document is held.

    >>> from problex.corpus.documents import batches
    >>> documents_at(batches(["Good film.", "Bad film."]), [1])
    {1: {'text': 'Bad film.'}}
    """
    wanted = sorted(set(rows))
    documents: dict[int, dict[str, Any]] = {}
    end = 0
    for batch in batches:
        end = batch.first_row + len(batch.texts)
        for row in wanted:
            if batch.first_row <= row < end:
                place = row - batch.first_row
                text = batch.texts.slice(place, 1)
                columns = batch.columns.slice(place, 1).to_pylist()[0] if batch.columns is not None else {}
                documents[row] = {**columns, "text": (strip_markup(text) if markup else text)[0].as_py()}
        if len(documents) == len(wanted):
            return documents
    missing = next(row for row in wanted if row not in documents)
    raise DocumentError(
        f"row {missing:,} was asked for, but {source} has {pluralize(end, 'document')}: expected 0 to "
        f"{max(end - 1, 0):,}, as problex predict numbers them"
    )
