"""Write docs/cli.md from the commands, and the table in docs/lexicons.md from the table of formats.

A test fails when a page is out of date: run this, or `make figures`, which draws all pictures as well.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from problex.cli.application import COMMANDS, load_command
from problex.cli.options import Excludes
from problex.lexicon.formats import FORMATS

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
LEXICONS = Path(__file__).parents[2] / "docs" / "lexicons.md"
TABLE = re.compile(r"^\| format \(.*?(?=\n\n)", re.S | re.M)


def commands() -> list[tuple[str, Any]]:
    """Every command by its full name, with the commands of groups."""
    names_and_commands = []
    for name in sorted(COMMANDS):
        command = load_command(name)
        inner = getattr(command, "commands", None)
        names_and_commands += (
            [(f"{name} {part}", inner[part]) for part in sorted(inner)] if inner else [(name, command)]
        )
    return names_and_commands


def dict_of_rules(command: Any) -> dict[str, list[str]]:
    """What the options of a command need and exclude, as sentences, by the names of their parameters."""
    required = [parameter for parameter in command.params if parameter.required]
    needed = {name for parameter in required for name in (*parameter.opts, parameter.metavar)}
    sentences: dict[str, list[str]] = {}
    for name, rule in getattr(command.callback, "rules", []):
        known = {option for parameter in command.params for option in (*parameter.opts, parameter.metavar)}
        if isinstance(rule, Excludes):
            sentences.setdefault(name, []).append(f"Not with `{rule.other}`.")
        elif others := [f"`{other}`" for other in rule.options if other in known and other not in needed]:
            sentences.setdefault(name, []).append(f"Only with {' or '.join(others)}.")
    return sentences


def page() -> str:
    """The page: a section for each command with its arguments and options."""
    parts = ["# The command line", "", "Generated from the commands by `make figures`.", ""]
    for name, command in commands():
        parts += [f"## problex {name}", "", command.help or "", "", "| | |", "|---|---|"]
        rules = dict_of_rules(command)
        for parameter in sorted(command.params, key=lambda one: one.param_type_name):  # arguments come first
            if parameter.param_type_name == "argument":
                label = parameter.metavar + ("" if parameter.required else " (optional)")
            else:
                label = ", ".join(f"`{option}`" for option in (*parameter.opts, *parameter.secondary_opts))
                label += " (required)" if parameter.required else ""
            text = " ".join([getattr(parameter, "help", "") or "", *rules.get(parameter.name, [])])
            parts.append(f"| {label} | {text.strip().replace('|', '/')} |")
        parts.append("")
    parts += ["Exit status: 0, 1 for bad input, 2 for wrong usage. An error is one line on standard error.", ""]
    return "\n".join(parts)


def formats_table() -> str:
    """The table of lexicon formats, as docs/lexicons.md has it."""
    lines = ["| format (`--from`, `--to`) | | suffix | recognised by | holds |", "|---|---|---|---|---|"]
    for name, format in sorted(FORMATS.items()):
        only = "" if format.read and format.write else " (read only)" if format.read else " (write only)"
        suffixes = ", ".join(suffix or "none" for suffix in format.suffixes)
        recognised_by = format.recognised_by.replace("|", r"\|")
        lines.append(f"| `{name}`{only} | {format.description} | {suffixes} | {recognised_by} | {format.holds} |")
    return "\n".join(lines)


def lexicons_page() -> str:
    """docs/lexicons.md with its table as it should be."""
    table = formats_table()
    return TABLE.sub(lambda match: table, LEXICONS.read_text(encoding="utf-8"), count=1)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    LEXICONS.write_text(lexicons_page(), encoding="utf-8")
