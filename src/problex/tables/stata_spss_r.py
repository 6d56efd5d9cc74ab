"""Files of statistics programs: Stata (.dta), SPSS (.sav, .zsav) and R (.rds, .RData)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import pyarrow as pa

from problex._util.late import import_optional
from problex.errors import DocumentError
from problex.tables.columns import Chunk, RecordReader, ValueReader, as_text, choose_table
from problex.tables.reader import MAX_ROWS, SAMPLE_ROWS, Reader, ReadOptions, text_size
from problex.tables.source import Source


class LabelledReader(ValueReader):
    """A Stata or SPSS file, some rows at a time; values that have labels become their labels."""

    function = ""
    extra = ""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        purpose = f"reading .{self._path.suffix[1:] or self.extra}"
        self._read_file = getattr(import_optional("pyreadstat", purpose, extra=self.extra), self.function)
        values, metadata = self._read(0, SAMPLE_ROWS)
        self.columns = list(metadata.column_names)
        if None in self.columns:
            raise DocumentError(
                f"{self.name} has a column without a name, so it is damaged. Open it in its program and save it again."
            )
        self.rows = metadata.number_rows or 0
        self._labels: dict[str, dict[object, str]] = metadata.variable_value_labels
        row_bytes = sum(map(text_size, chain.from_iterable(values.values()))) // SAMPLE_ROWS
        self._rows_at_once = min(max(options.batch_bytes // max(row_bytes, 1), 1), MAX_ROWS)

    def _read(self, first: int, number: int, columns: Sequence[str] | None = None) -> tuple[dict[str, list[Any]], Any]:
        """The values of some rows by column, and the description of the file."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                values, metadata = self._read_file(
                    str(self._path), row_offset=first, row_limit=number, usecols=columns, output_format="dict"
                )
        except Exception as error:  # the package has errors of any class
            reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
            raise DocumentError(
                f"{self.name} cannot be read: {reason}. Open it in its program and save it again, or save it as CSV."
            ) from error
        return values, metadata

    def chunks(self, names: Sequence[str], skip: int) -> Iterator[Chunk]:
        """The rows, with labels for values."""
        while True:
            values, _ = self._read(skip, self._rows_at_once, list(names))
            number = len(values[names[0]]) if values else 0
            if number:
                yield {name: self._labelled(name, values[name]) for name in names}
            if number < self._rows_at_once:
                return
            skip += number

    def _labelled(self, name: str, values: list[object]) -> list[object]:
        """The values of a column without NaN, and as texts if it has labels."""
        values = [None if value != value else value for value in values]
        if labels := self._labels.get(name):
            return [as_text(labels.get(value, value)) for value in values]
        return values


class StataReader(LabelledReader):
    """A Stata file."""

    function, extra = "read_dta", "stata"


class SpssReader(LabelledReader):
    """An SPSS file."""

    function, extra = "read_sav", "spss"


class RFrameReader(RecordReader):
    """A data frame of R, held in memory."""

    def __init__(self, source: Source, options: ReadOptions, frame: Any) -> None:
        super().__init__(source, options)
        self._table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
        self.columns, self.rows = self._table.column_names, self._table.num_rows

    def types(self, names: Sequence[str]) -> dict[str, pa.DataType]:
        """The types of columns; factors are strings."""
        kinds = {name: self._table.schema.field(name).type for name in names}
        return {name: kind.value_type if pa.types.is_dictionary(kind) else kind for name, kind in kinds.items()}

    def records(self, names: Sequence[str], skip: int) -> Iterator[pa.RecordBatch]:
        """The rows of some columns."""
        types = self.types(names)
        chosen = self._table.slice(skip).select(list(names)).cast(pa.schema(list(types.items())))
        yield from chosen.combine_chunks().to_batches(max_chunksize=MAX_ROWS)


def open_r(source: Source, options: ReadOptions) -> Reader:
    """The reader of the data frame of an .rds file, or of the chosen one of an .RData file."""
    rdata = import_optional("rdata", "reading .rds and .RData")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # classes without a meaning here, such as tibble
            parsed = rdata.parser.parse_file(str(source.path))
            content = rdata.conversion.convert(parsed, {**rdata.conversion.DEFAULT_CLASS_MAP, **_dates()})
    except Exception as error:  # the package has several classes of errors
        raise DocumentError(
            f"{source.name} cannot be read as an R file: {str(error).strip().rstrip('.') or 'it is damaged'}. Save it "
            "again with saveRDS, or with write.csv."
        ) from error
    objects = content if isinstance(content, dict) else {"the object": content}
    frames = {str(name): value for name, value in objects.items() if hasattr(value, "columns")}
    if not frames:
        kinds = ", ".join(f"{name} ({type(value).__name__})" for name, value in list(objects.items())[:20])
        raise DocumentError(f"{source.name} has no data frame; it has {kinds}. Save a data frame with saveRDS.")
    tables = {name: lambda frame=frame: RFrameReader(source, options, frame) for name, frame in frames.items()}
    return choose_table(tables, options, source.name, "data frame")


def _dates() -> dict[str, Callable[[Any, Any], Any]]:
    """How dates and times of R, which are numbers of days and seconds, are converted."""
    import pandas as pd

    return {
        "Date": lambda values, _: pd.array(pd.to_datetime(values, unit="D").date, dtype=pd.ArrowDtype(pa.date32())),
        "POSIXct": lambda values, _: pd.to_datetime(values, unit="s"),
    }
