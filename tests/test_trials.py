"""What the trials of `make torture` take for a fault."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAD = "Traceback (most recent call last):\n"
SEARCH = f"""{HEAD}  File "<frozen importlib._bootstrap_external>", line 1437, in _path_importer_cache
KeyError: '{ROOT / "src" / "problex"}'

During handling of the above exception, another exception occurred:

{HEAD}  File "<frozen runpy>", line 189, in _run_module_as_main
  File "<frozen importlib._bootstrap_external>", line 1415, in _path_hooks
KeyboardInterrupt
"""
SITE = f"""Fatal Python error: init_import_site: Failed to import the site module
Python runtime state: initialized
{HEAD}  File "<frozen importlib._bootstrap>", line 1176, in _find_and_load
  File "<frozen site>", line 584, in main
  File "{sys.prefix}/lib/python3/types.py", line 147, in <module>
KeyboardInterrupt
"""
CALLBACK = f"""Exception ignored in: <function _get_module_lock.<locals>.cb at 0x7f5950aacd60>
{HEAD}  File "<frozen importlib._bootstrap>", line 199, in cb
KeyboardInterrupt:
problex: error: the file few.csv does not exist
"""
PACKAGE = f"""{HEAD}  File "<frozen runpy>", line 198, in _run_module_as_main
  File "{ROOT / "src" / "problex" / "__main__.py"}", line 39, in <module>
  File "<frozen importlib._bootstrap>", line 1176, in _find_and_load
KeyboardInterrupt
"""
END = f"""Exception ignored in: <module 'threading' from '{sys.prefix}/lib/python3/threading.py'>
{HEAD}  File "{sys.prefix}/lib/python3/threading.py", line 1583, in _shutdown
KeyboardInterrupt:
"""


@pytest.fixture
def is_python_start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], bool]]:
    monkeypatch.syspath_prepend(str(ROOT / "campaigns"))
    yield import_module("trials").is_python_start
    sys.modules.pop("trials")


@pytest.mark.skipif(sys.platform == "win32", reason="the trials are for Linux")
@pytest.mark.parametrize("said", [SEARCH, SITE, CALLBACK])
def test_an_interrupted_start_of_python_is_no_fault(said: str, is_python_start: Callable[[str], bool]) -> None:
    assert is_python_start(said)


@pytest.mark.skipif(sys.platform == "win32", reason="the trials are for Linux")
@pytest.mark.parametrize(
    "said",
    [PACKAGE, END, SEARCH + PACKAGE, PACKAGE + SITE, SITE.replace("KeyboardInterrupt", "KeyError: 'x'"), HEAD, ""],
)
def test_other_tracebacks_are_faults(said: str, is_python_start: Callable[[str], bool]) -> None:
    assert not is_python_start(said)
