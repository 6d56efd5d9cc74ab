"""The compiled modules; everything else is in pyproject.toml."""

import os
import threading
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ABI3 = bool(os.environ.get("PROBLEX_ABI3"))
"""Whether to build for Python 3.11 and all later versions at once, as `make wheel` does."""
MACROS = [("Py_LIMITED_API", "0x030B0000")] if ABI3 else []
CYTHON = threading.Lock()
SHARED = "problex._util._memoryviews"
"""Cython's own code for memory views, compiled once instead of in every module."""
FLAGS = {"msvc": ["/O2", "/std:c11"]}
"""Flags by compiler, as setuptools names it; all others take those of GCC."""
GNU = ["-O3", "-std=gnu11", "-g0", "-ffp-contract=off"]
"""Those of GCC: products are rounded before they are added, so that scores are the same on all processors."""


class BuildCounter(build_ext):
    """Compile with the flags of the compiler at hand, and as many modules at a time as there are processors."""

    def finalize_options(self) -> None:
        """Compile side by side, unless a number is given."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self) -> None:
        """Set the flags, which are known only now that the compiler is."""
        for extension in self.extensions:
            extension.extra_compile_args = FLAGS.get(self.compiler.compiler_type, GNU)
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """Compile one module: by Cython one at a time, which is safe, beside the C compiler at work on another."""
        with CYTHON:
            ext.sources = cythonize([ext], build_dir="build", shared_utility_qualified_name=SHARED)[0].sources
        super().build_extension(ext)


KERNEL = "src/problex/counting"
MODULES: dict[str, list[str]] = {
    "counting._counter": sorted(glob(f"{KERNEL}/*.pxd") + glob(f"{KERNEL}/_kernel/*")),
    "_util._memoryviews": [],
    "model._features": [f"{KERNEL}/_kernel/platform.h"],
    "_util._tables": glob("src/problex/_util/*.pxi"),
    "lookups._loops": [],
    "tables._cells": [],
    "_util._arrow": [],
    "_util._rows": [],
    "estimation._sums": [],
}
"""The compiled modules, those that take longest first, and the files that each includes."""


def make_extension(module: str, includes: list[str]) -> Extension:
    """A compiled module, from its file; that of Cython's own code has none."""
    name, source = f"problex.{module}", f"src/problex/{module.replace('.', '/')}.pyx"
    return Extension(
        name,
        [] if name == SHARED else [source],
        depends=includes,
        include_dirs=[KERNEL],
        define_macros=MACROS,
        py_limited_api=ABI3,
    )


setup(
    ext_modules=[make_extension(*module) for module in MODULES.items()],
    cmdclass={"build_ext": BuildCounter},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if ABI3 else {},
)
