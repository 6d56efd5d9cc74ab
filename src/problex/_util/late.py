"""Modules that take time to import, imported when they are first used: commands that do not need them start faster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["LateModule", "late_function", "late_names", "nw", "optimize", "pd", "pq", "sparse", "special", "stats"]


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
    """The `__getattr__` of a package that imports some of its modules when one of their names is used."""
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
