"""Run commands, in this process or in one of their own."""

from __future__ import annotations

import os
import subprocess
import sys

from typer.testing import CliRunner

from problex.cli.application import app


def problex(
    *words: str, stdin: str | bytes | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    ran = subprocess.run(
        [sys.executable, "-m", "problex", *words],
        input=data if data is not None else b"",
        capture_output=True,
        env={**os.environ, **(env or {})},
        timeout=120,
        check=False,
    )
    return subprocess.CompletedProcess(ran.args, ran.returncode, ran.stdout.decode(), ran.stderr.decode())


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
