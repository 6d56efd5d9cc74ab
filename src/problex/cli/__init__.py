"""The command line: each command reads, calls the library and writes.

`commands` has a module per command, imported when the command is called; the modules here are what commands share.
No statistic is computed here.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; Ctrl-C ends it without a traceback, also while modules are still imported."""
    try:
        from problex.cli.application import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("problex: error: interrupted\n")
        sys.exit(1)


def __getattr__(name: str) -> Any:
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from problex.cli.application import app

    return app
