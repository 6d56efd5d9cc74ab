"""Texts from lists, frames, files and streams, in batches of Arrow strings.

`FORMATS` lists the file formats, each with its `Reader`. Tokens are in `problex.matching`, counts in
`problex.counting`. A reader is imported when a file of its format is opened.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names
from problex.corpus.batch import Batch, make_batches
from problex.corpus.documents import batches, column_names, documents_at, is_paths, read_stream, rereader
from problex.corpus.files import Paths, list_files
from problex.corpus.markup import strip_markup
from problex.tables.formats import FORMATS, STREAM_FORMATS, Format
from problex.tables.reader import Position, RawBatch, Reader, Reading, ReadOptions

if TYPE_CHECKING:
    from problex.corpus.preview import Preview, peek

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

__getattr__ = late_names(__name__, {"preview": ("Preview", "peek")})
