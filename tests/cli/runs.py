"""Run commands, in this process or in one of their own."""

from __future__ import annotations

import subprocess

from typer.testing import CliRunner

from problex.cli.application import app
from tests.commands import run_command


def problex(
    *words: str, stdin: str | bytes | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """In a process of its own."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    return run_command(*words, stdin=data or b"", env=env)


def run(*words: str) -> str:
    """In this process, for speed; what `main` adds is tested through `problex`."""
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def said(*words: str) -> str:
    """What a command tells on standard error."""
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stderr


LEXICON = ("--lexicon", "positive=pos.txt", "--lexicon", "negative=neg.txt")
