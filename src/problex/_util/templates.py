"""HTML from Jinja templates in the packages; everything that is inserted is escaped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from problex._util.formatting import visible_text

if TYPE_CHECKING:
    from jinja2 import Environment


def _visible(value: object) -> object:
    """A value without the control characters that HTML forbids."""
    return visible_text(value) if type(value) is str else value


@cache
def template_environment(*packages: str) -> Environment:
    """The environment of the templates in the folders `templates` of some packages.

    Values are escaped in all templates. The filter `tojson` escapes `<`, `>`, `&` and `'`, so that no string can end
    the script element that it is in; it keeps the order of keys.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        autoescape=True,
        finalize=_visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return environment
