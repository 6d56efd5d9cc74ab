"""The sums over the rows of a table of counts, in numpy: for custom tokenizers, and to test the compiled counter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.late import sparse
from problex.counting.copies import smallest_keys
from problex.counting.counts import Counts, entry_order
from problex.counting.sample import draw_sample
from problex.counting.tables import Table
from problex.matching.items import Items


def sum_table(table: Table, items: Items, none: Counts, keys: NDArray[np.uint64] | None = None) -> Counts:
    """The sums over the rows of a table of counts; with the keys of the documents, also their sample."""
    seen = np.flatnonzero(_column_sums(table.matrix) > 0)
    matrix = table.matrix[:, seen]
    words = [table.words[int(at)] for at in seen]
    listed = {word: of for word in words if (of := items.find(word)) is not None} | dict(items.list_of)
    names, lists = list(listed), np.array(list(listed.values()), dtype=np.int64)
    order = entry_order(names, lists)
    entries, list_index = tuple(names[at] for at in order), lists[order]
    column_of = {word: at for at, word in enumerate(words)}
    present = [(number, column_of[name]) for number, name in enumerate(entries) if name in column_of]
    number, column = (np.array([pair[side] for pair in present], dtype=np.int64) for side in (0, 1))
    spread = sparse.csr_array((np.ones(len(number), np.int64), (column, number)), shape=(len(words), len(entries)))
    lexical = sparse.csr_array(matrix @ spread)
    list_products, imputed, imputed_documents = none.list_products, none.imputed, none.imputed_documents
    if imputed is not None:
        list_products, imputed, imputed_documents = list_associations(matrix, lexical, list_index, len(items.lists))
    return replace(
        none,
        entries=entries,
        list_index=list_index,
        words=pa.array(words, pa.string()),
        occurrences=_column_sums(matrix),
        squares=_column_sums(matrix.power(2)),
        pairs=_cross_pairs(lexical, list_index),
        sample=none.sample.with_columns(order, len(entries))
        if keys is None
        else draw_sample(keys, table.lengths, lexical, none.sample.limit, table.keys),
        keys=none.keys if table.keys is None else smallest_keys(table.keys[table.lengths > 0]),
        documents=len(table.lengths),
        tokens=int(table.lengths.sum()),
        squared_lengths=int((table.lengths**2).sum()),
        empty=int(np.sum(table.lengths == 0)),
        list_products=list_products,
        imputed=imputed,
        imputed_documents=imputed_documents,
    )


def list_associations(
    matrix: sparse.csr_array | sparse.csc_array, lexical: sparse.csr_array, list_index: IntArray, lists: int
) -> tuple[IntArray, IntArray, IntArray]:
    """For every word its products with each list and its occurrences by imputed label; documents by imputed label."""
    list_totals = (lexical @ sparse.csr_array(np.eye(lists, dtype=np.int64)[list_index])).toarray()
    label = _imputed_label(list_totals)
    chosen = np.eye(lists + 1, dtype=np.int64)[label][:, :-1]  # the last column is a tie: no label
    list_products = np.asarray(matrix.T @ list_totals, dtype=np.int64)
    return list_products, np.asarray(matrix.T @ chosen, dtype=np.int64), chosen.sum(axis=0)


def _imputed_label(list_totals: IntArray) -> IntArray:
    """The list with the most tokens in each document; the number of lists where there is a tie."""
    best = list_totals.max(axis=1, keepdims=True)
    tie = (list_totals == best).sum(axis=1) > 1
    return np.asarray(np.where(tie, list_totals.shape[1], list_totals.argmax(axis=1)), dtype=np.int64)


def _cross_pairs(lexical: sparse.csr_array, list_index: IntArray) -> sparse.csr_array:
    """Sums of the products of each entry (row) with the entries of later lists (column)."""
    product = (lexical.T @ lexical).tocoo()
    row, column = product.coords
    cross = list_index[row] < list_index[column]
    return sparse.csr_array((product.data[cross].astype(np.int64), (row[cross], column[cross])), shape=product.shape)


def _column_sums(matrix: sparse.csr_array) -> IntArray:
    return np.asarray(matrix.sum(axis=0), dtype=np.int64).reshape(-1)
