"""Word lists: `Lexicon`, `Dictionary`, and the files they are read from and written to.

One module per file format is in `formats`. How entries are matched in texts is in `problex.matching`.
"""

from problex.lexicon.dictionary import Dictionary
from problex.lexicon.lexicon import Entry, Lexicon
from problex.lexicon.reading import read_dictionary, read_lexicon
from problex.lexicon.writing import write_dictionary

__all__ = ["Dictionary", "Entry", "Lexicon", "read_dictionary", "read_lexicon", "write_dictionary"]
