"""Word lists: `Lexicon`, `Dictionary`, and the files they are read from and written to.

One module per file format is in `formats`, imported when a file is read or written. How entries are matched in texts is
in `problex.matching`.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.edits import Edit
from problex.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from problex.lexicon.files import read_dictionary, read_lexicon, write_dictionary

__all__ = [
    "Dictionary",
    "Edit",
    "Lexicon",
    "read_dictionary",
    "read_lexicon",
    "write_dictionary",
]

_LATE = {
    "files": ("read_dictionary", "read_lexicon", "write_dictionary"),
}
__getattr__ = late_names(__name__, _LATE)
