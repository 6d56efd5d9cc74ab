"""Commands import what they need, and no more: packages that take long to import are the larger part of their start."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import problex

SLOW = ("pandas", "sklearn", "narwhals", "rich", "yaml", "xml.sax", "pyarrow.parquet", "charset_normalizer", "duckdb")
OWN = (
    "problex._util.encodings.languages",
    "problex._util.writing.databases",
    "problex.cli.prediction_log",
    "problex.corpus.binary.parquet_reader",
    "problex.corpus.preview",
    "problex.counting.remembered",
    "problex.estimation.weight_checks",
    "problex.expansion.learning",
    "problex.lexicon.formats",
    "problex.matching.spans",
)
NOT_FOR_PREDICTION = ("scipy", "pydantic", "pyarrow.compute", "sqlite3", *OWN, *SLOW)
NEEDLESS = ("pandas", "sklearn", "narwhals", "pydantic", "rich", "xml.sax", "pyarrow.parquet", "duckdb")
NOT_FOR_FITTING = ("scipy.stats", "pyarrow.compute", *NEEDLESS)
CODE = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps([name for name in {names!r} if name in sys.modules]), file=sys.stderr))
from problex.cli import main
main()
"""


def imported(names: tuple[str, ...], *arguments: str) -> list[str]:
    """Those of the modules that a command imports; the last line of standard error."""
    code = CODE.format(names=names)
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stderr.splitlines()[-1])
    return found


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("one.csv", "id,text\n1,a good film\n"),
        ("one.txt", "A good film.\n"),
        ("one.jsonl", '{"text": "a good film"}\n'),
    ],
)
def test_prediction_imports_no_slow_package(model: Path, name: str, content: str) -> None:
    (model.parent / name).write_text(content)
    assert imported(NOT_FOR_PREDICTION, "predict", str(model), name) == []


def test_counting_and_estimation_import_no_slow_package(folder: Path) -> None:
    """Reading and counting a gigabyte takes seconds, of which these would be a tenth."""
    (folder / "one.csv").write_text("id,text\n" + "1,a good and fine film\n2,a bad day\n3,not good but poor\n" * 20)
    lists = ["-l", "positive=positive.txt", "-l", "negative=negative.txt"]
    (folder / "positive.txt").write_text("good\nfine\n")
    (folder / "negative.txt").write_text("bad\npoor\n")
    assert imported(NOT_FOR_FITTING, "fit", "one.csv", *lists, "-o", "new.json") == []


def test_help_imports_no_package_of_numbers(folder: Path) -> None:
    assert imported(("numpy", "pyarrow", "scipy", "pandas"), "--help") == []


FIRST = """
import sys
before = set(sys.modules)
import problex.__main__
own = set(sys.modules) - before
import signal
at_first = signal.getsignal(signal.SIGINT)
from problex.cli.application import load_command
load_command("weights")
print(sorted(own), at_first == signal.SIG_DFL, signal.getsignal(signal.SIGINT) == signal.default_int_handler)
"""


def test_ctrl_c_ends_the_program_at_once_until_a_command_is_called() -> None:
    """Before it does, nothing is imported, so that Python has no imports of problex to show in a traceback."""
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=True)
    assert done.stdout == "['problex', 'problex.__main__'] True True\n"
    ignored = FIRST.replace("import sys", "import sys, signal; signal.signal(signal.SIGINT, signal.SIG_IGN)", 1)
    done = subprocess.run([sys.executable, "-c", ignored], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False False\n")  # as for nohup, it stays so


SEARCH = """
import os, signal, sys
def hook(path):
    if path == os.environ["PACKAGE"]:  # the search for problex.__main__
        os.kill(os.getpid(), signal.SIGINT)
    raise ImportError
sys.path_hooks.insert(0, hook)
"""
PACKAGE = Path(problex.__file__).parent


def with_modules(folder: Path) -> dict[str, str]:
    """The environment of a program that also imports from this folder."""
    path = os.pathsep.join([str(folder), str(PACKAGE.parent)])
    return dict(os.environ) | {"PYTHONPATH": path, "PACKAGE": str(PACKAGE)}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal for one process")
@pytest.mark.parametrize("option", [["-m", "problex"], ["-mproblex"]])
def test_ctrl_c_while_python_looks_for_the_program_shows_no_traceback(option: list[str], tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(SEARCH)
    line = [sys.executable, *option, "fit", "-m"]
    done = subprocess.run(line, capture_output=True, text=True, env=with_modules(tmp_path), check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


def test_importing_the_package_leaves_ctrl_c_as_it_is(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "__init__.py").write_text("import problex\n")
    (other / "__main__.py").write_text(
        "import signal\nprint(signal.getsignal(signal.SIGINT) is signal.default_int_handler)\n"
    )
    line = [sys.executable, "-m", "other", "-m", "problex"]
    assert (
        subprocess.run(line, capture_output=True, text=True, env=with_modules(tmp_path), check=True).stdout == "True\n"
    )


COLLECTION = """
import atexit, gc, sys
import problex.__main__
import problex.cli.commands.model as commands
kept = []
def weights(model: str) -> None:
    print(gc.isenabled(), gc.get_freeze_count() > 0, file=sys.stderr)
    kept.extend([] for _ in range(10000))
commands.weights = weights
atexit.register(lambda: print(gc.isenabled(), len(gc.get_objects()) < 10000, file=sys.stderr))
problex.__main__.main()
"""


IMPORTING = """
import gc, sys
import problex.__main__
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "problex.cli":
            print(gc.isenabled(), file=sys.stderr)
sys.meta_path.insert(0, Finder())
problex.__main__.main()
"""


def test_garbage_is_not_searched_for_while_the_command_line_is_imported() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTING, "--version"], capture_output=True, text=True, check=True)
    assert done.stderr == "False\n"


def test_garbage_is_collected_while_a_command_runs_and_not_among_modules() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COLLECTION, "weights", "x"], capture_output=True, text=True, check=True
    )
    assert done.stderr == "True True\nTrue True\n"


WAITING = """
import atexit, os
import problex.__main__
atexit.register(lambda: print(os.environ["OPENBLAS_THREAD_TIMEOUT"]))
problex.__main__.main()
"""


@pytest.mark.parametrize(("given", "taken"), [(None, "4"), ("20", "20")])
def test_threads_of_numpy_do_not_wait_busily_unless_told_to(given: str | None, taken: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_THREAD_TIMEOUT"}
    environment |= {"OPENBLAS_THREAD_TIMEOUT": given} if given else {}
    words = [sys.executable, "-c", WAITING, "--version"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.splitlines()[-1] == taken


def test_the_end_of_a_program_with_duckdb_is_silent(tmp_path: Path) -> None:
    """DuckDB prints which of its objects are left when the program ends, if they are never collected."""
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connection:
        connection.execute("create table t as select 'good film' as text")
    (tmp_path / "words.csv").write_text("word,label\ngood,positive\nbad,negative\n")
    line = [sys.executable, "-m", "problex", "lookup", "words.csv", "t.duckdb", "--text", "text"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "leak" not in done.stderr
