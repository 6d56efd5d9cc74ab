"""The weights that the author of a lexicon gave its entries, such as VADER's ratings, for the items of the lexicon."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from problex._util.formatting import pluralize
from problex.errors import LexiconError, LexiconWarning, opt, warn_caller
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import item_of, items_of
from problex.matching.negation import NEGATED
from problex.matching.tokens import Tokenizer


def given_weights(lexicon: Lexicon, tokenizer: Tokenizer, entries: Iterable[str]) -> NDArray[np.float64]:
    """What the author of a lexicon gave each entry, as evidence for its own list.

    That is the weight times the sign of its list, which is that of the sum of the list's weights. Words that a wildcard
    matches have the weight of the wildcard, negated words that of their word, and entries without a weight the mean of
    their list.

    >>> lexicon = Lexicon({"up": {"good": 1.9, "happ*": 2.5, "fine": None}, "down": {"bad": -2.5}})
    >>> given_weights(lexicon, Tokenizer(), ["bad", "NOT good", "happy", "fine"]).tolist()
    [2.5, 1.9, 2.5, 2.2]
    """
    check_weights(lexicon)
    items, weights = items_of(lexicon, tokenizer), dict[str, float]()
    for words in lexicon.lists.values():
        known = [lexicon.weights[word] for word in words if word in lexicon.weights]
        mean = sum(known) / len(known)
        for word in words:
            item, _ = item_of(word, tokenizer, items.segmented)
            weights.setdefault(item, np.sign(mean) * lexicon.weights.get(word, mean))

    def weight_of(word: str) -> float:
        wildcard = None if word in weights else items.matching_wildcard(word)
        return weights[word if wildcard is None else wildcard.pattern]

    return np.array([weight_of(entry.removeprefix(NEGATED)) for entry in entries], dtype=np.float64)


def check_weights(lexicon: Lexicon) -> None:
    """Raise if a list has no weights, or weights that do not tell for or against it."""
    if not lexicon.weights:
        raise LexiconError(
            "the lexicon has no weights, expected a number for each word, as VADER and AFINN have: use a lexicon with "
            f"weights. A model file has them only if the model was fitted with {opt('rule', 'given')} or "
            f"{opt('shrink_to', 'given')}"
        )
    for name, words in lexicon.lists.items():
        total = sum(lexicon.weights.get(word, 0.0) for word in words)
        if not total:
            raise LexiconError(
                f"the weights of the words in list {name!r} add up to 0, expected positive or negative ones in every "
                "list: add weights to the list, or choose other lists"
            )


def warn_of_missing_weights(lexicon: Lexicon) -> None:
    """Warn of entries that have no weight."""
    missing = [word for words in lexicon.lists.values() for word in words if word not in lexicon.weights]
    if missing:
        number = pluralize(len(missing), "entry of the lexicon has", "entries of the lexicon have")
        verb, whose = ("gets", "its") if len(missing) == 1 else ("get", "their")
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        shown = ", ".join(map(repr, missing[:5])) + more
        warn_caller(f"{number} no weight and {verb} the mean of {whose} list: {shown}", LexiconWarning)
