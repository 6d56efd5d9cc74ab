"""A corpus by its words: counts for a lexicon that is edited, words to complete, and keywords in context."""

from problex.index.word_index import WordIndex

__all__ = ["WordIndex"]
