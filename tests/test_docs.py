"""Documents cannot go stale: the README is run, the page of commands is made again and compared."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from problex.cli.application import COMMANDS, load_command

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.S | re.M)


@pytest.mark.parametrize("path", [path for path in PAGES if blocks(path, "python")], ids=lambda path: path.name)
def test_python_in_the_documents_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks(path, "python"):
        exec(compile(block, str(path), "exec"), names)


def test_the_readme_prints_what_it_says(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    block = blocks(ROOT / "README.md", "python")[0]
    exec(compile(block, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    for said in re.findall(r"print\(.*\)\s+# (\[.*\])$", block, re.M):
        assert said in printed
    assert (tmp_path / "own.json").exists()


def test_commands_in_the_readme_exist() -> None:
    known = {name: load_command(name) for name in COMMANDS}
    for path in PAGES:
        for block in blocks(path, "sh"):
            for command, options in re.findall(r"^problex (\w+)(.*)$", block, re.M):
                assert command in known
                called = known[command]
                if hasattr(called, "commands"):
                    called = called.commands[options.split()[0]]
                declared = {option for parameter in called.params for option in parameter.opts}
                assert set(re.findall(r"(?<=\s)--?[a-z][a-z-]*", options.split("#")[0])) <= declared


def test_the_commands_in_the_readme_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts: list[str]) -> None:
    """Run them one after the other on small files of the names that the README uses."""
    import subprocess
    import sys

    import pandas as pd

    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"text": texts, "stars": 3}).to_csv("reviews.csv", index=False)
    truth = ["positive", "positive", "negative", "negative"]
    pd.DataFrame({"text": texts[:4], "truth": truth}).to_csv("sample.csv", index=False)
    Path("pos.txt").write_text("good\nfine\n")
    Path("neg.txt").write_text("bad\npoor\n")
    block = next(block for block in blocks(ROOT / "README.md", "sh") if block.startswith("problex fit"))
    for line in block.splitlines():
        words = line.split("#")[0].split()
        ran = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr


def test_generated_pages_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("cli_page", ROOT / "docs" / "cli_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == module.page(), "run make figures"
    assert (ROOT / "docs" / "lexicons.md").read_text(encoding="utf-8") == module.lexicons_page(), "run make figures"
    assert module.formats_table() in module.lexicons_page()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target


def test_the_page_for_python_has_every_parameter_with_its_default() -> None:
    import inspect

    from problex import LexiconClassifier

    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.M)
    parameters = list(inspect.signature(LexiconClassifier).parameters.values())
    expected = [
        (one.name, "(required)" if one.default is inspect.Parameter.empty else f"`{one.default!r}`")
        for one in parameters
    ]
    assert rows == expected
