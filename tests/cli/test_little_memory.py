"""Commands in a process that may reserve little memory: they end at once with one line, or work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from problex._util.memory import MIN_PROCESS_MEMORY, check_process_memory
from problex.errors import ProblexError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux enforces these limits")
LIMITED = """
import resource, sys
resource.setrlimit(getattr(resource, sys.argv.pop(1)), (int(sys.argv.pop(1)),) * 2)
from problex.cli import main
main()
"""


def run_limited(limit: str, size: int, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LIMITED, limit, str(size), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("megabytes", [200, 350, 450])
def test_too_little_memory_for_the_libraries_is_one_line(model: Path, megabytes: int) -> None:
    ran = run_limited("RLIMIT_AS", megabytes * 10**6, "predict", str(model), "texts.csv")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == (
        f"problex: error: out of memory: this process may reserve {megabytes * 10**6 >> 20} MiB (ulimit -v), expected "
        "at least 1024 MiB: raise the limit\n"
    )


def test_the_limit_of_data_counts_too(model: Path) -> None:
    ran = run_limited("RLIMIT_DATA", 200 << 20, "predict", str(model), "texts.csv")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "may reserve 200 MiB (ulimit -d)" in ran.stderr


@pytest.mark.parametrize("size", [MIN_PROCESS_MEMORY, 1500 << 20])
def test_little_memory_is_enough_for_a_few_texts(model: Path, size: int) -> None:
    ran = run_limited("RLIMIT_AS", size, "predict", str(model), "texts.csv")
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) == 41


def test_help_needs_no_more_memory_than_python() -> None:
    ran = run_limited("RLIMIT_AS", 200 * 10**6, "--version")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_numpy_and_arrow_reserve_less_below_four_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    for name in ("OPENBLAS_NUM_THREADS", "ARROW_DEFAULT_MEMORY_POOL"):
        monkeypatch.setenv(name, "")  # so that what is set below does not outlive the test
        monkeypatch.delenv(name)
    limits = {resource.RLIMIT_AS: MIN_PROCESS_MEMORY, resource.RLIMIT_DATA: resource.RLIM_INFINITY}
    monkeypatch.setattr(resource, "getrlimit", lambda limit: (limits[limit], resource.RLIM_INFINITY))
    check_process_memory()
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
    assert os.environ["ARROW_DEFAULT_MEMORY_POOL"] == "system"  # its own would reserve a GiB of 1.5 GiB
    limits[resource.RLIMIT_AS] -= 1
    with pytest.raises(ProblexError, match="may reserve 1023 MiB"):
        check_process_memory()
