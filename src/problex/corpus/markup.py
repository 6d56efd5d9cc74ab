"""Removal of HTML tags and entities."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from problex._util.arrow import pc
from problex.corpus.batch import Batch
from problex.errors import DocumentWarning, opt, warn_caller

# A quoted attribute may contain ">" but not "<": otherwise a missing quote would remove all text up to the next one.
TAG = r"""(?s)<!--.*?-->|</?[A-Za-z](?:[^<>=]|=\s*"[^"<]*"|=\s*'[^'<]*'|=)*>"""
# The ampersand comes last: "&amp;lt;" is the text "&lt;", not "<".
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": "\u00a0", "&amp;": "&"}

USUAL = (
    r"(?i)</?(?:br|p|b|i|u|em|strong|a|div|span|ul|ol|li|table|tr|td|h[1-6]|img|blockquote)\b[^<>]*>"
    r"|&(?:amp|lt|gt|quot|nbsp|#39);"
)
MIN_SHARE = 0.05  # of texts with markup for which it is worth a word
TEXTS_LOOKED_AT = 1000


def strip_markup(texts: pa.Array) -> pa.Array:
    """Replace tags and comments by a blank, and decode common entities; "a < b and c > d" stays.

    >>> strip_markup(pa.array(["Good<br />film &amp; cast, 1 < 2"])).to_pylist()
    ['Good film & cast, 1 < 2']
    """
    if pc.any(pc.match_substring(texts, "<")).as_py():
        texts = pc.replace_substring_regex(texts, TAG, " ")
    if pc.any(pc.match_substring(texts, "&")).as_py():
        for entity, character in ENTITIES.items():
            texts = pc.replace_substring(texts, entity, character)
    return texts


def warn_of_markup(stream: Iterator[Batch], name: str) -> Iterator[Batch]:
    """The same batches, after a warning if some of the first texts have usual HTML tags or entities."""
    for number, batch in enumerate(stream):
        texts = batch.texts[:TEXTS_LOOKED_AT]
        found = pc.sum(pc.match_substring_regex(texts, USUAL)).as_py() if number == 0 and len(texts) else 0
        if found and found >= MIN_SHARE * len(texts):
            warn_caller(
                f"{name}: {found / len(texts):.0%} of the first {len(texts):,} texts have HTML such as <br /> or &amp; "
                f"(give {opt('markup', True)} to replace tags by spaces)",
                DocumentWarning,
            )
        yield batch
