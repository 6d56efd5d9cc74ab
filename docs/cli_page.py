"""Write docs/cli.md from the commands, and the table in docs/lexicons.md from the table of formats.

Run by `make figures`; a test fails when a page is out of date.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from typer.main import get_command

from problex.cli.application import app
from problex.lexicon.formats import FORMATS

PAGE = Path(__file__).parent / "cli.md"
LEXICONS = Path(__file__).parent / "lexicons.md"
TABLE = re.compile(r"^\| format \(.*?(?=\n\n)", re.S | re.M)


def commands(group: Any, before: str = "") -> list[tuple[str, Any]]:
    """Every command by its full name, those of groups included."""
    found = []
    for name, command in sorted(group.commands.items()):
        inner = commands(command, f"{before}{name} ") if hasattr(command, "commands") else [(before + name, command)]
        found += inner
    return found


def page() -> str:
    """The page: a section for each command, its arguments and options as they are declared."""
    parts = ["# The command line", "", "Made from the commands themselves by `make figures`.", ""]
    for name, command in commands(get_command(app)):
        parts += [f"## problex {name}", "", command.help or "", "", "| | |", "|---|---|"]
        for parameter in command.params:
            if parameter.param_type_name == "argument":
                shown = parameter.name.upper() + ("" if parameter.required else " (optional)")
            else:
                shown = ", ".join(f"`{option}`" for option in parameter.opts)
                shown += " (required)" if parameter.required else ""
            parts.append(f"| {shown} | {(getattr(parameter, 'help', '') or '').replace('|', '/')} |")
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
