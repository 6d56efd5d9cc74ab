"""`Counts`: the integer sums that estimation needs.

Everything is a sum over documents, so counts of parts add up to the counts of the whole, exactly and in any order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from scipy import sparse

from problex._util.arrays import IntArray
from problex._util.files import write_atomically
from problex.counting.pool import SAMPLE
from problex.counting.sample import Sample, joined, no_sample
from problex.errors import ProblexError
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of
from problex.matching.tokens import Tokenizer

FORMAT = 2
_PER_WORD = ("occurrences", "squares")
_PER_WORD_AND_LIST = ("list_products", "imputed")
_TOTALS = ("documents", "tokens", "squared_lengths", "empty", "missing", "invalid", "pruned")


@dataclass(frozen=True, eq=False)
class Counts:
    """Sums over documents, for one lexicon and one tokenizer. `a + b` is the counts of both corpora together.

    With x_ti the count of word i in document t, N_t its length and m_ty its tokens in list y: `tokens` is sum N_t and
    `squared_lengths` sum N_t^2. For each of the `words`, in no order, `occurrences` is sum_t x_ti and `squares` sum_t
    x_ti^2. The `entries` are those of the lexicon, what its wildcards caught, and negated ones, by list and name;
    `pairs` has sum_t x_ti x_tj for each entry (row) with those of later lists (column), so that a lexicon can lose
    words without a second look at the texts. `sample` are some documents as rows of entries.

    If asked for (`associations=True`), `list_products` has sum_t x_ti m_ty for every word, and `imputed` its
    occurrences in the documents that counting gives to label y; else these are None.

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
    imputed_documents: IntArray
    pairs: sparse.csr_array
    sample: Sample
    list_products: IntArray | None = None
    imputed: IntArray | None = None
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

    @property
    def per_word(self) -> tuple[str, ...]:
        """The names of the sums that there are for every word."""
        return _PER_WORD if self.imputed is None else _PER_WORD + _PER_WORD_AND_LIST

    @classmethod
    def none(cls, lexicon: Lexicon, tokenizer: Tokenizer | None = None, *, associations: bool = False) -> Counts:
        """The counts of no documents: the neutral value of +."""
        used = tokenizer or Tokenizer()
        return no_counts(items_of(lexicon, used), settings_of(lexicon, used), associations=associations)

    def __add__(self, other: object) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        if self.settings != other.settings or self.per_word != other.per_word:
            raise ProblexError(
                f"counts made with {_shown(self)} cannot be added to counts made with {_shown(other)}: "
                "count both with the same lexicon, language and tokenizer"
            )
        words, places = _union([self.words, other.words])
        merged: dict[str, Any] = {"words": words}
        for name in self.per_word:
            mine, theirs = getattr(self, name), getattr(other, name)
            total = np.zeros((len(words), *mine.shape[1:]), np.int64)
            total[places[0]] = mine
            total[places[1]] += theirs
            merged[name] = total
        one, two = _same_entries(self, other)
        merged |= {name: getattr(one, name) for name in ("entries", "list_index")}
        merged |= {"sample": joined(one.sample, two.sample), "pairs": one.pairs + two.pairs}
        for name in ("imputed_documents", *_TOTALS):
            merged[name] = getattr(self, name) + getattr(other, name)
        return replace(self, **merged)

    def __radd__(self, other: object) -> Counts:
        return self if other == 0 else NotImplemented  # so that sum() works

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        one, two = alphabetical(self), alphabetical(other)
        arrays = ("imputed_documents", "list_index", *self.per_word)
        return (
            self.settings == other.settings
            and self.totals == other.totals
            and self.entries == other.entries
            and self.per_word == other.per_word
            and one.words.equals(two.words)
            and all(np.array_equal(getattr(one, name), getattr(two, name)) for name in arrays)
            and all(np.array_equal(a, b) for a, b in zip(_triples(self.pairs), _triples(other.pairs), strict=True))
            and self.sample == other.sample
        )

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write one Parquet file: a row per word, everything else in its metadata."""
        table = to_table(alphabetical(self))
        write_atomically(Path(path), partial(pq.write_table, table), force=force)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Counts:
        """Read what `save` wrote."""
        try:
            table = pq.read_table(path)
        except (pa.ArrowInvalid, OSError) as error:
            raise ProblexError(f"{str(path)!r} cannot be read as saved counts: {error}") from None
        return from_table(table, repr(str(path)))


def to_table(counts: Counts) -> pa.Table:
    """Counts as one Arrow table: a row per word, everything else in its metadata."""
    sample = counts.sample
    meta = {
        "counts_format": FORMAT,
        "settings": dict(counts.settings),
        "lists": list(counts.lists),
        "entries": list(counts.entries),
        "list_index": counts.list_index.tolist(),
        "imputed_documents": counts.imputed_documents.tolist(),
        "totals": counts.totals,
        "pairs": [part.tolist() for part in _triples(counts.pairs)],
        "sample": [part.tolist() for part in (sample.keys, sample.repeats, sample.lengths, *_triples(sample.matrix))],
        "sample_most": sample.most,
    }
    columns: dict[str, Any] = {"word": counts.words, "occurrences": counts.occurrences, "squares": counts.squares}
    if counts.list_products is not None and counts.imputed is not None:
        for at, name in enumerate(counts.lists):
            columns |= {f"with {name}": counts.list_products[:, at], f"imputed {name}": counts.imputed[:, at]}
    return pa.table(columns).replace_schema_metadata({"problex": json.dumps(meta)})


def from_table(table: pa.Table, where: str) -> Counts:
    """The counts in a table that `to_table` made; `where` names it in complaints."""
    raw = (table.schema.metadata or {}).get(b"problex")
    if raw is None:
        raise ProblexError(f"{where} holds no counts, expected a file written by Counts.save")
    meta = json.loads(raw)
    if meta["counts_format"] != FORMAT:
        newer = meta["counts_format"] > FORMAT
        advice = "upgrade with pip install -U problex" if newer else "count the texts again"
        raise ProblexError(f"{where} was written by {'a newer' if newer else 'an older'} problex: {advice}")
    lists = tuple(meta["lists"])
    columns: dict[str, Any] = {}
    if f"with {lists[0]}" in table.column_names:
        for field, kind in (("list_products", "with"), ("imputed", "imputed")):
            columns[field] = np.stack([table[f"{kind} {name}"].to_numpy() for name in lists], axis=1)
    size = len(meta["entries"])
    keys, repeats, lengths, *rows = meta["sample"]
    return Counts(
        settings=meta["settings"],
        lists=lists,
        entries=tuple(meta["entries"]),
        list_index=np.array(meta["list_index"], dtype=np.int64),
        words=table["word"].combine_chunks(),
        occurrences=table["occurrences"].to_numpy(),
        squares=table["squares"].to_numpy(),
        imputed_documents=np.array(meta["imputed_documents"], dtype=np.int64),
        pairs=_matrix(meta["pairs"], (size, size)),
        sample=Sample(
            np.array(keys, dtype=np.uint64),
            np.array(repeats, dtype=np.int64),
            np.array(lengths, dtype=np.int64),
            _matrix(rows, (len(keys), size)),
            meta["sample_most"],
        ),
        **columns,
        **meta["totals"],
    )


def settings_of(lexicon: Lexicon, tokenizer: Tokenizer) -> dict[str, Any]:
    """What two counts must share to be added."""
    return {"lexicon": lexicon.fingerprint, **tokenizer.settings}


def tokenizer_of(counts: Counts) -> Tokenizer:
    """The tokenizer that counts were made with, unless it was one's own."""
    settings = counts.settings
    return Tokenizer(settings["language"], settings["fold_accents"], negation=settings["negation"])


def no_counts(items: Items, settings: Mapping[str, Any], *, associations: bool = False) -> Counts:
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
        imputed_documents=np.zeros(lists, np.int64),
        pairs=sparse.csr_array((size, size), dtype=np.int64),
        sample=no_sample(size, SAMPLE),
        list_products=table if associations else None,
        imputed=table if associations else None,
    )


def entry_order(entries: Sequence[str], list_index: IntArray) -> IntArray:
    """The order in which entries stand: by list, then by name."""
    return np.array(sorted(range(len(entries)), key=lambda at: (list_index[at], entries[at])), dtype=np.int64)


def _union(parts: Sequence[pa.Array]) -> tuple[pa.Array, list[IntArray]]:
    """Words of both, each once, and where those of each part stand."""
    words = pc.unique(pa.concat_arrays(parts))
    return words, [pc.index_in(part, words).to_numpy() for part in parts]


def _same_entries(one: Counts, two: Counts) -> tuple[Counts, Counts]:
    """Both with the entries of both: they differ in what wildcards caught and in what was negated."""
    if one.entries == two.entries:
        return one, two
    lists = dict(zip(one.entries, one.list_index.tolist(), strict=True))
    lists |= dict(zip(two.entries, two.list_index.tolist(), strict=True))
    entries = tuple(sorted(lists, key=lambda entry: (lists[entry], entry)))
    place = {entry: at for at, entry in enumerate(entries)}
    index = np.array([lists[entry] for entry in entries], dtype=np.int64)
    first, second = (
        replace(
            part,
            entries=entries,
            list_index=index,
            pairs=_moved(part.pairs, columns, len(entries)),
            sample=part.sample.moved(columns, len(entries)),
        )
        for part in (one, two)
        for columns in [np.array([place[entry] for entry in part.entries], dtype=np.int64)]
    )
    return first, second


def _moved(pairs: sparse.csr_array, places: IntArray, size: int) -> sparse.csr_array:
    row, column, value = _triples(pairs)
    return sparse.csr_array((value, (places[row], places[column])), shape=(size, size))


def alphabetical(counts: Counts) -> Counts:
    """The same with its words in alphabetical order."""
    order = pc.sort_indices(counts.words).to_numpy()
    changes = {name: getattr(counts, name)[order] for name in counts.per_word}
    return replace(counts, words=counts.words.take(pa.array(order)), **changes)


def _shown(counts: Counts) -> dict[str, Any]:
    shown = {name: value for name, value in counts.settings.items() if name != "negation"}
    negation = counts.settings.get("negation")
    shown["negation"] = f"{len(negation['negators'])} negators" if negation else None
    return shown | {"associations": counts.imputed is not None}


def _matrix(triples: Sequence[Sequence[int]], shape: tuple[int, int]) -> sparse.csr_array:
    row, column, value = (np.array(part, dtype=np.int64) for part in triples)
    return sparse.csr_array((value, (row, column)), shape=shape)


def _triples(matrix: sparse.csr_array) -> tuple[IntArray, IntArray, IntArray]:
    """Row, column and value of the entries, in one order whatever the history of the matrix."""
    coo = matrix.tocoo()
    order = np.lexsort((coo.coords[1], coo.coords[0]))
    row, column = (np.asarray(side[order], dtype=np.int64) for side in coo.coords)
    return row, column, np.asarray(coo.data[order], dtype=np.int64)
