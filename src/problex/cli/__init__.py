"""The command line: each command reads, calls the library and writes.

One module per command, imported when the command is called. No statistic is computed here.
"""

from problex.cli.application import app, main

__all__ = ["app", "main"]
