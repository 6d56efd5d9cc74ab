"""Arrow files and Feather files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import pyarrow as pa

from problex.corpus.batch import MAX_ROWS, ReadOptions
from problex.corpus.binary.table_file import RecordReader
from problex.corpus.sources import Source
from problex.errors import DocumentError

CONTINUATION = b"\xff\xff\xff\xff"  # the first bytes of a message of a stream
BINARY = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary(), pa.string_view(): pa.binary_view()}


def as_bytes(column: pa.Array) -> pa.Array:
    """A column of texts as bytes, which need not be valid UTF-8: those of a text are checked, and repaired, later."""
    return column.cast(BINARY[column.type]) if column.type in BINARY else column


@contextmanager
def memory_errors(name: str) -> Iterator[None]:
    """Sizes in a damaged file may be anything: what does not fit into memory is an error of the file."""
    try:
        yield
    except pa.ArrowMemoryError as error:
        raise DocumentError(
            f"{name} cannot be read: {error}. It is damaged, or one of its parts needs more memory than there is: "
            "write it again, in smaller parts."
        ) from error


class ArrowReader(RecordReader):
    """An Arrow file (Feather version 2) or a stream of Arrow records in a file."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        with self._path.open("rb") as file:
            self._is_file = file.read(6) == b"ARROW1"
        with self._open_file() as file:
            self._schema = self._open(file, []).schema
        self.columns = self._schema.names

    def types(self, names: Sequence[str]) -> dict[str, pa.DataType]:
        """The types of columns in the file; views are strings like any other."""
        kinds = {name: self._schema.field(name).type for name in names}
        return {name: pa.large_string() if kind == pa.string_view() else kind for name, kind in kinds.items()}

    def records(self, names: Sequence[str], skip: int) -> Iterator[pa.RecordBatch]:
        """The columns, in parts of the record batches of the file."""
        types = self.types(names)
        with self._open_file() as file:
            opened = self._open(file, sorted(self._schema.get_field_index(name) for name in names))
            numbers = range(opened.num_record_batches) if self._is_file else ()
            yield from self._parts(map(opened.get_batch, numbers) if self._is_file else opened, types, skip)
            if not self._is_file and file.read(len(CONTINUATION)) == CONTINUATION:
                raise DocumentError(
                    f"{self.name} holds several streams, of which only the first would be read. Give each as a file of "
                    "its own, or write them as one stream."
                )

    def _parts(
        self, batches: Iterable[pa.RecordBatch], types: Mapping[str, pa.DataType], skip: int
    ) -> Iterator[pa.RecordBatch]:
        for records in self._whole(batches):
            first = min(skip, records.num_rows)
            skip -= first
            for start in range(first, records.num_rows, MAX_ROWS):
                part = records.slice(start, MAX_ROWS)
                yield pa.record_batch({name: part.column(name).cast(kind) for name, kind in types.items()})

    def _whole(self, parts: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Record batches whose offsets are within their bytes; raise if the file is damaged."""
        with memory_errors(self.name):
            for records in parts:
                for column in records.columns:
                    as_bytes(column).validate(full=True)
                yield records

    def _open_file(self) -> pa.NativeFile:
        return pa.memory_map(str(self._path)) if self._is_file else pa.OSFile(str(self._path), "rb")

    def _open(
        self, file: pa.NativeFile, fields: list[int]
    ) -> pa.ipc.RecordBatchFileReader | pa.ipc.RecordBatchStreamReader:
        options = pa.ipc.IpcReadOptions(included_fields=fields, use_threads=False)
        with memory_errors(self.name):
            return (pa.ipc.open_file if self._is_file else pa.ipc.open_stream)(file, options=options)
