"""Ask a process of its own to read a file, so that a damaged one cannot end this process or take all of its memory."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

from problex._util.memory import format_size
from problex.errors import opt

PROGRAM_MEMORY = 512 << 20  # bytes that Python and the packages may reserve besides those of the file
CODE = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from problex.tables.read.child import main; main(int(sys.argv[2]))"
)
KINDS: dict[str, Callable[[Any], object]] = {
    "datetime": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
    "time": datetime.time.fromisoformat,
    "timedelta": lambda parts: datetime.timedelta(*parts),
}
"""How values of types that JSON does not have come back."""


class ForeignError(Exception):
    """A file could not be read, and why."""


class ForeignMemoryError(ForeignError):
    """A file is damaged, or needs more memory: which of them is not known. `damage` is the first half of the reason."""

    def __init__(self, damage: str, memory: int) -> None:
        self.damage = damage
        super().__init__(f"{damage}, or it needs more memory than {opt('memory', format_size(memory))}")


class ForeignProcess:
    """A process that reads files with packages of other languages; it ends with this object."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._lock = threading.Lock()
        self._process = subprocess.Popen(  # noqa: S603 - Python itself, with arguments of this file
            # -P: modules in the current folder are not imported
            [sys.executable, "-P", "-c", CODE, json.dumps(sys.path), str(memory + PROGRAM_MEMORY)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # each thread reserves memory
        )
        weakref.finalize(self, _end, self._process)

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended: a file may have crashed it."""
        return self._process.poll() is None

    def ask(self, reader: str, **options: object) -> Any:
        """What a reader of `child` returns; raise a `ForeignError` if it cannot read the file."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = json.dumps({"reader": reader, "options": options}) + "\n"
        try:
            with self._lock:
                self._process.stdin.write(request.encode())
                self._process.stdin.flush()
                line = self._process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line.endswith(b"\n"):
            status = self._process.wait()
            damage = f"the program that reads it crashed (status {status}). Either the file is damaged"
            raise ForeignMemoryError(damage, self._memory)
        answer = json.loads(line, object_hook=_decode)
        if "error" in answer:
            raise ForeignError(answer["error"])
        if "memory" in answer:
            raise ForeignMemoryError("either it is damaged", self._memory)
        return answer["value"]


def _decode(value: dict[str, Any]) -> object:
    """A date or time of an object with one key, the name of its type."""
    name = next(iter(value), "")
    return KINDS[name](value[name]) if name in KINDS and len(value) == 1 else value


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()
