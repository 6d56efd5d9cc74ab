"""What a file says that words are worth, next to what was learned from texts. Nothing is scored with it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from problex.errors import LexiconError
from problex.estimation.model import Model
from problex.lexicon.lexicon import Lexicon


def compare_weights(model: Model, lexicon: Lexicon, *, min_count: int = 1) -> list[dict[str, Any]]:
    """One record per entry that has both weights, those first whose rank within the list differs most.

    Ranks run from 0, the lightest of its list, to 1, the heaviest: scales such as VADER's -4 to 4 do not matter.
    Entries that were seen fewer than `min_count` times have learned little, and are not compared.
    """
    given = _given(model, lexicon)
    known = [row for row in model.records() if row["entry"] in given]
    learned = [row for row in known if row["count"] >= min_count]
    if not learned:
        raise LexiconError(
            f"{len(known)} entries of the model have a weight in the lexicon, and none was seen {min_count} times "
            "or more: expected a file with weights such as word<TAB>1.9 for the lists of the model, or ask for fewer"
        )
    records: list[dict[str, Any]] = []
    for name in model.classes:
        rows = [row for row in learned if row["list"] == name]
        theirs = _ranks(np.array([abs(given[str(row["entry"])]) for row in rows]))
        ours = _ranks(np.array([row["weight"] for row in rows]))
        for at, row in enumerate(rows):
            records.append(
                {
                    "entry": row["entry"],
                    "list": name,
                    "count": row["count"],
                    "given": given[str(row["entry"])],
                    "learned": row["weight"],
                    "given_rank": float(theirs[at]),
                    "learned_rank": float(ours[at]),
                }
            )
    return sorted(records, key=lambda row: (-abs(row["learned_rank"] - row["given_rank"]), row["entry"]))


def agreement(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each list: how many entries have both weights, and the rank correlation between them (Spearman's)."""
    found = []
    for name in sorted({row["list"] for row in records}):
        rows = [row for row in records if row["list"] == name]
        theirs, ours = ([row[which] for row in rows] for which in ("given_rank", "learned_rank"))
        varied = len(set(theirs)) > 1 and len(set(ours)) > 1
        rho = float(stats.spearmanr(theirs, ours).statistic) if varied else None
        found.append({"list": name, "entries": len(rows), "rank_correlation": rho})
    return found


def _given(model: Model, lexicon: Lexicon) -> dict[str, float]:
    """The weights of the file by the entry of the model, where both have it in the same list.

    An entry is called as it is written or by its tokens (`well-made` is `well made`); the first comes first.
    """
    own = {(str(row["entry"]), str(row["list"])) for row in model.records()}
    given: dict[str, float] = {}
    for named in (str, lambda word: " ".join(model.tokenizer(word))):
        for name, words in lexicon.lists.items():
            for word in words:
                if word in lexicon.weights and (named(word), name) in own:
                    given.setdefault(named(word), lexicon.weights[word])
    return given


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average ranks from 0 to 1; 0.5 where there is only one value."""
    if len(values) < 2:
        return np.full(len(values), 0.5)
    return np.asarray((stats.rankdata(values) - 1) / (len(values) - 1), dtype=np.float64)
