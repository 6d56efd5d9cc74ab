"""The learned words of a model file, and what was learned for the lexicon from them: every value is checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from problex._util.arrays import FloatArray
from problex._util.json_values import (
    MAX_NUMBER,
    SHARES_TOLERANCE,
    DamagedValueError,
    Fields,
    integer_array,
    number_array,
)
from problex.errors import check_choice
from problex.model.expansion import KINDS, Cotrained, Expansion
from problex.model.settings import MIN_POSITIVE
from problex.model.vocabulary import Vocabulary

STANDARD_ERROR = "standard_error"
"""The column of the entries that has the standard errors of co-training."""
COTRAINED = ("documents", "agreement", "reliability")
EXPANSION = (
    *("lexicon_weight", "documents", "agreement", "rounds", "typical_length", "offset", "corpus"),
    *("kind", "support"),
)
OLD_KIND = "contrast"
"""The kind of all expansions before format 3."""


def read_cotrained(file: Fields, columns: Mapping[str, Sequence[Any]]) -> Cotrained:
    """How the weights of the lexicon's entries were learned."""
    part = file.object("cotrained", COTRAINED)
    reliability = part.get("reliability")
    return Cotrained(
        number_array(STANDARD_ERROR, columns[STANDARD_ERROR], 0.0),
        part.integer("documents"),
        _correlation(part, "agreement"),
        float("nan") if reliability is None else _correlation(part, "reliability"),
    )


def read_expansion(file: Fields, lists: int) -> Expansion:
    """The expansion of a model."""
    figures = file.object("expansion", EXPANSION)
    kind = figures.text("kind") if "kind" in figures.record else OLD_KIND
    check_choice("'expansion.kind'", kind, KINDS)
    old = kind == OLD_KIND
    support = None if old or figures.get("support") is None else figures.values("support", lists)
    vocabulary, weights = _read_features(file, figures.integer("corpus", 1), lists, discounted=not old)
    return Expansion(
        vocabulary,
        weights,
        figures.number("lexicon_weight"),
        number_array("expansion.offset", figures.values("offset", lists)),
        figures.integer("documents"),
        _correlation(figures, "agreement"),
        figures.integer("rounds"),
        figures.number("typical_length", MIN_POSITIVE, MAX_NUMBER),
        kind,
        None if support is None else number_array("expansion.support", support, 0.0, 1.0 + SHARES_TOLERANCE),
    )


def _read_features(file: Fields, corpus: int, lists: int, *, discounted: bool) -> tuple[Vocabulary, FloatArray]:
    """The features of an expansion and their weights for each list."""
    words = file.texts("expansion_words")
    width = 3 + discounted + lists
    rows = file.rows("expansion_features", width)
    first, second, seen, *numbers = ([row[at] for row in rows] for at in range(width))
    place: dict[str | None, int] = {word: at for at, word in enumerate(words)}
    try:
        left = np.fromiter(map(place.__getitem__, first), np.int64, len(rows))
        place[None] = -1  # no next word
        right = np.fromiter(map(place.__getitem__, second), np.int64, len(rows))
    except (LookupError, TypeError):
        raise DamagedValueError("'expansion_features' has a word that is not in 'expansion_words'") from None
    if len(np.unique(left * (len(words) + 1) + right + 1)) < len(rows):
        raise DamagedValueError("'expansion_features' has a feature twice")
    columns = [number_array("expansion_features", column) for column in numbers[discounted:]]
    factors = number_array("expansion_features", numbers[0], MIN_POSITIVE, MAX_NUMBER) if discounted else None
    vocabulary = Vocabulary(words, left, right, integer_array("expansion_features", seen, 0, corpus), corpus, factors)
    return vocabulary, np.ascontiguousarray(np.stack(columns, axis=1))


def _correlation(part: Fields, name: str) -> float:
    return part.number(name, -1.0 - SHARES_TOLERANCE, 1.0 + SHARES_TOLERANCE)
