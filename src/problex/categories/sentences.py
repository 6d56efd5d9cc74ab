"""The number of sentences of texts.

A sentence ends with `.`, `!` or `?`, if no letter, digit or comma follows (`3.14` is no end), or with `…` or a sign of
another script, and if the end before is more than 3 bytes away (`J. R.` and `. . .` are no sentences). What follows the
last end is one more sentence. Abbreviations such as `Mr.` count as ends.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from problex._util.arrays import IntArray
from problex.categories import _loops

MIN_BYTES = 4
"""A sentence has at least so many bytes."""
OTHER_SIGNS = "…。！？｡؟۔।՞"
_SIGNS = np.array([[len(sign.encode()), *sign.encode().ljust(3, b"\0")] for sign in OTHER_SIGNS], np.uint8)


def count_sentences(texts: pa.Array) -> IntArray:
    """The number of sentences of each text; 0 only if a text has nothing but white space.

    >>> count_sentences(pa.array(["One. Two! Three", "It costs 3.50 or so...", "", "Really?!  "])).tolist()
    [3, 1, 0, 1]
    """
    _, offsets, data = texts.buffers()
    if offsets is None or data is None:
        return np.zeros(len(texts), np.int64)
    kind = np.int64 if texts.type == pa.large_string() else np.int32
    at = np.frombuffer(offsets, kind)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    return _loops.count_sentences(at, np.frombuffer(data, np.uint8), _SIGNS, MIN_BYTES)
