"""Messages name options as Python does, the command line shows its own spelling, and warnings point at the caller."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from problex.cli.application import COMMANDS, load_command
from problex.errors import COMMAND_OPTIONS, ProblexError, check_choice, command_line_message, warn_deprecated

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
    ("message", "expected"),
    [
        ('give on_error="skip" or on_error="replace".', "give --on-error skip or --on-error replace."),
        ("name it with text=... .", "name it with --text ."),
        ("check it, or give format=...", "check it, or give --input-format"),
        ("threads=0 was given", "--threads 0 was given"),
        ("memory=1000 (bytes) was given", "--memory 1000 (bytes) was given"),
        ("rule='dmc' was given, expected one of", "--rule dmc was given, expected one of"),
        ("shrinkage=-1.0 was given", "--shrinkage -1.0 was given"),
        ("overwrite it with force=True", "overwrite it with --force"),
        ("give keep_discordant=True, or another", "give --keep-discordant, or another"),
        ("batch_bytes=0 and scope=3", "batch_bytes=0 and scope=3"),
        ("context=... and my.text=...", "context=... and my.text=..."),
        ("""is b'{text=1}'; the model's text=... is 'text=...', the lists' own""",
         """is b'{text=1}'; the model's --text is 'text=...', the lists' own"""),
        ("""has "it's text=3", expected text=...""", """has "it's text=3", expected --text"""),
    ],
)  # fmt: skip
def test_options_are_spelled_as_on_the_command_line(message: str, expected: str) -> None:
    assert command_line_message(message) == expected


def test_every_option_exists_on_the_command_line() -> None:
    commands = [load_command(name) for name in COMMANDS]
    options = set()
    while commands:
        command = commands.pop()
        commands += getattr(command, "commands", {}).values()
        options |= {name for parameter in command.params for name in parameter.opts}
    assert set(COMMAND_OPTIONS.values()) <= options


def test_a_wrong_choice_lists_the_right_ones() -> None:
    check_choice("rule", "dcm", ["count", "dcm"])
    with pytest.raises(ProblexError, match=r"^rule='dmc' was given, expected one of count, dcm or a function$"):
        check_choice("rule", "dmc", ["count", "dcm"], "or a function")


def test_a_warning_points_at_the_line_of_the_caller(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    lines = [*HEAD.splitlines(), "from dataclasses import replace", "from problex.model import Calibration"]
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


def test_a_deprecated_name_says_what_to_use_instead() -> None:
    with pytest.warns(DeprecationWarning, match=r"^old is deprecated .* problex 2\.0: use new instead$") as caught:
        warn_deprecated("old", "new", "2.0")
    assert caught[0].filename == __file__
