"""`Counts`: the integer sums that estimation needs.

Everything is a sum over documents, so counts of parts add up to the counts of the whole, exactly and in any order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy import sparse

from problex.errors import ProblexError
from problex.items import Items, items_of
from problex.lexicon import Lexicon
from problex.storage import write_atomically
from problex.tokens import Tokenizer

IntArray = NDArray[np.int64]
FORMAT = 1
_PER_WORD = ("occurrences", "squares", "list_products", "imputed")
_TOTALS = ("documents", "tokens", "squared_lengths", "empty", "missing", "invalid", "pruned")


@dataclass(frozen=True, eq=False)
class Counts:
    """Sums over documents, for one lexicon and one tokenizer. `a + b` is the counts of both corpora together.

    With x_ti the count of word i in document t, N_t its length and m_ty its tokens in list y: `tokens` is sum N_t and
    `squared_lengths` sum N_t^2. For each of the sorted `words`, `occurrences` is sum_t x_ti, `squares` sum_t x_ti^2,
    `list_products` sum_t x_ti m_ty, and `imputed` its occurrences in the documents that counting gives to label y.
    `pairs` has sum_t x_ti x_tj for each lexicon entry (row) with those of later lists (column), so that a lexicon can
    lose words without a second look at the texts.

    >>> from problex import count
    >>> lexicon = Lexicon({"positive": ["good"], "negative": ["bad"]})
    >>> whole = count(["good good film", "a bad film", "good and bad"], lexicon)
    >>> parts = count(["a bad film"], lexicon) + count(["good and bad", "good good film"], lexicon)
    >>> whole == parts, whole.documents, whole.tokens, whole.token_pairs
    (True, 3, 9, 18)
    """

    settings: Mapping[str, Any]
    lists: tuple[str, ...]
    entries: tuple[str, ...]
    list_index: IntArray
    words: pa.Array
    occurrences: IntArray
    squares: IntArray
    list_products: IntArray
    imputed: IntArray
    imputed_documents: IntArray
    pairs: sparse.csr_array
    documents: int = 0
    tokens: int = 0
    squared_lengths: int = 0
    empty: int = 0
    missing: int = 0
    invalid: int = 0
    pruned: int = 0

    @property
    def token_pairs(self) -> int:
        """s = sum_t N_t (N_t - 1)."""
        return self.squared_lengths - self.tokens

    @property
    def totals(self) -> dict[str, int]:
        """The sums that are one number each."""
        return {name: getattr(self, name) for name in _TOTALS}

    @classmethod
    def none(cls, lexicon: Lexicon, tokenizer: Tokenizer | None = None) -> Counts:
        """The counts of no documents: the neutral value of +."""
        return no_counts(items_of(lexicon, tokenizer or Tokenizer()), settings_of(lexicon, tokenizer or Tokenizer()))

    def __add__(self, other: object) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        if self.settings != other.settings:
            raise ProblexError(
                f"counts made with {dict(self.settings)} cannot be added to counts made with {dict(other.settings)}: "
                "count both with the same lexicon, language and tokenizer"
            )
        words = pc.unique(pa.concat_arrays([self.words, other.words]))
        words = words.take(pc.sort_indices(words))
        places = [pc.index_in(part.words, words).to_numpy() for part in (self, other)]
        merged: dict[str, Any] = {"words": words}
        for name in _PER_WORD:
            mine, theirs = getattr(self, name), getattr(other, name)
            total = np.zeros((len(words), *mine.shape[1:]), np.int64)
            total[places[0]] = mine
            total[places[1]] += theirs
            merged[name] = total
        for name in ("imputed_documents", "pairs", *_TOTALS):
            merged[name] = getattr(self, name) + getattr(other, name)
        return replace(self, **merged)

    def __radd__(self, other: object) -> Counts:
        return self if other == 0 else NotImplemented  # so that sum() works

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        arrays = ("imputed_documents", *_PER_WORD)
        return (
            self.settings == other.settings
            and self.totals == other.totals
            and self.words.equals(other.words)
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in arrays)
            and all(np.array_equal(a, b) for a, b in zip(_triples(self.pairs), _triples(other.pairs), strict=True))
        )

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write one Parquet file: a row per word, everything else in its metadata."""
        meta = {
            "counts_format": FORMAT,
            "settings": dict(self.settings),
            "lists": list(self.lists),
            "entries": list(self.entries),
            "list_index": self.list_index.tolist(),
            "imputed_documents": self.imputed_documents.tolist(),
            "totals": self.totals,
            "pairs": [part.tolist() for part in _triples(self.pairs)],
        }
        columns: dict[str, Any] = {"word": self.words, "occurrences": self.occurrences, "squares": self.squares}
        for at, name in enumerate(self.lists):
            columns |= {f"with {name}": self.list_products[:, at], f"imputed {name}": self.imputed[:, at]}
        table = pa.table(columns).replace_schema_metadata({"problex": json.dumps(meta)})
        write_atomically(Path(path), partial(pq.write_table, table), force=force)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Counts:
        """Read what `save` wrote."""
        try:
            table = pq.read_table(path)
        except (pa.ArrowInvalid, OSError) as error:
            raise ProblexError(f"{str(path)!r} cannot be read as saved counts: {error}") from None
        raw = (table.schema.metadata or {}).get(b"problex")
        if raw is None:
            raise ProblexError(f"{str(path)!r} holds no counts, expected a file written by Counts.save")
        meta = json.loads(raw)
        if meta["counts_format"] > FORMAT:
            raise ProblexError(f"{str(path)!r} was written by a newer problex: upgrade with pip install -U problex")
        lists = tuple(meta["lists"])
        per_list: dict[str, Any] = {
            field: np.stack([table[f"{kind} {name}"].to_numpy() for name in lists], axis=1)
            for field, kind in (("list_products", "with"), ("imputed", "imputed"))
        }
        row, column, value = (np.array(part, dtype=np.int64) for part in meta["pairs"])
        size = len(meta["entries"])
        return cls(
            settings=meta["settings"],
            lists=lists,
            entries=tuple(meta["entries"]),
            list_index=np.array(meta["list_index"], dtype=np.int64),
            words=table["word"].combine_chunks(),
            occurrences=table["occurrences"].to_numpy(),
            squares=table["squares"].to_numpy(),
            **per_list,
            imputed_documents=np.array(meta["imputed_documents"], dtype=np.int64),
            pairs=sparse.csr_array((value, (row, column)), shape=(size, size)),
            **meta["totals"],
        )


def settings_of(lexicon: Lexicon, tokenizer: Tokenizer) -> dict[str, Any]:
    """What two counts must share to be added."""
    return {"lexicon": lexicon.fingerprint, **tokenizer.settings}


def no_counts(items: Items, settings: Mapping[str, Any]) -> Counts:
    """The counts of no documents for the items of a lexicon."""
    lists, size = len(items.lists), len(items.names)
    none, table = np.zeros(0, np.int64), np.zeros((0, lists), np.int64)
    return Counts(
        settings=settings,
        lists=items.lists,
        entries=items.names,
        list_index=items.list_index,
        words=pa.array([], pa.string()),
        occurrences=none,
        squares=none,
        list_products=table,
        imputed=table,
        imputed_documents=np.zeros(lists, np.int64),
        pairs=sparse.csr_array((size, size), dtype=np.int64),
    )


def _triples(matrix: sparse.csr_array) -> tuple[IntArray, IntArray, IntArray]:
    """Row, column and value of the entries, in one order whatever the history of the matrix."""
    coo = matrix.tocoo()
    order = np.lexsort((coo.coords[1], coo.coords[0]))
    row, column = (np.asarray(side[order], dtype=np.int64) for side in coo.coords)
    return row, column, np.asarray(coo.data[order], dtype=np.int64)
