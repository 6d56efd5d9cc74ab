"""Batches of documents: texts from a reader are checked and divided by size, lost rows counted, and markup removed."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrow import numbers_of, pc
from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.tables.reader import MAX_ROWS, TEXT_TYPES, Label, Position, RawBatch, ReadOptions, check_texts, text_size

MAX_SHARE = 0.1
MIN_INVALID = 3  # a title and a footer are no reason to stop
MAX_OF_FEW = 0.5  # unless they are more than half of the rows
MIN_ROWS = 1000  # before the end of a file is reached


@dataclass
class Losses:
    """The rows of the file that is being read, those of them that are invalid, and what is to be said about it.

    >>> losses = Losses("skip", rows=27)
    >>> losses.add(rows=3, invalid=3)
    >>> losses.check_end()
    Traceback (most recent call last):
    ...
    problex.errors.DocumentError: 3 of 30 rows could not be read, ...
    """

    on_error: str
    name: str = ""
    invalid: int = 0
    rows: int = 0
    describe: Callable[[], str] = str

    def begin(self, name: str, describe: Callable[[], str], *, is_new_file: bool) -> None:
        """Continue with rows of a file, or begin with a new one."""
        if is_new_file and self.rows:
            self.check_end()
            self.invalid = self.rows = 0
        self.name, self.describe = name, describe

    def add(self, rows: int, invalid: int) -> None:
        """Add some rows; raise if too many were invalid so far."""
        self.rows += rows
        self.invalid += invalid
        if self.rows >= MIN_ROWS:
            self.check_end()

    def check_end(self) -> None:
        """Raise if too many rows of the file were invalid."""
        is_few = self.invalid < MIN_INVALID or self.invalid < MAX_SHARE * self.rows
        if is_few and self.invalid <= MAX_OF_FEW * self.rows:
            return
        raise DocumentError(
            f"{f'{self.name}: ' if self.name else ''}{self.invalid:,} of {self.rows:,} rows could not be read, a tenth "
            f"or more, so that reading stops even with {opt('on_error', self.on_error)}. {self.describe()}".strip()
        )


@dataclass(frozen=True)
class Batch:
    """Some consecutive documents: `texts` is a string or large_string array without nulls (they became "").

    `first_row` is the 0-based number of the first; `missing` counts documents that were null, and `invalid` those that
    were skipped (they became "") or repaired; `columns` are the kept ones. A CSV row with too many or too few cells
    is left out and counted in `invalid`; the last batch may have nothing but that count.
    `position` is where reading can continue after the batch, if it can; `bytes_read` is how many bytes of the source
    were read so far, of `bytes_total` where that is known.
    """

    texts: pa.Array
    first_row: int
    missing: int = 0
    invalid: int = 0
    columns: pa.Table | None = None
    position: Position = ()
    bytes_read: int = 0
    bytes_total: int = 0


def make_batches(
    raw_batches: Iterable[RawBatch],
    options: ReadOptions,
    name: str = "",
    row: int = 0,
    bytes_total: int = 0,
    losses: Losses | None = None,
) -> Iterator[Batch]:
    """Check texts and divide them into batches; the first document has the number `row` of the source `name`.

    With `losses`, rows that cannot be read are counted, and raise if they are too many.

    >>> [batch.first_row for batch in make_batches([RawBatch(["good", "bad", "so"])], ReadOptions(batch_bytes=7))]
    [0, 2]
    """
    for raw in raw_batches:
        values, invalid, left_out = raw.values, raw.invalid, raw.left_out
        if isinstance(values, pa.Array) and values.type not in TEXT_TYPES:
            values = _to_text(values, partial(raw.label, name, row, 0))
        if losses is not None:
            losses.begin(raw.file or name, raw.describe, is_new_file=bool(raw.file) and not raw.file_row)
        for start, stop in _batch_bounds(values, options.batch_bytes, at_least_one=invalid > 0):
            label = partial(raw.label, name, row, start)
            part = values if stop - start == len(values) else values[start:stop]
            texts, missing, repaired = check_texts(part, label, options, raw.encoding)
            columns = None if raw.columns is None else raw.columns.slice(start, stop - start)
            invalid += repaired
            if losses is not None:
                losses.add(stop - start + left_out, invalid)
            counts = () if losses is None else (losses.invalid, losses.rows)
            position = (row + stop, *counts, *raw.position) if stop == len(values) and raw.position else ()
            yield Batch(texts, row + start, missing, invalid, columns, position, raw.bytes_read, bytes_total)
            invalid = left_out = 0
        row += len(values)
    if losses is not None:
        losses.check_end()


def _batch_bounds(values: Any, limit: int, *, at_least_one: bool) -> Iterator[tuple[int, int]]:
    """Bounds of runs of at most `limit` bytes (for str: characters), each of at least one document.

    With `at_least_one`, no values have the bounds of an empty batch.

    >>> list(_batch_bounds(["abc", "de", "fghijk", "l"], 5, at_least_one=False))
    [(0, 2), (2, 3), (3, 4)]
    """
    if len(values) == 1 or (at_least_one and not len(values)):
        yield 0, len(values)
        return
    for first in range(0, len(values), MAX_ROWS):
        part = values[first : first + MAX_ROWS]
        if isinstance(part, pa.Array):
            sizes = _bytes_of_texts(part)
        else:
            try:
                sizes = np.fromiter(map(len, part), np.int64, len(part))
            except TypeError:  # a value that is no text
                sizes = np.fromiter(map(text_size, part), np.int64, len(part))
        ends, start = sizes.cumsum(), 0
        if ends[-1] <= limit:
            yield first, first + len(sizes)
            continue
        while start < len(sizes):
            stop = max(start + 1, int(ends.searchsorted(ends[start] - sizes[start] + limit, "right")))
            yield first + start, first + stop
            start = stop


def _bytes_of_texts(texts: pa.Array) -> NDArray[np.int64]:
    """The length of each text; 0 if it is null.

    >>> _bytes_of_texts(pa.array(["né", None, ""])).tolist()
    [3, 0, 0]
    """
    lengths = pc.binary_length(texts)
    return numbers_of(lengths.fill_null(0) if lengths.null_count else lengths).astype(np.int64)


def _to_text(array: pa.Array, label: Label) -> pa.Array:
    """An Arrow array of any type that can hold texts as one of `TEXT_TYPES`.

    >>> _to_text(pa.array(["good", "bad"]).dictionary_encode(), str).to_pylist()
    ['good', 'bad']
    >>> _to_text(pa.array([None, 2.5]), "row {}".format)
    Traceback (most recent call last):
    problex.errors.DocumentError: row 1 is of type double (2.5); expected a text. Choose a column of texts.
    """
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if array.type in TEXT_TYPES:
        return array
    if array.type in (pa.string_view(), pa.binary_view()):
        return array.cast(pa.large_binary())
    if array.null_count == len(array):
        return pa.nulls(len(array), pa.string())
    at = pc.index(array.is_valid(), True).as_py()
    try:
        shown = f" ({reprlib.repr(array[at].as_py())})"
    except (ValueError, OverflowError):  # a date beyond Python's
        shown = ""
    raise DocumentError(f"{label(at)} is of type {array.type}{shown}; expected a text. Choose a column of texts.")


# A quoted attribute may contain ">" but not "<": otherwise a missing quote would remove all text up to the next one.
TAG = r"""(?s)<!--.*?-->|</?[A-Za-z](?:[^<>=]|=\s*"[^"<]*"|=\s*'[^'<]*'|=)*>"""
# The ampersand comes last: "&amp;lt;" is the text "&lt;", not "<".
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": "\u00a0", "&amp;": "&"}

USUAL = (
    r"(?i)</?(?:br|p|b|i|u|em|strong|a|div|span|ul|ol|li|table|tr|td|h[1-6]|img|blockquote)\b[^<>]*>"
    r"|&(?:amp|lt|gt|quot|nbsp|#39);"
)
MIN_SHARE = 0.05  # of texts with markup for which it is worth a word
TEXTS_LOOKED_AT = 1000


def strip_markup(texts: pa.Array) -> pa.Array:
    """Replace tags and comments by a blank, and decode common entities; "a < b and c > d" stays.

    >>> strip_markup(pa.array(["Good<br />film &amp; cast, 1 < 2"])).to_pylist()
    ['Good film & cast, 1 < 2']
    >>> strip_markup(pa.array(["a < b and c > d", "&amp;lt;", '<a title="x > y">z'])).to_pylist()
    ['a < b and c > d', '&lt;', ' z']
    """
    if pc.any(pc.match_substring(texts, "<")).as_py():
        texts = pc.replace_substring_regex(texts, TAG, " ")
    if pc.any(pc.match_substring(texts, "&")).as_py():
        for entity, character in ENTITIES.items():
            texts = pc.replace_substring(texts, entity, character)
    return texts


def warn_of_markup(stream: Iterator[Batch], name: str) -> Iterator[Batch]:
    """The same batches, after a warning if some of the first texts have usual HTML tags or entities."""
    for number, batch in enumerate(stream):
        texts = batch.texts[:TEXTS_LOOKED_AT]
        found = pc.sum(pc.match_substring_regex(texts, USUAL)).as_py() if number == 0 and len(texts) else 0
        if found and found >= MIN_SHARE * len(texts):
            warn_caller(
                f"{name}: {found / len(texts):.0%} of the first {len(texts):,} texts have HTML such as <br /> or &amp; "
                f"(give {opt('markup', True)} to replace tags by spaces)",
                DocumentWarning,
            )
        yield batch
