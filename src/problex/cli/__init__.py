"""The command line: each command reads, calls the library and writes.

`commands` has a module per command, imported when the command is called; the modules here are what commands share.
No statistic is computed here.
"""

from problex.cli.application import app, main

__all__ = ["app", "main"]
