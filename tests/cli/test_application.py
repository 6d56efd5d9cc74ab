"""The program: help, choices, errors in one line, exit status."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from problex.cli.application import COMMANDS, app, load_command
from problex.matching import LANGUAGES, NEGATIONS
from problex.model import RULES, SOLVERS, TEMPERS
from problex.tables.formats import STREAM_FORMATS
from tests.cli.runs import LEXICON, problex, run


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["predict", "none.json", "texts.csv"], 1, "there is no model file 'none.json': make one with problex fit"),
        (["predict", "m.json", "none.csv"], 1, "none.csv"),
        (["predict", "m.json", "texts.csv", "--text", "body"], 1, "'id', 'text', 'label'"),
        (["predict", "m.json", "texts.csv", "-o", "p.xyz"], 1, "expected one of .csv, .xlsx, .parquet, .jsonl"),
        (["predict", "m.json", "texts.csv", "-o", "both.csv"], 1, "exists: choose another name"),
        (["predict", "m.json", "texts.csv", "-o", "no/such/p.csv"], 1, "there is no folder 'no/such'"),
        (["predict", "m.json", "texts.csv", "--rule", "magic"], 2, "'magic' is not one of"),
        (["predict", "texts.csv", "texts.csv"], 1, "cannot be read as JSON"),
        (["weights", "m.json", "--list", "x"], 1, "has no list 'x', expected one of negative, positive"),
        (["weights", "m.json", "--format", "xml"], 2, "'xml' is not one of"),
        (["forecast", "m.json", "--lengths", "a,b"], 1, "expected whole numbers such as 10,50,200"),
        (["evaluate", "m.json", "texts.csv", "--label", "gold"], 1, "gold"),
        (["fit", "texts.csv", "--lexicon", "positive=pos.txt", "-o", "x.json"], 1, "the lexicon has 1 list"),
        (["fit", "texts.csv", "--lexicon", "pos.txt", "--lexicon", "neg.txt", "-o", "x.json"], 1, "expected NAME=FILE"),
        (["fit", "texts.csv", *LEXICON, "-o", "m.json"], 1, "'m.json' exists"),
        (["fit", "texts.csv", *LEXICON, "-o", "x.json", "--language", "xx"], 2, "'xx' is not one of"),
        (["fit", "texts.csv", "--lexicon", "=pos.txt", "-o", "x.json"], 1, "has no name of a list, expected NAME=FILE"),
        (["weights", "m.json", "--top", "-1"], 2, "should be greater than or equal to 1"),
        (["reproduce", "--data", "nowhere"], 1, "the paper's corpora are not in 'nowhere'"),
        (["fit", "texts.csv"], 2, "Missing option"),
        (["dance"], 2, "No such command"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_line_and_a_status(
    folder: Path, model: Path, words: list[str], status: int, message: str
) -> None:
    ran = problex(*words)
    assert ran.returncode == status, ran.stderr
    assert message in " ".join(ran.stderr.replace("│", " ").split())
    if status == 1:
        assert ran.stderr.count("\n") == 1
        assert ran.stderr.startswith("problex: error: ")
        assert "Traceback" not in ran.stderr


def test_an_empty_corpus(folder: Path, model: Path) -> None:
    for words in (
        ["fit", "-", *LEXICON, "-o", "x.json"],
        ["predict", "m.json", "-"],
        ["predict", "m.json", "-", "-o", "x.csv"],
    ):
        ran = problex(*words)
        assert ran.returncode == 1
        assert "no documents" in ran.stderr
    assert not (folder / "x.json").exists()
    assert not (folder / "x.csv").exists()


@pytest.mark.parametrize("command", ["fit", "predict", "evaluate", "forecast"])
def test_commands_in_a_terminal_show_progress(folder: Path, model: Path, command: str) -> None:
    texts = ["texts.csv", "more.csv"]  # of what is read at once no progress is shown
    (folder / "more.csv").write_bytes((folder / "texts.csv").read_bytes())
    words = {
        "fit": ["fit", *texts, *LEXICON, "-o", "t.json"],
        "predict": ["predict", "m.json", *texts, "-o", "t.csv"],
        "evaluate": ["evaluate", "m.json", *texts],
        "forecast": ["forecast", "m.json", *texts],
    }[command]
    ours, theirs = pty.openpty()
    ran = subprocess.Popen([sys.executable, "-m", "problex", *words], stdout=theirs, stderr=theirs, stdin=theirs)
    os.close(theirs)
    printed = b""
    with contextlib.suppress(OSError):  # the terminal closes when the command ends
        while part := os.read(ours, 65536):
            printed += part
    os.close(ours)
    assert ran.wait(timeout=60) == 0, printed.decode()
    assert b"Traceback" not in printed
    assert b"documents" in printed


def test_the_version() -> None:
    assert run("--version").startswith("problex 0.")


def test_help_lists_every_command_and_imports_none() -> None:
    code = (
        "import sys; from problex.cli import main; sys.argv = ['problex', '--help']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pyarrow', 'pandas', 'scipy', 'sklearn', 'yaml', 'problex.lexicon'}\n"
        "print('imported:', sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "imported: []"
    for name, (_, summary) in COMMANDS.items():
        assert f" {name} " in ran.stdout
        assert summary.split()[0] in ran.stdout


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_a_sentence_for_each_option(name: str) -> None:
    text = run(name, "-h")
    assert "Show this message and exit." in text
    command = load_command(name)
    for one in getattr(command, "commands", {name: command}).values():
        assert one.help.endswith(".")
        for parameter in one.params:
            assert parameter.help.endswith("."), f"{one.name} {parameter.name}"


@pytest.mark.parametrize(
    ("words", "option", "table"),
    [
        (("fit", "texts.csv", *LEXICON, "-o", "x"), "--rule", list(RULES)),
        (("fit", "texts.csv", *LEXICON, "-o", "x"), "--solver", list(SOLVERS)),
        (("fit", "texts.csv", *LEXICON, "-o", "x"), "--language", [*LANGUAGES, "auto"]),
        (("fit", "texts.csv", *LEXICON, "-o", "x"), "--negation", ["auto", "none", *NEGATIONS]),
        (("fit", "texts.csv", *LEXICON, "-o", "x"), "--input-format", list(STREAM_FORMATS)),
        (("predict", "m.json", "texts.csv"), "--temper", list(TEMPERS)),
    ],
)
def test_choices_are_the_names_in_the_tables(words: tuple[str, ...], option: str, table: list[str]) -> None:
    result = CliRunner().invoke(app, [*words, option, "magic"])
    assert result.exit_code == 2
    message = " ".join(result.stderr.replace("│", " ").split())
    assert f"'magic' is not one of {', '.join(map(repr, table))}." in message


@pytest.mark.parametrize("name", [*COMMANDS, "audit sample", "audit score"])
def test_the_help_names_no_types_of_python_and_its_usage_has_no_braces(name: str) -> None:
    text = run(*name.split(), "--help")
    for type_name in ("<bool>", "<path>", "<str>", "list[", "{"):
        assert type_name not in text


def test_each_command_shows_its_own_default_of_keep() -> None:
    for name, default in (("predict", "id, if there is one"), ("classify", "all")):
        assert next(one for one in load_command(name).params if one.name == "keep").show_default == default


def test_an_interruption_while_modules_are_imported_is_one_line() -> None:
    code = (
        "import sys, builtins\n"
        "from problex.cli import main\n"
        "real = builtins.__import__\n"
        "def interrupt(name, *rest):\n"
        "    if name.startswith('typer'): raise KeyboardInterrupt\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = interrupt\n"
        "main()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "problex: error: interrupted\n")


def test_an_interrupted_command_ends_with_one_line() -> None:
    code = (
        "import problex.cli.commands.model as commands\n"
        "from problex.cli import main\n"
        "def weights(model: str) -> None:\n"
        "    raise KeyboardInterrupt\n"
        "commands.weights = weights\n"
        "main()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, "weights", "m"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "problex: error: interrupted\n")
