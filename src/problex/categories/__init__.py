"""How much of each text falls into each category of a dictionary, as LIWC and quanteda count it: `lookup`.

Categories may overlap and be nested. Which of several matches count is in `rules`, what the cells of the table are in
`tables`; the loops over words and bytes are compiled (`_loops.pyx`).
"""

from problex.categories.entries import CategoryEntries, compile_entries
from problex.categories.lookups import lookup, make_matcher, match_batches
from problex.categories.matcher import Found, Matcher
from problex.categories.rules import MATCHING, Matching
from problex.categories.statistics import LookupStatistics, LookupSums, lookup_statistics
from problex.categories.tables import VALUES, TableLayout, Value

__all__ = [
    "MATCHING",
    "VALUES",
    "CategoryEntries",
    "Found",
    "LookupStatistics",
    "LookupSums",
    "Matcher",
    "Matching",
    "TableLayout",
    "Value",
    "compile_entries",
    "lookup",
    "lookup_statistics",
    "make_matcher",
    "match_batches",
]
