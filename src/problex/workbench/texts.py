"""The texts of a workbench, held in memory: all of a file, or a random sample of a large one."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from problex._util.arrays import FloatArray, IntArray
from problex._util.arrow import pc
from problex._util.records import plain_value
from problex.corpus import Batch, Reading, batches, column_names, list_files, strip_markup
from problex.errors import DocumentError, ProblexError

MAX_DOCUMENTS = 200_000
MAX_BYTES = 200 << 20
"""How many texts, and bytes of them, are held; of more, a sample is."""
DEMO = "demo"
STORED = re.compile("[0-9a-f]{32}[.]")
"""How the name of a file that was sent begins where it is stored."""
Progress = Callable[..., None]
"""Called with a message, what is done, the total (None: unknown) and its unit; it raises to cancel."""


@contextmanager
def known_names(names: Mapping[Path, str]) -> Iterator[None]:
    """Errors about files that were sent, with the names that the person knows.

    >>> path = Path("uploads/1f3c.csv")
    >>> with known_names({path: "films.csv"}):
    ...     raise DocumentError(f"{path} has no text (row 3 of {path.name})")
    Traceback (most recent call last):
    problex.errors.DocumentError: films.csv has no text (row 3 of films.csv)
    """
    try:
        yield
    except ProblexError as error:
        message = str(error)
        for path, name in names.items():
            message = message.replace(str(path), name).replace(path.name, name)
        raise type(error)(message) from None


@dataclass(frozen=True)
class TextSource:
    """Where texts are read from, and how: files, or the reviews of the demo."""

    name: str
    paths: tuple[Path, ...] = ()
    text: str | None = None
    id: str | None = None
    group_by: str | None = None
    markup: bool = False
    reading: Reading = field(default_factory=lambda: Reading())

    @property
    def is_demo(self) -> bool:
        """Whether these are the reviews of the demo."""
        return not self.paths

    def keep(self) -> list[str]:
        """The columns that are kept: all but the texts, each name once."""
        names = column_names(list(self.paths), **self.reading)
        return [name for name in names if name != self.text and names.count(name) == 1]

    def batches(self, keep: list[str] | None = None) -> Iterator[Batch]:
        """The texts of the files in batches, with the columns to keep (None: all but the texts)."""
        reading: Any = {"missing": "empty"} | dict(self.reading)
        with known_names({path: self.name for path in self.paths if STORED.match(path.name)}):
            columns = self.keep() if keep is None else keep
            yield from batches(list(self.paths), text=self.text, keep=columns, hint_markup=not self.markup, **reading)

    def fingerprint(self) -> str:
        """A hash of the bytes of all files, so that changed texts are noticed; "demo" for the demo."""
        if self.is_demo:
            return DEMO
        digest = hashlib.sha256()
        for path in list_files(list(self.paths)):
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if file.is_file():
                    with file.open("rb") as stream:
                        digest.update(hashlib.file_digest(stream, "sha256").digest())
        return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class Texts:
    """The texts that are held, their columns, and what was lost while reading.

    `rows` are the numbers of the texts in the file, `total` is the number of texts in it: more than are held if these
    are a sample.
    """

    name: str
    texts: pa.Array
    columns: pa.Table | None
    rows: IntArray
    total: int
    missing: int = 0
    invalid: int = 0
    id: str | None = None
    group_by: str | None = None

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def is_sample(self) -> bool:
        """Whether the file has more texts."""
        return self.total > len(self.texts)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns besides the texts."""
        return [] if self.columns is None else list(self.columns.column_names)

    def text(self, row: int) -> str:
        """A text by its place among those held."""
        return str(self.texts[row].as_py())

    def name_of(self, row: int) -> str | None:
        """The value of the column `id` of a text, None without such a column."""
        return self.cell(self.id, row)

    def cell(self, column: str | None, row: int) -> str | None:
        """The value of a column as text, None without such a column.

        >>> films = Texts("films", pa.array(["good"]), pa.table({"year": [2004], "date": [None]}), np.arange(1), 1)
        >>> films.cell("year", 0), films.cell("date", 0), films.cell("month", 0)
        ('2004', None, None)
        """
        if self.columns is None or column not in self.columns.column_names:
            return None
        value = plain_value(self.columns[column][row].as_py())
        return None if value is None else str(value)

    @classmethod
    def of(cls, name: str, texts: list[str]) -> Texts:
        """Texts from a list."""
        return cls(name, pa.array(texts, pa.large_string()), None, np.arange(len(texts)), len(texts))


@dataclass
class _Held:
    """Texts while they are read: the ones with the smallest random keys, if there are too many."""

    random: np.random.Generator
    parts: list[tuple[FloatArray, IntArray, pa.Array, pa.Table | None]] = field(default_factory=list)
    below: float = 1.0
    documents: int = 0
    bytes: int = 0

    def add(self, batch: Batch, markup: bool) -> None:
        texts = (strip_markup(batch.texts) if markup else batch.texts).cast(pa.large_string())
        keys, rows = self.random.random(len(texts)), np.arange(len(texts)) + batch.first_row
        self._append(keys, rows, texts, batch.columns, keys < self.below)
        if self.documents > 2 * MAX_DOCUMENTS or self.bytes > 2 * MAX_BYTES:
            self.shrink()

    def _append(self, keys: FloatArray, rows: IntArray, texts: pa.Array, columns: pa.Table | None, chosen: Any) -> None:
        if not chosen.all():
            mask = pa.array(chosen)
            texts, columns = texts.filter(mask), None if columns is None else columns.filter(mask)
            keys, rows = keys[chosen], rows[chosen]
        self.parts.append((keys, rows, texts, columns))
        self.documents += len(texts)
        self.bytes += int(pc.sum(pc.binary_length(texts)).as_py() or 0)

    def shrink(self) -> None:
        """Keep no more than the limits allow."""
        if self.documents <= MAX_DOCUMENTS and self.bytes <= MAX_BYTES:
            return
        keys = np.concatenate([part[0] for part in self.parts])
        sizes = np.concatenate([pc.binary_length(part[2]).to_numpy(zero_copy_only=False) for part in self.parts])
        order = np.argsort(keys)
        number = int(np.searchsorted(np.cumsum(sizes[order]), MAX_BYTES, "right"))
        number = max(1, min(number, MAX_DOCUMENTS, len(keys) - 1))
        self.below = float(keys[order[number]])
        parts, self.parts, self.documents, self.bytes = self.parts, [], 0, 0
        for part in parts:
            self._append(*part, part[0] < self.below)


def read_texts(source: TextSource, progress: Progress, seed: int = 0) -> Texts:
    """Read the texts of a source; of more than `MAX_DOCUMENTS` or `MAX_BYTES`, a random sample."""
    if source.is_demo:
        from problex.paper.datasets import demo_corpus

        progress("loading 25,000 film reviews")
        return replace(Texts.of("film reviews of the demo", list(demo_corpus().texts)), missing=0)
    held, missing, invalid, total = _Held(np.random.default_rng(seed)), 0, 0, 0
    for batch in source.batches():
        held.add(batch, source.markup)
        missing, invalid, total = missing + batch.missing, invalid + batch.invalid, total + len(batch.texts)
        if batch.bytes_total:
            progress("reading", batch.bytes_read, batch.bytes_total, "bytes")
        else:
            progress("reading", total, None, "documents")
    held.shrink()
    if not total:
        raise DocumentError(f"{source.name} has no text, expected at least one: choose another file or column")
    columns = [part[3] for part in held.parts]
    table = None if any(part is None for part in columns) else pa.concat_tables(columns, promote_options="permissive")
    texts = pa.concat_arrays([part[2] for part in held.parts])
    rows = np.concatenate([part[1] for part in held.parts])
    return Texts(source.name, texts, table, rows, total, missing, invalid, source.id, source.group_by)
