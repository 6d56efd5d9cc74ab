"""The scripts of the page: types, no markup from data, short files."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import problex
from tests.workbench.browser.packages import packages

PAGE = Path(problex.__file__).parent / "workbench" / "page"
SCRIPTS = sorted(PAGE.rglob("*.js"))
FORBIDDEN = (
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|Function\(|setAttribute\(.style"
)
MOST_LINES = 150


def test_data_never_becomes_markup_or_code() -> None:
    assert len(SCRIPTS) > 30
    found = [f"{path.name}: {hit}" for path in SCRIPTS for hit in re.findall(FORBIDDEN, path.read_text("utf-8"))]
    assert found == []


def test_the_page_has_no_scripts_styles_or_addresses_of_others() -> None:
    page = (PAGE / "index.html").read_text("utf-8")
    assert not re.search(r"<style|style=|\son\w+=|javascript:|https?://", page)
    assert re.findall(r"<script[^>]*>", page) == ['<script type="module" src="/static/app.js">']
    styles = "".join(path.read_text("utf-8") for path in PAGE.rglob("*.css"))
    assert not re.search(r"url\(|@import", styles)


def test_git_keeps_every_file_of_the_page() -> None:
    git = shutil.which("git")
    files = [str(path) for path in PAGE.rglob("*") if path.is_file()]
    if git is None or not any((folder / ".git").exists() for folder in PAGE.parents):
        pytest.skip("the files are not in a clone of the repository")
    done = subprocess.run([git, "check-ignore", *files], cwd=PAGE, capture_output=True, text=True, check=False)
    assert done.stdout == ""


def test_scripts_are_short() -> None:
    assert {path.name: lines for path in SCRIPTS if (lines := path.read_text("utf-8").count("\n")) > MOST_LINES} == {}
    long = [
        f"{path.name}:{at}"
        for path in SCRIPTS
        for at, line in enumerate(path.read_text().split("\n"), 1)
        if len(line) > 120
    ]
    assert long == []


def test_every_imported_script_exists() -> None:
    for path in SCRIPTS:
        for name in re.findall(r'from "(\..*?)"|import\("(\./.*?|\.\./.*?)"\)', path.read_text("utf-8")):
            assert (path.parent / "".join(name)).is_file(), f"{path.name} imports {name}"


def test_types(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("the check of types needs node: apt-get install nodejs")
    compiler = packages() / "typescript" / "bin" / "tsc"
    options = {
        **{"checkJs": True, "allowJs": True, "noEmit": True, "strict": True, "types": [], "noUnusedLocals": True},
        **{
            "target": "es2023",
            "module": "es2022",
            "moduleResolution": "bundler",
            "lib": ["es2023", "dom", "dom.iterable"],
        },
    }
    config = tmp_path / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": options, "include": [f"{PAGE}/**/*.js"]}), "utf-8")
    done = subprocess.run([node, compiler, "-p", config], capture_output=True, text=True, check=False)
    assert done.stdout == ""
