"""Show the examples in docstrings as Python code on the page of the reference (an extension of griffe)."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

EXAMPLE = re.compile(r"(?:^|(?<=\n))>>> .*?(?=\n\n|\Z)", re.S)
"""Lines from a prompt to the next empty line."""


class Examples(Extension):  # type: ignore[misc]
    """Put every example of a docstring into a block of code."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Called for each module, class and function."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(lambda match: f"```pycon\n{match[0]}\n```", obj.docstring.value)
