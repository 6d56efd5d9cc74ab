"""How much of each text falls into each category of a dictionary, as LIWC and quanteda count it: `lookup`.

Categories may overlap and be nested. Which of several matches count is in `rules`, what the cells of the table are in
`tables`; the loops over words and bytes are compiled (`_loops.pyx`).
"""

from problex.lookups.rules import MATCHING
from problex.lookups.statistics import LookupStatistics, lookup_statistics
from problex.lookups.tables import VALUES, lookup

__all__ = ["MATCHING", "VALUES", "LookupStatistics", "lookup", "lookup_statistics"]
