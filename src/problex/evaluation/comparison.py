"""The weights of a lexicon file compared with those that a model has learned. Nothing is scored with the former."""

from __future__ import annotations

import numpy as np

from problex._util.arrays import FloatArray
from problex._util.late import stats
from problex._util.records import Record
from problex.errors import LexiconError
from problex.lexicon.lexicon import Lexicon
from problex.model.model import Model


def compare_weights(model: Model, lexicon: Lexicon, *, min_count: int = 1) -> list[Record]:
    """A record per entry that has both weights, ordered by the difference of its ranks within the list.

    Ranks run from 0, the smallest weight of the list, to 1, the largest: scales such as VADER's -4 to 4 do not matter.
    Entries that were seen fewer than `min_count` times are left out.
    """
    weights = _file_weights(model, lexicon)
    shared = [row for row in model.records() if row["entry"] in weights]
    frequent = [row for row in shared if row["count"] >= min_count]
    if not frequent:
        raise LexiconError(
            f"{len(shared)} entries of the model have a weight in the lexicon, and none of them occurs {min_count} "
            "times or more: expected a file with weights such as word<TAB>1.9 for the lists of the model, or a lower "
            "minimum count"
        )
    records: list[Record] = []
    for name in model.classes:
        rows = [row for row in frequent if row["list"] == name]
        given_ranks = _ranks(np.array([abs(weights[str(row["entry"])]) for row in rows]))
        learned_ranks = _ranks(np.array([row["weight"] for row in rows]))
        for at, row in enumerate(rows):
            records.append(
                {
                    "entry": row["entry"],
                    "list": name,
                    "count": row["count"],
                    "given": weights[str(row["entry"])],
                    "learned": row["weight"],
                    "given_rank": float(given_ranks[at]),
                    "learned_rank": float(learned_ranks[at]),
                }
            )
    return sorted(records, key=lambda row: (-abs(row["learned_rank"] - row["given_rank"]), row["entry"]))


def agreement(records: list[Record]) -> list[Record]:
    """For each list: the number of entries with both weights, and Spearman's rank correlation between them.

    >>> ranks = [(0.0, 0.0), (0.5, 1.0), (1.0, 0.5)]                    # 1 - 6 * (0 + 1 + 1) / (3 * 8)
    >>> rows = [{"list": "up", "given_rank": given, "learned_rank": learned} for given, learned in ranks]
    >>> [round(row["rank_correlation"], 3) for row in agreement(rows)], agreement(rows[:1])[0]["rank_correlation"]
    ([0.5], None)
    """
    summary: list[Record] = []
    for name in sorted({row["list"] for row in records}):
        rows = [row for row in records if row["list"] == name]
        given, learned = ([row[column] for row in rows] for column in ("given_rank", "learned_rank"))
        varied = len(set(given)) > 1 and len(set(learned)) > 1
        rho = float(stats.spearmanr(given, learned).statistic) if varied else None
        summary.append({"list": name, "entries": len(rows), "rank_correlation": rho})
    return summary


def _file_weights(model: Model, lexicon: Lexicon) -> dict[str, float]:
    """The weights of the file by the entry of the model, where both have it in the same list.

    An entry is looked up as it is written, then by its tokens (`well-made` is `well made`).
    """
    entries = {(str(row["entry"]), str(row["list"])) for row in model.records()}
    weights: dict[str, float] = {}
    for spelling in (str, lambda word: " ".join(model.tokenizer(word))):
        for name, words in lexicon.lists.items():
            for word in words:
                if word in lexicon.weights and (spelling(word), name) in entries:
                    weights.setdefault(spelling(word), lexicon.weights[word])
    return weights


def _ranks(values: FloatArray) -> FloatArray:
    """Average ranks from 0 to 1; 0.5 if there is only one value.

    >>> _ranks(np.array([3.0, 1.0, 3.0])).tolist(), _ranks(np.array([7.0])).tolist()
    ([0.75, 0.0, 0.75], [0.5])
    """
    if len(values) < 2:
        return np.full(len(values), 0.5)
    return np.asarray((stats.rankdata(values) - 1) / (len(values) - 1), dtype=np.float64)
