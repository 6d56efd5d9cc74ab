"""Whether counts can be the sums over documents that they should be: for files, and for sums that grow too large."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from problex._util.json_values import MAX_INTEGER, DamagedValueError, Fields, check_integer, check_texts
from problex._util.late import sparse
from problex.errors import ProblexError
from problex.matching.negation import MAX_SCOPE, Negation
from problex.matching.tokens import Tokenizer

if TYPE_CHECKING:
    from problex.counting.counts import Counts

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
    """Raise `DamagedValueError` if the types, lengths and limits of counts do not fit together.

    That no value was changed is what the digest of a file is for.
    """
    fields = Fields.of("settings", counts.settings, ("lexicon", *TOKENIZER_SETTINGS))
    fields.text("lexicon")
    try:
        read_tokenizer(fields)
    except ProblexError as error:
        raise DamagedValueError(str(error)) from None
    for name, value in (*counts.totals.items(), ("sample.limit", counts.sample.limit)):
        check_integer(name, value)
    lists, entries = check_texts("lists", counts.lists), check_texts("entries", counts.entries)
    if not isinstance(counts.words, pa.StringArray | pa.LargeStringArray):
        raise DamagedValueError("'words' are not texts")
    if (counts.list_products is None) != (counts.imputed is None):
        raise DamagedValueError("one of 'list_products' and 'imputed' is missing")
    words, documents = len(counts.words), len(counts.sample)
    shapes: dict[str, tuple[int, ...]] = {"occurrences": (words,), "squares": (words,), "list_index": (len(entries),)}
    shapes |= {"imputed_documents": (len(lists),), "pairs": (len(entries), len(entries))}
    if counts.imputed is not None:
        shapes |= dict.fromkeys(("list_products", "imputed"), (words, len(lists)))
    shapes |= dict.fromkeys(("sample.keys", "sample.word_keys", "sample.repeats", "sample.lengths"), (documents,))
    shapes |= {"sample.matrix": (documents, len(entries)), "keys": (len(counts.keys),)}
    for name, shape in shapes.items():
        _check_array(name, attrgetter(name)(counts), shape)
    if len(lists) < 2 or list(lists) != sorted(lists):
        raise DamagedValueError("'lists' are not two or more names in alphabetical order")
    order = list(zip(counts.list_index.tolist(), entries, strict=True))
    if order != sorted(order) or counts.list_index.max(initial=0) >= len(lists):
        raise DamagedValueError("'entries' are not ordered by list and name")


def _check_array(name: str, array: Any, shape: tuple[int, ...]) -> None:
    """Raise unless an array or matrix has that shape and integers from 0 on, hashes if it has keys."""
    values = array.data if isinstance(array, sparse.csr_array) else array
    expected = np.uint64 if name.endswith("keys") else np.int64
    if not isinstance(values, np.ndarray) or values.dtype != expected or array.shape != shape:
        raise DamagedValueError(f"{name!r} is not an array of integers of the shape {shape}")
    if values.size and int(values.min()) < 0:
        raise DamagedValueError(f"{name!r} has a number below 0")


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
