"""Predictions as tables: columns of the result, and how many texts got each label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from problex._util.formatting import format_percent, pluralize
from problex.corpus import Batch
from problex.scoring import UNDECIDED, Scores
from problex.scoring.frames import scored_table

if TYPE_CHECKING:
    from problex.shares.regression import SheetOutcomes

DIGITS = 4
"""Decimals of scores and probabilities."""
OUTCOME_DIGITS = 6
UNSURE = 0.6
"""Labels with a lower probability are counted as unsure."""


def prediction_table(
    batch: Batch, scores: Scores, digits: int = DIGITS, outcomes: SheetOutcomes | None = None
) -> pa.Table:
    """One row per document: its number, kept columns, label, score, probabilities, tokens, matches and outcomes."""
    if outcomes is None:
        return scored_table(batch, scores, digits)
    values = zip(outcomes.names, outcomes.of_batch(batch, scores).T, strict=True)
    more = {name: pa.array(column.round(OUTCOME_DIGITS), from_pandas=True) for name, column in values}
    return scored_table(batch, scores, digits, more)


def tally_of(batch: Batch, scores: Scores) -> dict[str, int]:
    """Texts read, lost and labelled, and labels that are unsure: integers that can be added."""
    labels = scores.labels()
    decided = labels != UNDECIDED
    best = scores.probabilities.max(axis=1)[decided]
    numbers = Counter(labels.tolist())
    return {
        "rows": len(batch.texts),
        "missing": batch.missing,
        "unreadable": batch.invalid,
        "decided": int(decided.sum()),
        "unsure": int((best < UNSURE).sum()),
        **{f"label {name}": number for name, number in numbers.items()},
    }


def describe_losses(tally: Mapping[str, int]) -> str:
    """How many texts were missing or could not be read; nothing if there were none."""
    return "".join(f"; {pluralize(tally[kind], 'text')} {kind}" for kind in ("missing", "unreadable") if tally[kind])


def describe_labels(tally: Mapping[str, int], classes: Sequence[str]) -> list[str]:
    """How many texts have each label and how many labels are unsure, in two lines at most.

    >>> tally = {"rows": 4, "label good": 2, "label bad": 1, "label undecided": 1, "decided": 3, "unsure": 1}
    >>> for line in describe_labels(tally, ["bad", "good"]):
    ...     print(line)
    1 bad (25.0%), 2 good (50.0%), 1 undecided (25.0%)
    by the model, 1 of 3 labels has a probability below 60%
    """
    total, decided = max(tally["rows"], 1), tally.get("decided", 0)
    numbers = {name: tally.get(f"label {name}", 0) for name in (*classes, UNDECIDED)}
    lines = [", ".join(f"{number:,} {name} ({format_percent(number / total)})" for name, number in numbers.items())]
    if decided:
        unsure = tally.get("unsure", 0)
        have = "has" if unsure == 1 else "have"
        lines.append(
            f"by the model, {unsure:,} of {pluralize(decided, 'label')} {have} a probability below {UNSURE:.0%}"
        )
    return lines
