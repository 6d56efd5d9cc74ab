"""Values of options and arguments that no command can use: one clear line, and nothing is written or ignored."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

from problex.cli.application import COMMANDS, app, load_command
from tests.cli.runs import LEXICON, problex

load = cache(load_command)
TEXT = "TEXT"
"""The one value that may be empty: a text to explain."""


def parameters() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with each of its options and arguments that take a value."""
    for name in COMMANDS:
        command = load(name)
        for sub, part in getattr(command, "commands", {"": command}).items():
            for parameter in part.params:
                if not getattr(parameter, "is_flag", False):
                    yield (name, sub) if sub else (name,), parameter


def refusal(*words: str) -> str:
    """What a command says that fails before it does anything."""
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == 2, (words, result.output)
    return " ".join(result.stderr.replace("│", " ").split())


def with_required(command: tuple[str, ...], parameter: Any, value: str) -> list[str]:
    """A command line with this value, and a name for everything else that the command needs."""
    target = load(command[0])
    target = target.commands[command[1]] if len(command) > 1 else target
    options, arguments = [*command], []
    for other in target.params:
        given = value if other.name == parameter.name else "x"
        if other.param_type_name == "argument":
            arguments.append(given)
        elif other.name == parameter.name or other.required:
            options += [other.opts[0], *[given] * other.nargs]
    return [*options, "--", *arguments]


def test_no_value_may_be_empty(folder: Path) -> None:
    tried = 0
    for command, parameter in parameters():
        if parameter.metavar != TEXT:
            said = refusal(*with_required(command, parameter, ""))
            name = parameter.opts[0] if parameter.param_type_name == "option" else parameter.metavar
            assert name in said, (command, said)
            tried += 1
    assert tried > 300


def test_no_number_may_be_anything_else(folder: Path) -> None:
    tried = 0
    for command, parameter in parameters():
        kind = str(parameter.type_descriptor.annotation)
        if "float" in kind or "int" in kind:
            for value in ("nan", "inf", "-inf", "1e400", "x", "1,5", "9" * 5000 if "float" in kind else "1.5"):
                said = refusal(*with_required(command, parameter, value))
                assert parameter.opts[0] in said, (command, said)
                tried += 1
    assert tried > 100


def test_classify_names_a_missing_column_before_it_learns(folder: Path) -> None:
    for option in ("--by", "--keep"):
        before = set(folder.iterdir())
        ran = problex("classify", "texts.csv", *LEXICON, "-o", "out.csv", "--no-report", option, "year")
        assert ran.returncode == 1
        assert ran.stderr.startswith(
            "problex: error: there is no column 'year'; the columns are 'id', 'text', 'label'."
        )
        assert set(folder.iterdir()) == before


def test_classify_does_not_take_a_missing_file_for_standard_input(folder: Path) -> None:
    ran = problex("classify", "missing.csv", *LEXICON, "-o", "out.csv")
    assert (ran.returncode, "there is no file or folder 'missing.csv'" in ran.stderr) == (1, True), ran.stderr
    ran = problex("classify", "-", *LEXICON, "-o", "out.csv")
    assert (ran.returncode, "standard input was given" in ran.stderr) == (1, True), ran.stderr


@pytest.mark.parametrize("command", ["predict", "lookup"])
def test_a_run_that_reads_nothing_leaves_no_checkpoint(command: str, folder: Path, model: Path) -> None:
    before = set(folder.iterdir())
    first = "both.csv" if command == "lookup" else "m.json"
    ran = problex(command, first, "texts.csv", "--keep", "year", "-o", "out.csv", "--checkpoint", "out.part")
    assert (ran.returncode, "there is no column 'year'" in ran.stderr) == (1, True), ran.stderr
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize(("name", "reason"), [("missing.csv", "does not exist"), (".", "is a folder")])
def test_a_sheet_that_is_no_file_is_named(name: str, reason: str, folder: Path) -> None:
    ran = problex("audit", "score", name)
    expected = f"problex: error: the sheet {name!r} {reason}, expected a labelled .csv from problex audit sample\n"
    assert (ran.returncode, ran.stderr) == (1, expected)


IGNORED = {
    "explain m.json --text good --column x": "--column was given without TEXTS",
    "explain m.json --text good --encoding x": "--encoding was given without TEXTS",
    "forecast m.json --sheet 1": "--sheet was given without TEXTS",
    "lookup both.csv texts.csv --title x": "--title was given without --report",
    "shares m.json texts.csv --title x": "--title was given without --chart",
    "classify texts.csv -l both.csv -o out.csv --no-report --title x": "--title was given with --no-report",
    "predict m.json texts.csv --table x": "--table was given without a database or workbook",
    "predict m.json texts.csv --table predictions -o out.csv": "--table was given without a database or workbook",
    "lookup both.csv texts.csv --table x -o out.parquet": "--table was given without a database or workbook",
    "predict m.json texts.csv --bom": "--bom was given without a CSV file",
    "lookup both.csv texts.csv --bom -o out.jsonl": "--bom was given without a CSV file",
    "classify texts.csv -l both.csv -o out.xlsx --no-report --bom": "--bom was given without a CSV file",
    "workbench --no-open --session none --max-upload 2000000TiB": "--max-upload is too large, expected at most",
    "audit sample m.json texts.csv -o s.csv -n 2 --more .": "the sheet '.' is a folder, expected a labelled .csv",
    "categories both.csv --neutral=-1e400:0": "was given, expected finite numbers",
}


@pytest.mark.parametrize("line", IGNORED)
def test_an_option_without_effect_is_refused(line: str, folder: Path, model: Path) -> None:
    before = set(folder.iterdir())
    ran = problex(*line.split())
    assert (ran.returncode, IGNORED[line] in ran.stderr) == (1, True), ran.stderr
    assert set(folder.iterdir()) == before


def test_a_sheet_of_a_lexicon_without_sheets_is_named(folder: Path) -> None:
    """Not refused: another file of the same lexicon may be a workbook."""
    ran = problex("fit", "texts.csv", "-l", "both.csv", "-o", "out.json", "--lexicon-sheet", "x")
    assert ran.returncode == 0
    assert "the sheet 'x' of both.csv was asked for, which has none: it is read as a whole" in ran.stderr


HUGE = "9" * 5000
"""More digits than Python reads as a number."""
LONG_NUMBERS = [
    f"lookup both.csv texts.csv --levels {HUGE}",
    f"predict m.json t.xlsx --sheet {HUGE}",
    "forecast m.json --lengths 100000000000000000000",
]


@pytest.mark.parametrize("line", LONG_NUMBERS, ids=["levels", "sheet", "lengths"])
def test_a_number_of_many_digits_is_refused(line: str, folder: Path, model: Path) -> None:
    pd.read_csv("texts.csv").to_excel("t.xlsx")
    ran = problex(*line.split())
    assert (ran.returncode, ran.stderr.count("\n"), "problex: error: " in ran.stderr) == (1, 1, True), ran.stderr


LONG = "x" * 5000
LONG_WORDS = [
    f"predict m.json texts.csv --rule {LONG}",
    f"convert both.csv out.csv --to {LONG}",
    f"predict --{LONG}",
    f"audit {LONG}",
    f"--{LONG}",
    LONG,
]


@pytest.mark.parametrize("line", LONG_WORDS, ids=[line[:20] for line in LONG_WORDS])
def test_a_long_value_is_not_quoted_as_a_whole(line: str) -> None:
    said = refusal(*line.split())
    assert "x" * 60 in said
    assert 0 < said.count("x") < 120


@pytest.mark.parametrize(
    "command", ["shares", "report", "audit plan", "audit sample", "classify", "lookup", "workbench"]
)
def test_groups_are_those_of_one_column(command: str) -> None:
    """The second column took the place of the first without a word."""
    said = refusal(*command.split(), "x", "--by", "party", "--by", "month")
    assert "--by" in said
    assert "it was given 2 times, expected one column" in said
