"""A page about the categories of a dictionary in a corpus, from the statistics of `problex.lookups`."""

from problex.report.categories.lookup_page import build_lookup_page

__all__ = ["build_lookup_page"]
