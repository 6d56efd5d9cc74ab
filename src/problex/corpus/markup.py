"""Removal of HTML tags and entities."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

# A quoted attribute may contain ">" but not "<": otherwise a missing quote would remove all text up to the next one.
TAG = r"""(?s)<!--.*?-->|</?[A-Za-z](?:[^<>=]|=\s*"[^"<]*"|=\s*'[^'<]*'|=)*>"""
# The ampersand comes last: "&amp;lt;" is the text "&lt;", not "<".
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": "\u00a0", "&amp;": "&"}


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
