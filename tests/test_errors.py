"""Messages name options as Python does, and the command line shows its own spelling."""

from __future__ import annotations

import pytest
import typer

from problex.cli.application import app
from problex.errors import COMMAND_OPTIONS, ProblexError, check_choice, command_line_message


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ('give on_error="skip" or on_error="replace".', "give --on-error skip or --on-error replace."),
        ("name it with text=... .", "name it with --text ."),
        ("check it, or give format=...", "check it, or give --input-format"),
        ("threads=0 was given", "--threads 0 was given"),
        ("memory=1,000 bytes was given", "--memory 1,000 bytes was given"),
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
    commands = [typer.main.get_command(app)]
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
