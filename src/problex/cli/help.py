"""The help of commands: flags and arguments without types, and a usage line without braces; values of parameters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup

SINGLE: dict[Any, Callable[[str], Any]] = {str: str, Path: Path}
REPEATED: dict[Any, Callable[[str], Any]] = {list[str]: str, list[Path]: Path}
"""How values of these types are made from the words of the command line."""


class PlainValue:
    """Values of parameters that are texts, paths or not given; for others Typer imports pydantic, which takes time."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """A value from the command line as its parameter has it; Typer converts numbers and other types."""
        kind = param.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if isinstance(value, str) and (convert := param.type_descriptor.parameter_info.parser or SINGLE.get(kind)):
            return convert(value)
        if isinstance(value, list | tuple) and (convert := REPEATED.get(kind)):
            return [convert(part) for part in value]
        if kind == tuple[str, str]:
            return tuple(value)
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


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
            if getattr(parameter, "_runtime_param", parameter) is None:  # in other versions there is none
                parameter._runtime_param = PlainValue()
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
