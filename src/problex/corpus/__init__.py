"""Texts from lists, frames, files and streams, in batches of Arrow strings.

The file formats are in `problex.tables`, tokens in `problex.matching`, counts in `problex.counting`.
"""

from problex.corpus.batch import Batch, make_batches, strip_markup
from problex.corpus.documents import batches, column_names, rereader
from problex.corpus.files import list_files
from problex.tables.reader import Reading, ReadOptions

__all__ = [
    "Batch",
    "ReadOptions",
    "Reading",
    "batches",
    "column_names",
    "list_files",
    "make_batches",
    "rereader",
    "strip_markup",
]
