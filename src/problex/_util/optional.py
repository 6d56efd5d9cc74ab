"""Optional packages: imported where they are needed, with an error that has the command to install them."""

from __future__ import annotations

import importlib
from typing import Any

from problex.errors import ProblexError


def require(module: str, extra: str, purpose: str, error: type[ProblexError] = ProblexError) -> Any:
    """The optional module; raise with the command that installs it if there is none.

    >>> require("no_such_package", "stata", "reading .dta")
    Traceback (most recent call last):
        ...
    problex.errors.ProblexError: reading .dta needs the package no_such_package: pip install 'problex[stata]'
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        package = PACKAGES.get(module, missing.name or module)
        raise error(f"{purpose} needs the package {package}: pip install 'problex[{extra}]'") from None


PACKAGES = {"python_calamine": "python-calamine"}
"""Names of packages that differ from those of their modules."""
