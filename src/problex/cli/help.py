"""The help of commands: flags and arguments without types, and a usage line without braces; values of parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Any

from typer import BadParameter
from typer.core import TyperArgument, TyperCommand, TyperGroup

from problex.cli.terminal import shorten
from problex.errors import MAX_QUOTED

UsageError: type[Any] = BadParameter.__mro__[1]
"""The class of errors of the command line, which versions of Typer take from different packages."""
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
    """A command with plain help, which refuses values that are empty or not finite."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; a file of an empty name would be the folder, and an empty column would be ignored."""
        given, _, order = self.make_parser(ctx).parse_args(list(args))
        columns: list[Any] = [parameter for parameter in order if parameter.name == "by"]
        if len(columns) > 1:
            raise BadParameter(f"it was given {len(columns)} times, expected one column.", ctx, columns[0])
        rest: list[str] = super().parse_args(ctx, args)
        for parameter in self.get_params(ctx):
            value, made = given.get(parameter.name), ctx.params.get(parameter.name)
            if parameter.metavar != "TEXT" and "" in (value if isinstance(value, list | tuple) else [value]):
                raise BadParameter("it is empty.", ctx, parameter)
            if isinstance(made, float) and not isfinite(made):
                raise BadParameter(f"{made} is not a finite number.", ctx, parameter)
        return rest


class PlainGroup(PlainHelp, TyperGroup):
    """A group of commands with plain help."""


@contextmanager
def short_errors() -> Iterator[None]:
    """Errors of the command line that quote no more than the beginning of a long word."""
    try:
        yield
    except UsageError as error:
        error.message = shorten(shorten_words(error.message))
        raise


def shorten_words(message: str) -> str:
    """A message in which very long words, such as wrong values, are cut; what follows the word's end stays.

    >>> len(shorten_words(f"'{'x' * 5000}' is not one of 'a', 'b'.")), shorten_words("short")
    (108, 'short')
    """
    return re.sub(rf"(\S{{{MAX_QUOTED}}})\S{{{MAX_QUOTED},}}?(\W?)(?=\s|$)", r"\1...\2", message)


def _no_type(ctx: Any) -> None:
    """No type in the help of an argument."""
