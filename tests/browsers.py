"""Which browser the tests of pages use."""

from __future__ import annotations

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The programs, that without windows first: a tab takes half the processor time there."""


def find_chromium() -> str | None:
    """The program of Chromium or Chrome, if one is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)
