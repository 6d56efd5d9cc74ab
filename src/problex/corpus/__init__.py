"""Texts from lists, frames, files and streams, in batches of Arrow strings.

One reader per file format. Tokens are in `problex.matching`, counts in `problex.counting`.
"""

from problex.corpus.batches import Batch
from problex.corpus.documents import batches, columns_of, read_stream, strip_markup

__all__ = ["Batch", "batches", "columns_of", "read_stream", "strip_markup"]
