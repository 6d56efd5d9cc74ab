"""A browser, and a workbench in a process of its own: for tests and for scripts in `proof`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.browsers import find_chromium


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window."""
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
        yield browser
        browser.close()


@contextmanager
def workbench_process(*arguments: str) -> Iterator[tuple[str, int]]:
    """A workbench with an empty folder of sessions: its address, and the number of its process."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "problex", "workbench", "--no-open", *arguments],
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PROBLEX_WORKBENCH": folder, "PYTHONUNBUFFERED": "1"},
        )
        try:
            assert process.stdout is not None
            yield next(word for line in process.stdout for word in line.split() if word.startswith("http")), process.pid
        finally:
            process.terminate()
            process.wait(60)
