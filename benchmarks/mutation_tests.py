"""Runs of pytest in forked processes: which lines each test executes, and whether some tests pass."""

from __future__ import annotations

import importlib
import json
import os
import resource
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

LIBRARIES = ("numpy", "scipy.optimize", "scipy.stats", "scipy.sparse", "sklearn.linear_model", "sklearn.metrics",
             "pandas", "polars", "pyarrow.csv", "pyarrow.json", "pyarrow.parquet", "pyarrow.compute", "narwhals",
             "hypothesis", "typer", "rich.progress", "coverage")  # fmt: skip
CPU_SECONDS = 60
"""Processor time beyond what the tests take, after which a mutant counts as killed: it does not end."""
WALL_FACTOR, WALL_SECONDS = 10, 300
"""The same by the clock, for a mutant that waits: generous, because other processes may have the processors."""
TIME_LIMIT = 124


@dataclass(frozen=True)
class Tests:
    """Tests by their pytest name: how long each takes, and which lines of which files (of problex) it executes."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[str, set[int]]] = field(default_factory=dict)
    imported: dict[str, set[int]] = field(default_factory=dict)

    @staticmethod
    def join(parts: Sequence[Tests]) -> Tests:
        """The tests of several runs."""
        joined = Tests()
        for part in parts:
            joined.seconds.update(part.seconds)
            joined.lines.update(part.lines)
            for file, lines in part.imported.items():
                joined.imported.setdefault(file, set()).update(lines)
        return joined

    def that_execute(self, file: str, lines: tuple[int, int]) -> Tests:
        """Those that execute one of the lines; if the lines run on import, those that use the file at all.

        A file that has only constants is executed by no test: then all tests may depend on it.
        """
        span = set(range(lines[0], lines[1] + 1))
        names = {name for name, files in self.lines.items() if files.get(file, set()) & span}
        if self.imported.get(file, set()) & span:
            names |= {name for name, files in self.lines.items() if file in files} or set(self.lines)
        return Tests({name: self.seconds[name] for name in names}, {}, {})


def warm_up(root: Path) -> None:
    """Import what the tests need except problex, and make the copy of the tree the place to import that from."""
    os.environ |= {"PYTHONPATH": str(root / "src"), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    sys.path.insert(0, str(root / "src"))
    for name in LIBRARIES:
        with suppress(ImportError):
            importlib.import_module(name)
    assert "problex" not in sys.modules


def trace_tests(root: Path, path: str) -> Tests:
    """Run the tests under a path once, unchanged; raise if one fails."""
    target = root / "trace.json"
    log = root / "pytest.log"
    status = _fork(root, lambda: _trace(root, path, target), 3600, 3600)
    if status != 0:
        raise SystemExit(f"{path} fails without a mutant:\n{log.read_text()[-3000:]}")
    record = json.loads(target.read_text())
    return Tests(
        record["seconds"],
        {name: {file: set(lines) for file, lines in files.items()} for name, files in record["lines"].items()},
        {file: set(lines) for file, lines in record["imported"].items()},
    )


def run_tests(root: Path, paths: Sequence[str], tests: Tests) -> tuple[str, str]:
    """Run tests, the fastest first, until one fails: killed (by which), or survived."""
    expected = sum(tests.seconds.values())
    log = root / "pytest.log"
    files = [path for path in paths if any(name.startswith(path) for name in tests.seconds)]
    choice = Choice(tests.seconds)
    limits = (expected * 2 + CPU_SECONDS, expected * WALL_FACTOR + WALL_SECONDS)
    status = _fork(root, lambda: _pytest(files, [choice], "-x"), *limits)
    if status == 0:
        return "survived", ""
    if status in (1, 2, 3, 4, 5):
        failed = [line for line in log.read_text(errors="replace").splitlines() if line.startswith(("FAILED", "ERROR"))]
        return "killed", failed[0].split(" - ")[0] if failed else ""
    return "killed", "time limit" if status == TIME_LIMIT else f"status {status}"


class Choice:
    """A plugin of pytest that runs some tests, the fastest first."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the others; pytest would exit with 5 if none were left, as where a mutant prevents collection."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self.seconds), key=lambda item: self.seconds[item.nodeid]
        )


class Trace:
    """A plugin of pytest that notes which lines each test executes."""

    def __init__(self, coverage: Any) -> None:
        self.coverage, self.seconds = coverage, {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Name the context of coverage after the test."""
        began = time.process_time()
        self.coverage.switch_context(item.nodeid)
        yield
        self.coverage.switch_context("")
        self.seconds[item.nodeid] = time.process_time() - began


def _trace(root: Path, path: str, target: Path) -> int:
    from coverage import Coverage

    source = root / "src" / "problex"
    coverage = Coverage(data_file=None, source=[str(source)], config_file=False)
    trace = Trace(coverage)
    coverage.start()
    status = _pytest([path], [trace])
    coverage.stop()
    data = coverage.get_data()
    lines: dict[str, dict[str, list[int]]] = {name: {} for name in trace.seconds}
    imported: dict[str, list[int]] = {}
    for file in data.measured_files():
        name = str(Path(file).relative_to(source))
        for line, contexts in data.contexts_by_lineno(file).items():
            for context in contexts:
                (imported if context == "" else lines[context]).setdefault(name, []).append(line)
    target.write_text(json.dumps({"seconds": trace.seconds, "lines": lines, "imported": imported}))
    return status


def _pytest(paths: Sequence[str], plugins: Sequence[object], *options: str) -> int:
    from hypothesis import Phase, settings

    # A failing example need not become a small one, nor be remembered.
    settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate], database=None)
    settings.load_profile("mutants")
    fixed = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0", "--tb=line"]
    fixed += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is imported already
    return int(pytest.main([*fixed, *options, *paths], plugins=list(plugins)))


def _fork(root: Path, call: Callable[[], int], cpu: float, wall: float) -> int:
    """The exit status of a call in a process of its own: TIME_LIMIT if it takes too long, -signal if it crashes."""
    shutil.rmtree(root / ".hypothesis", ignore_errors=True)
    child = os.fork()
    if child == 0:
        status = 70
        try:
            os.setsid()
            os.chdir(root)
            output = os.open(root / "pytest.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(output, 1)
            os.dup2(output, 2)
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu), int(cpu) + 5))
            resource.setrlimit(resource.RLIMIT_DATA, (6 << 30, 6 << 30))
            sys.dont_write_bytecode = True
            status = call()
            sys.stdout.flush()
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(status)
    end = time.monotonic() + wall
    while time.monotonic() < end and os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.02)
    late = time.monotonic() >= end
    with suppress(ProcessLookupError):  # the child is not reaped yet, so the group is still its own
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return TIME_LIMIT if late or os.WTERMSIG(status) == signal.SIGXCPU else -os.WTERMSIG(status)
    return os.WEXITSTATUS(status)
