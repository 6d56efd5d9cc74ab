"""A look at files before they are read as a whole."""

from problex.corpus.preview.first_rows import Preview, peek

__all__ = ["Preview", "peek"]
