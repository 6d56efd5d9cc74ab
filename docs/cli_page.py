"""Write docs/cli.md from the commands themselves. Run by `make figures`; a test fails when the page is stale."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from typer.main import get_command

from problex.cli.application import app

PAGE = Path(__file__).parent / "cli.md"


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


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
