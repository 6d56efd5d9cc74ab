"""Packages of npm that only the tests need: fetched once into the environment, never committed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

PACKAGES = ("axe-core@4", "typescript@5")
PLACE = Path(sys.prefix) / "npm"


def packages() -> Path:
    """The folder node_modules with the packages; the test is skipped where they cannot be had."""
    if not (PLACE / "node_modules" / "typescript").is_dir():
        _install()
    return PLACE / "node_modules"


def _install() -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("axe-core and TypeScript need npm: apt-get install npm")
    with tempfile.TemporaryDirectory(dir=sys.prefix) as folder:
        command = [npm, "install", "--prefix", folder, "--no-audit", "--no-fund", "--silent", *PACKAGES]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode:
            pytest.skip(f"axe-core and TypeScript could not be fetched: {done.stderr[-200:]}")
        if not PLACE.exists():  # another process may have been faster
            Path(folder, "node_modules").rename(_made(PLACE) / "node_modules")


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder
