"""A check of the evidence before an estimate, and warnings about an estimate that rests on little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from problex._util.arrays import BoolArray, FloatArray
from problex._util.formatting import pluralize
from problex.errors import EstimationError, EstimationWarning, opt, warn_caller
from problex.model.evidence import Evidence

MIN_OWN_EVIDENCE = 0.05
"""The share of the weights that comes from the entries' own evidence, below which a warning is issued."""
MIN_DOCUMENTS = 6
"""Documents below which nothing can be learned: if each of n contains one list or the other by the toss of a coin, all
n agree with any rule with the probability 2^(1 - n), which is below 5 % from 6 on."""


def check_evidence(evidence: Evidence, included: BoolArray) -> None:
    """Raise if no two words occur together, or if a list has no included entry that occurs in the corpus."""
    if evidence.documents == 0:
        raise EstimationError(
            "there are no documents, expected texts to learn from: check that the files are not empty"
        )
    if evidence.tokens == 0:
        raise EstimationError(
            f"none of {pluralize(evidence.documents, 'document')} has a word: check the column of the texts, "
            f"{opt('text')}"
        )
    if evidence.token_pairs == 0:
        raise EstimationError(
            f"none of {pluralize(evidence.documents, 'document')} has two words, but weights are learned from words "
            "that occur together: give longer texts, or join them"
        )
    for index, name in enumerate(evidence.lists):
        members = evidence.list_index == index
        seen = members & (evidence.occurrences > 0)
        if not seen.any():
            examples = ", ".join(entry for entry, own in zip(evidence.entries, members, strict=True) if own)[:60]
            raise EstimationError(
                f"no entry of list {name!r} ({examples}) was found in {pluralize(evidence.documents, 'document')}: "
                "check the list, the language of the texts, or the column of the texts"
            )
        if not (seen & included).any():
            raise EstimationError(
                f"{pluralize(int(seen.sum()), 'entry', 'entries')} of list {name!r} found in "
                f"{pluralize(evidence.documents, 'document')}, none of which occurs together with the other lists less "
                "often than by chance, so no weight can be learned: give more or longer texts, or give a weight to "
                f"these words, too, with {opt('keep_discordant', True)}"
            )


def warn_of_weak_estimate(evidence: Evidence, predictiveness: FloatArray, solution: Mapping[str, Any]) -> None:
    """Warn if the corpus shows no burstiness, or if the weights are hardly better than counting."""
    if evidence.documents < MIN_DOCUMENTS:
        warn_caller(
            f"{pluralize(evidence.documents, 'document is', 'documents are')} too few to learn weights from: in fewer "
            f"than {MIN_DOCUMENTS}, words occur together or not by chance. Give more texts, or only count words with "
            f"{opt('rule', 'count')}",
            EstimationWarning,
        )
    if not np.isfinite(evidence.concentration):
        warn_caller(
            "words are not repeated within texts more often than by chance, so repetitions count in full (the "
            "multinomial rule)",
            EstimationWarning,
        )
    fallback = "the same weight, as in counting" if evidence.given is None else "the weight of the lexicon alone"
    if solution.get("fallback"):
        warn_caller(
            f"the lists occur together as often as expected by chance, so every entry has {fallback}. Give more or "
            "longer texts, or other lists",
            EstimationWarning,
        )
    elif evidence.given is None and solution.get("own_evidence", 1.0) < MIN_OWN_EVIDENCE:
        warn_caller(
            f"the words can hardly be distinguished: {solution['own_evidence']:.1%} of the weights comes from their "
            "own evidence, the rest from the mean of their list, so decisions are close to those of counting. Give "
            "more or longer texts",
            EstimationWarning,
        )
    elif not np.any(predictiveness > 0):
        warn_caller(
            "no entry has a weight, because the lists occur together as often as expected by chance, so every text is "
            f"undecided. Give more texts, other lists, or {opt('rule', 'count')}",
            EstimationWarning,
        )
