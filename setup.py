"""The compiled kernel; everything else stands in pyproject.toml."""

from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

kernel = Extension(
    "problex.counting._counter",
    ["src/problex/counting/_counter.pyx"],
    depends=[*sorted(glob("src/problex/counting/_kernel/*")), "src/problex/counting/_counter.pxd"],
    include_dirs=["src/problex/counting"],
    extra_compile_args=["-O3"],
)
setup(ext_modules=cythonize([kernel], build_dir="build"))
