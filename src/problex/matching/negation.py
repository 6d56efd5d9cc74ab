"""Negation: the words that negate, the length of their scope, and what ends it.

A word of the lexicon within the scope of a negator is a separate item, written `NOT good`, in the opposite list,
and gets its own weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from problex._util.json_values import shorten
from problex.errors import ProblexError

NEGATED = "NOT "
"""The prefix of the name of a negated item; tokens have no capitals, so it cannot be a token."""

MAX_SCOPE = 2**31 - 1
"""The largest scope of a negation, in tokens."""

CLAUSE_ENDS = frozenset('.,;:!?()[]{}"“”„«»…—–。，；：！？、（）「」')
"""Characters that end a clause, and with it the scope of a negation."""


@dataclass(frozen=True)
class Negation:
    """The words that negate, the words that end their scope, and the scope: how many tokens after it are negated.

    `exceptions` are phrases that begin with a negator and do not negate ("not only"); each is read as one word.

    >>> Negation(("not", "never"), ends=("but",), scope=3, exceptions=("not only",)).scope
    3
    """

    negators: tuple[str, ...]
    ends: tuple[str, ...] = ()
    scope: int = 4
    exceptions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("negators", "ends", "exceptions"):
            words = getattr(self, name)
            if isinstance(words, str) or not all(isinstance(word, str) for word in words):
                raise ProblexError(f"{name}={words!r} was given, expected a list of words")
            object.__setattr__(self, name, tuple(sorted(set(words))))
        if not self.negators:
            raise ProblexError("negators is empty, expected at least one word: to switch negation off, give None")
        if type(self.scope) is not int or not 1 <= self.scope <= MAX_SCOPE:
            raise ProblexError(
                f"scope={shorten(self.scope)} was given, expected a number of tokens from 1 to {MAX_SCOPE:,}: give "
                "None to switch negation off"
            )


def opposite_lists(lists: Sequence[str]) -> list[int | None]:
    """The list that a negated item of each list belongs to; None with more than two lists, where it is left out.

    >>> opposite_lists(["down", "up"]), opposite_lists(["anger", "fear", "joy"])
    ([1, 0], [None, None, None])
    """
    return [1, 0] if len(lists) == 2 else [None] * len(lists)
