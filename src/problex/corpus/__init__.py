"""Texts from lists, frames, files and streams, in batches of Arrow strings.

`FORMATS` lists the file formats, each with its `Reader`. Tokens are in `problex.matching`, counts in
`problex.counting`. A reader is imported when a file of its format is opened.
"""

from problex.corpus.batch import Batch, make_batches, strip_markup
from problex.corpus.documents import (
    Preview,
    batches,
    column_names,
    documents_at,
    is_paths,
    peek,
    read_stream,
    rereader,
)
from problex.corpus.files import Paths, list_files
from problex.tables.formats import FORMATS, STREAM_FORMATS, Format
from problex.tables.reader import Position, RawBatch, Reader, Reading, ReadOptions

__all__ = [
    "FORMATS",
    "STREAM_FORMATS",
    "Batch",
    "Format",
    "Paths",
    "Position",
    "Preview",
    "RawBatch",
    "ReadOptions",
    "Reader",
    "Reading",
    "batches",
    "column_names",
    "documents_at",
    "is_paths",
    "list_files",
    "make_batches",
    "peek",
    "read_stream",
    "rereader",
    "strip_markup",
]
