"""The compiled modules; everything else is in pyproject.toml."""

import os
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ABI3 = bool(os.environ.get("PROBLEX_ABI3"))
"""Whether to build for Python 3.11 and all later versions at once, as `make wheel` does."""
MACROS = [("Py_LIMITED_API", "0x030B0000")] if ABI3 else []
FLAGS = {"msvc": ["/O2", "/std:c11"]}
"""Flags by compiler, as setuptools names it; all others take those of GCC."""


class BuildCounter(build_ext):
    """Compile with the flags of the compiler at hand, and as many modules at a time as there are processors."""

    def finalize_options(self) -> None:
        """Compile side by side, unless a number is given."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self) -> None:
        """Set the flags, which are known only now that the compiler is."""
        for extension in self.extensions:
            extension.extra_compile_args = FLAGS.get(self.compiler.compiler_type, ["-O3", "-std=gnu11", "-g0"])
        super().build_extensions()


counter = Extension(
    "problex.counting._counter",
    ["src/problex/counting/_counter.pyx"],
    depends=sorted(glob("src/problex/counting/*.px[di]") + glob("src/problex/counting/_kernel/*")),
    include_dirs=["src/problex/counting"],
    define_macros=MACROS,
    py_limited_api=ABI3,
)
loops = Extension(
    "problex.categories._loops",
    ["src/problex/categories/_loops.pyx"],
    define_macros=MACROS,
    py_limited_api=ABI3,
)
rows = Extension(
    "problex._util._rows",
    ["src/problex/_util/_rows.pyx"],
    define_macros=MACROS,
    py_limited_api=ABI3,
)
arrow = Extension(
    "problex._util._arrow",
    ["src/problex/_util/_arrow.pyx"],
    define_macros=MACROS,
    py_limited_api=ABI3,
)
tables = Extension(
    "problex._util._tables",
    ["src/problex/_util/_tables.pyx"],
    depends=["src/problex/_util/_table_rows.pxi"],
    define_macros=MACROS,
    py_limited_api=ABI3,
)
features = Extension(
    "problex.expansion._features",
    ["src/problex/expansion/_features.pyx"],
    depends=["src/problex/counting/_kernel/platform.h"],
    include_dirs=["src/problex/counting"],
    define_macros=MACROS,
    py_limited_api=ABI3,
)
setup(
    ext_modules=cythonize([counter, loops, arrow, rows, tables, features], build_dir="build"),
    cmdclass={"build_ext": BuildCounter},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if ABI3 else {},
)
