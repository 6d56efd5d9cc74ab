"""Counts as an Arrow table: the one format of files (Parquet), of checkpoints, and of bytes between machines.

A column is an array of the counts, cut into rows of at most `ROW_LENGTH` values; what is not an array is in the
metadata. A field is stored by its type (array, words, sparse matrix, nested value, plain value), not by its name, so
that a new field needs no change here. The metadata have a digest of everything else, which is compared on reading.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

import numpy as np
import pyarrow as pa

from problex._util.json_values import MAX_INTEGER, DamagedValueError, Fields, check_integer, check_texts, parse_json
from problex._util.late import sparse
from problex.errors import ProblexError
from problex.matching.negation import MAX_SCOPE, Negation
from problex.matching.tokens import Tokenizer

if TYPE_CHECKING:
    from problex.counting.counts import Counts

T = TypeVar("T")

FORMAT = 1
METADATA_KEY = b"problex"
ROW_LENGTH = 1 << 20
MATRIX_ARRAYS = ("indptr", "indices", "data")
READ_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    NotImplementedError,
    OSError,
    TypeError,
    ValueError,
)
"""What Arrow, numpy and scipy raise for damaged data."""
TOKENIZER_SETTINGS = ("language", "fold_accents", "custom", "negation", "glob", "keep_links")
TOO_LARGE = (
    "the counts are too large: a sum over documents, such as that of squared lengths, passes 2^63. Cut very long texts "
    "into shorter ones, or count fewer texts"
)


def to_table(value: object) -> pa.Table:
    """A dataclass of arrays as a table."""
    arrays: dict[str, pa.Array] = {}
    meta: dict[str, Any] = {"counts_format": FORMAT, "values": {}, "shapes": {}, "tuples": []}
    for name, part in _leaves(value):
        if isinstance(part, sparse.csr_array):
            arrays |= {f"{name}.{array}": pa.array(getattr(part, array)) for array in MATRIX_ARRAYS}
            meta["shapes"][name] = part.shape
        elif isinstance(part, np.ndarray):
            arrays[name] = pa.array(part.reshape(-1))
            meta["shapes"][name] = part.shape
        elif isinstance(part, tuple):
            arrays[name] = pa.array(part, pa.string())
            meta["tuples"].append(name)
        elif isinstance(part, pa.Array):
            arrays[name] = part
        else:
            meta["values"][name] = dict(part) if isinstance(part, Mapping) else part
    rows = max(1, *(-(-len(array) // ROW_LENGTH) for array in arrays.values()))
    cuts = np.arange(rows + 1) * ROW_LENGTH
    columns = {
        name: pa.LargeListArray.from_arrays(pa.array(np.minimum(cuts, len(array)), pa.int64()), array)
        for name, array in arrays.items()
    }
    table = pa.table(columns)
    meta["digest"] = _digest(table, meta)
    return table.replace_schema_metadata({METADATA_KEY: json.dumps(meta, ensure_ascii=False)})


def from_table(kind: type[T], table: pa.Table, where: str, check: Callable[[T], None]) -> T:
    """The inverse of `to_table`: a value of a type; `where` names the table in errors.

    Raise if it is damaged: if the digest does not match, or if `check` raises `DamagedValueError`.
    """
    raw = (table.schema.metadata or {}).get(METADATA_KEY)
    if raw is None:
        raise ProblexError(f"{where} does not contain counts, expected a file written by Counts.save")
    try:
        value: T = _read(kind, table, Fields.of("", parse_json(raw.decode())), where)
        check(value)
    except ProblexError:
        raise
    except READ_ERRORS as error:
        raise ProblexError(f"{where} is damaged: {error}. Count the texts again.") from None
    return value


def _read(kind: type[T], table: pa.Table, meta: Fields, where: str) -> T:
    version = meta.integer("counts_format")
    if version != FORMAT:
        newer = version > FORMAT
        advice = "upgrade with pip install -U problex" if newer else "count the texts again"
        raise ProblexError(f"{where} was written by {'a newer' if newer else 'an older'} problex: {advice}")
    table.validate(full=True)
    others = {name: value for name, value in meta.record.items() if name != "digest"}
    if _digest(table, others) != meta.text("digest"):
        raise DamagedValueError("its digest does not fit its content")
    value: T = _build(kind, _parts(table, meta))
    return value


def _parts(table: pa.Table, meta: Fields) -> dict[str, Any]:
    """The fields of a value by dotted names."""
    parts: dict[str, Any] = {name: _column(table, name) for name in table.column_names}
    parts |= meta.object("values").record
    parts |= {name: tuple(parts[name].to_pylist()) for name in meta.texts("tuples")}
    for name, sizes in meta.object("shapes").record.items():
        shape = tuple(check_integer(name, size) for size in sizes)
        if name in parts:
            parts[name] = parts[name].to_numpy().reshape(shape)
        else:
            ends, columns, values = (parts[f"{name}.{array}"].to_numpy() for array in MATRIX_ARRAYS)
            parts[name] = read_matrix(values, columns, ends, shape)
    return parts


def read_matrix(values: Any, columns: Any, ends: Any, shape: Any) -> sparse.csr_array:
    """A sparse matrix from its arrays; raise if they do not agree.

    >>> read_matrix(np.array([5, 7]), np.array([1, 0]), np.array([0, 1, 2]), (2, 2)).toarray().tolist()
    [[0, 5], [7, 0]]
    """
    if not all(np.issubdtype(array.dtype, np.integer) for array in (values, columns, ends)):
        raise DamagedValueError("a sparse matrix has values that are not integers")
    matrix = sparse.csr_array((values, columns, ends), shape=shape)
    matrix.check_format(full_check=True)
    return matrix


def _column(table: pa.Table, name: str) -> pa.Array:
    """The values of a column of rows."""
    column = table[name].combine_chunks()
    values = column.flatten()
    if column.null_count or values.null_count:
        raise DamagedValueError(f"{name!r} has missing values")
    return values


def _digest(table: pa.Table, meta: Mapping[str, Any]) -> str:
    """A hash of the columns, however they are cut into rows, and of the metadata."""
    content = hashlib.sha256(json.dumps(meta, sort_keys=True).encode())
    for name in table.column_names:
        values = _column(table, name) if pa.types.is_large_list(table[name].type) else table[name].combine_chunks()
        content.update(f"{name} {len(values)} {values.type}".encode())
        if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
            width = np.int32 if pa.types.is_string(values.type) else np.int64
            _, ends, data = values.buffers()
            if ends is None or not len(values):
                continue
            bounds = np.frombuffer(ends, width)[values.offset : values.offset + len(values) + 1]
            content.update(np.diff(bounds).astype(np.int64).data)
            content.update(b"" if data is None else memoryview(data)[int(bounds[0]) : int(bounds[-1])])
        else:
            content.update(np.ascontiguousarray(values.to_numpy(zero_copy_only=False)).data)
    return f"sha256:{content.hexdigest()}"


def to_bytes(value: object) -> bytes:
    """A dataclass of arrays as bytes: its table as a compressed Arrow stream."""
    table = to_table(value)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue())


def from_bytes(kind: type[T], data: Any, check: Callable[[T], None]) -> T:
    """The inverse of `to_bytes`; raise as `from_table` does."""
    try:
        with pa.ipc.open_stream(data) as stream:
            table = stream.read_all()
    except READ_ERRORS as error:
        raise ProblexError(f"these bytes are not counts, expected the result of Counts.to_bytes: {error}") from None
    return from_table(kind, table, "the byte string", check)


def _leaves(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass, and those of its fields that are dataclasses, by dotted names."""
    for field in fields(value):
        part = getattr(value, field.name)
        if is_dataclass(part):
            yield from _leaves(part, f"{prefix}{field.name}.")
        else:
            yield prefix + field.name, part


def _build(kind: Any, parts: Mapping[str, Any], prefix: str = "") -> Any:
    """A dataclass from its fields by dotted names."""
    hints = get_type_hints(kind)
    return kind(
        **{
            field.name: _build(hints[field.name], parts, f"{prefix}{field.name}.")
            if is_dataclass(hints[field.name])
            else parts[prefix + field.name]
            for field in fields(kind)
        }
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
    """Raise unless an array or matrix has that shape and integers from 0 on, hashes if it has keys.

    >>> _check_array("pairs", np.array([1, -1]), (2,))
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'pairs' has a number below 0
    """
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
