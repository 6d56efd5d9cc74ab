"""Commands in processes of their own that need not import anything.

Python takes most of a second to import what a command needs. Here a server process imports it once, and each command
runs in a fork of it, with its own standard streams, working directory and exit status. What depends on how Python
starts or ends (variables of the environment, closed streams, interrupted imports, `atexit`) needs a real start.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

from problex.cli.application import COMMANDS

SECONDS = 120
CAN_FORK = "forkserver" in multiprocessing.get_all_start_methods()
MODULES = ["problex.cli.application", *sorted({f"problex.cli.commands.{module}" for module, _ in COMMANDS.values()})]


MAIN = "from problex.cli import main; main()"
"""What `python -m problex` does."""
STREAMS = (
    (0, "r", -1, "surrogateescape"),
    (1, "w", -1, "surrogateescape"),
    (2, "w", 1, "backslashreplace"),
)
"""The number, mode, buffer and error handler of each standard stream."""


def run_command(
    *words: str, stdin: bytes = b"", env: dict[str, str] | None = None, code: str = MAIN
) -> subprocess.CompletedProcess[str]:
    """Run `problex`, or other code, with these arguments; variables of the environment need a real start of Python."""
    if env or not CAN_FORK:
        ran = subprocess.run(
            [sys.executable, "-c", code, *words],
            input=stdin,
            capture_output=True,
            env={**os.environ, **(env or {})},
            timeout=SECONDS,
            check=False,
        )
        status, out, err = ran.returncode, ran.stdout, ran.stderr
    else:
        status, out, err = _run_in_fork(words, stdin, code)
    return subprocess.CompletedProcess(words, status, out.decode(), err.decode())


def _run_in_fork(words: tuple[str, ...], stdin: bytes, code: str) -> tuple[int, bytes, bytes]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(MODULES)
    theirs_in, ours_in = context.Pipe(duplex=False)
    ours_out, theirs_out = context.Pipe(duplex=False)
    ours_err, theirs_err = context.Pipe(duplex=False)
    streams = (theirs_in, theirs_out, theirs_err)
    process = context.Process(target=_run_code, args=(code, words, dict(os.environ), *streams))
    with ours_in, ours_out, ours_err, ThreadPoolExecutor(3) as pool:
        with theirs_in, theirs_out, theirs_err:
            process.start()
        pool.submit(_write_all, ours_in, stdin)
        read = pool.map(_read_all, (ours_out, ours_err))
        process.join(SECONDS)
        status = process.exitcode
        if status is None:
            process.kill()
            process.join()
        out, err = read
    assert status is not None, f"problex {' '.join(words)} does not end"
    return status, out, err


def _write_all(to: Connection, data: bytes) -> None:
    with to, open(to.fileno(), "wb", closefd=False) as file:
        file.write(data)


def _read_all(connection: Connection) -> bytes:
    with open(connection.fileno(), "rb", closefd=False) as file:
        return file.read()


def _run_code(
    code: str, words: tuple[str, ...], environment: dict[str, str], stdin: Connection, *outputs: Connection
) -> None:
    """In the new process: what `python -c` does."""
    for number, connection in enumerate((stdin, *outputs)):
        with connection:
            os.dup2(connection.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, buffering, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
        for number, mode, buffering, errors in STREAMS
    )
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["-c", *words]
    exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
