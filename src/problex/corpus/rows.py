"""Documents of a source by their row numbers."""

from __future__ import annotations

from collections.abc import Iterable

from problex._util.formatting import pluralize
from problex._util.records import Record
from problex._util.writing.tables import to_records
from problex.corpus.batch import Batch
from problex.corpus.markup import strip_markup
from problex.errors import DocumentError


def documents_at(
    stream: Iterable[Batch], rows: Iterable[int], *, markup: bool = False, source: str = "the source"
) -> dict[int, Record]:
    """The documents with these row numbers: the text and the kept columns of each. No other document is held.

    >>> from problex.corpus import batches
    >>> documents_at(batches(["Good film.", "Bad film."]), [1])
    {1: {'text': 'Bad film.'}}
    """
    remaining = sorted(set(rows), reverse=True)
    documents: dict[int, Record] = {}
    end = 0
    for batch in stream if remaining else ():
        end = batch.first_row + len(batch.texts)
        while remaining and batch.first_row <= remaining[-1] < end:
            row = remaining.pop()
            text = batch.texts.slice(row - batch.first_row, 1)
            columns = to_records(batch.columns.slice(row - batch.first_row, 1))[0] if batch.columns is not None else {}
            documents[row] = {**columns, "text": (strip_markup(text) if markup else text)[0].as_py()}
        if not remaining:
            break
    if remaining:
        raise DocumentError(
            f"row {remaining[-1]:,} was requested, but {source} has {pluralize(end, 'document')}: expected 0 to "
            f"{max(end - 1, 0):,}, as problex predict numbers them"
        )
    return documents
