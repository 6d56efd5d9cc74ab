"""The compiled kernel; everything else stands in pyproject.toml."""

from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

kernel = Extension(
    "problex._counting",
    ["src/problex/_counting.pyx"],
    depends=[*sorted(glob("src/problex/_kernel/*")), "src/problex/_counting.pxd"],
    include_dirs=["src/problex"],
    extra_compile_args=["-O3"],
)
setup(ext_modules=cythonize([kernel], build_dir="build"))
