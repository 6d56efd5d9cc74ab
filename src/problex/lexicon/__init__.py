"""Word lists: `Lexicon`, `Dictionary`, and the files they are read from and written to.

One module per file format is in `formats`. How entries are matched in texts is in `problex.matching`.
"""

from problex.lexicon.dictionary import Dictionary
from problex.lexicon.files import read_dictionary, read_lexicon, write_dictionary
from problex.lexicon.lexicon import Entry, Issue, Lexicon

__all__ = ["Dictionary", "Entry", "Issue", "Lexicon", "read_dictionary", "read_lexicon", "write_dictionary"]
