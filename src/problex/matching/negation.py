"""Negation as vocabulary: which words negate, how far they reach, what stops them.

Nothing is flipped by decree. A word of the lexicon inside the scope of a negator becomes an item of its own, written
`NOT good`, in the opposite list, and learns its own weight. These lists are data: edit, extend or switch them off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from problex.errors import ProblexError

NEGATED = "NOT "
"""What the name of a negated item begins with: in capitals, which no token has."""

CLAUSE_ENDS = frozenset('.,;:!?()[]{}"“”„«»…—–。，；：！？、（）「」')
"""Characters that end a clause, and with it the scope of a negation."""

NO_SCOPE = "a negation that reaches no word would do nothing: give None to switch it off"


@dataclass(frozen=True)
class Negation:
    """Negators, words that end their scope, and the scope in tokens.

    >>> Negation(("not", "never"), ends=("but",), scope=3).scope
    3
    """

    negators: tuple[str, ...]
    ends: tuple[str, ...] = ()
    scope: int = 4

    def __post_init__(self) -> None:
        for name in ("negators", "ends"):
            given = getattr(self, name)
            if isinstance(given, str) or not all(isinstance(word, str) for word in given):
                raise ProblexError(f"{name}={given!r} was given, expected a list of words")
            object.__setattr__(self, name, tuple(sorted(set(given))))
        if not self.negators:
            raise ProblexError("a negation without negators was given, expected some words: give None to switch it off")
        if not isinstance(self.scope, int) or self.scope < 1:
            raise ProblexError(f"scope={self.scope!r} was given, expected a number of tokens from 1 on: {NO_SCOPE}")

    @property
    def settings(self) -> dict[str, Any]:
        """The same as plain values, for files."""
        return {"negators": list(self.negators), "ends": list(self.ends), "scope": self.scope}


def _words(*lines: str) -> tuple[str, ...]:
    return tuple(" ".join(lines).split())


NEGATIONS: Mapping[str, Negation] = {
    "en": Negation(
        _words(
            "not no never none nobody nothing nowhere neither nor without hardly barely scarcely cannot",
            "don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't mustn't needn't",
            "haven't hasn't hadn't ain't mightn't shan't daren't",
            "dont doesnt didnt isnt arent wasnt werent wont wouldnt cant couldnt shouldnt havent hasnt hadnt aint",
        ),
        _words("but however although though yet nevertheless except"),
    ),
    "es": Negation(
        _words("no ni nunca jamás tampoco sin nada nadie ningún ninguno ninguna ningunos ningunas apenas"),
        _words("pero aunque sino mas excepto salvo"),
    ),
    "fr": Negation(
        _words("pas jamais sans ni rien aucun aucune personne nullement guère ne non"),
        _words("mais cependant pourtant toutefois sauf quoique"),
    ),
    "de": Negation(
        _words("nicht kein keine keinen keiner keinem keines nie niemals ohne weder niemand nichts nirgends kaum"),
        _words("aber jedoch sondern doch obwohl allerdings außer"),
    ),
    "nl": Negation(
        _words("niet geen nooit zonder noch niemand niets nergens nauwelijks"),
        _words("maar echter hoewel behalve toch"),
    ),
    "it": Negation(
        _words("non né mai senza niente nulla nessun nessuno nessuna neanche nemmeno neppure"),
        _words("ma però tuttavia sebbene tranne eppure"),
    ),
    "pt": Negation(
        _words("não nao nem nunca jamais sem nada ninguém nenhum nenhuma tampouco"),
        _words("mas porém contudo embora exceto todavia"),
    ),
}
"""For each language; `ne` and `pas` both count in French, since speech drops the one and writing the other."""


def negation_of(given: Negation | Mapping[str, Any] | str | bool | None, language: str) -> Negation | None:
    """What a setting means: None is off, "auto" the language's own, a code that of another language, or given words.

    >>> negation_of("auto", "de").negators[:2], negation_of(None, "de"), negation_of("auto", "any")
    (('kaum', 'kein'), None, None)
    """
    if given is None or given is False:
        return None
    if isinstance(given, Negation):
        return given
    if isinstance(given, Mapping):
        return Negation(**{**given, "negators": tuple(given["negators"]), "ends": tuple(given.get("ends", ()))})
    if given is True or given == "auto":
        return NEGATIONS.get(language)
    if given in NEGATIONS:
        return NEGATIONS[str(given)]
    known = ", ".join(["auto", *NEGATIONS])
    raise ProblexError(f"negation={given!r} was given, expected one of {known}, None, or a Negation of your own words")


def opposite_lists(lists: Sequence[str]) -> list[int | None]:
    """The list that a negated item of each list belongs to; with more than two lists it is only dropped."""
    return [1, 0] if len(lists) == 2 else [None] * len(lists)
