"""Messages name options as Python does, the command line shows its own spelling, and warnings point at the caller."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import problex
from problex import Lexicon, count
from problex.cli.application import COMMANDS, load_command
from problex.errors import (
    MAX_QUOTED,
    DocumentError,
    ProblexError,
    check_choice,
    command_option,
    opt,
    use_spelling,
    was_given,
)

HEAD = """\
import json, sys, warnings
import pyarrow as pa
from problex import Lexicon, LexiconClassifier, count, estimate, expand

LEXICON = Lexicon({'a': ['good', 'fine'], 'b': ['bad', 'poor']})
TEXTS = ['good fine day', 'fine good film', 'bad poor film', 'poor bad day', 'good bad'] * 8
MODEL = estimate(count(TEXTS, LEXICON), LEXICON)
caught = []
warnings.simplefilter('always')
warnings.showwarning = lambda message, category, filename, line, *rest: caught.append([filename, line, str(message)])
"""
CASES = {
    "in two lists": "Lexicon({'a': ['x', 'y'], 'b': ['x', 'z']})",
    "entry is not used": "count(TEXTS, Lexicon({'a': ['good', '*'], 'b': ['bad']}))",
    "every entry has the same weight": "estimate(count(['good bad and more'] * 5, LEXICON), LEXICON)",
    "words are not repeated": "LexiconClassifier(LEXICON).fit(['good fine', 'bad poor', 'good bad x y z'] * 5)",
    "no sample of documents": ("replace(MODEL, sample=None, calibration=Calibration(2.0)).reestimate(temper='none')"),
    "the model was not expanded": "expand(MODEL, TEXTS[:5])",
    "from column": "count(pa.table({'id': [1, 2], 'review': ['good day', 'bad day']}), LEXICON)",
    "language=": "LexiconClassifier(LEXICON, language='auto').fit(['the good and the bad are of the day'] * 9)",
    "no model yet": "LexiconClassifier(LEXICON).partial_fit(['good day', 'good film'])",
    "admm stopped": (
        "estimate(count(TEXTS, LEXICON), LEXICON, shrinkage=0, solver='admm', solver_options={'iterations': 1})"
    ),
}


@pytest.mark.parametrize(
    ("name", "value", "in_python", "in_commands"),
    [
        ("on_error", "skip", 'on_error="skip"', "--on-error skip"),
        ("text", ..., "text=...", "--text"),
        ("format", ..., "format=...", "--input-format"),
        ("threads", 0, "threads=0", "--threads 0"),
        ("force", True, "force=True", "--force"),
        ("header", False, "header=False", "--no-header"),
        ("delimiter", ";", 'delimiter=";"', "--delimiter ';'"),
        ("neutral", (4, 6.5), "neutral=(4, 6.5)", "--neutral 4:6.5"),
    ],
)
def test_options_are_spelled_by_the_face_that_shows_them(
    name: str, value: object, in_python: str, in_commands: str
) -> None:
    assert opt(name, value) == in_python
    with use_spelling(command_option):
        assert opt(name, value) == in_commands
    assert opt(name, value) == in_python


def test_a_wrong_value_is_quoted_and_cut() -> None:
    assert was_given("rule", "dmc") == "rule='dmc' was given"
    assert was_given("rule", "x" * 1000) == f"rule='{'x' * MAX_QUOTED}...' was given"
    with use_spelling(command_option):
        assert was_given("rule", "dmc") == "--rule dmc was given"
        assert was_given("'calibration.source'", "x") == "'calibration.source'='x' was given"


def test_what_messages_quote_from_files_stays(tmp_path: Path) -> None:
    (path := tmp_path / "force=True.texts").write_text("good")
    with use_spelling(command_option), pytest.raises(DocumentError, match="or give --input-format") as error:
        count(path, Lexicon({"a": ["good"], "b": ["bad"]}))
    assert "force=True.texts" in str(error.value)


def named_options() -> Iterator[str]:
    """The names of options that messages of the package have."""
    for path in Path(problex.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("opt", "was_given"):
                yield from (str(one.value) for one in node.args[:1] if isinstance(one, ast.Constant))


def test_every_option_exists_on_the_command_line() -> None:
    commands = [load_command(name) for name in COMMANDS]
    options = set()
    while commands:
        command = commands.pop()
        commands += getattr(command, "commands", {}).values()
        options |= {name for parameter in command.params for name in parameter.opts}
    named = {command_option(name) for name in named_options()}
    assert len(named) > 30
    assert named <= options


def test_a_wrong_choice_lists_the_right_ones() -> None:
    check_choice("rule", "dcm", ["count", "dcm"])
    with pytest.raises(ProblexError, match=r"^rule='dmc' was given, expected one of count, dcm or a function$"):
        check_choice("rule", "dmc", ["count", "dcm"], "or a function")


def test_a_warning_points_at_the_line_of_the_caller(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    lines = [*HEAD.splitlines(), "from dataclasses import replace", "from problex.model.calibration import Calibration"]
    expected = {}
    for message, call in CASES.items():
        lines.append(call)
        expected[message] = [[str(script), len(lines)]]
    lines.append("print(json.dumps(caught))")
    script.write_text("\n".join(lines), encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    caught = json.loads(done.stdout)
    places = {
        message: [place for *place, text in caught if message in text and place[1] == line]
        for message, [[_, line]] in expected.items()
    }
    assert places == expected
    assert {place for place, *_ in caught} == {str(script)}
