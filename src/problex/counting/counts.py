"""`Counts`: the integer sums that estimation needs, with a sample of the documents and the keys of their texts.

Everything is a sum over documents, so counts of parts add up to the counts of the whole, exactly and in any order. The
`Sample` has the documents whose texts have the smallest hashes, so it does not depend on their order, either:
estimation uses it for the distribution of the scores of documents and for the threshold, without the texts.

"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.arrow import numbers_of, pc, string_array
from problex._util.files import write_atomically
from problex._util.formatting import pluralize
from problex._util.late import pq, sparse
from problex.counting.copies import different_texts, has_all_keys, smallest_keys
from problex.counting.serialization import (
    READ_ERRORS,
    check_counts,
    check_sums,
    from_bytes,
    from_table,
    to_bytes,
    to_table,
)
from problex.errors import ProblexError
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of
from problex.matching.negation import NEGATED
from problex.matching.tokens import Tokenizer

SAMPLE_SIZE = 4096
"""The maximum number of documents in the sample of `Counts`."""
_PER_TEXT = ("keys", "word_keys", "repeats", "lengths")
_PER_WORD = ("occurrences", "squares")
_PER_WORD_AND_LIST = ("list_products", "imputed")
_TOTALS = ("documents", "tokens", "squared_lengths", "empty", "missing", "invalid", "pruned")


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of entry counts of some documents, in the order of their keys, which are hashes of the texts.

    `word_keys` are those of the words, which copies with other signs have in common. `repeats` is how often a text
    occurred; `limit` is how many different texts a sample has at most.
    """

    keys: NDArray[np.uint64]
    word_keys: NDArray[np.uint64]
    repeats: IntArray
    lengths: IntArray
    matrix: sparse.csr_array
    limit: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sample):
            return NotImplemented
        return (
            self.limit == other.limit
            and self.matrix.shape == other.matrix.shape
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _PER_TEXT)
            and bool(abs(self.matrix - other.matrix).sum() == 0)
        )

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.keys)

    def with_columns(self, columns: IntArray, width: int) -> Sample:
        """The same documents over other columns: entry i becomes column `columns[i]`."""
        rows = self.matrix
        # a copy, because sorting moves the counts, and those of this sample must not change
        matrix = sparse.csr_array((rows.data.copy(), columns[rows.indices], rows.indptr), shape=(rows.shape[0], width))
        matrix.sort_indices()
        return replace(self, matrix=matrix)


@dataclass(frozen=True, eq=False, repr=False)
class Counts:
    """Sums over documents, for one lexicon and one tokenizer. `a + b` is the counts of both corpora together.

    `settings` are what two counts must share: the lexicon and the tokenizer. With x_ti the count of word i in document
    t, N_t its length and m_ty its tokens in list y: `tokens` is sum N_t and `squared_lengths` sum N_t^2. For each of
    the `words`, in no order, `occurrences` is sum_t x_ti and `squares` sum_t x_ti^2. The `entries` are those of the
    lexicon, the words that its wildcards matched, and negated items, by list and name; `pairs` has sum_t x_ti x_tj for
    each entry (row) with those of later lists (column), so that entries can be left out of a lexicon without counting
    again. `sample` are some documents as rows of entries, and `keys` the smallest different keys of all texts
    that are not empty.

    With `associations=True`, `list_products` has sum_t x_ti m_ty for every word, and `imputed` its occurrences in the
    documents where list y has the most tokens; else these are None. `empty` documents have no token; `missing`,
    `invalid` documents were null or unreadable; `pruned` are the tokens of words that were dropped.

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
    keys: NDArray[np.uint64]
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
    def copies(self) -> int:
        """The number of texts with words that are copies of others; an estimate unless `copies_are_exact`.

        >>> from problex import count
        >>> texts = ["What a good film!", "what a GOOD film", "RT what a good film", "What a bad film!"]
        >>> count(texts, Lexicon({"positive": ["good"], "negative": ["bad"]})).copies
        2
        """
        return self.with_words - different_texts(self.keys, self.with_words) if len(self.keys) else 0

    @property
    def copies_are_exact(self) -> bool:
        """Whether `keys` has those of all texts: it has 65,536 at most."""
        return has_all_keys(self.keys, self.with_words)

    @property
    def with_words(self) -> int:
        """The number of texts that are not empty."""
        return self.documents - self.empty

    @property
    def totals(self) -> dict[str, int]:
        """The sums that are one number each."""
        return {name: getattr(self, name) for name in _TOTALS}

    @property
    def per_word(self) -> tuple[str, ...]:
        """The names of the arrays with a row for every word."""
        return _PER_WORD if self.imputed is None else _PER_WORD + _PER_WORD_AND_LIST

    @classmethod
    def none(cls, lexicon: Lexicon, tokenizer: Tokenizer | None = None, *, associations: bool = False) -> Counts:
        """The counts of no documents: the neutral value of +."""
        tokenizer = tokenizer or Tokenizer()
        items = items_of(lexicon, tokenizer)
        lists, size = len(items.lists), len(items.names)
        none, per_list = np.zeros(0, np.int64), np.zeros((0, lists), np.int64)
        rows = sparse.csr_array((0, size), dtype=np.int64)
        return cls(
            settings={"lexicon": lexicon.fingerprint, **tokenizer.settings},
            lists=items.lists,
            entries=items.names,
            list_index=items.list_index,
            words=pa.nulls(0, pa.string()),
            occurrences=none,
            squares=none,
            imputed_documents=np.zeros(lists, np.int64),
            pairs=sparse.csr_array((size, size), dtype=np.int64),
            sample=Sample(*(none.astype(np.uint64),) * 2, none, none, rows, SAMPLE_SIZE),
            keys=none.astype(np.uint64),
            list_products=per_list if associations else None,
            imputed=per_list if associations else None,
        )

    def __repr__(self) -> str:
        documents, tokens = pluralize(self.documents, "document"), pluralize(self.tokens, "token")
        return f"Counts({documents}, {tokens}, {pluralize(len(self.entries), 'entry', 'entries')})"

    def __add__(self, other: object) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        if self.settings != other.settings or self.per_word != other.per_word:
            mine, theirs = _short_settings(self), _short_settings(other)
            raise ProblexError(
                f"counts made with {mine} cannot be added to counts made with {theirs}: count both with the same "
                "lexicon, language and tokenizer"
            )
        words, places = _union([self.words, other.words])
        merged: dict[str, Any] = {"words": words}
        for name in self.per_word:
            array = getattr(self, name)
            total = np.zeros((len(words), *array.shape[1:]), np.int64)
            total[places[0]] = array
            total[places[1]] += getattr(other, name)
            merged[name] = total
        one, two = _same_entries(self, other)
        merged |= {name: getattr(one, name) for name in ("entries", "list_index")}
        merged |= {"sample": join_samples(one.sample, two.sample), "pairs": one.pairs + two.pairs}
        merged["keys"] = smallest_keys(self.keys, other.keys)
        for name in ("imputed_documents", *_TOTALS):
            merged[name] = getattr(self, name) + getattr(other, name)
        result = replace(self, **merged)
        check_sums(result)
        return result

    def __radd__(self, other: object) -> Counts:
        return self if other == 0 else NotImplemented  # so that sum() works

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        one, two = alphabetical(self), alphabetical(other)
        arrays = ("imputed_documents", "list_index", "keys", *self.per_word)
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
        """Write a Parquet file."""
        write = partial(pq.write_table, to_table(alphabetical(self)), compression="zstd")
        write_atomically(Path(path), write, force=force)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Counts:
        """Read a file that `save` wrote; raise if it is damaged."""
        try:
            table = pq.read_table(path)
        except READ_ERRORS as error:
            raise ProblexError(f"{str(path)!r} cannot be read as saved counts: {error}") from None
        return from_table(cls, table, repr(str(path)), check_counts)

    def to_bytes(self) -> bytes:
        """The counts as bytes, to be sent to another process or machine.

        >>> from problex import count
        >>> counts = count(["good", "bad day"], Lexicon({"positive": ["good"], "negative": ["bad"]}))
        >>> Counts.from_bytes(counts.to_bytes()) == counts
        True
        """
        return to_bytes(self)

    @classmethod
    def from_bytes(cls, data: bytes | pa.Buffer) -> Counts:
        """The inverse of `to_bytes`; raise if the bytes are damaged."""
        return from_bytes(cls, data, check_counts)


def tokenizer_of(counts: Counts, custom: Callable[[str], Sequence[str]] | None = None) -> Tokenizer:
    """The tokenizer that counts were made with; counts have the name of a custom function only, so it must be given."""
    settings = counts.settings
    own = (settings["language"], settings["fold_accents"], custom, settings["negation"])
    return Tokenizer(*own, glob=settings["glob"], keep_links=settings["keep_links"])


def entry_order(entries: Sequence[str], list_index: IntArray) -> IntArray:
    """The order of entries in `Counts`: by list, then by name."""
    return np.array(sorted(range(len(entries)), key=lambda at: (list_index[at], entries[at])), dtype=np.int64)


def _union(parts: Sequence[pa.Array]) -> tuple[pa.Array, list[IntArray]]:
    """The different words of some arrays, and the places of those of each array among them."""
    words = pc.unique(pa.concat_arrays(parts))
    return words, [pc.index_in(part, words).to_numpy() for part in parts]


def _same_entries(one: Counts, two: Counts) -> tuple[Counts, Counts]:
    """Both with the entries of both: they differ in the words that wildcards matched and in negated items.

    >>> from problex import Lexicon, count
    >>> lexicon = Lexicon({"up": ["good*"], "down": ["bad"]})
    >>> [both.entries for both in _same_entries(count(["goodish"], lexicon), count(["goodly"], lexicon))]
    [('bad', 'goodish', 'goodly'), ('bad', 'goodish', 'goodly')]
    """
    if one.entries == two.entries:
        return one, two
    lists = dict(zip(one.entries, one.list_index.tolist(), strict=True))
    lists |= dict(zip(two.entries, two.list_index.tolist(), strict=True))
    entries = tuple(sorted(lists, key=lambda entry: (lists[entry], entry)))
    list_index = np.array([lists[entry] for entry in entries], dtype=np.int64)
    return _with_entries(one, entries, list_index), _with_entries(two, entries, list_index)


def _with_entries(counts: Counts, entries: tuple[str, ...], list_index: IntArray) -> Counts:
    """The same counts with more entries."""
    place = {entry: at for at, entry in enumerate(entries)}
    columns = np.array([place[entry] for entry in counts.entries], dtype=np.int64)
    size = len(entries)
    return replace(
        counts,
        entries=entries,
        list_index=list_index,
        pairs=_move(counts.pairs, columns, size),
        sample=counts.sample.with_columns(columns, size),
    )


def _move(pairs: sparse.csr_array, columns: IntArray, size: int) -> sparse.csr_array:
    """A matrix with more rows and columns, of which `columns` are those of the given one.

    >>> _move(sparse.csr_array(np.array([[0, 5], [0, 0]])), np.array([0, 2]), 3).toarray().tolist()
    [[0, 0, 5], [0, 0, 0], [0, 0, 0]]
    """
    if (np.diff(columns) < 0).any():
        row, column, value = _triples(pairs)
        return sparse.csr_array((value, (columns[row], columns[column])), shape=(size, size))
    ends = np.zeros(size + 1, pairs.indptr.dtype)
    ends[columns + 1] = np.diff(pairs.indptr)
    places = columns.astype(pairs.indices.dtype)[pairs.indices]
    return sparse.csr_array((pairs.data, places, ends.cumsum(dtype=ends.dtype)), shape=(size, size))


def alphabetical(counts: Counts) -> Counts:
    """The same counts with their words in alphabetical order."""
    order = pc.sort_indices(counts.words).to_numpy()
    changes = {name: getattr(counts, name)[order] for name in counts.per_word}
    return replace(counts, words=counts.words.take(pa.array(order)), **changes)


def _short_settings(counts: Counts) -> dict[str, object]:
    """The settings without all the words of negation, for messages."""
    settings = {name: value for name, value in counts.settings.items() if name != "negation"}
    negation = counts.settings.get("negation")
    settings["negation"] = f"{len(negation['negators'])} negators" if negation else None
    return settings | {"associations": counts.imputed is not None}


def _triples(matrix: sparse.csr_array) -> tuple[IntArray, IntArray, IntArray]:
    """Row, column and value of the entries, in one order whatever the history of the matrix.

    >>> [part.tolist() for part in _triples(sparse.csr_array(np.array([[0, 5], [7, 0]])))]
    [[0, 1], [1, 0], [5, 7]]
    """
    coo = matrix.tocoo()
    order = np.lexsort((coo.coords[1], coo.coords[0]))
    row, column = (np.asarray(side[order], dtype=np.int64) for side in coo.coords)
    return row, column, np.asarray(coo.data[order], dtype=np.int64)


def draw_sample(
    keys: NDArray[np.uint64],
    lengths: IntArray,
    matrix: sparse.csr_array,
    limit: int,
    word_keys: NDArray[np.uint64] | None = None,
) -> Sample:
    """The sample of these documents; without `word_keys` no two different ones are copies.

    >>> matrix = sparse.csr_array(np.array([[1], [2], [1]]))
    >>> sample = draw_sample(np.array([7, 3, 7], np.uint64), np.array([4, 5, 4]), matrix, limit=10)
    >>> sample.keys.tolist(), sample.repeats.tolist(), sample.lengths.tolist()
    ([3, 7], [1, 2], [5, 4])
    """
    return _smallest(
        Sample(keys, keys if word_keys is None else word_keys, np.ones(len(keys), np.int64), lengths, matrix, limit)
    )


def join_samples(one: Sample, two: Sample) -> Sample:
    """The sample of the documents of both; they must have the same columns.

    >>> rows, lengths = sparse.csr_array(np.eye(2, dtype=np.int64)), np.array([4, 5])
    >>> one, two = (draw_sample(np.array(keys, np.uint64), lengths, rows, limit=2) for keys in ([7, 3], [5, 3]))
    >>> both = join_samples(one, two)    # of three texts, that with the key 7 has to go
    >>> both.keys.tolist(), both.repeats.tolist()
    ([3, 5], [2, 1])
    """
    keys, word_keys, repeats, lengths = (np.concatenate([getattr(one, name), getattr(two, name)]) for name in _PER_TEXT)
    rows = sparse.csr_array(sparse.vstack([one.matrix, two.matrix]))
    return _smallest(Sample(keys, word_keys, repeats, lengths, rows, max(one.limit, two.limit)))


def _smallest(texts: Sample) -> Sample:
    """The documents with the smallest keys; those with the same key become one, their repeats are added."""
    unique, first, inverse = np.unique(texts.keys, return_index=True, return_inverse=True)
    times = np.zeros(len(unique), np.int64)
    np.add.at(times, inverse, texts.repeats)
    limit, kept = texts.limit, first[: texts.limit]
    rows = sparse.csr_array(texts.matrix[kept]).astype(np.int64)
    rows.sort_indices()
    return Sample(unique[:limit], texts.word_keys[kept], times[:limit], texts.lengths[kept], rows, limit)


def words_of_texts(counts: Counts, items: Items, tokenizer: Tokenizer) -> int:
    """The number of words of the texts, whatever the lexicon is.

    A phrase is one token of several words; so is a literal, which may also have none.

    >>> from problex import count
    >>> lexicon = Lexicon({"positive": ["good", ":)"], "negative": ["rip off", "r&b"]})
    >>> counts = count(["good :) film", "a rip off", "bad r&b"], lexicon)
    >>> counts.tokens, words_of_texts(counts, items_of(lexicon, Tokenizer()), Tokenizer())
    (7, 8)
    """
    sizes = {name: len(tokenizer(name)) for name in items.literals}
    literals = string_array([*sizes, *(f"{NEGATED}{name}" for name in sizes)])
    joined = pc.or_(pc.match_substring(counts.words, " "), pc.is_in(counts.words, literals))
    index = pc.indices_nonzero(joined)
    names = [name.removeprefix(NEGATED) for name in pc.take(counts.words, index).to_pylist()]
    of_each = [sizes.get(name, name.count(" ") + 1) for name in names]
    numbers = counts.occurrences[numbers_of(index)]
    return counts.tokens + int(numbers @ (np.array(of_each, np.int64) - 1))
