"""HTML from Jinja templates in the packages; everything that is inserted is escaped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


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
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return environment
