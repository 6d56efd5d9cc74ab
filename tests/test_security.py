"""Rules of SECURITY.md that can be read off the source and the lock file."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_MODULES = {
    "pickle",
    "marshal",
    "shelve",
    "dill",
    "joblib",
    "socket",
    "urllib",
    "http",
    "requests",
    "subprocess",
}
ALLOWED = {
    ("spark/cluster.py", "pickle"),
    ("workbench/guard.py", "http.cookies"),
    ("workbench/guard.py", "urllib.parse"),
    ("workbench/routes.py", "urllib.parse"),
    ("workbench/serve.py", "socket"),
}
"""A task of Spark, which comes from the driver; the server of the
workbench, which listens on this computer only."""


def unsafe(tree: ast.AST) -> Iterator[str]:
    """Names of calls and modules that read code, or reach the network, where data is expected."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            yield node.func.id
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called = ast.unparse(node.func)
            yield from ([called] if called in {"yaml.load", "yaml.unsafe_load", "yaml.full_load", "os.system"} else [])
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        yield from (name for name in names if name.split(".")[0] in FORBIDDEN_MODULES)


@pytest.mark.parametrize("line", ["eval('1')", "import pickle", "from urllib.request import urlopen", "yaml.load(x)"])
def test_what_is_unsafe_is_found(line: str) -> None:
    assert list(unsafe(ast.parse(line)))


def test_no_source_reads_code_or_reaches_the_network() -> None:
    package = ROOT / "src" / "problex"
    found = {
        (path.relative_to(package).as_posix(), name)
        for path in SOURCES
        for name in unsafe(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == ALLOWED


def test_the_lock_file_has_every_package_in_a_version_that_is_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [
        Requirement(line) for line in project["dependencies"] + extras["report"] + extras["excel"] + extras["spss"]
    ]
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([\w.-]+)==([\w.]+)", lock, re.MULTILINE))
    assert {need.name for need in needed if need.name.lower() not in locked} == set()
    assert [need.name for need in needed if locked[need.name.lower()] not in need.specifier] == []
    assert "http" not in lock
    packages = re.split(r"^(?=[\w.-]+==)", lock, flags=re.MULTILINE)[1:]
    assert len(packages) > 30
    assert [package.split()[0] for package in packages if "--hash=sha256:" not in package] == []
