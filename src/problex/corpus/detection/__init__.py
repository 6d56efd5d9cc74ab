"""What a file of texts is like, from its first bytes: its encoding, its delimiter, its quotes and its header.

Nothing here opens a file: each function gets the first bytes of one.
"""

from problex._util.encodings.guessing import Encoding, encoding_advice, encoding_named, guess_encoding
from problex.corpus.detection.dialects import ORDINARY, Dialect, detect_dialect, looks_like_table, parse_delimiter
from problex.corpus.detection.signatures import check_is_table, check_is_text

__all__ = [
    "ORDINARY",
    "Dialect",
    "Encoding",
    "check_is_table",
    "check_is_text",
    "detect_dialect",
    "encoding_advice",
    "encoding_named",
    "guess_encoding",
    "looks_like_table",
    "parse_delimiter",
]
