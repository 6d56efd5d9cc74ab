"""Whether counts can be the sums over documents that they should be: for files, and for sums that grow too large."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from problex._util.arrow import pc
from problex._util.json_values import MAX_INTEGER, DamagedValueError, Fields, check_integer, check_texts
from problex._util.late import sparse
from problex.errors import ProblexError
from problex.matching.negation import MAX_SCOPE, Negation
from problex.matching.tokens import Tokenizer

if TYPE_CHECKING:
    from problex.counting.counts import Counts, Sample

MAX_KEYS = 1 << 16
"""The maximum number of keys in `Counts`: the standard error of the estimate is 0.4 % of the different texts."""
TOKENIZER_SETTINGS = ("language", "fold_accents", "custom", "negation", "glob", "keep_links")
TOO_LARGE = (
    "the counts are too large: a sum over documents, such as that of squared lengths, passes 2^63. Cut very long texts "
    "into shorter ones, or count fewer texts"
)


def check_sums(counts: Counts) -> None:
    """Raise if a sum of two counts has passed 2^63, where 64-bit integers become negative."""
    arrays = [getattr(counts, name) for name in (*counts.per_word, "imputed_documents")]
    arrays += [counts.pairs.data, counts.sample.repeats]
    largest = max(counts.totals.values())
    if largest > MAX_INTEGER or any(array.size and int(array.min()) < 0 for array in arrays):
        raise ProblexError(TOO_LARGE)


def check_counts(counts: Counts) -> None:
    """Raise `DamagedValueError` if these cannot be the counts of any texts."""
    _check_settings(counts.settings)
    _check_totals(counts)
    lists = check_texts("lists", counts.lists)
    entries = check_texts("entries", counts.entries)
    if len(lists) < 2 or list(lists) != sorted(lists):
        raise DamagedValueError("'lists' are not two or more names in alphabetical order")
    index = _integers("list_index", counts.list_index, (len(entries),), high=len(lists) - 1)
    if sorted(zip(index.tolist(), entries, strict=True)) != list(zip(index.tolist(), entries, strict=True)):
        raise DamagedValueError("'entries' are not ordered by list and name")
    _check_words(counts, len(lists))
    documents = _integers("imputed_documents", counts.imputed_documents, (len(lists),))
    _check_sum("imputed_documents", documents, counts.documents, "documents")
    _check_matrix("pairs", counts.pairs, (len(entries), len(entries)))
    _check_sum("pairs", counts.pairs.data, counts.token_pairs // 2, "half of the token pairs")
    rows = np.repeat(np.arange(len(entries)), np.diff(counts.pairs.indptr))
    if np.any(index[rows] >= index[counts.pairs.indices]):
        raise DamagedValueError("'pairs' has a pair that is not of an entry and one of a later list")
    _check_sample(counts.sample, len(entries), counts.documents)
    _check_keys("keys", counts.keys, min(MAX_KEYS, counts.documents))


def read_tokenizer(fields: Fields, custom: Callable[[str], Sequence[str]] | None = None) -> Tokenizer:
    """The tokenizer that the settings of counts or of a model describe; `custom` replaces the function of its own."""
    negation = fields.get("negation")
    if negation is not None:
        words = Fields.of(f"{fields.where}negation", negation, ("negators", "ends", "scope", "exceptions"))
        scope = words.integer("scope", 1, MAX_SCOPE)
        negation = Negation(words.texts("negators"), words.texts("ends"), scope, words.texts("exceptions"))
    if fields.get("custom") is not None:
        fields.text("custom")
    flags = {name: fields.boolean(name) for name in ("fold_accents", "glob", "keep_links")}
    return Tokenizer(fields.text("language"), custom=custom, negation=negation, **flags)


def _check_settings(settings: Any) -> None:
    """Raise if a lexicon and a tokenizer are not described."""
    fields = Fields.of("settings", settings, ("lexicon", *TOKENIZER_SETTINGS))
    fields.text("lexicon")
    try:
        read_tokenizer(fields)
    except ProblexError as error:
        raise DamagedValueError(str(error)) from None


def _check_totals(counts: Counts) -> None:
    for name, value in counts.totals.items():
        check_integer(name, value)
    documents, tokens, squares = counts.documents, counts.tokens, counts.squared_lengths
    if not (counts.empty <= documents and documents - counts.empty <= tokens <= squares <= tokens**2):
        raise DamagedValueError(
            f"{documents} documents, {counts.empty} of them empty, {tokens} tokens and {squares} as the sum of squared "
            "lengths cannot be of the same texts"
        )


def _check_words(counts: Counts, lists: int) -> None:
    """Raise if the sums of the words do not agree with each other and with those of the documents."""
    words = counts.words
    if not isinstance(words, pa.StringArray | pa.LargeStringArray):
        raise DamagedValueError("'words' are not texts")
    if words.null_count or len(pc.unique(words)) < len(words):
        raise DamagedValueError("'words' has a word twice or a missing one")
    size = len(words)
    occurrences = _integers("occurrences", counts.occurrences, (size,))
    squares = _integers("squares", counts.squares, (size,))
    check_integer("pruned", counts.pruned, high=counts.tokens)
    _check_sum("occurrences", occurrences, counts.tokens - counts.pruned, "tokens")
    _check_sum("squares", squares, counts.squared_lengths, "squared_lengths")
    if int(occurrences.sum()) != counts.tokens - counts.pruned:
        raise DamagedValueError(
            f"'occurrences' add up to {occurrences.sum()}, expected {counts.tokens - counts.pruned}"
        )
    if np.any(squares < occurrences):
        raise DamagedValueError("'squares' has a sum of squares below the sum of the counts")
    if (counts.list_products is None) != (counts.imputed is None):
        raise DamagedValueError("one of 'list_products' and 'imputed' is missing")
    if counts.list_products is not None and counts.imputed is not None:
        _integers("list_products", counts.list_products, (size, lists), high=counts.squared_lengths)
        imputed = _integers("imputed", counts.imputed, (size, lists), high=counts.tokens)
        if np.any(imputed.sum(axis=1) > occurrences):
            raise DamagedValueError("'imputed' has more occurrences of a word than there are")


def _check_sample(sample: Sample, entries: int, documents: int) -> None:
    keys, size = sample.keys, len(sample.keys)
    check_integer("sample.limit", sample.limit)
    _check_keys("sample.keys", keys, sample.limit)
    if sample.word_keys.dtype != np.uint64 or sample.word_keys.shape != keys.shape:
        raise DamagedValueError("'sample.word_keys' are not a hash for each document")
    repeats = _integers("sample.repeats", sample.repeats, (size,), low=1)
    _check_sum("sample.repeats", repeats, documents, "documents")
    lengths = _integers("sample.lengths", sample.lengths, (size,))
    _check_matrix("sample.matrix", sample.matrix, (size, entries))
    if np.any(sample.matrix.sum(axis=1) > lengths):
        raise DamagedValueError("'sample.matrix' has more entries in a document than it has tokens")


def _check_keys(name: str, keys: Any, most: int) -> None:
    if keys.dtype != np.uint64 or keys.ndim != 1 or len(keys) > most or np.any(keys[1:] <= keys[:-1]):
        raise DamagedValueError(f"{name!r} are not increasing hashes, or more than {most}")


def _integers(name: str, array: Any, shape: tuple[int, ...], low: int = 0, high: int = MAX_INTEGER) -> Any:
    """An array of 64-bit integers of that shape, from `low` to `high`."""
    if not isinstance(array, np.ndarray) or array.dtype != np.int64 or array.shape != shape:
        raise DamagedValueError(f"{name!r} is not an array of integers of the shape {shape}")
    if array.size:
        check_integer(name, int(array.min()), low, high)
        check_integer(name, int(array.max()), low, high)
    return array


def _check_sum(name: str, array: Any, limit: int, what: str) -> None:
    """Raise if an array of integers from 0 on adds up to more than the limit; exact, without overflow."""
    if array.size and (float(array.sum(dtype=np.float64)) > 2.0**63 or int(array.sum()) > limit):
        raise DamagedValueError(f"{name!r} adds up to more than {limit}, {what}")


def _check_matrix(name: str, matrix: Any, shape: tuple[int, int]) -> None:
    if not isinstance(matrix, sparse.csr_array) or matrix.shape != shape:
        raise DamagedValueError(f"{name!r} is not a matrix of the shape {shape}")
    _integers(name, matrix.data, (matrix.nnz,))
    if matrix.nnz and not 0 <= int(matrix.indices.min()) <= int(matrix.indices.max()) < shape[1]:
        raise DamagedValueError(f"{name!r} has a column beyond its width")
