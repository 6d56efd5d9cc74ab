"""The help of commands: flags and arguments without types, and a usage line without braces."""

from __future__ import annotations

from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup


class PlainHelp:
    """What commands and groups have in common: their help names no types of Python."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The arguments and options; a flag has no value to describe, and the name of an argument is enough."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if isinstance(parameter, TyperArgument):
                parameter.display_type_rich = _no_type  # type: ignore[method-assign]
            elif parameter.is_flag:
                parameter.metavar = ""
        return parameters

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage line: `MODEL`, not `{MODEL}`."""
        pieces: list[str] = super().collect_usage_pieces(ctx)  # type: ignore[misc]
        return [piece.replace("{", "").replace("}", "") for piece in pieces]


class PlainCommand(PlainHelp, TyperCommand):
    """A command with plain help."""


class PlainGroup(PlainHelp, TyperGroup):
    """A group of commands with plain help."""


def _no_type(ctx: Any) -> None:
    """No type in the help of an argument."""
