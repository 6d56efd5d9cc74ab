"""A hook of mkdocs: equations in LaTeX ($$ ... $$ and $ ... $) become MathML, which browsers draw without a script."""

from __future__ import annotations

import re
from typing import Any

from latex2mathml.converter import convert

BLOCK = re.compile(r"^\$\$\n(.*?)\n\$\$$", re.S | re.M)
INLINE = re.compile(r"(?<![\\$`\w])\$(?!\s)([^$\n]+?)(?<!\s)\$(?![\w$`])")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the equations of a page; one without a block of its own has none."""
    if not BLOCK.search(markdown):
        return markdown
    with_blocks = BLOCK.sub(lambda found: f"\n{convert(found[1], display='block')}\n", markdown)
    return INLINE.sub(lambda found: convert(found[1]), with_blocks)
